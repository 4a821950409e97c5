"""The database as migrated: queries that fit it, migrations that are safe to repeat, and who may do what."""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio

import sql.migrate as migrating
from scripts.schema import TARGET, dump
from sql.db import Connection, Database, Identity, owner_transaction, with_database, with_login
from sql.embedded import EmbeddedPostgres
from sql.errors import ChangedMigration, MigrationError, NewerSchema, UnsafeRole
from sql.migrate import migrate, migrations
from sql.queries import load, parameters, query
from tests.db.conftest import LOGINS, People, Urls

NAMES = sorted(load())


async def test_every_query_prepares_with_the_parameters_its_heading_names(
    urls: Urls,
) -> None:  # house style 6
    wrong = []
    connection = await asyncpg.connect(urls.owner)
    try:
        for name in NAMES:
            statement = await connection.prepare(query(name))
            if len(statement.get_parameters()) != len(parameters(name)):
                wrong.append(name)
    finally:
        await connection.close()
    assert wrong == []


def test_the_schema_file_is_what_the_migrations_make(cluster: str, template: str, tmp_path: Path) -> None:
    made = dump(with_database(cluster, template), tmp_path)
    assert made == TARGET.read_text(encoding="utf-8"), "run `make schema`"


@pytest_asyncio.fixture
async def empty(cluster: str) -> AsyncIterator[str]:
    """A database that nobody has migrated."""
    name = f"zzyzx_empty_{os.getpid()}_{uuid4().hex[:8]}"
    connection = await asyncpg.connect(cluster)
    try:
        await connection.execute(f"CREATE DATABASE {name}")
        yield with_database(cluster, name)
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


async def test_two_processes_migrate_once_and_a_third_finds_nothing_to_do(empty: str) -> None:
    everything = [f"{m.version:04}_{m.name}" for m in migrations()]
    first, second = await asyncio.gather(migrate(empty, LOGINS), migrate(empty, LOGINS))
    assert sorted(first + second) == everything  # between two migrations either may go on
    assert await migrate(empty, None) == []
    database = await Database.connect(with_login(empty, "ibid_app", LOGINS.app_password), size=1)
    await database.close()


async def test_a_migration_that_was_edited_is_refused(urls: Urls) -> None:
    connection = await asyncpg.connect(urls.owner)
    await connection.execute("UPDATE migrations SET checksum = 'another' WHERE version = 1")
    await connection.close()
    with pytest.raises(ChangedMigration, match="0001"):
        await migrate(urls.owner, None)


async def test_a_newer_schema_is_refused(urls: Urls) -> None:
    connection = await asyncpg.connect(urls.owner)
    await connection.execute("INSERT INTO migrations (version, name, checksum) VALUES (9999, 'zzyzx', 'x')")
    await connection.close()
    with pytest.raises(NewerSchema):
        await migrate(urls.owner, None)


