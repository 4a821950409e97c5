"""Runs outlive the connection that started them: each has a log of events that anybody allowed can follow."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from uuid import UUID

from server.stream.sse import Frame, frame
from sql.db import CONNECTION_LOST, Database, ForeignKeyViolation, Identity
from sql.listen import listen
from sql.queries import query

log = logging.getLogger("ibid.runs")

FLUSH_SECONDS = 0.3  # a crash loses at most this much of the log; one insert carries dozens of tokens
TOUCH_SECONDS = 5.0  # a run untouched for 20 s belongs to a process that is gone
KEEP_SECONDS = 60.0  # a finished run stays in memory for readers that are just reconnecting
POLL_SECONDS = 0.5  # following a run of another process
PAGE = 500

LAST_EVENTS = ("done", "error")
INTERRUPTED = {
    "code": "interrupted",
    "message": "The server was restarted while this answer was being written. Ask again to get a whole one.",
}


@dataclass(eq=False, slots=True)
class Run:
    """A run of this process: running, then done, stopped, failed or interrupted.

    `unstored` is a run whose answer could not be written: it stays open in the database, and whoever reads
    its thread next closes it with what the log has.
    """

    id: UUID
    identity: Identity
    log: list[Frame] = field(default_factory=list)
    flushed: int = 0
    state: str = "running"
    stop_requested: bool = False
    kept: bool = False  # all of the log and the end of the run are in the database
    closing: bool = False  # its answer is being stored: too late to stop
    grew: asyncio.Condition = field(default_factory=asyncio.Condition)
    task: asyncio.Task[None] | None = None
    producer: asyncio.Task[None] | None = None

    async def append(self, event: str, data: str) -> None:
        async with self.grew:
            self.log.append(Frame(event, len(self.log) + 1, data))
            self.grew.notify_all()


class RunHub:
    """The runs of this process, and the way to those of others through the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._runs: dict[UUID, Run] = {}

    def start(self, run_id: UUID, identity: Identity, produce: Callable[[Run], Awaitable[str]]) -> Run:
        """Begin a run in the background. `produce` appends events and returns the final state."""
        run = Run(run_id, identity)
        self._runs[run_id] = run
        run.producer = asyncio.create_task(self._produce(run, produce), name=f"run-{run_id}")
        run.task = asyncio.create_task(self._keep_log(run), name=f"log-{run_id}")
        return run

    async def _produce(self, run: Run, produce: Callable[[Run], Awaitable[str]]) -> None:
        state = "failed"
        try:
            state = await produce(run)
        except asyncio.CancelledError:
            state = "interrupted"
        finally:
            async with run.grew:
                run.state = state
                run.grew.notify_all()

    async def _keep_log(self, run: Run) -> None:
        """Write the log behind the run, so that no token waits for the database."""
        touched = monotonic()
        try:
            while not run.kept:
                if run.state == "running":
                    await asyncio.sleep(FLUSH_SECONDS)
                try:
                    await self._keep(run)
                    if monotonic() - touched > TOUCH_SECONDS:
                        touched = monotonic()
                        await self._touch(run)
                except CONNECTION_LOST as error:
                    log.warning("the log of run %s waits for the database: %s", run.id, error)
                    await asyncio.sleep(1)
            await asyncio.sleep(KEEP_SECONDS)
        finally:
            self._runs.pop(run.id, None)

    async def _keep(self, run: Run) -> None:
        """Write what is new, and at the end how it ended."""
        ended = run.state != "running"  # before the log is read: nothing comes after the last event
        await self._flush(run)
        if ended:
            await self._end(run)
            run.kept = True

    async def _flush(self, run: Run) -> None:
        batch = run.log[run.flushed :]
        if not batch:
            return
        with suppress(ForeignKeyViolation):  # the run went with its thread: nothing is kept of it
            async with self._database.as_user(run.identity) as connection:
                await connection.execute(
                    query("append_run_events"),
                    run.identity.workspace_id,
                    run.identity.user_id,
                    run.id,
                    [f.seq for f in batch],
                    [f.event for f in batch],
                    [f.data for f in batch],
                )
        run.flushed += len(batch)

    async def _touch(self, run: Run) -> None:
        async with self._database.as_user(run.identity) as connection:
            if await connection.fetchval(query("touch_run"), run.identity.workspace_id, run.id):
                self._stop_here(run)

    async def _end(self, run: Run) -> None:
        if run.state == "unstored":
            return
        async with self._database.as_user(run.identity) as connection:
            await connection.execute(query("end_run"), run.identity.workspace_id, run.id, run.state)
            # Nobody reconnects to these any more, and an answer is kept with its message.
            await connection.execute(query("prune_run_events"), run.identity.workspace_id)

    def is_running_here(self, run_id: UUID) -> bool:
        run = self._runs.get(run_id)
        return run is not None and run.state == "running"

    async def follow(self, identity: Identity, run_id: UUID, *, after: int = 0) -> AsyncIterator[Frame]:
        """Every event with a number over `after`, in order, each once, until the run ends.

        The caller has checked that this identity may see the run.
        """
        run = self._runs.get(run_id)
        frames = self._follow_here(run, after) if run else self._follow_stored(identity, run_id, after)
        async for item in frames:
            yield item

    async def _follow_here(self, run: Run, after: int) -> AsyncIterator[Frame]:
        position = max(after, 0)
        while True:
            async with run.grew:
                while len(run.log) <= position and run.state == "running":
                    await run.grew.wait()
                batch = run.log[position:]
            for item in batch:
                yield item
            position += len(batch)
            if run.state != "running" and position >= len(run.log):
                return

    async def _follow_stored(self, identity: Identity, run_id: UUID, after: int) -> AsyncIterator[Frame]:
        while True:
            async with self._database.as_user(identity) as connection:
                run = await connection.fetchrow(query("find_run"), identity.workspace_id, run_id)
                rows = await connection.fetch(
                    query("read_run_events"), identity.workspace_id, run_id, after, PAGE
                )
            for row in rows:
                after = row["seq"]
                yield Frame(row["event"], row["seq"], row["data"])
                if row["event"] in LAST_EVENTS:
                    return
            if len(rows) == PAGE:
                continue
            if run is None or run["complete"]:
                return  # the reader has had the last event already
            if run["stale"]:
                # Whoever worked on it is gone, and its last event with it.
                yield frame("error", INTERRUPTED, seq=after + 1)
                return
            await asyncio.sleep(POLL_SECONDS)

    async def stop(self, identity: Identity, run_id: UUID) -> None:
        """Ask a run to stop, wherever it runs; it ends within a second and keeps what it has."""
        async with self._database.as_user(identity) as connection:
            await connection.fetchval(query("request_stop"), identity.workspace_id, run_id)
        run = self._runs.get(run_id)
        if run:
            self._stop_here(run)

    def stop_all_of(self, workspace_id: UUID, user_id: UUID) -> None:
        """Stop whatever is being written for a person who may not read it any more (X16)."""
        for run in list(self._runs.values()):
            if (run.identity.workspace_id, run.identity.user_id) == (workspace_id, user_id):
                self._stop_here(run)

    def _stop_here(self, run: Run) -> None:
        if run.state == "running" and not run.stop_requested and not run.closing:
            run.stop_requested = True
            if run.producer:
                run.producer.cancel()

    async def listen(self, url: str) -> None:
        """Hear of stops that were asked for in another process. Runs until cancelled."""
        async for notice in listen(url, ["ibid_runs"]):
            with suppress(ValueError, *CONNECTION_LOST):  # what is missed here, `_touch` sees in 5 s
                run = self._runs.get(UUID(str(notice.payload.get("id"))))
                if run and run.state == "running" and await self._is_to_stop(run):
                    self._stop_here(run)

    async def _is_to_stop(self, run: Run) -> bool:
        """Read again what a notice claims: anybody can send one (X5)."""
        async with self._database.as_user(run.identity) as connection:
            row = await connection.fetchrow(query("find_run"), run.identity.workspace_id, run.id)
        return row is not None and bool(row["stop_requested"])

    async def close(self) -> None:
        """Interrupt what runs and write the logs out."""
        running = [r for r in self._runs.values() if r.state == "running"]
        for run in running:
            if run.producer:
                run.producer.cancel()
        for run in running:
            if run.producer:
                await asyncio.wait({run.producer}, timeout=3)
        for run in list(self._runs.values()):
            if run.task:
                run.task.cancel()
                await asyncio.wait({run.task})
            if not run.kept:
                with suppress(*CONNECTION_LOST):
                    await self._keep(run)
