"""The stream benchmark in small: real processes, and every figure that its contract names."""

from pathlib import Path

import pytest

from providers.local import LocalEmbedder
from server import bootstrap
from server.evaluation import bench_stream
from sql.scratch import scratch
from tests.db.conftest import Urls

MODELS = Path("/var/tmp/ibid-test-models")


@pytest.mark.slow
async def test_it_measures_what_passing_a_stream_through_costs(
    urls: Urls, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:  # interfaces.md, benchmarks
    await embedder.warm()  # the model's graph lies in MODELS
    monkeypatch.setattr(bench_stream, "RAMP_SECONDS", 0.2)
    monkeypatch.setattr(bench_stream, "TOKENS", 20)
    bound = bootstrap.Urls(owner=urls.owner, app=urls.app, reader=urls.reader, direct=urls.app)
    async with scratch(urls.owner, urls.app) as place:
        latency, load = await bench_stream._measure(place, bound, MODELS, 4, 2.0, rounds=1, chunks=3)
    assert set(latency.added_first_event_ms) == set(latency.added_first_token_ms) == {"p50", "p95"}
    assert 0.5 < latency.throughput_ratio < 1.5  # 20 tokens on a busy machine say no more
    assert load.streams == 4
    assert load.gap_ms["p99"] >= load.gap_ms["p50"] >= 0
    assert load.kb_per_stream is None or load.kb_per_stream < 20_000
    assert load.loop_lag_ms["p99"] is not None
