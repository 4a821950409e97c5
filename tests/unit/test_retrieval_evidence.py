"""What counts as evidence, and the verdict on a search."""

import json
from uuid import UUID

import pytest

from providers.types import SpaceKey
from retrieval.candidates import Candidate, Fused
from retrieval.errors import BadQuery
from retrieval.evidence import FLOORS, FOREIGN, UNKNOWN, Floors, floors_of, grounding, judge
from retrieval.explain import KEPT, considered_json, explain, first
from retrieval.merge import merge
from retrieval.passages import Passage, Ranks, SearchRequest

STEEP = Floors(likely=0.3, sure=0.5)


def found(n: int, *, document: int | None = None, **facts: object) -> Candidate:
    return Candidate(UUID(int=n), UUID(int=document or n), bytes([n]), 1.0, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("similarity", "coverage", "exact", "verdict"),
    [
        (0.1, None, False, None),  # D5: below the floor nothing is evidence
        (0.4, None, False, "likely"),
        (0.6, None, False, "sure"),
        (0.1, 0.9, False, "sure"),  # D6: or the words themselves
        (None, 0.5, False, "likely"),
        (None, 0.1, False, None),  # I12: one common word is not an answer
        (0.1, 0.1, True, "sure"),  # I5: the very code that was asked for
        (None, None, False, None),
    ],
)
def test_judge(similarity: float | None, coverage: float | None, exact: bool, verdict: str | None) -> None:
    assert judge(similarity=similarity, coverage=coverage, exact=exact, floors=STEEP) == verdict


def test_floors_belong_to_a_model() -> None:  # D6
    assert judge(similarity=0.99, coverage=None, exact=False, floors=UNKNOWN) == "likely"
    assert floors_of(SpaceKey("local", "all-MiniLM-L6-v2", 384)) is FLOORS["all-MiniLM-L6-v2"]
    assert floors_of(SpaceKey("endpoint", "zzyzx-embed", 1024)) is UNKNOWN


@pytest.mark.parametrize(
    ("query", "verdict"),
    [
        ("Wie viele Punkte gab die Verteidigung ab?", True),
        ("豹队的防守丢了多少分", True),
        ("How many points did the defence surrender?", False),
        ("snake-case-type-alias", False),
        ("ECONNREFUSED 10.0.0.1", False),
        ("Lothair II mother", False),
    ],
)
def test_a_foreign_sentence_has_floors_of_its_own(query: str, verdict: bool) -> None:  # I17
    key = SpaceKey("local", "all-MiniLM-L6-v2", 384)
    assert (floors_of(key, query=query, trust=0.1) is FOREIGN) == verdict
    assert floors_of(key, query=query, trust=0.9) is FLOORS["all-MiniLM-L6-v2"]


def test_merge_keeps_what_each_arm_knows() -> None:  # I7
    first, second = merge(
        [found(1, similarity=0.6), found(2, similarity=0.1)],
        [found(1, coverage=0.2)],
        floors=STEEP,
    )
    assert (first.ranks, first.similarity, first.coverage) == (Ranks(dense=0, keyword=0), 0.6, 0.2)
    assert (second.ranks, second.evidence) == (Ranks(dense=1), None)


def test_equal_texts_of_two_documents_are_one_result() -> None:
    twin = Candidate(UUID(int=9), UUID(int=9), bytes([1]), 1.0, coverage=0.7)
    assert len(merge([found(1, similarity=0.6)], [twin], floors=STEEP)) == 1


def test_the_very_code_beats_near_synonyms_that_both_arms_like() -> None:  # I5
    dense = [found(n, similarity=0.6) for n in (2, 3, 4, 5, 6, 1)]
    keyword = [found(1, coverage=0.9, exact=True), *[found(n, coverage=0.5) for n in (2, 3, 4, 5, 6)]]
    assert merge(dense, keyword, floors=STEEP)[0].chunk_id == UUID(int=1)


def test_a_code_in_many_passages_is_a_word_like_others() -> None:  # I5
    few = [found(n, coverage=0.9, exact=True) for n in (1, 2, 3)]
    assert [f.ranks.exact for f in merge([], few, floors=STEEP)] == [0, 1, 2]
    many = [*few, found(4, coverage=0.9, exact=True)]
    assert [f.ranks.exact for f in merge([], many, floors=STEEP)] == [None] * 4
    assert {f.evidence for f in merge([], many, floors=STEEP)} == {"sure"}


