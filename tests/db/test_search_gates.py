"""The four gates, with documents of every kind and callers of every kind."""

from datetime import date
from typing import Any
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from providers.local import LocalEmbedder
from retrieval.gates import expression_of, protected
from retrieval.passages import Filters, SearchRequest, SearchResult
from retrieval.search import search
from server.chat import library
from server.chat.suggest import suggestions
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity
from sql.queries import query
from tests.db.test_search_visibility import change

QUERY = "warranty of the Orlith winch"
TEXTS = {
    "manual": "The warranty of the Orlith winch lasts 26 months.",
    "letter": "Anna Müller asks about the warranty of her Orlith winch.",
    "note": "A note on the warranty of the Orlith winch: Zoë-Müller GmbH repairs it.",
}


@pytest_asyncio.fixture
async def documents(database: Database, owner: Identity, embedder: LocalEmbedder) -> dict[str, UUID]:
    stored = await store(database, owner, embedder, [Entry(name, "", text) for name, text in TEXTS.items()])
    return {name: id_ for id_, name in stored.items()}


@pytest.fixture
def guest(people: Any) -> Identity:
    return Identity(people.workspace, None, "guest")


async def ask(
    database: Database, identity: Identity, embedder: LocalEmbedder, filters: Filters | None = None
) -> SearchResult:
    return await search(
        database, identity, embedder, SearchRequest(QUERY, filters=filters or Filters(), explain=True)
    )


async def names(database: Database, identity: Identity, embedder: LocalEmbedder, **filters: Any) -> set[str]:
    result = await ask(database, identity, embedder, Filters(**filters))
    return {passage.name for passage in result.passages}


async def own(database: Database, identity: Identity, statement: str, *arguments: object) -> None:
    async with database.as_user(identity) as connection:
        await connection.execute(statement, *arguments)


async def shared_with(database: Database, owner: Identity, document: UUID, user: UUID | None) -> None:
    await own(database, owner, "UPDATE documents SET visibility = 'shared' WHERE id = $1", document)
    async with database.as_user(owner) as connection:
        assert await connection.fetchval(query("add_shares"), document, [user]) == 1


async def test_a_shared_document_is_seen_by_whom_it_is_shared_with(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID], guest: Identity
) -> None:  # D14, D18
    await shared_with(database, people.owner, documents["manual"], people.other.user_id)
    assert await names(database, people.other, embedder) == {"manual"}
    for nobody in (people.stranger, guest):
        assert await names(database, nobody, embedder) == set()
    await own(database, people.owner, "DELETE FROM document_shares")
    assert await names(database, people.other, embedder) == set()  # at once


