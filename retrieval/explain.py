"""Why each candidate of a search is or is not among its results (O2). Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from retrieval.candidates import Fused
from retrieval.passages import Considered, Fate


def explain(
    fused: Sequence[Fused], *, shown: Collection[UUID], wanted: Collection[UUID], over: Collection[UUID]
) -> tuple[Considered, ...]:
    """Every candidate in fused order with its fate; the sets hold chunk ids (`wanted`: to be shown)."""
    return tuple(
        Considered(
            chunk_id=f.chunk_id,
            document_id=f.document_id,
            score=f.score,
            ranks=f.ranks,
            similarity=f.similarity,
            coverage=f.coverage,
            fate=_fate(f, shown=shown, wanted=wanted, over=over),
        )
        for f in fused
    )


def _fate(f: Fused, *, shown: Collection[UUID], wanted: Collection[UUID], over: Collection[UUID]) -> Fate:
    if f.chunk_id in shown:
        return "shown"
    if f.chunk_id in wanted:
        return "gone"
    if f.evidence is None:
        return "below_floor"
    return "over_cap" if f.chunk_id in over else "beyond_k"
