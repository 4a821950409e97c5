"""`ibid eval retrieval` at a size that runs in seconds: the figures are sane and nothing is left behind."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from providers.local import LocalEmbedder
from server.config import load
from server.evaluation.beir import read_set
from server.evaluation.bench_ingest import bench
from server.evaluation.retrieval import evaluate

DOCUMENTS, QUERIES = 150, 50


@pytest.fixture
def small_set(shared: Path, tmp_path: Path) -> Path:
    """The first paragraphs of xquad-en, and questions that one of them answers."""
    full = read_set(shared / "data" / "retrieval" / "xquad-en")
    corpus = full.corpus[:DOCUMENTS]
    kept = {entry.id for entry in corpus}
    questions = [question for question in full.questions if kept.issuperset(question.relevant)]
    questions = questions[:: len(questions) // QUERIES][:QUERIES]
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt") as out:
        for entry in corpus:
            out.write(json.dumps({"_id": entry.id, "title": entry.title, "text": entry.text}) + "\n")
    with (tmp_path / "queries.jsonl").open("w") as out:
        for number, question in enumerate(questions):
            kind = {"half": str(number % 2), "answer": question.id}
            out.write(json.dumps({"_id": question.id, "text": question.text, "metadata": kind}) + "\n")
    judgements = [f"{q.id}\t{document}\t{grade}" for q in questions for document, grade in q.relevant.items()]
    (tmp_path / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judgements]))
    return tmp_path


async def test_a_set_is_measured_in_a_throw_away_database(
    urls: Any, embedder: LocalEmbedder, small_set: Path
) -> None:  # P8
    before = await databases(urls.owner)
    report = await evaluate(
        small_set, owner_url=urls.owner, app_url=urls.app, embedder=embedder, where={"half": "1"}
    )
    assert await databases(urls.owner) == before
    figures = json.loads(json.dumps(report.json()))
    assert {"set", "queries", "by", "arms", "ci95"} <= set(figures)
    assert (figures["queries"], figures["documents"]) == (QUERIES // 2, DOCUMENTS)
    assert set(figures["arms"]) == {"dense", "keyword", "graph", "fused", "default"}
    for arm in figures["arms"].values():
        assert set(arm) == {"ndcg@10", "recall@5", "recall@100", "success@1"}
    scores = {arm: means["ndcg@10"] for arm, means in figures["arms"].items()}
    assert scores["default"] > 0.9
    assert scores["fused"] > max(scores["dense"], scores["keyword"]) - 0.03  # 25 queries: one is worth .015
    low, high = figures["ci95"]["default"]["ndcg@10"]
    assert low <= scores["default"] <= high


async def test_an_unknown_arm_is_refused_before_any_work(
    urls: Any, embedder: LocalEmbedder, small_set: Path
) -> None:
    with pytest.raises(ValueError, match="zzyzx"):
        await evaluate(
            small_set, owner_url=urls.owner, app_url=urls.app, embedder=embedder, arms=["dense", "zzyzx"]
        )


async def test_the_ingest_benchmark_reports_every_figure_and_leaves_nothing(
    urls: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # F3
    (tmp_path / "models").symlink_to("/var/tmp/ibid-test-models", target_is_directory=True)
    config = load(
        {
            "IBID_HOME": str(tmp_path),
            "DATABASE_URL": urls.owner,
            "DATABASE_APP_URL": urls.app,
            "DATABASE_READER_URL": urls.reader,
        }
    )
    before = await databases(urls.owner)
    assert await bench(config, chunks=30, as_json=True, sizes=(100, 300)) == 0
    assert await databases(urls.owner) == before
    report = json.loads(capsys.readouterr().out)
    assert report.keys() == {
        "chunks", "chunks_per_s", "embedder_chunks_per_s", "ratio", "overhead_s_per_1000", "reupload_vectors",
        "append_vectors", "edit_vectors_beyond", "server_peak_mb", "worker_peak_mb", "per_chunk_ms",
        "pdf_pages_per_s", "pdf_ratio",
    }  # fmt: skip
    assert 20 <= report["chunks"] <= 45
    assert report["per_chunk_ms"].keys() == {"100", "300"}
    assert report["pdf_pages_per_s"] > 0
    assert report["reupload_vectors"] == 0
    assert report["append_vectors"] in (1, 2)  # a new tail, and the passage that it may have joined
    assert 0 <= report["edit_vectors_beyond"] <= 3
    if sys.platform == "linux":
        assert 50 < report["server_peak_mb"] < 250


async def databases(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        return {row["datname"] for row in await connection.fetch("SELECT datname FROM pg_database")}
    finally:
        await connection.close()
