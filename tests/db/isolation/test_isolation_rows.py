"""Nobody reaches what is another person's in Postgres, with no WHERE."""

import re
from contextlib import suppress
from uuid import UUID

import asyncpg
import pytest

from sql.db import Identity, owner_transaction
from tests.db.conftest import Service
from tests.db.isolation.conftest import SECRET, Belongings, all_is_still_there

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Rows of these belong to a person; the others to a workspace, or to nobody.
OWNED = (
    "folders",
    "documents",
    "chunks",
    "postings",
    "passage_totals",
    "mentions",
    "relationships",
    "merges",
    "pages",
    "blocks",
    "jobs",
    "threads",
    "messages",
    "runs",
    "run_events",
    "gaps",
    "feedback",
    "model_requests",
    "searches",
    "golden_questions",
    "golden_documents",
)
SHARED = (
    *("workspaces", "users", "memberships", "credentials", "invitations", "installation"),
    *("spaces", "vectors", "settings", "passage_languages"),
    *("document_shares", "audiences", "redaction_rules"),
)


async def rows(house: Service, table: str) -> set[str]:
    """Every row of a table, as maintenance sees it."""
    async with owner_transaction(house.runtime.urls.owner) as connection:
        return {row[0] for row in await connection.fetch(f"SELECT t::text FROM {table} t")}


async def seen(house: Service, identity: Identity, table: str) -> set[str]:
    """Every row of a table that this person gets, the application's WHERE removed."""
    async with house.runtime.database.as_user(identity) as connection:
        return {row[0] for row in await connection.fetch(f"SELECT t::text FROM {table} t")}


async def test_every_table_is_looked_at(house: Service) -> None:
    async with owner_transaction(house.runtime.urls.owner) as connection:
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row[0] for row in found} == {*OWNED, *SHARED, "migrations"}


@pytest.mark.parametrize("table", OWNED)
async def test_everybody_sees_exactly_their_own_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # A6
    people = house.people
    everything = await rows(house, table)
    assert everything or table in ("pages", "jobs")  # Markdown has no pages, and the work is done
    assert await seen(house, people.owner, table) == everything
    assert await seen(house, people.other, table) == set()
    assert await seen(house, people.stranger, table) == set()


@pytest.mark.parametrize("table", [*OWNED, *SHARED])
async def test_without_an_identity_there_are_no_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # X3
    database = house.runtime.database
    expected = 1 if table == "installation" else 0  # says only whether anybody has signed in yet
    async with database.transaction() as connection:
        assert await connection.fetchval(f"SELECT count(*) FROM {table}") == expected
    async with database.pool.acquire() as connection:  # the GUC was never set
        assert await connection.fetchval(f"SELECT count(*) FROM {table}") == expected
    async with database.transaction(user_id=ada.user) as connection:  # half an identity
        found = await connection.fetchval(f"SELECT count(*) FROM {table}")
    assert found <= 1
    assert found == expected or table in ("users", "memberships", "credentials", "workspaces")


async def test_claims_end_with_their_transaction(house: Service) -> None:  # A6
    database, reader = house.runtime.database, house.people.owner
    for broken in (False, True):
        with suppress(asyncpg.DivisionByZeroError):
            async with database.as_user(reader, keep_plans=True) as connection:
                assert await connection.fetchval("SELECT acting_user()") == reader.user_id
                if broken:
                    await connection.fetchval("SELECT 1 / 0")
        async with database.transaction() as connection:
            assert await connection.fetchval("SELECT acting_user()") is None
            assert await connection.fetchval("SELECT current_setting('plan_cache_mode')") == "auto"


async def test_what_a_workspace_shares_stays_in_it(house: Service, ada: Belongings) -> None:  # A6
    people = house.people
    bob = {table: await seen(house, people.other, table) for table in SHARED}
    eve = {table: await seen(house, people.stranger, table) for table in SHARED}
    assert len(bob["users"]) == len(bob["memberships"]) == 2
    assert len(bob["credentials"]) == 1  # colleagues see names, never a password's hash
    assert bob["invitations"] == bob["settings"] == set()  # for administrators
    assert len(eve["users"]) == len(eve["memberships"]) == len(eve["credentials"]) == 1
    assert eve["invitations"] == eve["settings"] == eve["spaces"] == eve["vectors"] == set()
    assert all(SECRET not in row for table in SHARED for row in bob[table] | eve[table])


