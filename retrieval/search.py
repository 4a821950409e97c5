"""READ FIRST: a search. Two arms at once, fused by rank, judged, spread over documents, fetched whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.types import Embedder
from retrieval.candidates import Candidate, Fused
from retrieval.dense import dense_arm, visible_passages
from retrieval.evidence import floors_of, grounding
from retrieval.explain import explain
from retrieval.fusion import cap_for, spread
from retrieval.keywords import keyword_arm
from retrieval.merge import merge
from retrieval.passages import Counts, Filters, Passage, SearchRequest, SearchResult
from sql.db import Database, Identity, Row
from sql.queries import query as named

CANDIDATES = 3  # times k from each arm (I1)
FUSED = 2  # times k after fusion (I4)
DENSE_MISSING = "search by words only"

First = TypeVar("First")
Second = TypeVar("Second")


@dataclass(frozen=True, slots=True)
class Arms:
    """What each arm found, best first, and how long it took in milliseconds."""

    dense: list[Candidate]
    keyword: list[Candidate]
    timings_ms: dict[str, float]
    complete: bool = True  # false: the embedding model could not be reached, words alone were searched


class Reranker(Protocol):
    """Puts passages in a better order; providers.rerank.Reranker never fails, it keeps the order it was given."""

    async def rerank(self, query: str, passages: Sequence[str]) -> list[int]: ...


async def search(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    request: SearchRequest,
    *,
    reranker: Reranker | None = None,
) -> SearchResult:
    """Passages fit to answer a query, as this person may see them; the fused order, or the reranker's.

    Raises SpaceMismatch, the embedder's ProviderError, and what the database raises.
    """
    started = time.perf_counter()
    arms = await find(
        database, identity, embedder, request.query, request.filters, candidates=CANDIDATES * request.k
    )
    fused = merge(arms.dense, arms.keyword, floors=floors_of(embedder.key))
    within, over = _spread([f for f in fused if f.evidence], request.k)
    kept = (within + over)[: FUSED * request.k]
    since = time.perf_counter()
    rows = await _fetch(database, identity, kept if reranker else kept[: request.k])
    arms.timings_ms["fetch"] = _ms(since)
    if reranker:
        since = time.perf_counter()
        kept = await _reranked(reranker, request, kept, rows)
        arms.timings_ms["rerank"] = _ms(since)
    wanted = {f.chunk_id: f for f in kept[: request.k]}
    passages = tuple(_passage(f, rows[chunk_id]) for chunk_id, f in wanted.items() if chunk_id in rows)
    state, reasons = grounding(passages, found=len(fused))
    return SearchResult(
        grounding=state,
        reasons=reasons if arms.complete else (*reasons, "words_only"),
        passages=passages,
        counts=Counts(len(arms.dense), len(arms.keyword), 0, len(kept)),
        timings_ms=arms.timings_ms | {"total": _ms(started)},
        trace=explain(fused, shown=rows, wanted=wanted, over={f.chunk_id for f in over})
        if request.explain
        else (),
    )


async def find(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    query: str,
    filters: Filters,
    *,
    candidates: int,
) -> Arms:
    """Run the arms side by side on connections of their own (H3); none is held while the model works (H6)."""
    timings: dict[str, float] = {}
    cap = cap_for(candidates // CANDIDATES)

    async def dense() -> list[Candidate]:
        started = time.perf_counter()
        vector = await embedder.embed_query(query)
        timings["embed"] = _ms(started)
        started = time.perf_counter()
        async with database.as_user(identity) as connection:
            found = await dense_arm(
                connection, vector, filters, key=embedder.key, candidates=candidates, cap=cap
            )
        timings["dense"] = _ms(started)
        return found

    async def keyword() -> list[Candidate]:
        started = time.perf_counter()
        async with database.as_user(identity) as connection:
            passages = await visible_passages(connection, filters)
            found = await keyword_arm(
                connection, query, filters, passages=passages, candidates=candidates, cap=cap
            )
        timings["keyword"] = _ms(started)
        return found

    by_meaning, by_word = await _both(_unless_away(dense()), keyword())
    return Arms(by_meaning or [], by_word, timings, by_meaning is not None)


async def _unless_away(arm: Coroutine[Any, Any, list[Candidate]]) -> list[Candidate] | None:
    """What an arm finds; None, counted, while its model cannot be reached."""
    try:
        return await arm
    except ProviderError as error:
        if not error.transient:
            raise  # a wrong key or model does not heal by itself: the caller is told
        degraded(DENSE_MISSING, error)
        return None


def _spread(items: Sequence[Fused], k: int) -> tuple[list[Fused], list[Fused]]:
    return spread(items, group=lambda fused: fused.document_id, cap=cap_for(k))


async def _reranked(
    reranker: Reranker, request: SearchRequest, kept: Sequence[Fused], rows: Mapping[UUID, Row]
) -> list[Fused]:
    """Whole passages in the reranker's order (J4), spread over documents again."""
    there = [f for f in kept if f.chunk_id in rows]
    order = await reranker.rerank(request.query, [rows[f.chunk_id]["text"] for f in there])
    within, over = _spread([there[index] for index in order], request.k)
    return within + over


async def _fetch(database: Database, identity: Identity, wanted: Sequence[Fused]) -> dict[UUID, Row]:
    if not wanted:
        return {}
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(named("search_passages"), [fused.chunk_id for fused in wanted])
    return {UUID(int=row["id"].int): row for row in rows}


def _passage(fused: Fused, row: Row) -> Passage:
    return Passage(
        chunk_id=fused.chunk_id,
        document_id=fused.document_id,
        version=row["version"],
        name=row["name"],
        title=row["title"],
        page_start=row["page_start"],
        page_end=row["page_end"],
        heading_path=tuple(row["heading_path"]),
        text=row["text"],
        block_start=row["block_start"],
        block_end=row["block_end"],
        score=fused.score,
        ranks=fused.ranks,
        similarity=fused.similarity,
        evidence=fused.evidence or "likely",
    )


async def _both(
    first: Coroutine[Any, Any, First], second: Coroutine[Any, Any, Second]
) -> tuple[First, Second]:
    """Both results; when one fails the other is cancelled, and the failure is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            one, other = group.create_task(first), group.create_task(second)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return one.result(), other.result()


def _ms(since: float) -> float:
    return round((time.perf_counter() - since) * 1000, 3)
