"""The search benchmark on a few rows: it measures what it says, and what it compares is equal under load."""

from typing import Any

import pytest

from providers.local import LocalEmbedder
from server.evaluation import bench_rows, bench_search
from server.evaluation.bench_questions import questions
from server.evaluation.bench_search import Known, sentences
from sql.scratch import scratch
from tests.db.conftest import TOKENS


async def test_a_size_is_measured_against_the_bare_statement(
    urls: Any, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:  # I16, P8
    monkeypatch.setattr(bench_rows, "TOPICS", 8)
    monkeypatch.setattr(bench_search, "WARM", 1)
    monkeypatch.setattr(bench_search, "ROUNDS", 1)
    monkeypatch.setattr(bench_search, "LOOKS", 1)
    texts = questions(3)
    assert len(texts) == 3
    made = await bench_rows.material(embedder)
    _, vectors = await bench_search._embedded(embedder, texts)
    async with scratch(urls.owner, urls.app, size=bench_search.CONNECTIONS) as place:
        found, recall = await bench_search._size(place, Known(embedder, vectors), made, texts, 1_000, TOKENS)
    assert {"total_ms", "rerank_ms", "arms_ms", "bare_ms", "ratio_over_bare"} <= found.keys()
    assert {"dense", "keyword", "graph"} == found["arms_ms"].keys()
    assert {"dense", "keyword", "fused", "by_index"} == found["bare_ms"].keys()
    assert found["qps_8_clients"].keys() == {"total", "bare"}
    assert found["differing_under_load"] == 0
    assert recall == {"0.01": 1.0, "0.001": 1.0}
    assert "1,000 passages" in sentences({"sizes": {"1000": found}, "recall_vs_exact": recall})
