"""The connections below the SDK: heads, chunks and ends as they come, cut anywhere, over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpcore2
import pytest

from providers.wire import ENOUGH, Wire, Wires

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
BODY = b"5\r\nhello\r\n6;x=1\r\n world\r\n0\r\n\r\n"


@asynccontextmanager
async def wired(pieces: Sequence[bytes], *, hang_up: bool = True) -> AsyncIterator[Wire]:
    """A connection on which these pieces arrive, once something was asked."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001)
        if not hang_up:
            await reader.read()
        writer.close()
        gone.set()

    gone = asyncio.Event()
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        wire = await Wires().connect_tcp("127.0.0.1", server.sockets[0].getsockname()[1], timeout=5)
        await wire.write(b"ask")
        try:
            yield wire
        finally:
            await wire.aclose()
            await gone.wait()
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("cut", range(1, len(HEAD + BODY), 7))
async def test_a_head_is_read_alone_and_chunks_whole_wherever_they_are_cut(cut: int) -> None:  # S-ST-01
    whole = HEAD + BODY
    async with wired([whole[:cut], whole[cut:]]) as wire:
        assert await wire.read(1 << 16) == HEAD
        assert [chunk async for chunk in wire.chunks()] == [b"hello", b" world"]
        rest = b""
        while data := await wire.read(1 << 16):
            rest += data
        assert rest == b"0\r\n\r\n"  # for the client's own parser, which must see the end


@pytest.mark.parametrize(
    "body", [b"5\r\nhel", b"zz\r\nhello\r\n", b"40000000\r\nabc", b"-5\r\nhello\r\n", b"x" * 2000]
)
async def test_what_is_no_chunk_is_left_as_it_came(body: bytes) -> None:
    async with wired([HEAD + body]) as wire:
        assert await wire.read(1 << 16) == HEAD
        assert [chunk async for chunk in wire.chunks()] == []
        rest = b""
        while data := await wire.read(1 << 16):
            rest += data
        assert rest == body


async def test_an_interim_head_comes_before_the_head() -> None:
    interim = b"HTTP/1.1 100 Continue\r\n\r\n"
    async with wired([interim + HEAD + BODY]) as wire:
        assert await wire.read(1 << 16) == interim
        assert await wire.read(1 << 16) == HEAD
        assert [chunk async for chunk in wire.chunks()] == [b"hello", b" world"]


async def test_a_slow_reader_holds_the_sender_up_and_loses_nothing() -> None:  # bounded back-pressure
    sent = HEAD + b"x" * (ENOUGH * 4)
    async with wired([sent]) as wire:
        await asyncio.sleep(0.05)
        assert len(wire._arrived) <= ENOUGH * 2
        received = b""
        while data := await wire.read(1 << 16):
            received += data
        assert received == sent


async def test_silence_and_refusal_are_told_in_the_clients_words() -> None:
    async with wired([], hang_up=False) as wire:
        assert not wire.get_extra_info("is_readable")
        with pytest.raises(httpcore2.ReadTimeout):
            await wire.read(1, timeout=0.02)
    with pytest.raises(httpcore2.ConnectError):
        await Wires().connect_tcp("127.0.0.1", 9, timeout=5)
