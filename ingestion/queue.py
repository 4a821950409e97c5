"""The jobs table as a queue: claim, heartbeat, hold while writing, delay, give back."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from sql.db import Connection, Database, Identity, service
from sql.queries import query

# A worker that was killed is replaced within 10 s (E21): silent for 6 s, and idle workers look every 2 s.
BEAT_SECONDS = 2.0
STALE_SECONDS = 6.0
POLL_SECONDS = 2.0


class LostJob(Exception):
    """This work is no longer ours: cancelled, deleted, replaced by a newer version, or taken over."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one document, held by `worker` until it says otherwise."""

    workspace_id: UUID
    id: UUID
    document_id: UUID
    owner_id: UUID
    attempts: int
    crashes: int
    worker: str

    @property
    def identity(self) -> Identity:
        """The document's owner, as whom every write is made."""
        return Identity(workspace_id=self.workspace_id, user_id=self.owner_id, role="member")


async def claim(
    database: Database, worker: str, *, running: Collection[UUID], recent: Sequence[UUID]
) -> Job | None:
    """Take the next job, or none. `running`: ids this worker is busy with; `recent`: owners, latest last."""
    async with database.transaction(**service(None)) as connection:
        row = await connection.fetchrow(
            query("claim_job"), worker, list(running), list(recent), STALE_SECONDS
        )
    return Job(**row, worker=worker) if row else None


async def beat(database: Database, worker: str, running: Collection[UUID]) -> set[UUID]:
    """Say that we are alive; returns the ids that are still ours."""
    async with database.transaction(**service(None)) as connection:
        return {row["id"] for row in await connection.fetch(query("beat"), worker, list(running))}


async def give_back(database: Database, worker: str, running: Collection[UUID]) -> None:
    """Let another worker take these at once."""
    async with database.transaction(**service(None)) as connection:
        await connection.execute(query("give_back_jobs"), worker, list(running))


@asynccontextmanager
async def holding(database: Database, job: Job, *, shared: bool = False) -> AsyncIterator[Connection]:
    """A transaction as the document's owner in which the job is certainly ours; raises LostJob.

    One of a document at a time; with `shared` several, which must not change the document's own row: two that
    share it and then both change it would wait for each other.
    """
    async with database.as_user(job.identity) as connection:
        statement = query("share_job") if shared else query("hold_job")
        if not await connection.fetchval(statement, job.document_id, job.id, job.worker):
            raise LostJob
        yield connection


async def end(connection: Connection, job: Job) -> None:
    """Take the job away, in the transaction that brought its document to a final state."""
    await connection.execute(query("release_job"), job.id)
    await connection.execute(query("end_job"), job.document_id)
