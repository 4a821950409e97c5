"""What a command on the machine works with: Postgres started if none runs, migrated, acting as a member."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from server.bootstrap import Installation, Urls, claim_from_environment, prepare, urls
from server.config import Config
from server.identity.accounts import Caller, caller
from server.runtime import Runtime, open_runtime
from sql.db import owner_transaction
from sql.embedded import EmbeddedPostgres
from sql.queries import query


class NoSuchMember(Exception):
    """There is no member with this address in the workspace."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """An open installation and the member to act as."""

    runtime: Runtime
    urls: Urls
    installation: Installation
    member: Caller


@asynccontextmanager
async def database_urls(config: Config) -> AsyncIterator[Urls]:
    """The database's logins; the embedded Postgres runs meanwhile and stops if this started it."""
    if config.database_url:
        yield urls(config, config.database_url)
        return
    # On the loop, where nothing else has begun or is left: a thread would go on after a cancellation.
    with EmbeddedPostgres(config.home) as postgres:
        yield urls(config, postgres.url)


@asynccontextmanager
async def workbench(config: Config, *, email: str | None = None) -> AsyncIterator[Workbench]:
    """Open everything for one command, as the owner or as the member with this address."""
    async with AsyncExitStack() as stack:
        found = await stack.enter_async_context(database_urls(config))
        installation = await prepare(config, found.owner)
        runtime = await open_runtime(config, found, pool_size=6)
        stack.push_async_callback(runtime.database.close)
        if not installation.claimed:
            await claim_from_environment(config, found.owner, runtime.database)
        member = await _member(found.owner, installation, email)
        yield Workbench(runtime, found, installation, member)


async def _member(owner_url: str, installation: Installation, email: str | None) -> Caller:
    workspace_id = installation.workspace_id
    async with owner_transaction(owner_url) as connection:
        if email is None:
            row = await connection.fetchrow(query("find_acting_owner"), workspace_id, installation.owner_id)
        else:
            row = await connection.fetchrow(
                query("find_member_by_email"), email.strip().lower(), workspace_id
            )
    if row is None:
        raise NoSuchMember(f"There is no member {email}." if email else "This workspace has no owner.")
    if email and row["disabled"]:
        raise NoSuchMember(f"{email} is disabled.")
    return caller(row)
