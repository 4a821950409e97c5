"""Reranking: the model's order where it gives one, the fused order and a counter where it does not."""

from collections.abc import AsyncIterator

import pytest_asyncio

from providers import degrade
from providers.http import Http
from providers.local import LocalEmbedder
from providers.rerank import FALLBACK, Reranker
from providers.scripted import running, scripted_app
from providers.types import Endpoint
from retrieval.passages import SearchRequest
from retrieval.search import search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity

TEXTS = {
    "a": "The Zzyzx ferry leaves the quay at seven.",
    "b": "The Zzyzx ferry, the ferry of Zzyzx, is a ferry that leaves the ferry quay of Zzyzx.",
    "c": "Tickets of the Zzyzx ferry are sold at the quay.",
}
# The scripted reranker counts common words, so that it prefers the last passage; the arms prefer the second.
QUERY = "at the quay, of the ferry: ferry Zzyzx"


@pytest_asyncio.fixture
async def base_url() -> AsyncIterator[str]:
    async with running(scripted_app()) as url:
        yield url


async def ranked(
    database: Database, owner: Identity, embedder: LocalEmbedder, endpoint: Endpoint | None
) -> tuple[list[str], dict[str, float]]:
    http = Http()
    reranker = Reranker(endpoint, http=http) if endpoint else None
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
    assert (fused[0], reranked[0]) == (TEXTS["b"], TEXTS["c"])
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
