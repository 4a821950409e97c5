"""Whether Postgres answers, for those who must not wait for it."""

import asyncio

from sql.db import CONNECTION_LOST, Database


class Pulse:
    """One look at a time, in a task that nobody waits out: on a Postgres that hangs, even giving up does."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._look: asyncio.Task[bool] | None = None

    async def felt(self, seconds: float) -> bool:
        """Whether it answered within this time; a look that still hangs is not begun again."""
        if self._look is None or self._look.done():
            self._look = asyncio.create_task(self._ask())
        look = self._look
        await asyncio.wait({look}, timeout=seconds)
        return look.done() and look.exception() is None and look.result()

    async def _ask(self) -> bool:
        try:
            async with self._database.pool.acquire() as connection:
                await connection.fetchval("SELECT 1")
        except CONNECTION_LOST:
            return False
        return True