async def test_a_share_means_nothing_once_the_document_is_private_again(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D18
    await shared_with(database, people.owner, documents["manual"], people.other.user_id)
    await own(database, people.owner, "UPDATE documents SET visibility = 'private'")
    assert await names(database, people.other, embedder) == set()


async def test_nobody_shares_what_is_not_theirs(
    database: Database, people: Any, documents: dict[str, UUID]
) -> None:  # A6
    await own(database, people.owner, "UPDATE documents SET visibility = 'workspace'")
    for taking in (people.other, people.stranger):
        with pytest.raises((asyncpg.ForeignKeyViolationError, asyncpg.InsufficientPrivilegeError)):
            async with database.as_user(taking) as connection:
                await connection.execute(
                    "INSERT INTO document_shares (workspace_id, document_id, user_id, owner_id)"
                    " VALUES ($1, $2, $3, $3)",
                    people.workspace, documents["manual"], taking.user_id,
                )  # fmt: skip


async def test_a_stale_share_of_a_chunk_shows_nothing(
    database: Database, urls: Any, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D15: both copies are asked
    await shared_with(database, people.owner, documents["manual"], people.other.user_id)
    await change(urls, "UPDATE documents SET visibility = 'private'")
    assert await names(database, people.other, embedder) == set()
    await change(urls, "UPDATE documents SET visibility = 'shared'")
    await change(urls, "UPDATE chunks SET visibility = 'private'")
    assert await names(database, people.other, embedder) == set()


async def test_a_guest_sees_what_is_public_and_writes_nothing(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID], guest: Identity
) -> None:  # A9, D14
    for name, visibility in (("note", "workspace"), ("manual", "public")):
        statement = "UPDATE documents SET visibility = $2 WHERE id = $1"
        await own(database, people.owner, statement, documents[name], visibility)
    assert await names(database, guest, embedder) == {"manual"}
    assert await names(database, people.other, embedder) == {"manual", "note"}
    async with database.as_user(guest) as connection:
        for table in (
            "users",
            "memberships",
            "folders",
            "threads",
            "document_shares",
            "settings",
            "invitations",
        ):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0, table
        assert await connection.fetchval("SELECT count(*) FROM chunks") == 1
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            await connection.execute("UPDATE documents SET name = 'zzyzx'")
    for table in (
        "documents",
        "chunks",
        "spaces",
        "vectors",
        "memberships",
    ):  # and without the transaction's help
        async with database.transaction(workspace_id=str(people.workspace), role="service") as connection:
            await connection.execute("SELECT set_config('ibid.role', 'guest', true)")
            assert await connection.execute(f"DELETE FROM {table}") == "DELETE 0", table


async def test_style_and_distrust_are_counted_and_not_shown(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # D14, D16
    await own(database, people.owner, "UPDATE documents SET visibility = 'workspace'")
    await own(database, people.owner, "UPDATE documents SET use = 'style' WHERE id = $1", documents["letter"])
    await own(database, people.owner, "UPDATE documents SET trust = -1 WHERE id = $1", documents["note"])
    theirs = await ask(database, people.other, embedder)
    assert {passage.name for passage in theirs.passages} == {"manual"}
    assert (theirs.gated.use, theirs.gated.trust, theirs.gated.redaction) == (1, 1, 0)
    assert len(theirs.trace) == 1
    assert await names(database, people.owner, embedder) == {"manual", "note"}  # one's own is one's own
    only = await ask(database, people.other, embedder, Filters(document_ids=(documents["manual"],)))
    assert only.gated.use == only.gated.trust == 0  # outside of the filters nothing was kept out


async def test_an_audience_can_be_answered_from_approved_documents_alone(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID], guest: Identity
) -> None:  # D14
    await own(database, people.owner, "UPDATE documents SET visibility = 'public'")
    await own(database, people.owner, "UPDATE documents SET trust = 1 WHERE id = $1", documents["manual"])
    await own(database, people.owner, query("put_audience").replace("$1", "'public'").replace("$2", "1"))
    result = await ask(database, guest, embedder)
    assert {passage.name for passage in result.passages} == {"manual"}
    assert result.gated.trust == 2
    assert await names(database, people.other, embedder) == set(TEXTS)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await own(database, people.other, "INSERT INTO audiences VALUES ($1, 'member', 1)", people.workspace)


async def protect(database: Database, admin: Identity, audience: str, value: str, kind: Any = "name") -> None:
    async with database.as_user(admin) as connection:
        await connection.fetchrow(
            query("add_redaction_rule"), audience, kind, value, expression_of(kind, value), ""
        )


async def test_a_passage_that_names_somebody_protected_is_dropped_for_a_visitor(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID], guest: Identity
) -> None:  # D17
    await own(database, people.owner, "UPDATE documents SET visibility = 'public'")
    await protect(database, people.owner, "public", "anna muller")
    await protect(database, people.owner, "public", "Zoë Müller")
    result = await ask(database, guest, embedder)
    assert {passage.name for passage in result.passages} == {"manual"}
    assert result.gated.redaction == 2
    assert {item.document_id for item in result.trace} == {documents["manual"]}
    assert await names(database, people.other, embedder) == set(TEXTS)  # a member reads on
    await protect(database, people.owner, "member", r"\d+ months", "pattern")
    assert await names(database, people.other, embedder) == {"letter", "note"}
    assert await names(database, people.owner, embedder) == {"letter", "note"}  # whoever it is


