"""From the arms' lists to one list: fused by rank, each text judged as evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.candidates import Candidate, Fused
from retrieval.evidence import Floors, judge
from retrieval.fusion import WEIGHTS, fuse
from retrieval.passages import Ranks

# Passages with all codes of the query that make them a route of their own. In more of them the code is a word
# like others (IL-6): nDCG@10 at 0, 1, 3, 10 and without a bound: scifact .726 .725 .724 .721
# .720, identifiers .975 .980 .983 .990 .990.
SELECTIVE = 3
CLEAR = 1.0  # strength of a walk at which the query names what one or two passages are about
LISTS = ("dense", "keyword", "graph", "exact")  # as the fields of Ranks


def merge(
    dense: Sequence[Candidate],
    keyword: Sequence[Candidate],
    graph: Sequence[Candidate] = (),
    *,
    floors: Floors,
    trust: float = 1.0,
    strength: float = 1.0,
) -> list[Fused]:
    """Every text that an arm found, best first.

    The dense arm counts as far as its model reads the query, the graph as clearly as the query names something.

    Passages with all codes of the query are a list of their own: the arms' agreement on near-synonyms would
    outvote the one passage that has the very code (I5).
    """
    exact = [c for c in keyword if c.exact]
    lists = (dense, keyword, graph, exact if len(exact) <= SELECTIVE else ())
    places = [{c.content_hash: rank for rank, c in enumerate(found)} for found in lists]
    known: dict[bytes, list[Candidate]] = {}
    for one in (*dense, *keyword, *graph):
        known.setdefault(one.content_hash, []).append(one)
    fused = fuse(
        dict(zip(LISTS, places, strict=True)),
        weights={**WEIGHTS, "dense": WEIGHTS["dense"] * trust, "graph": WEIGHTS["graph"] * strength},
        priorities={key: found[0].priority for key, found in known.items()},
    )
    clear = strength >= CLEAR
    in_dense, in_keyword, in_graph, in_exact = (ranks.get for ranks in places)
    return [
        _fused(
            known[key],
            score,
            Ranks(in_dense(key), in_keyword(key), in_graph(key), in_exact(key)),
            floors,
            clear=clear,
        )
        for key, score in fused
    ]


def _fused(found: Sequence[Candidate], score: float, ranks: Ranks, floors: Floors, *, clear: bool) -> Fused:
    """One text, as the arms that found it know it."""
    first = found[0]
    similarity, coverage, exact = first.similarity, first.coverage, first.exact
    for other in found[1:]:
        similarity = other.similarity if similarity is None else similarity
        coverage = other.coverage if coverage is None else coverage
        exact = exact or other.exact
    evidence = judge(
        similarity=similarity,
        coverage=coverage,
        exact=exact,
        linked=ranks.graph if clear else None,
        floors=floors,
    )
    return Fused(
        first.chunk_id, first.document_id, score, ranks, similarity, coverage, evidence, first.priority
    )
