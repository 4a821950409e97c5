"""Runs outlive the connection that started them: anybody allowed can follow one, and come back to it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from uuid import UUID

from server.errors import NotFound
from server.stream.run import Run
from server.stream.sse import HEARTBEAT_SECONDS, Frame, Frames, frame
from server.stream.writer import LogWriter
from sql.db import CONNECTION_LOST, Database, Identity
from sql.listen import listen
from sql.queries import query

KEEP_SECONDS = 60.0  # a finished run stays in memory for readers that are just reconnecting
POLL_SECONDS = 0.5  # following a run of another process
PAGE = 500
TICK_SECONDS = 1.0

LAST_EVENTS = ("done", "error")
INTERRUPTED = {
    "code": "interrupted",
    "message": "The server was restarted while this answer was being written. Ask again to get a whole one.",
}


class RunHub:
    """The runs of this process, and the way to those of others through the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._runs: dict[UUID, Run] = {}
        self._clock: asyncio.Task[None] | None = None
        self._writer = LogWriter(database, self._runs, stop=self._stop, kept=self._forget_later)

    def start(
        self,
        run_id: UUID,
        identity: Identity,
        produce: Callable[[Run], Awaitable[str]],
        *,
        durable: bool = True,
    ) -> Run:
        """Begin a run in the background. `produce` appends events and returns the final state."""
        run = Run(run_id, identity, durable)
        self._runs[run_id] = run
        run.producer = asyncio.create_task(self._produce(run, produce), name=f"run-{run_id}")
        if durable:
            self._writer.wake()
        if self._clock is None or self._clock.done():
            self._clock = asyncio.create_task(self._tick(), name="run-heartbeats")
        return run

    async def _tick(self) -> None:
        """Readers of silent runs are let go in time for a heartbeat."""
        loop = asyncio.get_running_loop()
        while self._runs:
            await asyncio.sleep(TICK_SECONDS)
            for run in list(self._runs.values()):
                run.tire(since=loop.time() - HEARTBEAT_SECONDS + TICK_SECONDS)

    async def _produce(self, run: Run, produce: Callable[[Run], Awaitable[str]]) -> None:
        state = "failed"
        try:
            state = await produce(run)
        except asyncio.CancelledError:
            state = "interrupted"
        finally:
            run.end(state)
            if not run.durable:
                self._forget_later(run)

    def _forget_later(self, run: Run) -> None:
        asyncio.get_running_loop().call_later(KEEP_SECONDS, self._runs.pop, run.id, None)

    def is_running_here(self, run_id: UUID) -> bool:
        run = self._runs.get(run_id)
        return run is not None and run.state == "running"

    async def follow(self, identity: Identity, run_id: UUID, *, after: int = 0) -> Frames:
        """Every event with a number over `after`, in order, each once, until the run ends.

        The caller has checked that this identity may see the run.
        """
        run = self._runs.get(run_id)
        frames = _follow(run, after) if run else self._follow_stored(identity, run_id, after)
        async with aclosing(frames):
            async for batch in frames:
                yield batch

    def follow_here(self, run_id: UUID, *, after: int = 0) -> Frames:
        """The same for a run that only this process knows. Raises NotFound."""
        run = self._runs.get(run_id)
        if run is None:
            raise NotFound
        return _follow(run, after)

    async def _follow_stored(self, identity: Identity, run_id: UUID, after: int) -> Frames:
        silent = 0.0
        while True:
            async with self._database.as_user(identity) as connection:
                run = await connection.fetchrow(query("find_run"), identity.workspace_id, run_id)
                rows = await connection.fetch(
                    query("read_run_events"), identity.workspace_id, run_id, after, PAGE
                )
            if rows:
                after, silent = rows[-1]["seq"], 0.0
                yield [Frame(row["event"], row["seq"], row["data"]) for row in rows]
                if rows[-1]["event"] in LAST_EVENTS:
                    return
            if len(rows) == PAGE:
                continue
            if run is None or run["complete"]:
                return  # the reader has had the last event already
            if run["stale"]:
                # Whoever worked on it is gone, and its last event with it.
                yield [frame("error", INTERRUPTED, seq=after + 1)]
                return
            if silent >= HEARTBEAT_SECONDS:
                silent = 0.0
                yield []
            await asyncio.sleep(POLL_SECONDS)
            silent += POLL_SECONDS

    async def stop(self, identity: Identity, run_id: UUID) -> None:
        """Ask a run to stop, wherever it runs; it ends within a second and keeps what it has."""
        async with self._database.as_user(identity) as connection:
            await connection.fetchval(query("request_stop"), identity.workspace_id, run_id)
        self.stop_here(run_id)

    def stop_here(self, run_id: UUID) -> None:
        """Stop a run of this process; the caller may."""
        run = self._runs.get(run_id)
        if run:
            self._stop(run)

    def forget(self, run_id: UUID) -> None:
        """Stop a run that is not to be followed any more."""
        self.stop_here(run_id)
        self._runs.pop(run_id, None)

    def stop_all_of(self, workspace_id: UUID, user_id: UUID) -> None:
        """Stop whatever is being written for a person who may not read it any more (X16)."""
        for run in list(self._runs.values()):
            if (run.identity.workspace_id, run.identity.user_id) == (workspace_id, user_id):
                self._stop(run)

    def _stop(self, run: Run) -> None:
        if run.state == "running" and not run.stop_requested and not run.closing:
            run.stop_requested = True
            if run.producer:
                run.producer.cancel()

    async def listen(self, url: str) -> None:
        """Hear of stops that were asked for in another process. Runs until cancelled."""
        async for notice in listen(url, ["ibid_runs"]):
            with suppress(ValueError, *CONNECTION_LOST):  # what is missed here, the writer sees in 5 s
                run = self._runs.get(UUID(str(notice.payload.get("id"))))
                if run and run.durable and run.state == "running" and await self._is_to_stop(run):
                    self._stop(run)

    async def _is_to_stop(self, run: Run) -> bool:
        """Read again what a notice claims: anybody can send one (X5)."""
        async with self._database.as_user(run.identity) as connection:
            row = await connection.fetchrow(query("find_run"), run.identity.workspace_id, run.id)
        return row is not None and bool(row["stop_requested"])

    async def close(self) -> None:
        """Interrupt what runs and write the logs out."""
        producers = {r.producer for r in self._runs.values() if r.producer and r.state == "running"}
        for producer in producers:
            producer.cancel()
        if producers:
            await asyncio.wait(producers, timeout=3)
        if self._clock:
            self._clock.cancel()
        await self._writer.close()


async def _follow(run: Run, after: int) -> Frames:
    position = max(after, 0)
    while True:
        if not await run.grown(position):
            yield []
            continue
        batch = run.log[position:]
        if batch:
            yield batch
        position += len(batch)
        if run.state != "running" and position >= len(run.log):
            return
