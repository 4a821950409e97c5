"""The scripted server's paced streams alone: `python -m providers.paced`, for benchmarks.

The same bytes as `providers.scripted` sends for `scripted-pace-RATE-TOKENS`, without a framework between: what
paces 500 streams must not take the processor from what is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
NAME = re.compile(r"scripted-pace-([\d.]+)-(\d+)")


class Paced(asyncio.Protocol):
    """One connection, kept alive between requests; anything but a paced model is 404."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._received = b""
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def connection_lost(self, _error: Exception | None) -> None:
        if self._due:
            self._due.cancel()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, rest = self._received.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        size = int(length[1]) if length else 0
        if not found or len(rest) < size:
            return
        self._received = rest[size:]
        body = json.loads(rest[:size] or b"{}")
        pace = NAME.fullmatch(str(body.get("model")))
        if pace is None:
            self._transport.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            return
        self._transport.write(HEAD)
        start = asyncio.get_running_loop().time()
        self._send(body, Frames(body), start, 1 / float(pace[1]), number=0, tokens=int(pace[2]))

    def _send(
        self, body: Mapping[str, Any], frames: Frames, start: float, pace: float, *, number: int, tokens: int
    ) -> None:
        """The next token, by the clock, so that late wake-ups do not add up."""
        if number == tokens:
            self._transport.write(frames.end(tokens) + b"0\r\n\r\n")
            return
        self._transport.write(frames.token(number))
        loop = asyncio.get_running_loop()
        self._due = loop.call_at(
            start + (number + 1) * pace, self._next, body, frames, start, pace, number, tokens
        )

    def _next(
        self, body: Mapping[str, Any], frames: Frames, start: float, pace: float, number: int, tokens: int
    ) -> None:
        self._send(body, frames, start, pace, number=number + 1, tokens=tokens)


class Frames:
    """The chunks of one answer; those of a token differ in its text only."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self._before, self._after = self._data(
            [{"index": 0, "delta": {"content": "\0"}, "finish_reason": None}]
        ).split(b"\\u0000")

    def token(self, number: int) -> bytes:
        return framed(self._before + b"w%d " % number + self._after)

    def end(self, tokens: int) -> bytes:
        finish = framed(self._data([{"index": 0, "delta": {}, "finish_reason": "stop"}]))
        if (self._body.get("stream_options") or {}).get("include_usage"):
            prompt = len(json.dumps(self._body.get("messages", ()))) // 4
            counts = {"prompt_tokens": prompt, "completion_tokens": tokens, "total_tokens": prompt + tokens}
            finish += framed(self._data([], usage=counts))
        return finish + framed(b"data: [DONE]\n\n")

    def _data(self, choices: list[Any], **more: Any) -> bytes:
        model = self._body.get("model", "")
        head = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": model}
        return f"data: {json.dumps({**head, 'choices': choices, **more})}\n\n".encode()


def framed(data: bytes) -> bytes:
    """A chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


async def serve(port: int) -> None:
    """Serve on 127.0.0.1 until cancelled."""
    server = await asyncio.get_running_loop().create_server(Paced, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m providers.paced", description=__doc__)
    parser.add_argument("--port", type=int, default=8191)
    asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
