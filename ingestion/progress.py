"""How far a document is, written at most about twice a second: every write is a notice to every open page."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ingestion.queue import Job, holding
from sql.db import Connection, Database
from sql.queries import query

T = TypeVar("T")

INTERVAL_SECONDS = 0.5


@dataclass(slots=True)
class Progress:
    """The counts of one stage of one document; `unit` is pages or chunks."""

    job: Job
    stage: str
    unit: str
    done: int = 0
    total: int | None = None
    _written: float = field(default=0.0, repr=False)
    _shown: tuple[int, int | None] | None = field(default=None, repr=False)

    def saw(self, done: int, total: int) -> None:
        """Take note; `during` writes it."""
        self.done, self.total = done, total

    async def advance(self, database: Database, count: int) -> None:
        """Count finished items, and write when it is time; raises LostJob."""
        self.done += count
        if time.monotonic() - self._written >= INTERVAL_SECONDS or self.done == self.total:
            self._written = time.monotonic()  # others advance while this waits for its turn
            async with holding(database, self.job) as connection:
                await self.write(connection)

    async def write(self, connection: Connection) -> None:
        """Write now, inside a transaction that holds the job."""
        self._written, self._shown = time.monotonic(), (self.done, self.total)
        await connection.execute(
            query("set_progress"),
            self.job.document_id,
            self.stage,
            self.done if self.total is not None else None,
            self.total,
            self.unit if self.total is not None else None,
        )

    async def during(self, database: Database, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`, writing what `saw` noted; a job that is lost meanwhile ends the work (LostJob)."""
        task = asyncio.create_task(work)
        try:
            while True:
                finished, _ = await asyncio.wait([task], timeout=INTERVAL_SECONDS)
                if finished:
                    return task.result()
                if self._shown != (self.done, self.total):
                    async with holding(database, self.job) as connection:
                        await self.write(connection)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
