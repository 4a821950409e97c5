"""Metrics of rankings, checked against values worked out by hand."""

import gzip
import json
import math
from pathlib import Path

import pytest

from server.evaluation.beir import BadSet, read_set
from server.evaluation.metrics import interval, mean, ndcg, recall, success


def test_ndcg_discounts_by_place_and_uses_grades() -> None:
    judged = {"a": 2, "b": 1}
    gained = 1 / math.log2(2) + 2 / math.log2(4)
    best = 2 / math.log2(2) + 1 / math.log2(3)
    assert ndcg(["b", "x", "a"], judged, k=10) == pytest.approx(gained / best)
    assert ndcg(["a", "b"], judged, k=10) == 1.0
    assert ndcg(["x"] * 10 + ["a"], judged, k=10) == 0.0


def test_ndcg_ideal_stops_at_k() -> None:
    judged = {str(n): 1 for n in range(20)}
    assert ndcg([str(n) for n in range(10)], judged, k=10) == 1.0


def test_recall_and_success() -> None:
    judged = {"a": 1, "b": 1, "irrelevant": 0}
    assert recall(["a", "irrelevant"], judged, k=5) == 0.5
    assert recall(["x", "x", "x", "x", "x", "a"], judged, k=5) == 0.0
    assert success(["a"], judged, k=1) == 1.0
    assert success(["irrelevant", "a"], judged, k=1) == 0.0


def test_nothing_relevant_scores_nothing() -> None:
    assert ndcg(["a"], {"a": 0}, k=10) == recall(["a"], {}, k=5) == 0.0


def test_interval_holds_the_mean_and_repeats() -> None:
    values = [0.0, 1.0] * 50
    low, high = interval(values)
    assert low < mean(values) < high
    assert high - low == pytest.approx(0.2, abs=0.03)
    assert (low, high) == interval(values)


def write_set(folder: Path) -> None:
    with gzip.open(folder / "corpus.jsonl.gz", "wt") as out:
        out.write(json.dumps({"_id": "d1", "title": "T", "text": "zzyzx"}) + "\n")
    queries = [
        {"_id": "q1", "text": "one", "metadata": {"hops": 2}},
        {"_id": "q2", "text": "two"},
        {"_id": "q3", "text": "unjudged"},
    ]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t0\n")


def test_a_set_is_read_with_its_judged_queries(tmp_path: Path) -> None:
    write_set(tmp_path)
    judged = read_set(tmp_path)
    assert [question.id for question in judged.questions] == ["q1", "q2"]
    assert judged.questions[0].relevant == {"d1": 1}
    assert judged.corpus[0].title == "T"


def test_where_keeps_queries_by_metadata_as_text(tmp_path: Path) -> None:
    write_set(tmp_path)
    assert [question.id for question in read_set(tmp_path, where={"hops": "2"}).questions] == ["q1"]
    with pytest.raises(BadSet):
        read_set(tmp_path, where={"hops": "9"})


def test_a_folder_that_is_no_set_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadSet, match=r"corpus\.jsonl"):
        read_set(tmp_path)
