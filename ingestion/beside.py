"""What is made of a document beside its vectors, while they are computed: its description, its links (E15)."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

from ingestion.language import language_of
from ingestion.metadata import Metadata, describe
from ingestion.parse.blocks import Block
from ingestion.queue import Job, LostJob, holding
from providers.degrade import degraded
from providers.errors import ProviderError
from sql.db import CONNECTION_LOST, Database
from sql.queries import query

# Finds the names and relations in the passages of a version. Called again after a kill, so idempotent; it writes
# inside `queue.holding` only, and briefly: the vectors' writes wait for the same row.
Linker = Callable[[Database, Job, int], Awaitable[None]]
Work = Coroutine[Any, Any, None]

LINKING = "linking"  # also the stage, once the vectors are made and the links are not
DESCRIBING = "describing"
UNLINKED = "Its names and relations could not be found, so searches find it by its words and meaning only."
UNDESCRIBED = "Its topics, kind and date could not be told, so filters by these pass it over."


@asynccontextmanager
async def beside(
    database: Database, job: Job, works: Mapping[str, Work]
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Run `works`, by name, while the block runs; the function it yields waits for them.

    What they raise comes only then: vectors that were asked for are not lost to it. Leaving the block early
    cancels what still runs.
    """
    tasks = {name: asyncio.create_task(work) for name, work in works.items()}

    async def rest() -> None:
        for name, task in tasks.items():
            if name == LINKING and not task.done():
                async with holding(database, job) as connection:
                    await connection.execute(
                        query("set_progress"), job.document_id, LINKING, None, None, None
                    )
            await task

    try:
        yield rest
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def linking(database: Database, job: Job, version: int, linker: Linker) -> None:
    """Link a version's passages. Raises the ProviderError of an outage; any other failure costs the links only."""
    started = time.perf_counter()
    if await _soft(database, job, LINKING, UNLINKED, linker(database, job, version)):
        seconds = round(time.perf_counter() - started, 3)
        async with holding(database, job) as connection:
            await connection.execute(query("set_linked"), job.document_id, {LINKING: seconds})


async def describing(
    database: Database, job: Job, read: Callable[[], Awaitable[list[Block]]], *, name: str, media_type: str
) -> None:
    """Store what the blocks that `read` gives say about the document."""

    async def work() -> None:
        found = await asyncio.to_thread(_described, await read(), name, media_type)
        async with holding(database, job) as connection:
            await connection.execute(
                query("describe_document"),
                job.document_id,
                found.title,
                found.summary,
                list(found.topics),
                found.type,
                found.date,
            )

    await _soft(database, job, DESCRIBING, UNDESCRIBED, work())


def _described(blocks: list[Block], name: str, media_type: str) -> Metadata:
    language = language_of("\n".join(block.text for block in blocks[:500]))
    return describe(blocks, name=name, media_type=media_type, language=language)


async def _soft(database: Database, job: Job, name: str, warning: str, work: Awaitable[None]) -> bool:
    """Whether the work was done. A failure that no retry would mend is logged, counted and shown (O4)."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    error = None if task.cancelled() else task.exception()
    if error is None:
        return not task.cancelled()
    if isinstance(error, (LostJob, *CONNECTION_LOST)) or (
        isinstance(error, ProviderError) and error.transient
    ):
        raise error
    degraded(f"{name} of a document", error if isinstance(error, Exception) else type(error).__name__)
    async with holding(database, job) as connection:
        await connection.execute(query("add_warning"), job.document_id, f"{name}_failed", warning)
    return False
