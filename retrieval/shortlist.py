"""The shortlist of a search: fused candidates past the gates, spread over documents, fetched whole, put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from retrieval.candidates import Fused
from retrieval.fusion import cap_for, reserve, spread
from retrieval.gates import through_gates
from retrieval.judge import judged
from retrieval.passages import Gated, Passage, SearchRequest, passage
from retrieval.rerank import Reranker
from sql.db import Connection, Row
from sql.queries import query as named

FUSED = 2  # times k after fusion (I4)
LEADS = 2  # places of each arm's list that the reranker sees whatever the others say; 0 to 5 cost nothing on any set


@dataclass(frozen=True, slots=True)
class Shortlist:
    """`order` holds what may become a result, best first; `doubtful` what a judge would look at.

    `admitted` is everything that the gates let through, `over` what is beyond its document's cap, and `rows`
    are the passages of `order` and `doubtful` that could still be read.
    """

    admitted: list[Fused]
    gated: Gated
    order: list[Fused]
    over: list[Fused]
    doubtful: list[Fused]
    rows: dict[UUID, Row]

    def texts(self, candidates: Sequence[Fused]) -> list[str]:
        """Whole passages under their headings (J4), of those that are there."""
        return [_read(self.rows[f.chunk_id]) for f in candidates if f.chunk_id in self.rows]

    def passages(self, k: int) -> tuple[Passage, ...]:
        """The first k; what went in the meantime is left out."""
        return tuple(_passage(f, self.rows[f.chunk_id]) for f in self.order[:k] if f.chunk_id in self.rows)

    async def reranked(self, reranker: Reranker, request: SearchRequest, *, clear: bool) -> Shortlist:
        """The same in the reranker's order, spread over documents again."""
        there = [f for f in self.order if f.chunk_id in self.rows]
        order = await reranker.rerank(request.query, there, self.texts(there), clear=clear)
        within, over = _spread(order, request.k)
        return replace(self, order=within + over)


async def shortlist(
    connection: Connection,
    request: SearchRequest,
    fused: Sequence[Fused],
    *,
    again: bool = True,
    doubted: bool = True,
) -> Shortlist:
    """What is left of a search's candidates, read under the rules of this connection.

    Args:
        again: there is a second look, so that more are read than are returned.
        doubted: there is a judge, so that what it would look at is read.
    """

    def wanted() -> list[UUID]:
        read = order if again else order[: request.k]
        return list({f.chunk_id for f in (*read, *(doubtful if doubted else ()))})

    order, over, doubtful = _drawn(fused, request.k)
    admitted, gated, found = await through_gates(connection, request.filters, fused, wanted())
    if gated.redaction:  # others move up
        order, over, doubtful = _drawn(admitted, request.k)
        ids = wanted()
        found = await connection.fetch(named("search_passages"), ids) if ids else []
    return Shortlist(admitted, gated, order, over, doubtful, {row["id"]: row for row in found})


def _drawn(fused: Sequence[Fused], k: int) -> tuple[list[Fused], list[Fused], list[Fused]]:
    """Of these, what may become a result, what is beyond its document's cap, and what a judge would look at."""
    within, over = _spread([f for f in fused if f.evidence], k)
    return reserve(within + over, most=FUSED * k, leads=_leads), over, judged(fused)


def _leads(fused: Fused) -> bool:
    ranks = fused.ranks
    return any(rank is not None and rank < LEADS for rank in (ranks.dense, ranks.keyword, ranks.graph))


def _spread(items: Sequence[Fused], k: int) -> tuple[list[Fused], list[Fused]]:
    return spread(items, group=lambda fused: fused.document_id, cap=cap_for(k))


def _read(row: Row) -> str:
    path = " > ".join(row["heading_path"])
    text: str = row["text"]
    return f"{path}\n{text}" if path else text


def _passage(fused: Fused, row: Row) -> Passage:
    return passage(
        row,
        evidence=fused.evidence or "likely",
        score=fused.score,
        ranks=fused.ranks,
        similarity=fused.similarity,
    )
