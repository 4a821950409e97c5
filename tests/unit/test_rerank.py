"""The second look: MaxSim, what it may not do to the very codes of a query, and the places kept for it."""

from uuid import UUID

import numpy as np
import pytest

from providers.tokens import Vectors, maxsim
from retrieval.candidates import Fused
from retrieval.fusion import reserve
from retrieval.judge import judged
from retrieval.passages import Ranks
from retrieval.rerank import unsunk


def vectors(*rows: list[float]) -> Vectors:
    return np.array(rows, np.float16).reshape(len(rows), -1)


def found(n: int, **ranks: int) -> Fused:
    return Fused(UUID(int=n), UUID(int=n), 1 / n, Ranks(**ranks), None, None, "sure")


def test_maxsim_is_the_mean_of_each_tokens_nearest() -> None:
    query = vectors([1, 0], [0, 1])
    near, far = vectors([1, 0], [0, 1], [-1, 0]), vectors([-1, 0])
    assert maxsim(query, [near, far]) == [pytest.approx(1.0), pytest.approx(-0.5)]


def test_a_text_without_tokens_scores_nothing() -> None:
    nothing = np.empty((0, 2), np.float16)
    assert maxsim(vectors([1, 0]), [nothing, vectors([1, 0])]) == [0.0, pytest.approx(1.0)]
    assert maxsim(nothing, [vectors([1, 0])]) == [0.0]
    assert maxsim(vectors([1, 0]), []) == []


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
