"""A throw-away database beside the real one, for evaluations and benchmarks: made, migrated, dropped."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sql.db import Database, Identity, open_connection, owner_transaction, with_database
from sql.migrate import migrate
from sql.queries import query


@dataclass(frozen=True, slots=True)
class Scratch:
    """The application's pool and both logins on the throw-away database, and the one person in it."""

    database: Database
    owner_url: str
    app_url: str
    identity: Identity


@asynccontextmanager
async def scratch(owner_url: str, app_url: str, *, size: int = 8) -> AsyncIterator[Scratch]:
    """An empty migrated database on the same server, dropped at the end whatever happens.

    Args:
        owner_url: a login that may create databases.
        app_url: the application's login on the same server, past any pooler; its password stays as it is.
    """
    name = f"ibid_scratch_{secrets.token_hex(6)}"
    server = await open_connection(owner_url)
    try:
        await server.execute(f"CREATE DATABASE {name}")
        try:
            async with _opened(with_database(owner_url, name), with_database(app_url, name), size) as opened:
                yield opened
        finally:
            await server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await server.close()


async def settle(owner_url: str) -> None:
    """Do now what autovacuum does within minutes: plans know the tables after a load as they would in a house."""
    connection = await open_connection(owner_url)
    try:
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()


@asynccontextmanager
async def _opened(owner_url: str, app_url: str, size: int) -> AsyncIterator[Scratch]:
    await migrate(owner_url, None)
    async with owner_transaction(owner_url) as connection:
        workspace = await connection.fetchval(query("create_workspace"), "Scratch")
        user = await connection.fetchval(query("create_first_owner"), "scratch@localhost", "Scratch")
        await connection.execute(query("insert_membership"), workspace, user, "owner")
    database = await Database.connect(app_url, size=size)
    try:
        yield Scratch(
            database, owner_url, app_url, Identity(workspace_id=workspace, user_id=user, role="owner")
        )
    finally:
        await database.close()
