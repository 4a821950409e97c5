"""How long a stream may say nothing, watched by one timer for all of its pieces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


class Silence:
    """Reads pieces, each before a moment of its own. A timeout around every piece cost as much as decoding it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._deadline = 0.0
        self._expired = False

    async def next(self, incoming: AsyncIterator[bytes], deadline: float) -> bytes | None:
        """The next piece, None at the end. Raises TimeoutError at the deadline, in seconds of the loop's clock."""
        task = asyncio.current_task()
        already = task.cancelling() if task else 0
        self._waiting, self._deadline = task, deadline
        if self._timer is None or deadline < self._timer.when():
            self._arm()
        try:
            return await anext(incoming, None)
        except asyncio.CancelledError:
            if task and self._expired and task.uncancel() <= already:
                raise TimeoutError from None
            raise
        finally:
            self._waiting = None

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _arm(self) -> None:
        self.close()
        self._timer = self._loop.call_at(self._deadline, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if self._waiting is None:  # nobody waits: the next one arms it again
            return
        if self._loop.time() < self._deadline:  # pieces have come since it was armed
            self._arm()
            return
        self._expired = True
        self._waiting.cancel()
