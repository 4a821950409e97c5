"""The arms of a search: dense and keyword side by side, then the graph from what they found."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from providers.degrade import degraded
from providers.entities import Asked, asked_names
from providers.errors import ProviderError
from providers.types import Embedder
from retrieval.candidates import Candidate, Fused
from retrieval.dense import dense_arm
from retrieval.evidence import Floors, floors_of
from retrieval.fusion import cap_for
from retrieval.graph import SEEDS, walk
from retrieval.keywords import keyword_arm
from retrieval.merge import CLEAR, merge
from retrieval.passages import Filters
from sql.db import Connection, Database, Identity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 3  # times k from each arm (I1)
# A search works on two connections where two cores are free. With eight clients on two cores, searches a second: always
# on two 5/6 of those on one, while at most one other connection is at work 94 %, while none is 100 %.
CORES = os.cpu_count() or 1
QUICK = 1_000  # characters of a query whose names are found in 0.5 ms, less than a thread costs under load
DENSE_MISSING = "search by words only"

Result = TypeVar("Result")


@runtime_checkable
class Reads(Protocol):
    """An embedder that knows how much of a text its model can read."""

    def reads(self, text: str) -> float:
        """0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Arms:
    """What each arm found, best first, and how long it took in milliseconds.

    `trust` (0 to 1) is how far the embedding model can read the query, `strength` (0 to 1) how clearly the query
    names what the graph knows; `complete` is false when the model could not be reached and words alone were
    searched. `fused` is one list of what they found.
    """

    dense: list[Candidate]
    keyword: list[Candidate]
    graph: list[Candidate]
    floors: Floors
    trust: float = 1.0
    strength: float = 0.0
    timings_ms: dict[str, float] = field(default_factory=dict)
    complete: bool = True
    fused: list[Fused] = field(default_factory=list)

    @property
    def clear(self) -> bool:
        """Whether the query names what one or two passages are about."""
        return self.strength >= CLEAR

    def merged(self) -> Arms:
        """The same with what they found in one list."""
        fused = merge(
            self.dense,
            self.keyword,
            self.graph,
            floors=self.floors,
            trust=self.trust,
            strength=self.strength,
        )
        return replace(self, fused=fused)


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and who asks it of what."""

    database: Database
    identity: Identity
    embedder: Embedder
    text: str
    filters: Filters
    candidates: int
    timings_ms: dict[str, float] = field(default_factory=dict)

    async def vector(self) -> NDArray[np.float32] | None:
        """None, counted, while the model cannot be reached."""
        try:
            with timed(self.timings_ms, "embed"):
                return await self.embedder.embed_query(self.text)
        except ProviderError as error:
            if not error.transient:
                raise  # a wrong key or model does not heal by itself: the caller is told
            degraded(DENSE_MISSING, error)
            return None

    async def dense(self, connection: Connection, vector: NDArray[np.float32]) -> list[Candidate]:
        most, key = self.candidates, self.embedder.key
        with timed(self.timings_ms, "dense"):
            return await dense_arm(
                connection, vector, self.filters, key=key, candidates=most, cap=cap_for(most // CANDIDATES)
            )

    async def keyword(self, connection: Connection) -> list[Candidate]:
        most = self.candidates
        with timed(self.timings_ms, "keyword"):
            return await keyword_arm(
                connection, self.text, self.filters, candidates=most, cap=cap_for(most // CANDIDATES)
            )

    async def keyword_beside(self, under_way: asyncio.Event) -> list[Candidate]:
        """On a connection of its own; the event tells when it has one.

        Whoever waits for it while holding a connection waits for that first: no deadlock in a small pool.
        """
        async with self.database.as_user(self.identity, keep_plans=True) as connection:
            under_way.set()
            return await self.keyword(connection)

    def fused(self, dense: list[Candidate], keyword: list[Candidate], *, complete: bool) -> Arms:
        """The first two arms in one list."""
        trust = self.embedder.reads(self.text) if isinstance(self.embedder, Reads) else 1.0
        floors = floors_of(self.embedder.key, query=self.text, trust=trust)
        return Arms(dense, keyword, [], floors, trust, 0.0, self.timings_ms, complete).merged()


async def find(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    query: str,
    filters: Filters,
    *,
    candidates: int,
    then: Callable[[Connection, Arms], Awaitable[Result]],
    graph: bool = True,
) -> Result:
    """What follows from what the arms find, read in the dense arm's transaction.

    The keyword arm runs beside the model and the dense arm (H3) where two cores are free, else after them; no
    connection is held while the model works (H6). The query's names are looked for meanwhile (H4), and followed
    once there is something to start from.

    Raises SpaceMismatch, the embedder's ProviderError unless it passes by itself, and what the database raises.
    """
    ask = Question(database, identity, embedder, query, filters, candidates)
    under_way = asyncio.Event()
    try:
        async with asyncio.TaskGroup() as group:
            apart = database.in_use + 2 <= CORES
            beside = group.create_task(ask.keyword_beside(under_way)) if apart else None
            named = group.create_task(_asked(query)) if graph else None
            vector = await ask.vector()
            if beside:
                await under_way.wait()
            async with database.as_user(identity, keep_plans=True) as connection:
                near = [] if vector is None else await ask.dense(connection, vector)
                held = await beside if beside else await ask.keyword(connection)
                arms = ask.fused(near, held, complete=vector is not None)
                if named:
                    arms = await followed(
                        connection, arms, query, await named, filters, candidates=candidates
                    )
                return await then(connection, arms)
    except BaseExceptionGroup as failures:  # one failed, and the others were cancelled
        raise failures.exceptions[0] from None


async def followed(
    connection: Connection,
    arms: Arms,
    query: str,
    asked: Sequence[Asked],
    filters: Filters,
    *,
    candidates: int,
) -> Arms:
    """The same with the graph, which starts from the query's names and from the first two passages."""
    cap = cap_for(candidates // CANDIDATES)
    seeds = [fused.chunk_id for fused in arms.fused[: len(SEEDS)]]
    with timed(arms.timings_ms, "graph"):
        walked = await walk(connection, query, seeds, filters, candidates=candidates, cap=cap, asked=asked)
    if not walked.candidates:
        return arms
    return replace(arms, graph=walked.candidates, strength=walked.strength).merged()


async def _asked(query: str) -> list[Asked]:
    """The names of a query, found while the database and the model work."""
    if len(query) <= QUICK:
        return asked_names(query)
    return await asyncio.to_thread(asked_names, query)


@contextmanager
def timed(timings: dict[str, float], name: str) -> Iterator[None]:
    """Enter the milliseconds that the block takes."""
    started = time.perf_counter()
    yield
    timings[name] = round((time.perf_counter() - started) * 1000, 3)
