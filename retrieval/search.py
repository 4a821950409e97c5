"""READ FIRST: a search. Arms fused by rank; a shortlist past the gates; a second look; a verdict on the evidence."""

from __future__ import annotations

import time

from providers.types import Embedder
from retrieval.arms import CANDIDATES, DENSE_MISSING, Arms, find, timed
from retrieval.evidence import grounding
from retrieval.explain import explain
from retrieval.judge import Judge, second_opinion
from retrieval.passages import Considered, Counts, SearchRequest, SearchResult
from retrieval.rerank import Reranker
from retrieval.shortlist import Shortlist, shortlist
from sql.db import Connection, Database, Identity

__all__ = ["DENSE_MISSING", "search"]


async def search(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    request: SearchRequest,
    *,
    reranker: Reranker | None = None,
    judge: Judge | None = None,
    graph: bool = True,
) -> SearchResult:
    """Passages fit to answer a query, as this person may see them, in the fused order or the reranker's.

    The judge is asked only where the evidence is weak; without `graph` no names are followed. Raises SpaceMismatch,
    the embedder's ProviderError, and what the database raises.
    """
    started = time.perf_counter()
    looks = {"again": reranker is not None, "doubted": judge is not None}
    arms, drawn = await _drawn(database, identity, embedder, request, graph=graph, **looks)
    ended = drawn
    if reranker:
        with timed(arms.timings_ms, "rerank"):
            ended = await drawn.reranked(reranker, request, clear=arms.clear)
    passages = ended.passages(request.k)
    state, reasons = grounding(passages, found=len(arms.fused))
    if judge and state == "partly":
        with timed(arms.timings_ms, "judge"):
            texts = ended.texts(ended.doubtful)
            state, reasons = await second_opinion(judge, request.query, texts, state, reasons)
    refused = state == "none" and bool(passages)
    arms.timings_ms["total"] = round((time.perf_counter() - started) * 1000, 3)
    return SearchResult(
        grounding=state,
        reasons=reasons if arms.complete else (*reasons, "words_only"),
        passages=() if refused else passages,
        counts=_counts(arms, ended),
        timings_ms=arms.timings_ms,
        trace=_trace(drawn, ended, k=request.k, refused=refused) if request.explain else (),
        gated=drawn.gated,
    )


async def _drawn(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    request: SearchRequest,
    *,
    graph: bool,
    **looks: bool,
) -> tuple[Arms, Shortlist]:
    """What the arms find, and the shortlist of it, as far as it is looked at."""

    async def draw(connection: Connection, arms: Arms) -> tuple[Arms, Shortlist]:
        with timed(arms.timings_ms, "fetch"):
            return arms, await shortlist(connection, request, arms.fused, **looks)

    most = CANDIDATES * request.k
    where = database, identity, embedder, request.query, request.filters
    return await find(*where, candidates=most, graph=graph, then=draw)


def _counts(arms: Arms, ended: Shortlist) -> Counts:
    return Counts(len(arms.dense), len(arms.keyword), len(arms.graph), len(ended.order))


def _trace(drawn: Shortlist, ended: Shortlist, *, k: int, refused: bool) -> tuple[Considered, ...]:
    return explain(
        drawn.admitted,
        before=[f.chunk_id for f in drawn.order],
        after=[f.chunk_id for f in ended.order],
        over={f.chunk_id for f in drawn.over},
        there=drawn.rows,
        k=k,
        refused=refused,
    )
