"""Why each candidate of a search is or is not among its results (O2). Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from retrieval.candidates import Fused
from retrieval.fusion import share
from retrieval.passages import Considered, Fate, SearchResult

KEPT = 60  # candidates of a stored search: 8 passages have at most 48 from two arms; 200 bytes each
EXPLAINED = ("grounding", "reasons", "relaxed", "timings_ms")


def explain(
    fused: Sequence[Fused],
    *,
    before: Sequence[UUID],
    after: Sequence[UUID],
    over: Collection[UUID],
    there: Collection[UUID],
    k: int,
    refused: bool = False,
) -> tuple[Considered, ...]:
    """Every admitted candidate in fused order with its fate.

    Args:
        before: chunk ids as they came out of fusion and spreading, best first.
        after: the same as they ended, after the reranker; the first `k` are the results.
        over: chunk ids beyond their document's cap.
        there: chunk ids whose passage could still be read.
        refused: the judge found no answer in any of them, so that none became a result (D6).
    """
    places = {chunk_id: place for place, chunk_id in enumerate(after)}
    first = set(before[:k])
    return tuple(
        Considered(
            chunk_id=UUID(int=f.chunk_id.int),
            document_id=UUID(int=f.document_id.int),
            score=f.score,
            ranks=f.ranks,
            similarity=f.similarity,
            coverage=f.coverage,
            fate=_fate(
                f, place=places.get(f.chunk_id), first=first, over=over, there=there, k=k, refused=refused
            ),
            shares=shares(f),
            evidence=f.evidence,
            fused=place,
            place=places.get(f.chunk_id),
        )
        for place, f in enumerate(fused)
    )


def _fate(
    f: Fused,
    *,
    place: int | None,
    first: Collection[UUID],
    over: Collection[UUID],
    there: Collection[UUID],
    k: int,
    refused: bool,
) -> Fate:
    if f.evidence is None:
        return "below_floor"
    if place is not None and place < k:
        if refused:
            return "judged_out"
        return "shown" if f.chunk_id in there else "gone"
    if f.chunk_id in first:
        return "reranked_out"
    return "over_cap" if f.chunk_id in over else "beyond_k"


def shares(f: Fused) -> dict[str, float]:
    """Each list's part of a fused score: its weight by its rank, all scaled by priority to the score."""
    ranks = {name: rank for name, rank in f.ranks._asdict().items() if rank is not None}
    parts = {name: share(name, rank) for name, rank in ranks.items()}
    total = sum(parts.values())
    return {name: part * f.score / total for name, part in parts.items()}


def storable(result: SearchResult) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is kept of an explained search: its figures, and its candidates without their words.

    Ids, ranks and scores only: names and texts are read again by whoever opens it (D18).
    """
    explanation: dict[str, Any] = {name: _plain(getattr(result, name)) for name in EXPLAINED}
    explanation |= {"counts": asdict(result.counts), "gated": asdict(result.gated)}
    explanation["considered"] = len(result.trace)
    return explanation, [considered_json(item) for item in first(result.trace)]


def first(trace: Sequence[Considered], *, most: int = KEPT) -> list[Considered]:
    """The candidates worth keeping: those that got somewhere, then the best of the rest, in fused order."""
    ahead = sorted(trace, key=lambda c: (c.place is None, c.place if c.place is not None else c.fused or 0))
    return sorted(ahead[:most], key=lambda c: c.fused or 0)


def considered_json(item: Considered) -> dict[str, Any]:
    """A candidate as the API and the store hold it."""
    return {
        **asdict(item),
        "ranks": item.ranks._asdict(),
        "chunk_id": str(item.chunk_id),
        "document_id": str(item.document_id),
        "score": round(item.score, 6),
        "shares": {name: round(share, 6) for name, share in item.shares.items()},
    }


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
