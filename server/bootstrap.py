"""From an address of a Postgres to a usable database: migrated, with a workspace and its first owner."""

from dataclasses import dataclass
from uuid import UUID

import server.identity.invitations as invitations
from server.config import BadConfig, Config
from server.errors import Unprocessable
from server.identity.secrets import database_logins
from sql.db import Database, owner_transaction, with_login, with_login_of
from sql.migrate import migrate
from sql.queries import query

PLACEHOLDER_EMAIL = "owner@localhost"


@dataclass(frozen=True, slots=True)
class Urls:
    """The logins of one database. `owner` and `direct`, the application's for LISTEN, pass by any pooler."""

    owner: str
    app: str
    reader: str
    direct: str


@dataclass(frozen=True, slots=True)
class Installation:
    workspace_id: UUID
    owner_id: UUID
    claimed: bool


def urls(config: Config, owner_url: str) -> Urls:
    """The application's logins: given from outside, or with the passwords that this home keeps."""
    logins = database_logins(config.home)
    app = config.database_app_url or with_login(owner_url, "ibid_app", logins.app_password)
    reader = config.database_reader_url or with_login(owner_url, "ibid_reader", logins.reader_password)
    direct = config.database_direct_url
    return Urls(
        owner=with_login_of(direct, owner_url) if direct else owner_url,
        app=app,
        reader=reader,
        direct=with_login_of(direct, app) if direct else app,
    )


async def prepare(config: Config, owner_url: str) -> Installation:
    """Migrate, and make the workspace and its first owner if there is none. Safe to repeat."""
    await migrate(owner_url, None if config.database_app_url else database_logins(config.home))
    async with owner_transaction(owner_url) as connection:
        await connection.execute(query("lock_installation"))
        found = await connection.fetchrow(query("find_installation"))
        if found is None:
            workspace = await connection.fetchval(query("create_workspace"), "Workspace")
            owner = await connection.fetchval(query("create_first_owner"), PLACEHOLDER_EMAIL, "Owner")
            await connection.execute(query("insert_membership"), workspace, owner, "owner")
            await connection.execute(query("create_installation"), workspace, owner)
            found = await connection.fetchrow(query("find_installation"))
    return Installation(found["workspace_id"], found["owner_id"], found["claimed"])


async def owner_link(config: Config, owner_url: str, installation: Installation) -> str | None:
    """A fresh one-time link for the first owner; earlier ones stop working. None once claimed."""
    if installation.claimed:
        return None
    async with owner_transaction(owner_url) as connection:
        await connection.execute(query("delete_owner_invitations"), installation.workspace_id)
        invitation = await invitations.invite(
            connection,
            workspace_id=installation.workspace_id,
            role="owner",
            kind="owner",
            user_id=installation.owner_id,
        )
    return invitation.link(config.base_url)


async def claim_from_environment(config: Config, owner_url: str, database: Database) -> None:
    """Make the first owner from IBID_OWNER_EMAIL and IBID_OWNER_PASSWORD, for scripts."""
    installation = await prepare(config, owner_url)
    if installation.claimed or not (config.owner_email and config.owner_password):
        return
    link = await owner_link(config, owner_url, installation)
    token = (link or "").rpartition("=")[2]
    try:
        await invitations.accept(
            database, token=token, email=config.owner_email, name="", password=config.owner_password
        )
    except Unprocessable as error:
        raise BadConfig(f"IBID_OWNER_EMAIL and IBID_OWNER_PASSWORD make no owner: {error.message}") from error