async def test_a_shared_document_shows_itself_and_no_conversation(
    house: Service, ada: Belongings
) -> None:  # D18
    people = house.people
    url = f"/api/documents/{ada.document}"
    assert (await house.admin.patch(url, json={"visibility": "workspace"})).status_code == 200
    try:
        for table in ("documents", "chunks", "blocks"):
            assert await seen(house, people.other, table) == await rows(house, table)
            assert await seen(house, people.stranger, table) == set()
        for table in ("folders", "jobs", "threads", "messages", "runs", "run_events"):
            assert await seen(house, people.other, table) == set()
    finally:
        await house.admin.patch(url, json={"visibility": "private"})
    assert await seen(house, people.other, "documents") == set()  # at once


@pytest.mark.parametrize("table", [*OWNED, *SHARED])
async def test_nobody_changes_or_removes_anothers_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # A6, X3
    before = await rows(house, table)
    column = {"workspaces": "name", "users": "name", "settings": "name", "credentials": "password_hash"}
    for identity in (house.people.other, house.people.stranger):
        own = await seen(house, identity, table)
        for statement in (
            f"DELETE FROM {table}",
            f"UPDATE {table} SET {column.get(table, 'workspace_id')} = {column.get(table, 'workspace_id')}",
        ):
            connection = await asyncpg.connect(house.runtime.urls.app)
            try:
                transaction = connection.transaction()
                await transaction.start()
                await connection.execute(
                    "SELECT set_config('ibid.user_id', $1, true), set_config('ibid.workspace_id', $2, true),"
                    " set_config('ibid.role', $3, true)",
                    str(identity.user_id), str(identity.workspace_id), identity.role,
                )  # fmt: skip
                try:
                    changed = int((await connection.execute(statement)).rpartition(" ")[2])
                except asyncpg.PostgresError:
                    changed = 0
                assert changed <= len(own), statement
                await transaction.rollback()
            finally:
                await connection.close()
    assert await rows(house, table) == before


FOREIGN = {
    "a document as ada's": "INSERT INTO documents (workspace_id, owner_id, name, content_hash, blob_key, media_type,"
    " size_bytes) VALUES ($1, $2, 'x', sha256('x'), 'k', 'text/plain', 1)",
    "a folder as ada's": "INSERT INTO folders (workspace_id, owner_id, name) VALUES ($1, $2, 'x')",
    "a thread as ada's": "INSERT INTO threads (workspace_id, owner_id) VALUES ($1, $2)",
    "a message in ada's thread": "INSERT INTO messages (workspace_id, thread_id, owner_id, role, kind, content)"
    " VALUES ($1, $3, $2, 'user', 'question', 'x')",
    "a job for ada's document": "INSERT INTO jobs (workspace_id, document_id, owner_id) SELECT $1, $4, $2"
    " WHERE $3::uuid IS NOT NULL",
    "a setting": "INSERT INTO settings (workspace_id, name, value) VALUES ($1, 'zzyzx', '1')",
    "an owner's role": "UPDATE memberships SET role = 'owner' WHERE workspace_id = $1 RETURNING 1",
    "a membership": "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'admin')",
    "an invitation": "INSERT INTO invitations (workspace_id, token_hash, kind, role, expires_at)"
    " VALUES ($1, sha256('x'), 'member', 'owner', now())",
}


@pytest.mark.parametrize("what", FOREIGN)
async def test_nobody_writes_in_anothers_name(house: Service, ada: Belongings, what: str) -> None:  # A6
    statement = FOREIGN[what]
    arguments = [house.people.workspace, UUID(ada.user), UUID(ada.thread), UUID(ada.document)]
    wanted = max(int(n) for n in re.findall(r"\$(\d)", statement))
    for identity in (house.people.other, house.people.stranger):
        try:
            async with house.runtime.database.as_user(identity) as connection:
                assert await connection.fetch(statement, *arguments[:wanted]) == []
                assert statement.startswith("UPDATE")
        except asyncpg.InsufficientPrivilegeError:
            pass


async def test_everything_of_adas_is_still_there(
    house: Service, ada: Belongings
) -> None:  # after all of the above
    await all_is_still_there(house, ada)
