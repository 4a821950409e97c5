"""How the arms run: side by side, holding no connection for the model, and failing as themselves."""

import asyncio
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from providers.degrade import count
from providers.errors import Unauthorized, Unreachable
from providers.local import LocalEmbedder
from retrieval import arms, dense
from retrieval.passages import Filters, SearchRequest
from retrieval.search import DENSE_MISSING, search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity


class Held:
    """The embedded model, whose query waits until it is let go, or fails."""

    def __init__(self, embedder: LocalEmbedder, *, failure: Exception | None = None) -> None:
        self.embedder, self.key, self.failure = embedder, embedder.key, failure
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self.embed_documents = embedder.embed_documents

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked.set()
        await self.go.wait()
        if self.failure:
            raise self.failure
        return await self.embedder.embed_query(text)


async def test_a_slow_model_holds_no_connection_and_no_other_arm(
    urls: Any, owner: Identity, embedder: LocalEmbedder
) -> None:  # H3, H6
    database = await Database.connect(urls.app, size=1)
    try:
        await store(database, owner, embedder, [Entry("zzyzx", "", "The Orlith winch is grey.")])
        held = Held(embedder)
        running = asyncio.create_task(search(database, owner, held, SearchRequest("Orlith winch")))
        await held.asked.wait()
        for _ in range(3):  # the only connection is free, also once the keyword arm has had it
            async with asyncio.timeout(5), database.as_user(owner) as connection:
                assert await connection.fetchval("SELECT count(*) FROM documents") == 1
        held.go.set()
        result = await running
        assert (result.counts.dense_results, result.counts.sparse_results) == (1, 1)
    finally:
        await database.close()


async def test_a_key_that_is_refused_is_what_the_caller_hears_of(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # E13
    held = Held(embedder, failure=Unauthorized())
    held.go.set()
    with pytest.raises(Unauthorized):
        await search(database, owner, held, SearchRequest("Orlith winch"))


async def test_a_model_that_is_away_leaves_the_words(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # O4, J3
    await store(database, owner, embedder, [Entry("winch", "", "The Orlith winch lifts nine tonnes.")])
    held = Held(embedder, failure=Unreachable())
    held.go.set()
    before = count(DENSE_MISSING)
    result = await search(database, owner, held, SearchRequest("Orlith winch"))
    assert "nine tonnes" in result.passages[0].text
    assert "words_only" in result.reasons
    assert count(DENSE_MISSING) == before + 1


async def test_equal_searches_at_once_find_the_same(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:
    entries = [Entry(str(n), "", f"Zzyzx relay {n} is kept in drawer {n * 7}.") for n in range(30)]
    await store(database, owner, embedder, entries)
    request = SearchRequest("which drawer holds relay 12?")
    results = await asyncio.gather(*(search(database, owner, embedder, request) for _ in range(8)))
    assert results[0].passages[0].name == "12"
    assert len({tuple(p.chunk_id for p in result.passages) for result in results}) == 1


@pytest.mark.parametrize(("cores", "connections"), [(0, 1), (8, 1), (8, 2), (8, 3)])
async def test_more_searches_than_connections_all_end(
    urls: Any,
    owner: Identity,
    embedder: LocalEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    cores: int,
    connections: int,
) -> None:  # H3, H6
    monkeypatch.setattr(arms, "CORES", cores)  # none free: the arms take turns on one connection
    database = await Database.connect(urls.app, size=connections)
    try:
        await store(database, owner, embedder, [Entry("winch", "", "The Orlith winch lifts nine tonnes.")])
        request = SearchRequest("Orlith winch")
        async with asyncio.timeout(20):
            found = await asyncio.gather(*(search(database, owner, embedder, request) for _ in range(9)))
    finally:
        await database.close()
    assert {(r.counts.dense_results, r.counts.sparse_results) for r in found} == {(1, 1)}


@pytest.mark.parametrize("flat", [True, False])
async def test_a_long_document_leaves_the_dense_arm_to_others_too(
    database: Database, owner: Identity, embedder: LocalEmbedder, flat: bool, monkeypatch: pytest.MonkeyPatch
) -> None:  # I8, I9
    monkeypatch.setattr(dense, "FLAT_VECTORS", 12_000 if flat else 0)
    monkeypatch.setattr(dense, "exactly", lambda *_, **__: False)
    paragraphs = [f"Rust number {n} eats the hull of the Zzyzx ferry. " * 12 for n in range(60)]
    others = [f"Salt water is bad for the iron plates of boat {n}." for n in range(12)]
    entries = [Entry("long", "", "\n\n".join(paragraphs)), *(Entry(text, "", text) for text in others)]
    names = await store(database, owner, embedder, entries)
    vector = await embedder.embed_query("What eats the hull of the Zzyzx ferry?")
    async with database.as_user(owner, keep_plans=True) as connection:
        found = await dense.dense_arm(connection, vector, Filters(), key=embedder.key, candidates=10, cap=3)
    first, *_ = [names[candidate.document_id] for candidate in found]
    assert first == "long"
    assert len({candidate.document_id for candidate in found}) >= 8
