"""A reader of server-sent events that forgives what model servers get wrong; bytes in, data of events out.

The SDK's own reader fails on an event without data (`event: ping`), which real servers send (S-ST-03).
"""

from __future__ import annotations

import json
import re
from typing import Any

from providers.degrade import degraded
from providers.errors import BadResponse

LINE_END = re.compile(rb"\r\n|\r|\n")
LARGEST_LINE = 8 * 1024 * 1024  # bytes; an answer that is not streamed comes as one line


class EventReader:
    """Feed it bytes cut anywhere; lines are decoded whole, so a cut character stays a character (S-ST-01)."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """The data of every event that ends in this chunk; comments, ids, retries, empty events give none."""
        if not self._rest and not self._data and is_one_event(chunk):
            return [chunk[6:-2].decode("utf-8", "replace")]
        *lines, self._rest = LINE_END.split(self._rest + chunk)
        if (
            chunk.endswith(b"\r") and not self._rest
        ):  # its \n may be the next byte: keep the line until it is known
            self._rest = lines.pop() + b"\r"
        if len(self._rest) > LARGEST_LINE:
            raise BadResponse
        return [data for line in lines if (data := self._line(line.decode("utf-8", "replace")))]

    def finish(self) -> list[str]:
        """The last event, when the server left out the blank line after it."""
        return self.feed(b"\n\n")

    def _line(self, line: str) -> str | None:
        if not line:
            data, self._data = "\n".join(self._data), []
            return data or None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return None


def is_one_event(chunk: bytes) -> bool:
    """Whether this is a single whole event of one line, as nearly all are: a third of the cost of any other."""
    return (
        len(chunk) > 8  # an empty one is none
        and chunk.startswith(b"data: ")
        and chunk.endswith(b"\n\n")
        and chunk.find(b"\n") == len(chunk) - 2
        and b"\r" not in chunk
    )


class ChunkReader:
    """Bytes of an answer in, decoded JSON chunks out, whether it came as events or as one JSON object."""

    def __init__(self) -> None:
        self.done = False  # [DONE] was read
        self._events: EventReader | None = None
        self._start = b""

    def feed(self, data: bytes) -> list[Any]:
        if self._events is None:
            self._start += data
            if len(self._start) > LARGEST_LINE:
                raise BadResponse
            if not self._start.strip() or self._start.lstrip()[:1] == b"{":
                return []  # nothing yet, or an object that has to be whole first
            self._events, data = EventReader(), self._start
        return self._decode(self._events.feed(data))

    def finish(self) -> list[Any]:
        """What was waiting for its end."""
        return self._decode(
            self._events.finish() if self._events else [self._start.decode("utf-8", "replace")]
        )

    def _decode(self, items: list[str]) -> list[Any]:
        chunks = []
        for item in items:
            if self.done or item.strip() == "[DONE]":
                self.done = True
                break
            try:
                chunks.append(json.loads(item))
            except (ValueError, RecursionError) as error:
                degraded("unreadable chunk", error)
        return chunks
