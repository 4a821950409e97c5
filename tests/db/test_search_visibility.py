"""Whose passages a search may return, and under which filters."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from providers.local import LocalEmbedder
from providers.types import SpaceKey
from retrieval.errors import SpaceMismatch
from retrieval.passages import Filters, SearchRequest
from retrieval.search import search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity

QUERY = "warranty of the Orlith winch"
TEXTS = {
    "manual": "The warranty of the Orlith winch lasts 26 months.",
    "letter": "A customer asks about the warranty of his Orlith winch.",
}


@pytest_asyncio.fixture
async def documents(database: Database, owner: Identity, embedder: LocalEmbedder) -> dict[str, UUID]:
    """Two documents of the owner's, by name."""
    stored = await store(database, owner, embedder, [Entry(name, "", text) for name, text in TEXTS.items()])
    return {name: id_ for id_, name in stored.items()}


async def names(
    database: Database, identity: Identity, embedder: LocalEmbedder, filters: Filters | None = None
) -> set[str]:
    result = await search(database, identity, embedder, SearchRequest(QUERY, filters=filters or Filters()))
    assert result.counts.dense_results == result.counts.sparse_results == len(result.passages)
    return {passage.name for passage in result.passages}


async def change(urls: Any, statement: str, *arguments: object) -> None:
    """Something that only the database's superuser could do, past triggers and policies."""
    connection = await asyncpg.connect(urls.owner)
    try:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(statement, *arguments)
    finally:
        await connection.close()


async def test_nobody_sees_anothers_private_passages(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # A6, D14
    assert await names(database, people.owner, embedder) == {"manual", "letter"}
    assert await names(database, people.other, embedder) == set()
    assert await names(database, people.stranger, embedder) == set()


async def test_a_document_shown_to_the_workspace_is_found_by_it(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D18
    async with database.as_user(people.owner) as connection:
        await connection.execute(
            "UPDATE documents SET visibility = 'workspace' WHERE id = $1", documents["manual"]
        )
    assert await names(database, people.other, embedder) == {"manual"}
    assert await names(database, people.stranger, embedder) == set()


async def test_a_stale_copy_of_the_visibility_shows_nothing(
    database: Database, urls: Any, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D15
    await change(urls, "UPDATE chunks SET visibility = 'public'")
    assert await names(database, people.other, embedder) == set()
    await change(urls, "UPDATE chunks SET visibility = 'private'")
    await change(urls, "UPDATE documents SET visibility = 'public'")
    assert await names(database, people.other, embedder) == set()


async def test_style_is_never_evidence(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D16
    await change(urls, "UPDATE documents SET use = 'style' WHERE id = $1", documents["letter"])
    assert await names(database, owner, embedder) == {"manual"}


async def test_a_version_that_is_not_complete_is_not_searched(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # E18
    await change(
        urls, "UPDATE documents SET version = 2, status = 'processing' WHERE id = $1", documents["manual"]
    )
    assert await names(database, owner, embedder) == {"manual", "letter"}
    await change(urls, "UPDATE documents SET live_version = NULL WHERE id = $1", documents["letter"])
    assert await names(database, owner, embedder) == {"manual"}


async def test_filters_are_inside_the_arms(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # I13
    async with database.as_user(owner) as connection:
        outer, inner = [
            await connection.fetchval(
                "INSERT INTO folders (workspace_id, owner_id, name) VALUES ($1, $2, $3) RETURNING id",
                owner.workspace_id,
                owner.user_id,
                name,
            )
            for name in ("zzyzx outer", "zzyzx inner")
        ]
        await connection.execute("UPDATE folders SET parent_id = $1 WHERE id = $2", outer, inner)
        await connection.execute(
            "UPDATE documents SET folder_id = $1 WHERE id = $2", inner, documents["manual"]
        )
    await change(
        urls, "UPDATE documents SET live_media_type = 'text/html' WHERE id = $1", documents["letter"]
    )
    expected = {
        Filters(): {"manual", "letter"},
        Filters(document_ids=(documents["letter"],)): {"letter"},
        Filters(document_ids=()): set(),
        Filters(folder_id=inner): {"manual"},
        Filters(folder_id=outer): {"manual"},
        Filters(media_types=("text/html", "text/csv")): {"letter"},
        Filters(media_types=("text/html",), folder_id=outer): set(),
    }
    for filters, wanted in expected.items():
        assert await names(database, owner, embedder, filters) == wanted, filters


async def test_priority_moves_a_document(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # I10
    request = SearchRequest(QUERY)
    first = (await search(database, owner, embedder, request)).passages[0].name
    await change(urls, "UPDATE documents SET priority = 0.5 WHERE name = $1", first)
    assert (await search(database, owner, embedder, request)).passages[0].name != first


async def test_a_text_that_two_documents_share_is_shown_once(
    database: Database, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:
    await store(database, owner, embedder, [Entry("copy", "", TEXTS["manual"])])
    result = await search(database, owner, embedder, SearchRequest(QUERY))
    assert sorted(passage.text for passage in result.passages) == sorted(TEXTS.values())


class Elsewhere:
    """The same dimensions from another model."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self.key = SpaceKey("endpoint", "zzyzx-embed", embedder.key.dimensions)
        self.embed_documents, self.embed_query = embedder.embed_documents, embedder.embed_query


async def test_a_query_from_another_space_is_refused(
    database: Database, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # G1, G3
    with pytest.raises(SpaceMismatch):
        await search(database, owner, Elsewhere(embedder), SearchRequest(QUERY))


async def test_an_empty_workspace_has_nothing_to_find(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:
    result = await search(database, owner, embedder, SearchRequest(QUERY))
    assert (result.grounding, result.reasons, result.passages) == ("none", ("nothing_found",), ())


async def test_a_passage_is_whole_and_says_where_it_stands(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # F5, O1
    text = "Zzyzx relays are grey. " * 20 + "The spare fuse is in drawer nine."
    await store(database, owner, embedder, [Entry("relay", "Relays", text)])
    result = await search(database, owner, embedder, SearchRequest("where is the spare fuse?", explain=True))
    passage = result.passages[0]
    assert passage.text.endswith("drawer nine.")
    assert (passage.name, passage.title, passage.heading_path) == ("relay", "Relays", ("Relays",))
    assert (passage.version, passage.ranks.dense, passage.ranks.keyword) == (1, 0, 0)
    assert result.counts.rrf_candidates == 1
    assert {"embed", "dense", "keyword", "graph", "fetch", "total"} == set(result.timings_ms)
    assert [considered.fate for considered in result.trace] == ["shown"]
