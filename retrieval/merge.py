"""From the arms' lists to one list: fused by rank, each text judged as evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.candidates import Candidate, Fused
from retrieval.evidence import Floors, judge
from retrieval.fusion import fuse
from retrieval.passages import Ranks


def merge(dense: Sequence[Candidate], keyword: Sequence[Candidate], *, floors: Floors) -> list[Fused]:
    """Every text that an arm found, best first.

    Passages with all codes of the query are a list of their own: the arms' agreement on near-synonyms would
    outvote the one passage that has the very code (I5).
    """
    near = {c.content_hash: (rank, c) for rank, c in enumerate(dense)}
    held = {c.content_hash: (rank, c) for rank, c in enumerate(keyword)}
    lists = {
        "dense": list(near),
        "keyword": list(held),
        "exact": [key for key, (_, c) in held.items() if c.exact],
    }
    found = {key: c for key, (_, c) in (held | near).items()}
    fused = fuse(lists, priorities={key: c.priority for key, c in found.items()})
    return [_fused(found[key], score, near.get(key), held.get(key), floors) for key, score in fused]


def _fused(
    one: Candidate,
    score: float,
    near: tuple[int, Candidate] | None,
    held: tuple[int, Candidate] | None,
    floors: Floors,
) -> Fused:
    similarity = near[1].similarity if near else None
    coverage = held[1].coverage if held else None
    exact = held[1].exact if held else False
    return Fused(
        chunk_id=one.chunk_id,
        document_id=one.document_id,
        score=score,
        ranks=Ranks(dense=near[0] if near else None, keyword=held[0] if held else None),
        similarity=similarity,
        coverage=coverage,
        evidence=judge(similarity=similarity, coverage=coverage, exact=exact, floors=floors),
    )
