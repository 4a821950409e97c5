"""One timer for all the pieces of a stream: late pieces are told apart from slow readers and from being stopped."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import closing

import pytest

from providers.silence import Silence


async def pieces(*pauses: float) -> AsyncGenerator[bytes, None]:
    for pause in pauses:
        await asyncio.sleep(pause)
        yield b"x"


def soon(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def test_each_piece_has_its_own_moment_and_a_slow_reader_none() -> None:  # S-ST-09
    with closing(Silence()) as silence:
        incoming = pieces(0.0, 0.1, 0.0)
        assert await silence.next(incoming, soon(0.05)) == b"x"
        assert await silence.next(incoming, soon(5)) == b"x"  # past the moment of the one before
        await asyncio.sleep(0.1)
        assert await silence.next(incoming, soon(0.05)) == b"x"
        assert await silence.next(incoming, soon(5)) is None


async def test_a_late_piece_is_a_timeout_also_when_the_moment_was_brought_forward() -> None:
    with closing(Silence()) as silence:
        incoming = pieces(0.0, 9.0)
        assert await silence.next(incoming, soon(60)) == b"x"
        async with asyncio.timeout(3):
            with pytest.raises(TimeoutError):
                await silence.next(incoming, soon(0.05))
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0  # it goes on as if nothing had happened


async def test_being_stopped_is_no_timeout() -> None:
    async def read() -> None:
        with closing(Silence()) as silence:
            await silence.next(pieces(9.0), soon(60))

    task = asyncio.create_task(read())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
