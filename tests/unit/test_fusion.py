"""Fusion by rank and the spread over documents."""

import pytest

from retrieval.fusion import cap_for, fuse, spread

EVEN = {"dense": 1.0, "keyword": 1.0}


def order(lists: dict[str, list[str]], **options: object) -> list[str]:
    return [key for key, _ in fuse(lists, weights=EVEN, **options)]  # type: ignore[arg-type]


def test_scores_are_reciprocal_ranks_from_zero() -> None:  # I3
    assert fuse({"dense": ["a"], "keyword": ["b", "a"]}, weights=EVEN, k=60) == [
        ("a", pytest.approx(1 / 61 + 1 / 62)),
        ("b", pytest.approx(1 / 61)),
    ]


def test_keyword_first_and_vector_third_beats_second_in_one() -> None:  # I3
    assert order({"dense": ["x", "second", "a"], "keyword": ["a"]})[0] == "a"


def test_what_one_arm_alone_found_is_kept() -> None:  # I2
    assert set(order({"dense": ["a"], "keyword": ["b"]})) == {"a", "b"}


def test_only_ranks_count_and_ties_keep_their_order() -> None:
    assert order({"dense": ["a"], "keyword": ["b"]}) == ["a", "b"]


def test_nothing_found_is_nothing_fused() -> None:
    assert order({"dense": [], "keyword": []}) == []


def test_priority_scales_the_score() -> None:  # I10
    lists = {"dense": ["draft", "final"], "keyword": ["draft", "final"]}
    assert order(lists) == ["draft", "final"]
    assert order(lists, priorities={"draft": 0.5}) == ["final", "draft"]


def test_weights_scale_the_arms() -> None:
    lists = {"dense": ["a"], "keyword": ["b"]}
    assert [key for key, _ in fuse(lists, weights={"dense": 1.0, "keyword": 1.2})] == ["b", "a"]


@pytest.mark.parametrize(("k", "cap"), [(1, 1), (2, 1), (3, 1), (8, 3), (16, 6), (30, 11)])
def test_cap_is_three_of_eight(k: int, cap: int) -> None:  # I8
    assert cap_for(k) == cap


def test_overflow_comes_after_everything_else() -> None:  # I9
    within, over = spread(["b1", "b2", "b3", "b4", "b5", "s1", "s2"], group=lambda item: item[0], cap=3)
    assert within == ["b1", "b2", "b3", "s1", "s2"]
    assert over == ["b4", "b5"]


def test_one_document_alone_loses_nothing() -> None:  # I8
    within, over = spread([f"b{n}" for n in range(8)], group=lambda item: item[0], cap=3)
    assert within + over == [f"b{n}" for n in range(8)]
