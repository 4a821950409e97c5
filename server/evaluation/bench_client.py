"""A client for benchmarks that costs next to nothing: a bare protocol, and the time at which each piece arrived."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter

SECONDS = 300.0  # of one stream
SHOWN = 500  # bytes of an answer that is no stream


class Broken(Exception):
    """A stream that did not answer 200, or ended before its end."""


@dataclass(slots=True)
class Arrivals:
    """Seconds since the request went out: of the first event, and of every token."""

    first_event: float = 0.0
    tokens: list[float] = field(default_factory=list)
    ended: float = 0.0


BUFFER = bytearray(1 << 16)  # filled and emptied in one go: one for all


class Reading(asyncio.BufferedProtocol):
    """Counts what marks a token in each piece as it comes; nothing is parsed and, past the head, nothing kept."""

    def __init__(self, token: bytes, last: bytes) -> None:
        self.arrivals = Arrivals()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.began = perf_counter()
        self._token, self._last = token, last
        self._overlap = max(len(token), len(last)) - 1
        self._head: bytes | None = b""
        self._rest = b""

    def get_buffer(self, sizehint: int) -> bytearray:
        return BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self._received(bytes(BUFFER[:nbytes]))

    def _received(self, data: bytes) -> None:
        now = perf_counter() - self.began
        if self._head is not None:
            self._head += data
            head, found, data = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 200 " not in head.partition(b"\r\n")[0]:
                self._end(Broken(self._head[:SHOWN].decode(errors="replace")))
                return
            self._head = None
        if not data:
            return
        arrivals = self.arrivals
        arrivals.first_event = arrivals.first_event or now
        seen = self._rest + data
        # A mark cut in two is counted with its second half, one that lies in the overlap whole only once.
        count = seen.count(self._token) - self._rest.count(self._token)
        arrivals.tokens.extend([now] * count)
        if self._last in seen:
            arrivals.ended = now
            self._end(None)
        self._rest = seen[-self._overlap :]

    def connection_lost(self, _error: Exception | None) -> None:
        self._end(Broken("The stream ended before its end."))

    def _end(self, error: Broken | None) -> None:
        if self.ended.done():
            return
        if error:
            self.ended.set_exception(error)
        else:
            self.ended.set_result(None)


async def stream(
    port: int, path: str, body: bytes, *, headers: Mapping[str, str], token: bytes, last: bytes
) -> Arrivals:
    """POST and read to `last`. `token` marks every piece of text in the stream. Raises Broken."""
    loop = asyncio.get_running_loop()
    try:
        transport, reading = await loop.create_connection(lambda: Reading(token, last), "127.0.0.1", port)
    except OSError as error:
        raise Broken(f"The connection was refused: {error}.") from error
    try:
        lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode()
        reading.began = perf_counter()
        transport.write(head + body)
        async with asyncio.timeout(SECONDS):
            await reading.ended
        return reading.arrivals
    except TimeoutError as error:
        raise Broken(f"The stream did not end within {SECONDS:.0f} s.") from error
    finally:
        transport.close()