async def test_protected_names_are_told_by_no_list_of_documents(
    database: Database, people: Any, documents: dict[str, UUID], guest: Identity
) -> None:  # D17: lists, files by name and suggestions tell names without a search
    await own(database, people.owner, "UPDATE documents SET visibility = 'public', status = 'completed'")
    for name, new in (("note", "Zoë Müller.md"), ("letter", "Orlith.md")):
        await own(
            database, people.owner, "UPDATE documents SET name = $2 WHERE id = $1", documents[name], new
        )
    await own(database, people.owner, "UPDATE documents SET use = 'style' WHERE name = 'manual'")
    await own(
        database,
        people.owner,
        """INSERT INTO blocks (workspace_id, document_id, version, ordinal, kind, text)
           SELECT workspace_id, id, live_version, 900 + n, 'heading', h
             FROM documents, unnest($1::text[]) WITH ORDINALITY t (h, n) WHERE name = 'Orlith.md'""",
        ["What Zoe Muller repairs", "What the winch costs"],
    )
    assert len(await suggestions(database, guest)) == 3
    await protect(database, people.owner, "public", "Zoe Muller")
    assert await suggestions(database, guest) == ["What does Orlith say about “What the winch costs”?"]
    match = await library.named(database, guest, "Zoë Müller")
    assert (match.documents, match.near) == ((), ())
    assert await library.by_ids(database, guest, [str(documents["note"])]) == ()
    assert [document.name for document in await library.only(database, guest)] == ["Orlith.md"]
    async with database.as_user(guest) as connection:
        assert await connection.fetchval(query("library_count")) == 1


async def test_what_is_protected_can_be_asked_for_passages_from_elsewhere(
    database: Database, people: Any, embedder: LocalEmbedder, documents: dict[str, UUID], guest: Identity
) -> None:  # D17: for whole documents and the graph
    await own(database, people.owner, "UPDATE documents SET visibility = 'public'")
    async with database.as_user(guest) as connection:
        ids = [row["id"] for row in await connection.fetch("SELECT id FROM chunks")]
        assert await protected(connection, ids) == set()
    await protect(database, people.owner, "public", "anna muller")
    async with database.as_user(guest) as connection:
        assert len(await protected(connection, ids)) == 1
        rows = await connection.fetch(query("search_passages"), ids)  # the second lock on the same door
        assert {row["name"] for row in rows} == {"manual", "note"}


async def test_filters_of_metadata_are_inside_the_arms(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, documents: dict[str, UUID]
) -> None:  # I13, E17
    await change(
        urls,
        "UPDATE documents SET language = 'de', doc_type = 'manual', topics = '{winch,warranty}',"
        " doc_date = '2026-03-31' WHERE id = $1",
        documents["manual"],
    )
    await change(
        urls, "UPDATE documents SET created_at = '2026-03-31T22:30Z' WHERE id <> $1", documents["manual"]
    )
    expected: list[tuple[dict[str, Any], set[str]]] = [
        ({"languages": ("de", "fr")}, {"manual"}),
        ({"types": ("manual",)}, {"manual"}),
        ({"topics": ("tax", "winch")}, {"manual"}),
        ({"topics": ("tax",)}, set()),
        ({"since": date(2026, 4, 1)}, set()),
        ({"since": date(2026, 4, 1), "time_zone": "Europe/Berlin"}, {"letter", "note"}),  # the caller's day
        ({"until": date(2026, 3, 31), "time_zone": "Europe/Berlin"}, {"manual"}),
        ({"since": date(2026, 3, 31), "until": date(2026, 3, 31)}, set(TEXTS)),
    ]
    for filters, wanted in expected:
        assert await names(database, owner, embedder, **filters) == wanted, filters
