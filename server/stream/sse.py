"""Server-sent events on the wire: one frame an event, a heartbeat in the pauses."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.responses import StreamingResponse

HEARTBEAT_SECONDS = 15.0  # proxies commonly cut a silent connection after 30 to 60 s
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


def frame(event: str, payload: dict[str, Any], *, seq: int | None = None) -> Frame:
    data = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), default=str)
    return Frame(event, seq, data.encode("utf-8", "replace").decode())  # half a character is no text


def response(frames: AsyncIterator[Frame]) -> StreamingResponse:
    """Stream frames; a client that goes away closes the iterator."""
    return StreamingResponse(
        _with_heartbeats(frames),
        media_type="text/event-stream",
        headers={"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"},
    )


async def _with_heartbeats(frames: AsyncIterator[Frame]) -> AsyncIterator[bytes]:
    upcoming: asyncio.Task[Frame] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.ensure_future(_next(frames))
            done, _ = await asyncio.wait({upcoming}, timeout=HEARTBEAT_SECONDS)
            if not done:
                yield HEARTBEAT
                continue
            try:
                arrived = upcoming.result()
            except StopAsyncIteration:
                return
            upcoming = None
            yield arrived.encode()
    finally:
        if upcoming is not None:
            upcoming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await upcoming


async def _next(frames: AsyncIterator[Frame]) -> Frame:
    return await anext(frames)
