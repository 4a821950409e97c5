"""Writes the logs of runs behind them, in turns for all runs together, so that no token waits for the database."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from time import monotonic
from uuid import UUID

from server.stream.run import Run
from sql.db import CONNECTION_LOST, Connection, Database, ForeignKeyViolation, Identity
from sql.queries import query

log = logging.getLogger("ibid.runs")

# What a crash may lose of a log; readers are served from memory. One transaction a person and turn: 500 runs of
# one person are some 800 rows.
FLUSH_SECONDS = 0.3
REST = 4  # times as long as a turn took: with many people writing never takes more than a fifth of the loop
LONGEST_REST = 3.0
ROWS_AT_ONCE = 500  # encoding 7,500, as 500 streams make in the longest rest, would hold the loop for 50 ms
TOUCH_SECONDS = 5.0  # a run untouched for 20 s belongs to a process that is gone
LAST_WAIT = 1.0  # before the database is tried again


class LogWriter:
    """One task for all runs of a process. `stop` is told of runs that another process asked to stop."""

    def __init__(
        self,
        database: Database,
        runs: Mapping[UUID, Run],
        *,
        stop: Callable[[Run], None],
        kept: Callable[[Run], None],
    ) -> None:
        self._database = database
        self._runs = runs
        self._stop = stop
        self._kept = kept
        self._task: asyncio.Task[None] | None = None
        self._touched = monotonic()

    def wake(self) -> None:
        """See to it that somebody writes, as long as there is something to write."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write(), name="run-logs")

    async def close(self) -> None:
        """Write what is left, once."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
        with suppress(*CONNECTION_LOST):
            await self._turn()

    async def _write(self) -> None:
        while self._open():
            began = monotonic()
            try:
                await self._turn()
            except CONNECTION_LOST as error:
                log.warning("the logs of runs wait for the database: %s", error)
                await asyncio.sleep(LAST_WAIT)
            await asyncio.sleep(min(max(FLUSH_SECONDS, REST * (monotonic() - began)), LONGEST_REST))

    def _open(self) -> list[Run]:
        return [run for run in self._runs.values() if run.durable and not run.kept]

    async def _turn(self) -> None:
        """Everything new of every run, and how those ended that have."""
        touch = monotonic() - self._touched > TOUCH_SECONDS
        if touch:
            self._touched = monotonic()
        for identity, runs in _by_person(self._open()).items():
            # Read before the log is: nothing comes after the last event.
            ended = [run for run in runs if run.state != "running"]
            if ended or touch or any(run.flushed < len(run.log) for run in runs):
                await self._flush(identity, runs, ended, touch=touch)

    async def _flush(self, identity: Identity, runs: list[Run], ended: list[Run], *, touch: bool) -> None:
        upto = {run.id: len(run.log) for run in runs}
        try:
            async with self._database.as_user(identity) as connection:
                await _append(connection, identity, runs, upto)
                if touch:
                    await self._touch(connection, identity, runs)
                for run in ended:
                    if run.state != "unstored":
                        await connection.execute(query("end_run"), identity.workspace_id, run.id, run.state)
                if ended:  # nobody reconnects to old ones any more, and an answer is kept with its message
                    await connection.execute(query("prune_run_events"), identity.workspace_id)
        except ForeignKeyViolation:  # one went with its thread between our look and our insert: look again
            return
        for run in runs:
            run.flushed = upto[run.id]
        for run in ended:
            run.kept = True
            self._kept(run)

    async def _touch(self, connection: Connection, identity: Identity, runs: list[Run]) -> None:
        rows = await connection.fetch(query("touch_runs"), identity.workspace_id, [run.id for run in runs])
        asked = {row["id"] for row in rows if row["stop_requested"]}
        for run in runs:
            if run.id in asked:
                self._stop(run)


async def _append(connection: Connection, identity: Identity, runs: list[Run], upto: dict[UUID, int]) -> None:
    new = [(run.id, item) for run in runs for item in run.log[run.flushed : upto[run.id]]]
    for start in range(0, len(new), ROWS_AT_ONCE):
        rows = new[start : start + ROWS_AT_ONCE]
        await connection.execute(
            query("append_run_events"),
            identity.workspace_id,
            identity.user_id,
            [run_id for run_id, _ in rows],
            [item.seq for _, item in rows],
            [item.event for _, item in rows],
            [item.data for _, item in rows],
        )


def _by_person(runs: Iterable[Run]) -> dict[Identity, list[Run]]:
    found: dict[Identity, list[Run]] = {}
    for run in runs:
        found.setdefault(run.identity, []).append(run)
    return found
