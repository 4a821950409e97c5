"""Server-sent events on the wire: one frame an event, a comment in the pauses."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import StreamingResponse

HEARTBEAT_SECONDS = 15.0  # proxies commonly cut a silent connection after 30 to 60 s
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent and stored: `data` is one JSON object on one line."""

    event: str
    seq: int | None
    data: str

    def encode(self) -> bytes:
        number = f"id: {self.seq}\n" if self.seq is not None else ""
        return f"event: {self.event}\n{number}data: {self.data}\n\n".encode()


# Frames that are there at once; none after HEARTBEAT_SECONDS without one.
Frames: TypeAlias = AsyncGenerator[Sequence[Frame], None]


def frame(event: str, payload: dict[str, Any], *, seq: int | None = None) -> Frame:
    """A frame of a payload."""
    return Frame(event, seq, as_data(payload))


def as_data(payload: dict[str, Any]) -> str:
    """The payload as one line of JSON that UTF-8 can carry."""
    return _sendable(ENCODER.encode(payload))


def delta_data(delta: str) -> str:
    """`as_data({"delta": delta})`, at a quarter of its cost: most events are this one."""
    return _sendable(f'{{"delta":{encode_basestring(delta)}}}')


def _sendable(data: str) -> str:
    """Half a character is no text."""
    return data if data.isascii() else data.encode("utf-8", "replace").decode()


def resumes_after(request: Request) -> int:
    """The number of the last event that a reader has; 0 when it says none, or nothing sensible."""
    header = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    return int(header) if header.isdecimal() and len(header) < 10 else 0


def response(frames: Frames) -> StreamingResponse:
    """Stream frames; a client that goes away closes the iterator.

    One that reads slowly holds its own place and nothing else: what it has not had yet stays where it is, and is
    sent in one piece later.
    """
    return StreamingResponse(
        _encoded(frames),
        media_type="text/event-stream",
        headers={"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"},
    )


async def beating(source: AsyncGenerator[Frame, None]) -> Frames:
    """A source that does not keep the time itself, with silences where it is silent."""
    upcoming: asyncio.Task[Frame] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.ensure_future(_next(source))
            done, _ = await asyncio.wait({upcoming}, timeout=HEARTBEAT_SECONDS)
            if not done:
                yield []
                continue
            try:
                arrived = upcoming.result()
            except StopAsyncIteration:
                return
            upcoming = None
            yield [arrived]
    finally:
        if upcoming is not None:
            upcoming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await upcoming
        await source.aclose()


async def _next(source: AsyncGenerator[Frame, None]) -> Frame:
    return await anext(source)


async def one_by_one(frames: Frames) -> AsyncIterator[Frame]:
    """The frames without the silences between them."""
    async with aclosing(frames):
        async for batch in frames:
            for item in batch:
                yield item


async def _encoded(frames: Frames) -> AsyncIterator[bytes]:
    async with aclosing(frames):
        async for batch in frames:
            yield b"".join([item.encode() for item in batch]) or HEARTBEAT
