"""The worker: keeps a few documents going, says that it is alive, lets go of what is no longer its own."""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from ingestion.errors import BlobUnavailable
from ingestion.pipeline import Tools, fail_unexpected, ingest
from ingestion.queue import BEAT_SECONDS, POLL_SECONDS, Job, LostJob, beat, claim, give_back
from ingestion.removal import sweep
from sql.db import CONNECTION_LOST
from sql.listen import listen

log = logging.getLogger("ibid.ingestion")

SLOTS = 3  # H2: documents at once
REMEMBERED = 50  # owners, for taking turns
LOST_SECONDS = 1.0  # before a document is tried again whose database connection broke
SWEEP_SECONDS = 3600.0

Otherwise = Callable[[Job], Coroutine[Any, Any, None]]


class Worker:
    """Works until cancelled; any number of workers share one database."""

    def __init__(self, tools: Tools, *, listen_url: str, slots: int = SLOTS) -> None:
        """`listen_url` reaches Postgres itself, not a transaction pooler; `slots`: documents at once."""
        self._tools = tools
        self._listen_url = listen_url
        self._slots = slots
        self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._running: dict[UUID, asyncio.Task[None]] = {}
        self._served: list[UUID] = []
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Work for ever. On cancellation everything stops at once and the jobs are given back.

        So it does when a duty fails as nobody foresaw: a worker without heartbeat would lose its jobs one by
        one and never say so. Raises an ExceptionGroup.
        """
        try:
            async with asyncio.TaskGroup() as duties:
                for duty in (self._claim, self._listen, self._beat, self._sweep):
                    duties.create_task(duty())
        finally:
            jobs = dict(self._running)
            for task in jobs.values():
                task.cancel()
            await asyncio.gather(*jobs.values(), return_exceptions=True)
            with suppress(*CONNECTION_LOST):
                await give_back(self._tools.database, self.name, jobs)

    async def _claim(self) -> None:
        while True:
            self._wake.clear()
            await self._fill()
            with suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it swallows a cancellation that comes with the wake-up.
                async with asyncio.timeout(POLL_SECONDS):
                    await self._wake.wait()

    async def _fill(self) -> None:
        try:
            while len(self._running) < self._slots:
                job = await claim(self._tools.database, self.name, running=self._running, recent=self._served)
                if job is None:
                    return
                self._served = [owner for owner in self._served if owner != job.owner_id][-REMEMBERED:]
                self._served.append(job.owner_id)
                self._begin(job, self._work(job), self._give_up)
        except CONNECTION_LOST as error:
            log.warning("the queue cannot be reached: %s", error)

    def _begin(self, job: Job, work: Coroutine[Any, Any, None], otherwise: Otherwise | None) -> None:
        task = asyncio.create_task(work)
        self._running[job.id] = task
        task.add_done_callback(partial(self._end, job, otherwise))

    async def _work(self, job: Job) -> None:
        try:
            await ingest(self._tools, job)
        except LostJob:
            log.info("document %s: let go", job.document_id)
        except CONNECTION_LOST as error:
            log.warning("document %s: %s: tried again soon", job.document_id, error or type(error).__name__)
            await asyncio.sleep(LOST_SECONDS)

    def _end(self, job: Job, otherwise: Otherwise | None, task: asyncio.Task[None]) -> None:
        if self._running.get(job.id) is task:
            del self._running[job.id]
        self._wake.set()
        error = None if task.cancelled() else task.exception()
        if error:
            log.error("document %s: unexpected", job.document_id, exc_info=error)
            if otherwise:
                self._begin(job, otherwise(job), None)

    async def _give_up(self, job: Job) -> None:
        with suppress(LostJob, *CONNECTION_LOST):
            await fail_unexpected(self._tools, job)

    async def _listen(self) -> None:
        async for notice in listen(self._listen_url, ["ibid_jobs"]):
            self._wake.set()
            if notice.payload.get("cancel"):
                self._drop(str(notice.payload.get("id")))

    def _drop(self, id_: str) -> None:
        """Stop work on a job whose row is gone: the child is killed, and no write would pass (E24)."""
        for job_id, task in self._running.items():
            if str(job_id) == id_:
                task.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            held = dict(self._running)
            if not held:
                continue
            try:
                alive = await beat(self._tools.database, self.name, held)
            except CONNECTION_LOST as error:
                log.warning("no heartbeat: %s", error)
                continue
            for job_id in held.keys() - alive:
                held[job_id].cancel()

    async def _sweep(self) -> None:
        while True:
            try:
                await sweep(self._tools.database, self._tools.blobs)
            except (BlobUnavailable, *CONNECTION_LOST) as error:
                log.warning("the store of files was not swept: %s", error)
            await asyncio.sleep(SWEEP_SECONDS)
