"""The second look: MaxSim, what it may not do to the very codes of a query, and the places kept for it."""

from uuid import UUID

import numpy as np
import pytest

from providers.tokens import Vectors, maxsim, nearest
from retrieval.candidates import Fused
from retrieval.fusion import reserve
from retrieval.judge import judged
from retrieval.passages import Ranks
from retrieval.rerank import by_tokens, completing, unsunk


def vectors(*rows: list[float]) -> Vectors:
    return np.array(rows, np.float16).reshape(len(rows), -1)


def found(n: int, **ranks: int) -> Fused:
    return Fused(UUID(int=n), UUID(int=n), 1 / n, Ranks(**ranks), None, None, "sure")


def test_maxsim_is_the_mean_of_each_tokens_nearest() -> None:
    query = vectors([1, 0], [0, 1])
    near, far = vectors([1, 0], [0, 1], [-1, 0]), vectors([-1, 0])
    assert nearest(query, [near, far]).tolist() == [[1, 1], [-1, 0]]
    assert maxsim(nearest(query, [near, far])).tolist() == [pytest.approx(1.0), pytest.approx(-0.5)]


def test_a_text_without_tokens_scores_nothing() -> None:
    nothing = np.empty((0, 2), np.float16)
    assert maxsim(nearest(vectors([1, 0]), [nothing, vectors([1, 0])])).tolist() == [0.0, pytest.approx(1.0)]
    assert maxsim(nearest(nothing, [vectors([1, 0])])).tolist() == [0.0]
    assert maxsim(nearest(vectors([1, 0]), [])).tolist() == []


NEAR = np.array(  # to "director", "Jaws" and "born", as a question in two steps has them
    [
        [0.9, 0.9, 0.1],  # who directed it
        [0.9, 0.8, 0.1],  # the same again
        [0.8, 0.8, 0.2],  # and again
        [0.5, 0.1, 0.9],  # where that director was born
        [0.1, 0.1, 0.1],
    ],
    np.float32,
)
FIVE = [found(n) for n in (10, 11, 12, 13, 14)]  # scores within .03 of each other


def test_in_steps_each_place_goes_to_what_adds_most_to_those_before() -> None:
    assert by_tokens(FIVE, NEAR, 1.0)[:3] == [0, 1, 2]
    order = completing(FIVE, NEAR, 1.0)
    assert order[:2] == [0, 3]
    assert sorted(order) == [0, 1, 2, 3, 4]


def test_a_model_that_reads_little_of_the_query_moves_little() -> None:
    for order in (by_tokens, completing):
        assert order(FIVE, NEAR[::-1], 0.001) == [0, 1, 2, 3, 4]


def test_the_first_by_its_score_stays_the_first_step() -> None:
    assert completing(FIVE, NEAR[::-1], 1.0)[0] == 0
    assert completing(FIVE[:1], NEAR[:1], 1.0) == [0]


def test_the_very_code_is_never_pushed_down() -> None:  # I5
    code, other, third = found(1, exact=0), found(2), found(3)
    assert unsunk([code, other, third], [third, other, code]) == [code, third, other]
    assert unsunk([other, code, third], [third, code, other]) == [third, code, other]
    assert unsunk([other, third, code], [code, other, third]) == [code, other, third]


def test_what_one_arm_alone_put_first_reaches_the_reranker() -> None:  # I2
    items = list(range(20))
    assert reserve(items, most=8, leads={15, 17}.__contains__) == [0, 1, 2, 3, 4, 5, 15, 17]
    assert reserve(items, most=8, leads={3}.__contains__) == items[:8]
    assert reserve(items, most=8, leads=lambda _: True) == [0, 1, 2, 3, 8, 9, 10, 11]
    assert reserve(items[:5], most=8, leads=lambda _: True) == items[:5]


def test_the_judge_sees_four_fused_and_two_by_their_words() -> None:  # I7
    fused = [
        *(found(n, dense=n) for n in range(1, 8)),
        found(8, keyword=3),
        found(9, keyword=0),
        found(10, keyword=1),
    ]
    assert [f.chunk_id.int for f in judged(fused)] == [1, 2, 3, 4, 9, 10]
