"""A run: the log of its events in memory, which readers follow while it grows."""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from server.stream.sse import Frame
from sql.db import Identity


@dataclass(eq=False, slots=True)
class Run:
    """A run of this process: running, then done, stopped, failed or interrupted.

    `unstored` is a run whose answer could not be written: it stays open in the database, and whoever reads
    its thread next closes it with what the log has. One that is not `durable` is never written (A9).
    """

    id: UUID
    identity: Identity
    durable: bool = True
    log: list[Frame] = field(default_factory=list)
    flushed: int = 0
    state: str = "running"
    stop_requested: bool = False
    kept: bool = False  # all of the log and the end of the run are in the database
    closing: bool = False  # its answer is being stored: too late to stop
    producer: asyncio.Task[None] | None = None
    _waiting: list[tuple[float, asyncio.Future[bool]]] = field(default_factory=list)

    def append(self, event: str, data: str) -> None:
        """Add an event and wake whoever follows."""
        self.log.append(Frame(event, len(self.log) + 1, data))
        self._wake()

    def end(self, state: str) -> None:
        """Nothing comes after this."""
        self.state = state
        self._wake()

    async def grown(self, position: int) -> bool:
        """Wait until there are more than `position` events or none to come; False when `tire` has given up."""
        if len(self.log) > position or self.state != "running":
            return True
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[bool] = loop.create_future()
        self._waiting.append((loop.time(), waiting))
        return await waiting

    def tire(self, *, since: float) -> None:
        """Let go whoever has waited since then or longer. One clock for all: a timer for every token and reader
        cost as much as sending the token."""
        while self._waiting and self._waiting[0][0] <= since:
            _settle(self._waiting.pop(0)[1], False)

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            _settle(future, True)


def _settle(future: "asyncio.Future[bool]", grown: bool) -> None:
    if not future.done():
        future.set_result(grown)
