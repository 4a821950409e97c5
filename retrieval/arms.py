"""The arms of a search: dense and keyword side by side, then the graph from what they found."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

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
from retrieval.merge import merge
from retrieval.passages import Filters
from sql.db import Connection, Database, Identity

CANDIDATES = 3  # times k from each arm (I1)
QUICK = 1_000  # characters of a query whose names are found in 0.5 ms, less than a thread costs under load
DENSE_MISSING = "search by words only"

First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")


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
    searched. `fused` is one list of what they found, `asked` what the query may name.
    """

    dense: list[Candidate]
    keyword: list[Candidate]
    graph: list[Candidate]
    floors: Floors
    trust: float = 1.0
    strength: float = 0.0
    timings_ms: dict[str, float] = field(default_factory=dict)
    complete: bool = True
    asked: list[Asked] = field(default_factory=list)
    fused: list[Fused] = field(default_factory=list)

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


async def find(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    query: str,
    filters: Filters,
    *,
    candidates: int,
) -> Arms:
    """What all three arms find. Raises as `side_by_side` does."""
    arms = await side_by_side(database, identity, embedder, query, filters, candidates=candidates)
    async with database.as_user(identity, keep_plans=True) as connection:
        return await followed(connection, arms, query, filters, candidates=candidates)


async def side_by_side(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    query: str,
    filters: Filters,
    *,
    candidates: int,
) -> Arms:
    """Run two arms on connections of their own (H3), none of which is held while the model works (H6).

    The query's names are looked for meanwhile (H4).

    Raises SpaceMismatch, the embedder's ProviderError unless it passes by itself, and what the database raises.
    """
    timings: dict[str, float] = {}
    cap = cap_for(candidates // CANDIDATES)

    async def dense() -> list[Candidate]:
        with timed(timings, "embed"):
            vector = await embedder.embed_query(query)
        with timed(timings, "dense"):
            async with database.as_user(identity, keep_plans=True) as connection:
                return await dense_arm(
                    connection, vector, filters, key=embedder.key, candidates=candidates, cap=cap
                )

    async def keyword() -> list[Candidate]:
        with timed(timings, "keyword"):
            async with database.as_user(identity, keep_plans=True) as connection:
                return await keyword_arm(connection, query, filters, candidates=candidates, cap=cap)

    by_meaning, by_word, asked = await _together(_unless_away(dense()), keyword(), _asked(query))
    trust = embedder.reads(query) if isinstance(embedder, Reads) else 1.0
    floors = floors_of(embedder.key, query=query, trust=trust)
    complete = by_meaning is not None
    return Arms(by_meaning or [], by_word, [], floors, trust, 0.0, timings, complete, asked).merged()


async def followed(
    connection: Connection, arms: Arms, query: str, filters: Filters, *, candidates: int
) -> Arms:
    """The same with the graph, which starts from the query's names and from the first two passages."""
    cap = cap_for(candidates // CANDIDATES)
    seeds = [fused.chunk_id for fused in arms.fused[: len(SEEDS)]]
    with timed(arms.timings_ms, "graph"):
        walked = await walk(
            connection, query, seeds, filters, candidates=candidates, cap=cap, asked=arms.asked
        )
    if not walked.candidates:
        return arms
    return replace(arms, graph=walked.candidates, strength=walked.strength).merged()


async def _asked(query: str) -> list[Asked]:
    """The names of a query, found while the database and the model work."""
    if len(query) <= QUICK:
        return asked_names(query)
    return await asyncio.to_thread(asked_names, query)


async def _unless_away(arm: Coroutine[Any, Any, list[Candidate]]) -> list[Candidate] | None:
    """What an arm finds; None, counted, while its model cannot be reached."""
    try:
        return await arm
    except ProviderError as error:
        if not error.transient:
            raise  # a wrong key or model does not heal by itself: the caller is told
        degraded(DENSE_MISSING, error)
        return None


async def _together(
    first: Coroutine[Any, Any, First], second: Coroutine[Any, Any, Second], third: Coroutine[Any, Any, Third]
) -> tuple[First, Second, Third]:
    """All results; when one fails the others are cancelled, and the failure is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            one, two, three = group.create_task(first), group.create_task(second), group.create_task(third)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return one.result(), two.result(), three.result()


@contextmanager
def timed(timings: dict[str, float], name: str) -> Iterator[None]:
    """Enter the milliseconds that the block takes."""
    started = time.perf_counter()
    yield
    timings[name] = round((time.perf_counter() - started) * 1000, 3)
