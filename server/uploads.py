"""Multipart uploads as they arrive: fields, and files as streams that are never held in memory."""

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from server.errors import BadRequest, TooLarge

MAX_FIELD_BYTES = 10_000
# Skipped of a part that was refused, so that a client that only sends gets to see the answer and the other
# parts are read; no more, for it may never end.
SKIP_BYTES = 64 * 1024 * 1024


@dataclass(slots=True)
class Part:
    """One part. Of a file, read `stream` to its end before asking for the next part."""

    name: str
    filename: str | None
    value: str = ""
    stream: AsyncIterator[bytes] | None = None


@dataclass(slots=True)
class _Headers:
    title: bytearray = field(default_factory=bytearray)
    value: bytearray = field(default_factory=bytearray)
    found: dict[str, bytes] = field(default_factory=dict)


class Multipart:
    """The parts of one request."""

    def __init__(self, request: Request) -> None:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise BadRequest("Send files as multipart/form-data.")
        self._body = request.stream()
        self._events: deque[tuple[str, bytes]] = deque()
        self._headers = _Headers()
        self._ended = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_header_field": lambda data, start, end: self._headers.title.extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._headers.value.extend(data[start:end]),
                "on_header_end": self._header_ended,
                "on_headers_finished": self._headers_finished,
                "on_part_data": lambda data, start, end: self._events.append(("data", data[start:end])),
                "on_part_end": lambda: self._events.append(("end", b"")),
            },
        )

    def _header_ended(self) -> None:
        headers = self._headers
        headers.found[headers.title.decode("latin-1").lower()] = bytes(headers.value)
        headers.title.clear()
        headers.value.clear()

    def _headers_finished(self) -> None:
        # Several parts may come in one packet: each event carries what belongs to it.
        self._events.append(("part", self._headers.found.get("content-disposition", b"")))
        self._headers.found = {}

    async def parts(self) -> AsyncIterator[Part]:
        """Parts in order. A file that was not read to its end is skipped."""
        skipped = 0
        while await self._fill():
            kind, data = self._events.popleft()
            if kind != "part":
                skipped += len(data)
                if skipped > SKIP_BYTES:
                    raise TooLarge("This upload goes on beyond every limit.")
                continue
            skipped = 0
            part = _described(data)
            if part.filename is None:
                part.value = await self._value()
            else:
                part.stream = self._data()
            yield part

    async def _data(self) -> AsyncIterator[bytes]:
        while await self._fill():
            kind, data = self._events.popleft()
            if kind == "end":
                return
            yield data
        raise BadRequest("The upload ended before the file was complete.", code="incomplete")

    async def _value(self) -> str:
        value = bytearray()
        async for piece in self._data():
            value += piece
            if len(value) > MAX_FIELD_BYTES:
                raise BadRequest("A form field is too long.")
        return value.decode("utf-8", "replace")

    async def _fill(self) -> bool:
        """Read until there is an event; False at the end of the request."""
        while not self._events and not self._ended:
            try:
                chunk = await anext(self._body, b"")
                if chunk:
                    self._parser.write(chunk)
                else:
                    self._ended = True
            except ClientDisconnect:
                raise BadRequest("The upload was broken off.", code="incomplete") from None
            except MultipartParseError:
                raise BadRequest("This is not valid multipart/form-data.") from None
        return bool(self._events)


def _described(disposition: bytes) -> Part:
    _, options = parse_options_header(disposition)
    filename = options.get(b"filename")
    return Part(
        name=options.get(b"name", b"").decode("utf-8", "replace"),
        filename=None if filename is None else filename.decode("utf-8", "replace"),
    )