def test_an_arm_counts_as_far_as_it_can_be_trusted() -> None:  # I17
    dense, keyword = [found(1, similarity=0.6)], [found(2, coverage=0.5)]
    assert merge(dense, keyword, floors=STEEP, trust=0.0)[0].chunk_id == UUID(int=2)
    near, linked = [found(1, similarity=0.6)], [found(3)]
    assert merge(near, [], linked, floors=STEEP, strength=1.0)[0].chunk_id == UUID(int=3)
    assert merge(near, [], linked, floors=STEEP, strength=0.15)[0].chunk_id == UUID(int=1)


def test_only_what_a_query_clearly_names_makes_a_walk_evidence() -> None:  # I12
    assert merge([], [], [found(1)], floors=STEEP, strength=1.0)[0].evidence == "likely"
    assert merge([], [], [found(1)], floors=STEEP, strength=0.15)[0].evidence is None


def passage(evidence: str) -> Passage:
    return Passage(
        UUID(int=1),
        UUID(int=1),
        1,
        "n",
        None,
        None,
        None,
        (),
        "t",
        0,
        0,
        0.1,
        Ranks(),
        0.5,
        evidence,  # type: ignore[arg-type]
    )


def test_grounding() -> None:  # M6
    assert grounding([passage("likely"), passage("sure")], found=9) == ("grounded", ("strong_evidence",))
    assert grounding([passage("likely")], found=9) == ("partly", ("weak_evidence_only",))
    assert grounding([], found=9) == ("none", ("nothing_relevant",))
    assert grounding([], found=0) == ("none", ("nothing_found",))


def test_every_candidate_has_a_fate() -> None:  # O2
    fused = [
        Fused(
            UUID(int=n), UUID(int=n), 0.03, Ranks(dense=0, keyword=1), None, None, None if n == 4 else "sure"
        )
        for n in range(1, 7)
    ]
    one, two, three, four, five, six = (f.chunk_id for f in fused)
    before, after = [one, six, two, five, three], [one, two, six, five, three]
    told = explain(fused, before=before, after=after, over={three}, there={one, six}, k=2)
    assert [(c.chunk_id, c.fate, c.place) for c in told] == [
        (one, "shown", 0),
        (two, "gone", 1),
        (three, "over_cap", 4),
        (four, "below_floor", None),
        (five, "beyond_k", 3),
        (six, "reranked_out", 2),
    ]
    assert [c.fused for c in told] == [0, 1, 2, 3, 4, 5]
    assert sum(told[0].shares.values()) == pytest.approx(0.03)
    refused = explain(fused, before=before, after=after, over={three}, there={one, two}, k=2, refused=True)
    assert [c.fate for c in refused[:2]] == ["judged_out", "judged_out"]  # D6


def test_a_kept_search_holds_the_candidates_that_got_somewhere_and_no_words() -> None:  # O2
    many = [
        Fused(UUID(int=n), UUID(int=n), 1 / n, Ranks(dense=n - 1), 0.4, None, "sure") for n in range(1, 151)
    ]
    after = [UUID(int=n) for n in (150, 1, 2)]
    trace = explain(many, before=after, after=after, over=(), there=set(after), k=3)
    kept = first(trace)
    assert len(kept) == KEPT
    assert {c.chunk_id for c in kept if c.fate == "shown"} == set(after)
    assert [c.fused for c in kept] == sorted(c.fused for c in kept if c.fused is not None)
    stored = considered_json(kept[0])
    assert json.loads(json.dumps(stored)) == stored
    assert not {"text", "name", "snippet"} & stored.keys()


@pytest.mark.parametrize("query", ["", " \n", "a\0b", "x" * 20_001])
def test_what_is_no_query_is_refused(query: str) -> None:  # S-RT-09
    with pytest.raises(BadQuery):
        SearchRequest(query)


@pytest.mark.parametrize("k", [0, -1, 201])
def test_k_has_bounds(k: int) -> None:
    with pytest.raises(BadQuery):
        SearchRequest("corrosion", k=k)
