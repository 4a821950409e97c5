"""A client for benchmarks that costs next to nothing: raw sockets, and the time at which each piece arrived."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter

READ = 1 << 16
SECONDS = 300.0  # of one stream


class Broken(Exception):
    """A stream that did not answer 200, or ended before its end."""


@dataclass(slots=True)
class Arrivals:
    """Seconds since the request went out: of the first event, and of every token."""

    first_event: float = 0.0
    tokens: list[float] = field(default_factory=list)
    ended: float = 0.0


async def stream(
    port: int, path: str, body: bytes, *, headers: Mapping[str, str], token: bytes, last: bytes
) -> Arrivals:
    """POST and read to `last`. `token` begins every piece of text in the stream. Raises Broken."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=READ)
    try:
        lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode()
        began = perf_counter()
        writer.write(head + body)
        async with asyncio.timeout(SECONDS):
            answer = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in answer.partition(b"\r\n")[0]:
                raise Broken((answer + await reader.read(READ))[:500].decode(errors="replace"))
            return await _read(reader, began, token, last)
    except asyncio.IncompleteReadError as error:
        raise Broken("The connection was closed.") from error
    finally:
        writer.close()


async def _read(reader: asyncio.StreamReader, began: float, token: bytes, last: bytes) -> Arrivals:
    arrivals, rest = Arrivals(), b""
    while data := await reader.read(READ):
        now = perf_counter() - began
        arrivals.first_event = arrivals.first_event or now
        *frames, rest = (rest + data).split(b"\n\n")
        for frame in frames:
            if token in frame:
                arrivals.tokens.append(now)
            if last in frame:
                arrivals.ended = now
                return arrivals
    raise Broken("The stream ended before its end.")
