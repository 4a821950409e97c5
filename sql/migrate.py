"""Brings a database to the newest schema: roles first, then each migration in a transaction of its own."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from sql.db import open_connection
from sql.errors import ChangedMigration, MigrationError, NewerSchema, Unavailable
from sql.queries import query

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x1B1D  # any number, the same in every Ibid


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    text: str

    @property
    def label(self) -> str:
        return f"{self.version:04}_{self.name}"

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Logins:
    """Passwords for the two roles that the application signs in with."""

    app_password: str
    reader_password: str


def migrations() -> list[Migration]:
    """Every migration in order of its number."""
    found = []
    for path in sorted(FOLDER.glob("[0-9][0-9][0-9][0-9]_*.sql")):
        version, _, name = path.stem.partition("_")
        found.append(Migration(version=int(version), name=name, text=path.read_text(encoding="utf-8")))
    return found


async def migrate(url: str, logins: Logins | None) -> list[str]:
    """Create roles and apply what is missing. Safe to run from several processes at once.

    Args:
        url: a login that may create roles and extensions (the owner's).
        logins: passwords to give `ibid_app` and `ibid_reader`; None where they are managed outside.

    Returns:
        Names of the migrations applied by this call.

    Raises:
        MigrationError, ChangedMigration, NewerSchema, Unavailable.
    """
    connection = await open_connection(url)
    try:
        async with _locked(connection):
            await _create_roles(connection, logins)
            waiting = await _unapplied(connection)
        return [migration.label for migration in waiting if await _apply(connection, migration)]
    except asyncpg.InsufficientPrivilegeError as error:
        raise MigrationError(
            f"The database could not be migrated: {_first_line(error)}. The login of DATABASE_URL must own its "
            "database and be allowed to create roles (CREATEROLE); where only a superuser may create the "
            "extension vector, let one create it first."
        ) from error
    except asyncpg.PostgresError as error:
        raise MigrationError(f"The database could not be migrated: {_first_line(error)}.") from error
    except (OSError, asyncpg.InterfaceError) as error:
        raise Unavailable(f"The database was lost while it was migrated: {error}") from error
    finally:
        await connection.close()


def _first_line(error: asyncpg.PostgresError) -> str:
    return str(error).partition("\n")[0]


@asynccontextmanager
async def _locked(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """A transaction that one process at a time is in."""
    async with connection.transaction():
        await connection.fetchval(query("lock_migrations"), LOCK)
        yield


async def _create_roles(connection: asyncpg.Connection, logins: Logins | None) -> None:
    await connection.execute(query("create_roles"))
    passwords = {"ibid_app": logins.app_password, "ibid_reader": logins.reader_password} if logins else {}
    for role, password in passwords.items():
        statement = await connection.fetchval(query("alter_password_statement"), role, password)
        await connection.execute(statement)
    database = await connection.fetchval("SELECT current_database()")
    await connection.execute(await connection.fetchval(query("grant_database_statement"), database))


async def _unapplied(connection: asyncpg.Connection) -> list[Migration]:
    applied = {row["version"]: row["checksum"] for row in await connection.fetch(query("list_migrations"))}
    known = migrations()
    if applied and max(applied) > max(m.version for m in known):
        raise NewerSchema
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise ChangedMigration(f"Migration {migration.version:04} was edited after it was applied.")
    return [migration for migration in known if migration.version not in applied]


async def _apply(connection: asyncpg.Connection, migration: Migration) -> bool:
    """Apply one; False where another process was first."""
    async with _locked(connection):
        if migration not in await _unapplied(connection):
            return False
        await connection.execute("SET LOCAL lock_timeout = '10s'; SET LOCAL ROLE ibid_owner")
        await connection.execute(migration.text)
        await connection.execute(
            query("record_migration"), migration.version, migration.name, migration.checksum
        )
        return True
