"""Connections of the SDK's HTTP client, as plain asyncio: a token that arrives costs one callback and one wake-up.

The client's own stream sits on anyio, which asks the kernel to begin and to stop watching the socket for every
piece that it reads: a fifth of the time in which tokens were passed on, in a profile of 100 streams.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpcore2
from aiohappyeyeballs import addr_to_addr_infos, start_connection

ENOUGH = 1 << 18  # bytes read ahead of a slow reader; then the sender has to wait
PIECE = 1 << 16  # bytes taken at a time
LONGEST_HEAD = 1 << 16
LONGEST_LINE = 1000  # of a chunk's length
HEAD_END = re.compile(rb"\r?\n\r?\n")
INTERIM = re.compile(rb"HTTP/1\.[01] 1\d\d")  # such as 100 Continue: the real head follows
NEXT_ADDRESS_SECONDS = 0.25  # before the next address of a host is tried beside the first


class Wire(asyncio.BufferedProtocol):
    """What has arrived and was not read yet; implements httpcore's AsyncNetworkStream.

    `buffer` is only filled and emptied, in one go, so that all can share it: asyncio's other way takes 256 KB from
    the kernel for every piece, 13 us of the 200 that a token cost.
    """

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = memoryview(buffer)
        self._transport: Any = None
        self._arrived = bytearray()
        self._ended = False
        self._error: Exception | None = None
        self._held = False  # the sender waits for us
        self._heading = False  # a request went out, and the head of its answer was not read yet
        self._waiting: asyncio.Future[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._arrived += self._buffer[:nbytes]
        if len(self._arrived) > ENOUGH and not self._held:
            self._held = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._ended, self._error = True, error
        self._writable.set()
        self._wake()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # httpcore's side

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - its signature
        """What there is, at least a byte; b"" at the end. Raises ReadError and ReadTimeout."""
        if self._lacks():
            async with _within(timeout, httpcore2.ReadTimeout):
                while self._lacks():
                    await self._more()
        if self._arrived:
            return self._take(min(max_bytes, self._head_length() if self._heading else len(self._arrived)))
        if self._error is not None:
            raise httpcore2.ReadError(str(self._error)) from self._error
        return b""

    async def chunks(self) -> AsyncIterator[bytes]:
        """The chunks of a chunked body whose head was read, up to the last, which is empty and left to `read`.

        So is whatever is no chunk, too large, or cut off. Through httpcore's parser a token cost the server 172 us in
        all, this way 127.
        """
        while True:
            line_end = self._arrived.find(b"\r\n")
            if line_end >= 0:
                try:
                    size = int(self._arrived[:line_end].partition(b";")[0], 16)
                except ValueError:
                    return
                start = line_end + 2
                if not 0 < size < ENOUGH // 2:
                    return
                if len(self._arrived) >= start + size + 2:
                    yield self._take(start + size + 2)[start:-2]
                    continue
            elif len(self._arrived) > LONGEST_LINE:
                return
            if self._ended:
                return
            await self._more()

    def _lacks(self) -> bool:
        """Whether there is nothing to give yet; a head is given whole and alone, so that `chunks` finds the rest."""
        if self._ended or len(self._arrived) > LONGEST_HEAD:
            return False
        return not self._arrived or (self._heading and not HEAD_END.search(self._arrived))

    def _head_length(self) -> int:
        end = HEAD_END.search(self._arrived)
        self._heading = end is not None and bool(INTERIM.match(self._arrived))
        return end.end() if end else len(self._arrived)

    async def _more(self) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        await self._waiting

    def _take(self, length: int) -> bytes:
        data = bytes(self._arrived[:length])
        del self._arrived[:length]
        if self._held and len(self._arrived) <= ENOUGH // 2:
            self._held = False
            self._transport.resume_reading()
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Raises WriteError and WriteTimeout."""
        if not buffer:
            return
        if self._ended or self._transport.is_closing():
            raise httpcore2.WriteError("The connection was closed.")
        self._heading = True
        self._transport.write(buffer)
        if not self._writable.is_set():
            async with _within(timeout, httpcore2.WriteTimeout):
                await self._writable.wait()

    async def aclose(self) -> None:
        # Not close: whoever leaves in the middle leaves nothing to be sent, and a broken peer is not waited for.
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Wire:
        """Raises ConnectError and ConnectTimeout."""
        inner = Wire(bytearray(PIECE))  # not shared with the wire below, which is emptied into it
        loop = asyncio.get_running_loop()
        try:
            async with _within(timeout, httpcore2.ConnectTimeout):
                transport = await loop.start_tls(
                    self._transport, inner, ssl_context, server_hostname=server_hostname
                )
        except BaseException as error:
            self._transport.abort()
            if isinstance(error, OSError):  # of which ssl.SSLError is one
                raise httpcore2.ConnectError(str(error)) from error
            raise
        if transport is None:
            raise httpcore2.ConnectError("The connection was closed.")
        inner.connection_made(transport)
        return inner

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # of an idle connection: whether its server has hung up
            return bool(self._arrived) or self._ended
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._transport.get_extra_info(names.get(info, info))


class Wires:
    """Opens them; implements httpcore's AsyncNetworkBackend."""

    def __init__(self) -> None:
        self._buffer = bytearray(PIECE)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Wire:
        """Raises ConnectError and ConnectTimeout. The loop sets TCP_NODELAY by itself."""
        loop = asyncio.get_running_loop()
        try:
            async with _within(timeout, httpcore2.ConnectTimeout):
                connected = await start_connection(  # which uvloop has not of itself
                    await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM),
                    local_addr_infos=addr_to_addr_infos((local_address, 0)) if local_address else None,
                    happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
                )
                _, wire = await loop.create_connection(lambda: Wire(self._buffer), sock=connected)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        for option in socket_options or ():
            wire.get_extra_info("socket").setsockopt(*option)
        return wire

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the protocol's own signature
        socket_options: Iterable[Any] | None = None,
    ) -> Wire:
        raise httpcore2.UnsupportedProtocol(f"{path} is no address of the network.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@asynccontextmanager
async def _within(seconds: float | None, error: type[Exception]) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as late:
        raise error from late
