"""JSON and rankings out of what models write around them; the tally of soft failures."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from providers.degrade import count, counts, degraded
from providers.embed import BATCH_CHARACTERS, in_order, next_batch
from providers.errors import BadResponse, ServerFailed
from providers.rerank import every_index_once, read_numbers, read_results
from providers.scenarios import passages, searched
from providers.structured import parse_json


def test_s_pr_04_fences_and_thoughts_do_not_hide_json(shared: Path) -> None:  # S-PR-04, N5
    answers = json.loads((shared / "cases/files/S-PR-04/answers.json").read_text())
    parsed = [parse_json(answer) for answer in answers]
    assert parsed == [{"title": "Winch", "topics": ["deck"]}] * 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1, 2]", [1, 2]),
        ('so: [{"a": 1}]', [{"a": 1}]),
        ('thoughts </think> {"a": 1}', {"a": 1}),
        ('```\n{"a": "```"}\n```', {"a": "```"}),
        ('{"a": 1} and {"b": 2}', None),
        ("sorry", None),
        ("", None),
        ("<think>{", None),
        ("42", None),
        ("{" * 50_000, None),
        ("[" * 50_000 + "]" * 50_000, None),
        ("{'a': __import__('os')}", None),
    ],
)
def test_json_is_found_or_it_is_not(text: str, value: object) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("[3, 1, 1, 9, 2]", [3, 1, 1, 9, 2]),
        ("sorry", []),
        ("[]", []),
        ("3,2,1", [3, 2, 1]),
        ('{"ranking": ["2", "0"]}', [2, 0]),
        ("[2] > [3] > [1]", [2, 3, 1]),
        ("<think>[1, 2]</think>\n```json\n[2, 1]\n```", [2, 1]),
        ("The top 2 are good", []),
        ("[4]", [4]),
        ('[null, {"a": 1}, 2]', [2]),
    ],
)
def test_the_numbers_of_a_listwise_answer(answer: str, numbers: list[int]) -> None:  # S-PR-05, J2
    assert read_numbers(answer) == numbers


def test_every_candidate_stays_exactly_once() -> None:  # S-PR-05, J6
    assert every_index_once([2, 0, 0, 8, -1], 5) == [2, 0, 1, 3, 4]
    assert every_index_once([], 3) == [0, 1, 2]


def test_native_results_are_sorted_by_score() -> None:  # J1
    results = [{"index": 0, "relevance_score": 0.1}, {"index": 1, "relevance_score": 0.9}, {"index": "x"}]
    assert read_results({"results": results}) == [1, 0]
    assert read_results([{"index": 0, "score": 0.1}, {"index": 1, "score": 0.9}]) == [1, 0]
    empty: list[object] = [{}, {"results": []}, None, "x"]
    for broken in empty:
        with pytest.raises(BadResponse):
            read_results(broken)


def test_a_soft_failure_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:  # J3, O4
    before = count("qzv test")
    with caplog.at_level(logging.WARNING, logger="ibid.degrade"):
        degraded("qzv test", ServerFailed())
    assert count("qzv test") == counts()["qzv test"] == before + 1
    assert "qzv test" in caplog.text
    assert "ServerFailed" in caplog.text


def test_batches_are_bounded_in_items_and_characters() -> None:  # G5
    assert len(next_batch(["x"] * 120, 0, 50)) == 50
    assert len(next_batch(["x"] * 120, 100, 50)) == 20
    assert len(next_batch(["x" * (BATCH_CHARACTERS // 2)] * 9, 0, 50)) == 2
    assert len(next_batch(["x" * (BATCH_CHARACTERS * 2)] * 9, 0, 50)) == 1  # one text always goes


def test_vectors_are_put_in_order() -> None:
    data = [{"index": 1, "embedding": [1.0]}, {"index": 0, "embedding": [0.0]}]
    assert in_order({"data": data}, 2) == [[0.0], [1.0]]
    for item in data:
        item["index"] = 0  # no use
    assert in_order({"data": data}, 2) == [[1.0], [0.0]]
    answers: list[object] = [{"data": data[:1]}, {"data": None}, [], {"data": [1, 2]}]
    for broken in answers:
        with pytest.raises(BadResponse):
            in_order(broken, 2)


def test_the_scripted_model_reads_numbered_passages() -> None:
    lines = {"role": "tool", "content": "[1] The winch weighs 310 kg.\nIt is red.\n[2] The anchor is heavy."}
    assert [n for n, _ in passages({"messages": [lines]})] == [1, 2]
    document = {"role": "tool", "content": json.dumps({"passages": [{"n": 4, "text": "The winch."}]})}
    assert passages({"messages": [lines, document]}) == [(4, "The winch.")]
    user = {"role": "user", "content": "how heavy?"}
    assert searched({"messages": [user, lines]})
    assert not searched({"messages": [user, lines, user]})


def test_vectors_stay_numbers() -> None:
    assert np.asarray(in_order({"data": [{"embedding": [0.5, 1]}]}, 1), np.float32).dtype == np.float32