async def test_a_migration_that_fails_leaves_nothing(
    urls: Urls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for migration in migrations():
        (tmp_path / f"{migration.version:04}_{migration.name}.sql").write_text(migration.text)
    number = len(migrations()) + 1
    (tmp_path / f"{number:04}_zzyzx.sql").write_text("CREATE TABLE zzyzx (a int); SELECT 1 / 0;")
    monkeypatch.setattr(migrating, "FOLDER", tmp_path)
    with pytest.raises(MigrationError, match="division by zero"):
        await migrate(urls.owner, None)
    async with owner_transaction(urls.owner) as connection:
        assert await connection.fetchval("SELECT to_regclass('zzyzx')") is None
        assert await connection.fetchval("SELECT max(version) FROM migrations") == number - 1


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def managed() -> AsyncIterator[str]:
    """A server of its own, as a managed Postgres is: a database owned by a login that may create roles."""
    with tempfile.TemporaryDirectory(prefix="zzyzx-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        async with EmbeddedPostgres(Path(folder)) as server:
            connection = await asyncpg.connect(server.url)
            await connection.execute(
                "CREATE ROLE zzyzx_dba LOGIN CREATEROLE NOSUPERUSER PASSWORD 'zzyzx-dba'"
            )
            await connection.execute("CREATE ROLE zzyzx_guest LOGIN PASSWORD 'zzyzx-guest'")
            await connection.execute("CREATE DATABASE zzyzx OWNER zzyzx_dba")
            await connection.close()
            database = with_database(server.url, "zzyzx")
            connection = await asyncpg.connect(database)
            await connection.execute("CREATE EXTENSION vector")  # not marked trusted in the embedded build
            await connection.close()
            yield database


@pytest.mark.asyncio(loop_scope="module")
async def test_a_login_that_may_only_create_roles_migrates(managed: str) -> None:
    url = with_login(managed, "zzyzx_dba", "zzyzx-dba")
    assert await migrate(url, LOGINS) == [m.label for m in migrations()]
    assert await migrate(url, LOGINS) == []
    async with owner_transaction(url) as connection:
        assert await connection.fetchval("SELECT current_user") == "ibid_owner"
        assert await connection.fetchval("SELECT count(*) FROM users") == 0
        assert await connection.fetch(query("isolation_gaps")) == []
    database = await Database.connect(with_login(managed, "ibid_app", LOGINS.app_password), size=1)
    await database.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_login_that_may_not_migrate_is_told_what_it_lacks(managed: str) -> None:
    with pytest.raises(MigrationError, match="CREATEROLE"):
        await migrate(with_login(managed, "zzyzx_guest", "zzyzx-guest"), LOGINS)


async def gaps(urls: Urls) -> list[str]:
    async with owner_transaction(urls.owner) as connection:
        return [row["gap"] for row in await connection.fetch(query("isolation_gaps"))]


async def test_the_catalog_shows_no_way_around_row_level_security(urls: Urls) -> None:  # X3
    assert await gaps(urls) == []


GAPS = {
    "a table without it": "CREATE TABLE zzyzx (a int)",
    "a table that does not force it": "CREATE TABLE zzyzx (a int); ALTER TABLE zzyzx ENABLE ROW LEVEL SECURITY",
    "a view": "CREATE VIEW zzyzx AS SELECT * FROM documents",
    "a materialized view": "CREATE MATERIALIZED VIEW zzyzx AS SELECT * FROM documents",
    "a function with its owner's rights": (
        "CREATE FUNCTION zzyzx() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public"
        " AS 'SELECT count(*) FROM documents'"
    ),
    "a trigger function without a fixed search path": (
        "CREATE FUNCTION zzyzx() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN NULL; END'"
    ),
}


@pytest.mark.parametrize("what", GAPS)
async def test_the_scan_finds(urls: Urls, what: str) -> None:  # X3: a scan that cannot fail is none
    connection = await asyncpg.connect(urls.owner)
    await connection.execute(GAPS[what])
    await connection.close()
    [gap] = await gaps(urls)
    assert "zzyzx" in gap


async def test_the_app_owns_nothing_and_bypasses_nothing(urls: Urls, database: Database) -> None:  # X3
    async with database.transaction() as connection:
        assert await connection.fetchval(query("role_is_unsafe")) is False
        assert await connection.fetchval("SELECT session_user") == "ibid_app"
        assert await connection.fetchval("SELECT has_schema_privilege('public', 'CREATE')") is False
    for role in ("ibid_owner", "postgres"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.transaction() as connection:
                await connection.execute(f"SET LOCAL ROLE {role}")
    with pytest.raises(UnsafeRole):
        await Database.connect(urls.owner)


async def test_maintenance_is_the_owners_alone(database: Database, people: object, urls: Urls) -> None:  # X3
    async with database.transaction() as connection:
        await connection.execute("SELECT set_config('ibid.maintenance', 'on', true)")
        assert await connection.fetchval("SELECT count(*) FROM users") == 0
    async with owner_transaction(urls.owner) as connection:
        assert await connection.fetchval("SELECT count(*) FROM users") == 3
        await connection.execute("SELECT set_config('ibid.maintenance', 'off', true)")
        assert await connection.fetchval("SELECT count(*) FROM users") == 0  # forced on the owner too


async def test_what_a_search_reads_has_one_policy_to_read(urls: Urls) -> None:  # I16
    connection = await asyncpg.connect(urls.owner)
    rows = await connection.fetch("""
        SELECT tablename, count(*) AS policies FROM pg_policies
         WHERE cmd IN ('SELECT', 'ALL') AND policyname <> 'maintenance' GROUP BY 1""")
    await connection.close()
    policies = {row["tablename"]: row["policies"] for row in rows}
    read = ("documents", "chunks", "vectors", "spaces", "postings", "passage_totals", "passage_languages")
    assert {
        name: policies[name] for name in (*read, "mentions", "audiences", "redaction_rules")
    } == dict.fromkeys((*read, "mentions", "audiences", "redaction_rules"), 1)


async def test_claims_end_with_their_transaction(database: Database, owner: Identity) -> None:  # A6
    async with database.as_user(owner) as connection:
        assert await connection.fetchval("SELECT count(*) FROM users") == 2
    for _ in range(8):
        async with database.pool.acquire() as raw:
            assert await raw.fetchval("SELECT count(*) FROM users") == 0
    with pytest.raises(ValueError, match="unknown claims"):
        async with database.transaction(maintenance="on"):
            pass


async def test_readers_are_those_of_who_is_asking(database: Database, people: People) -> None:  # A6
    """They are remembered for a transaction: of one person in one workspace, and no longer."""

    async def readers(connection: Connection) -> list[UUID]:
        again = [await connection.fetchval("SELECT acting_readers()") for _ in range(2)]
        assert again[0] == again[1]
        return list(again[0])

    everybody = UUID(int=1), UUID(int=2)
    async with database.as_user(people.owner) as connection:
        assert await readers(connection) == [*everybody, people.owner.user_id]
        other = str(people.other.user_id), str(people.other.workspace_id), people.other.role
        await connection.execute(query("set_claims"), *other, "", "", "auto")
        assert await readers(connection) == [*everybody, people.other.user_id]
        await connection.execute(query("set_claims"), "", *other[1:], "", "", "auto")
        assert await readers(connection) == [UUID(int=1)]
        await connection.execute(query("set_claims"), "", "", "", "", "", "auto")
        assert await readers(connection) == [UUID(int=1)]
    async with database.pool.acquire() as connection:
        assert not await connection.fetchval("SELECT current_setting('ibid.readers', true)")


async def test_stored_json_takes_any_text(database: Database, owner: Identity) -> None:  # E25
    async with database.as_user(owner) as connection:
        value = {"a\0b": ["x\0", "\ud83c", "🌊"]}
        back = json.loads(json.dumps(await connection.fetchval("SELECT $1::jsonb", value)))
    assert back["a\ufffdb"][0] == "x\ufffd"
    assert back["a\ufffdb"][2] == "🌊"
