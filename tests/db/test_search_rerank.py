"""Reranking: the model's order where it gives one, the fused order and a counter where it does not."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio

from providers import degrade, minilm
from providers.http import Http
from providers.local import LocalEmbedder
from providers.rerank import FALLBACK, Reranker
from providers.scripted import running, scripted_app
from providers.tokens import TokenEncoder
from providers.types import Endpoint
from retrieval.candidates import Fused
from retrieval.passages import Ranks, SearchRequest
from retrieval.rerank import ByModel, ByTokens
from retrieval.search import search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity
from tests.db.conftest import Service

MODELS = Path("/var/tmp/ibid-test-models")
TEXTS = {
    "a": "The Zzyzx ferry leaves the quay at seven.",
    "b": "The Zzyzx ferry, the ferry of Zzyzx, is a ferry that leaves the ferry quay of Zzyzx.",
    "c": "Tickets of the Zzyzx ferry are sold at the quay.",
}
# The scripted reranker counts common words, so that it prefers the last passage; the arms prefer another.
QUERY = "at the quay, of the ferry: ferry Zzyzx"


@pytest_asyncio.fixture
async def base_url() -> AsyncIterator[str]:
    async with running(scripted_app()) as url:
        yield url


async def ranked(
    database: Database, owner: Identity, embedder: LocalEmbedder, endpoint: Endpoint | None
) -> tuple[list[str], dict[str, float]]:
    http = Http()
    reranker = ByModel(Reranker(endpoint, http=http)) if endpoint else None
    result = await search(database, owner, embedder, SearchRequest(QUERY, k=3), reranker=reranker)
    await http.close()
    return [p.text for p in result.passages], dict(result.timings_ms)


async def test_the_model_orders_and_loses_nobody(
    database: Database, owner: Identity, embedder: LocalEmbedder, base_url: str
) -> None:  # J1, J4, J6
    await store(database, owner, embedder, [Entry(label, "", text) for label, text in TEXTS.items()])
    fused, _ = await ranked(database, owner, embedder, None)
    reranked, timings = await ranked(database, owner, embedder, Endpoint(base_url, "scripted-rerank"))
    assert sorted(reranked) == sorted(fused) == sorted(TEXTS.values())
    assert fused[0] != reranked[0] == TEXTS["c"]
    assert timings["rerank"] > 0


async def test_a_failing_reranker_keeps_the_fused_order_and_is_counted(
    database: Database, owner: Identity, embedder: LocalEmbedder, base_url: str
) -> None:  # J2, J3, S-PR-05
    await store(database, owner, embedder, [Entry(label, "", text) for label, text in TEXTS.items()])
    before = degrade.count(FALLBACK)
    fused, _ = await ranked(database, owner, embedder, None)
    kept, _ = await ranked(database, owner, embedder, Endpoint(base_url, "scripted-rerank-500"))
    assert kept == fused
    assert degrade.count(FALLBACK) == before + 1


async def test_the_built_in_reranker_reads_whole_passages(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # J4, J6
    texts = {
        "near": "The Zzyzx ferry leaves the quay at seven.",
        "talk": "Ferry, ferry, Zzyzx ferry: a chant of the Zzyzx ferry fans about their ferry.",
        "deep": f"{'Of ropes and tar and old sails there is much to tell. ' * 15}The Zzyzx boat departs at nine.",
    }
    await store(database, owner, embedder, [Entry(label, "", text) for label, text in texts.items()])
    request = SearchRequest("at what hour does the Zzyzx ferry leave?", k=3)
    plain = await search(database, owner, embedder, request)
    result = await search(database, owner, embedder, request, reranker=ByTokens(TokenEncoder(MODELS)))
    assert sorted(p.text for p in result.passages) == sorted(p.text for p in plain.passages)
    assert result.passages[0].text == texts["near"]
    assert result.timings_ms["rerank"] > 0


async def test_without_the_model_the_fused_order_stays_and_is_counted(
    database: Database,
    owner: Identity,
    embedder: LocalEmbedder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # J2, J3
    await store(database, owner, embedder, [Entry(label, "", text) for label, text in TEXTS.items()])
    before = degrade.count(FALLBACK)
    fused, _ = await ranked(database, owner, embedder, None)
    monkeypatch.setattr(minilm, "PACKAGE", "zzyzx_no_such_package")
    request = SearchRequest(QUERY, k=3)
    result = await search(database, owner, embedder, request, reranker=ByTokens(TokenEncoder(tmp_path)))
    assert [p.text for p in result.passages] == fused
    assert degrade.count(FALLBACK) == before + 1


async def test_the_setting_says_who_looks(service: Service, base_url: str) -> None:  # N1
    async def looks(**values: str) -> str:
        saved = await service.admin.put(
            "/api/settings", json={"values": {f"rerank.{k}": v for k, v in values.items()}}
        )
        assert saved.status_code == 200, saved.text
        return type(service.runtime.models.reranker).__name__

    assert await looks(kind="auto") == "ByTokens"
    assert await looks(base_url=base_url, model="scripted-rerank") == "ByModel"
    assert await looks(kind="embedded") == "ByTokens"
    assert await looks(kind="off") == "NoneType"
    assert await looks(kind="endpoint") == "ByModel"
    section = next(
        s for s in (await service.admin.get("/api/settings")).json()["sections"] if s["id"] == "rerank"
    )
    assert section["active"]["label"] == "scripted-rerank"


async def test_a_query_that_the_model_cannot_read_keeps_the_fused_order(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # I17
    await store(database, owner, embedder, [Entry(label, "", text) for label, text in TEXTS.items()])
    request = SearchRequest("ZZYZX 渡轮几点离开码头", k=3)
    plain = await search(database, owner, embedder, request)
    result = await search(database, owner, embedder, request, reranker=ByTokens(TokenEncoder(MODELS)))
    assert [p.chunk_id for p in result.passages] == [p.chunk_id for p in plain.passages]


@pytest.mark.parametrize(("clear", "first"), [(False, "near"), (True, "linked")])
async def test_what_a_clear_query_names_outweighs_its_words(
    embedder: LocalEmbedder, clear: bool, first: str
) -> None:  # J1, K2
    found = {"linked": 0.50, "near": 0.49}
    candidates = [
        Fused(uuid4(), uuid4(), score, Ranks(), similarity=None, coverage=None, evidence="sure")
        for score in found.values()
    ]
    texts = ["Its builder was born in a village by the sea.", "The Zzyzx ferry leaves the quay at seven."]
    reranker = ByTokens(TokenEncoder(MODELS))
    order = await reranker.rerank("When does the Zzyzx ferry leave?", candidates, texts, clear=clear)
    assert list(found)[candidates.index(order[0])] == first


async def test_in_several_steps_the_next_adds_to_the_first(embedder: LocalEmbedder) -> None:  # J1, K2
    texts = [
        "The Zzyzx ferry was built by Boso Lark.",
        "The Zzyzx ferry was built by Boso Lark in a yard.",
        "Zzyzx has a ferry that somebody built.",
        "Boso Lark was born in a village called Quom.",
    ]
    candidates = [
        Fused(uuid4(), uuid4(), 0.5 - n / 100, Ranks(), similarity=None, coverage=None, evidence="sure")
        for n in range(4)
    ]
    reranker = ByTokens(TokenEncoder(MODELS))
    query = "In which village was the builder of the Zzyzx ferry born?"
    steps = await reranker.rerank(query, candidates, texts, clear=True)
    assert [candidates.index(one) for one in steps[:2]] == [0, 3]
    nearest = await reranker.rerank(query, candidates, texts, clear=False)
    assert candidates.index(nearest[1]) != 3
