"""Changing the embedding model: every passage is embedded again beside the old space, then searches switch over."""

import logging
from collections.abc import Sequence
from uuid import UUID

from ingestion.embed import BATCH_ITEMS, Passage, embed_text, vectors_of
from providers.types import Embedder, SpaceKey
from sql.db import Database, Identity, service
from sql.queries import query
from sql.vectors import halfvecs

log = logging.getLogger("ibid.ingestion")


async def active_key(database: Database, workspace_id: UUID) -> SpaceKey | None:
    """The space that searches use; None before the first passage was embedded."""
    async with database.transaction(**service(workspace_id)) as connection:
        row = await connection.fetchrow(query("active_space"))
    if row is None:
        return None
    return SpaceKey(
        row["provider"], row["model"], row["dimensions"], row["query_prefix"], row["document_prefix"]
    )


async def progress(database: Database, workspace_id: UUID, key: SpaceKey) -> tuple[int, int] | None:
    """(vectors made, vectors of the space in use) while a space is being built; None when it is not."""
    async with database.transaction(**service(workspace_id)) as connection:
        space = await connection.fetchrow(query("find_space"), *_fields(key))
        if space is None or space["status"] != "building":
            return None
        row = await connection.fetchrow(query("space_progress"), space["id"])
    return row["done"], row["total"]


async def complete(database: Database, workspace_id: UUID, key: SpaceKey) -> bool:
    """Whether searches use this space and it has a vector of every searchable passage, or there are none."""
    async with database.transaction(**service(workspace_id)) as connection:
        active = await connection.fetchrow(query("active_space"))
        space = await connection.fetchrow(query("find_space"), *_fields(key))
    if active is None:
        return True
    if space is None or space["id"] != active["id"]:
        return False
    return not await _lacking(database, workspace_id, space["id"])


async def bring_up(database: Database, workspace_id: UUID, embedder: Embedder) -> int:
    """Embed what this space lacks and make it the one in use. Returns how many vectors were made.

    Safe to cut off anywhere and to run again: what is made stays, and the switch is one statement, made
    only when no searchable passage is without its vector. Raises ProviderError.
    """
    space_id = await _open_space(database, workspace_id, embedder.key)
    made = 0
    while True:
        for member in await _members(database, workspace_id):
            made += await _fill(database, member, embedder, space_id)
        if await _activate(database, workspace_id, space_id):
            log.info("embedding model %s is in use: %d vectors were made for it", embedder.key.model, made)
            return made


async def _activate(database: Database, workspace_id: UUID, space_id: UUID) -> bool:
    """Put the space into use; false when a passage has become searchable that it lacks."""
    async with database.transaction(**service(workspace_id)) as connection:
        await connection.execute(query("lock_spaces"))
        if await _lacking(database, workspace_id, space_id):
            return False
        await connection.execute(query("activate_space"), space_id)
        return True


async def _lacking(database: Database, workspace_id: UUID, space_id: UUID) -> bool:
    for member in await _members(database, workspace_id):
        async with database.as_user(member) as connection:
            if await connection.fetch(query("list_texts_without_vector"), space_id, 1):
                return True
    return False


async def _open_space(database: Database, workspace_id: UUID, key: SpaceKey) -> UUID:
    async with database.transaction(**service(workspace_id)) as connection:
        found = await connection.fetchrow(query("find_space"), *_fields(key))
        space = found or await connection.fetchrow(query("create_space"), *_fields(key))
        if space is None:  # made by another worker at the same moment
            space = await connection.fetchrow(query("find_space"), *_fields(key))
        await connection.execute(query("reopen_space"), space["id"])
    return UUID(str(space["id"]))


async def _members(database: Database, workspace_id: UUID) -> Sequence[Identity]:
    async with database.transaction(**service(workspace_id)) as connection:
        rows = await connection.fetch(query("list_members_ids"))
    return [Identity(workspace_id, row["user_id"], row["role"]) for row in rows]


async def _fill(database: Database, member: Identity, embedder: Embedder, space_id: UUID) -> int:
    made = 0
    while True:
        async with database.as_user(member) as connection:
            rows = await connection.fetch(query("list_texts_without_vector"), space_id, BATCH_ITEMS)
        if not rows:
            return made
        passages = [Passage(r["content_hash"], embed_text(r["heading_path"], r["text"])) for r in rows]
        vectors = await vectors_of(embedder, passages)
        async with database.as_user(member) as connection:
            await connection.execute(query("share_vectors"))
            await connection.execute(
                query("insert_vectors_of_texts"),
                space_id,
                embedder.key.dimensions,
                [r["content_hash"] for r in rows],
                halfvecs(vectors),
            )
        made += len(rows)


def _fields(key: SpaceKey) -> tuple[str, str, int, str, str]:
    return key.provider, key.model, key.dimensions, key.query_prefix, key.document_prefix
