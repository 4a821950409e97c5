"""Postings follow the passages: added, replaced, reclassified, shared, deleted, always in the same transaction."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest_asyncio

from providers.local import LocalEmbedder
from retrieval.keywords import keyword_arm
from retrieval.passages import Filters
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity
from sql.migrate import migrations

RIGHT = """
    SELECT (SELECT count(*) FROM (
               SELECT workspace_id, document_id, version, reader, term, count(*) AS hits
                 FROM (SELECT p.*, unnest(p.hits) FROM postings p) p GROUP BY 1, 2, 3, 4, 5
               EXCEPT
               SELECT c.workspace_id, c.document_id, c.version, reader_of(c.visibility, c.owner_id, c.document_id),
                      term_number(t.lexeme), count(*)
                 FROM chunks c, unnest(c.tsv) t GROUP BY 1, 2, 3, 4, 5) extra) = 0
       AND (SELECT sum(cardinality(hits)) FROM postings)
           IS NOT DISTINCT FROM (SELECT sum(length(tsv))::numeric FROM chunks)
       AND (SELECT coalesce(sum(passages), 0) FROM passage_totals) = (SELECT count(*) FROM chunks)
       AND (SELECT coalesce(sum(length), 0) FROM passage_totals)
           = (SELECT coalesce(sum(vector_length(tsv)), 0) FROM chunks)"""

RECUT = "UPDATE chunks SET tsv = search_vector('zanzibar', 'en') WHERE document_id = $1"


class Shelf:
    """A library with a look behind it, as the administrator of the database."""

    def __init__(self, database: Database, embedder: LocalEmbedder, owner: asyncpg.Connection) -> None:
        self.database, self.embedder, self.owner = database, embedder, owner

    async def add(self, identity: Identity, **texts: str) -> dict[str, UUID]:
        entries = [Entry(name, "", text) for name, text in texts.items()]
        return {
            name: id_ for id_, name in (await store(self.database, identity, self.embedder, entries)).items()
        }

    async def found(self, identity: Identity, query: str, **filters: Any) -> list[UUID]:
        async with self.database.as_user(identity) as connection:
            rows = await keyword_arm(connection, query, Filters(**filters), candidates=10, cap=10)
        return [row.document_id for row in rows]

    async def right(self) -> bool:
        """Whether postings and totals say exactly what the passages do."""
        return bool(await self.owner.fetchval(RIGHT))


@pytest_asyncio.fixture
async def shelf(database: Database, embedder: LocalEmbedder, urls: Any) -> Any:
    owner = await asyncpg.connect(urls.owner)
    yield Shelf(database, embedder, owner)
    await owner.close()


async def test_they_follow_every_change(shelf: Shelf, people: Any) -> None:  # I18, D18, E12, E18
    ids = await shelf.add(
        people.owner,
        winch="The Orlith winch lifts nine tonnes. " * 80,  # several passages
        relay="Zzyzx relays are grey.",
    )
    assert await shelf.right()
    assert await shelf.found(people.other, "Orlith winch") == []
    change = "UPDATE documents SET visibility = $2 WHERE id = $1"
    await shelf.owner.execute(change, ids["winch"], "workspace")
    assert await shelf.right()
    assert set(await shelf.found(people.other, "Orlith winch")) == {ids["winch"]}
    assert await shelf.found(people.stranger, "Orlith winch") == []
    await shelf.owner.execute("DELETE FROM chunks WHERE document_id = $1 AND ordinal = 1", ids["winch"])
    assert await shelf.right()
    await shelf.owner.execute(RECUT, ids["relay"])
    assert await shelf.right()
    assert await shelf.found(people.owner, "zanzibar") == [ids["relay"]]
    await shelf.owner.execute("DELETE FROM documents")
    assert await shelf.right()
    assert await shelf.owner.fetchval("SELECT count(*) FROM postings") == 0


async def test_a_shared_document_is_found_by_whom_it_is_shared_with(
    shelf: Shelf, people: Any
) -> None:  # D14, D18
    ids = await shelf.add(people.owner, winch="The Orlith winch lifts nine tonnes.")
    await shelf.owner.execute("UPDATE documents SET visibility = 'shared' WHERE id = $1", ids["winch"])
    assert await shelf.found(people.owner, "Orlith winch") == [ids["winch"]]
    assert await shelf.found(people.other, "Orlith winch") == []
    await shelf.owner.execute(
        "INSERT INTO document_shares (workspace_id, document_id, user_id, owner_id) VALUES ($1, $2, $3, $4)",
        people.workspace,
        ids["winch"],
        people.other.user_id,
        people.owner.user_id,
    )
    assert await shelf.found(people.other, "Orlith winch") == [ids["winch"]]


async def test_a_failed_transaction_leaves_no_postings(shelf: Shelf, people: Any) -> None:  # E21
    await shelf.add(people.owner, winch="The Orlith winch lifts nine tonnes.")
    transaction = shelf.owner.transaction()
    await transaction.start()
    await shelf.owner.execute("DELETE FROM documents")
    assert await shelf.owner.fetchval("SELECT count(*) FROM postings") == 0
    await transaction.rollback()
    assert await shelf.right()


async def test_what_was_there_before_is_posted_by_the_migration(shelf: Shelf, people: Any) -> None:  # P8
    ids = await shelf.add(
        people.owner, haus="Die H\u00e4user der Stadt wurden in den Jahren nach dem Krieg gebaut."
    )
    await shelf.owner.execute("TRUNCATE postings, passage_totals, passage_languages")
    await shelf.owner.execute("SET session_replication_role = replica; UPDATE chunks SET tsv = ''; RESET ALL")
    await shelf.owner.execute("DROP TRIGGER chunks_post_changed ON chunks")
    await shelf.owner.execute(_refill())
    assert await shelf.right()
    assert await shelf.found(people.owner, "Haus") == [ids["haus"]]


def _refill() -> str:
    """The part of the migration that posts what is there."""
    [text] = [m.text for m in migrations() if m.name == "postings"]
    return text[text.index("-- What is there already") : text.index("CREATE TRIGGER chunks_post_changed")]
