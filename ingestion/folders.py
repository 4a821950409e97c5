"""Folders: a person's own shelves for their own documents (E14)."""

from typing import Any
from uuid import UUID

from ingestion.errors import FolderExists, FolderInsideItself, FolderNotEmpty, NotFound
from ingestion.names import clean_name
from sql.db import Connection, Database, ForeignKeyViolation, Identity, Row, UniqueViolation
from sql.queries import query

Json = dict[str, Any]


async def list_folders(database: Database, identity: Identity) -> Json:
    """{items: [{id, name, parent_id, documents}]} of the caller, by name."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("list_folders"))
    return {"items": [_json(row) for row in rows]}


async def create_folder(
    database: Database, identity: Identity, *, name: str, parent_id: UUID | None = None
) -> Json:
    """Make a folder. Raises FolderExists, and NotFound for a parent that is not the caller's."""
    try:
        async with database.as_user(identity) as connection:
            if parent_id:
                await _get(connection, parent_id)
            folder_id = await connection.fetchval(query("create_folder"), parent_id, clean_name(name))
            return _json(await _get(connection, folder_id))
    except UniqueViolation as error:
        raise FolderExists from error


async def ensure_folder(database: Database, identity: Identity, *, name: str) -> UUID:
    """The id of the caller's top-level folder of this name, made if it is missing."""
    async with database.as_user(identity) as connection:
        found: UUID | None = await connection.fetchval(query("find_folder"), None, clean_name(name))
    if found:
        return found
    try:
        return UUID((await create_folder(database, identity, name=name))["id"])
    except FolderExists:
        return await ensure_folder(database, identity, name=name)


async def patch_folder(database: Database, identity: Identity, folder_id: UUID, changes: Json) -> Json:
    """Rename or move; `changes` holds any of name and parent_id (null: to the top).

    Raises NotFound, FolderExists and FolderInsideItself.
    """
    name, parent_id = changes.get("name"), changes.get("parent_id")
    try:
        async with database.as_user(identity) as connection:
            await _get(connection, folder_id)
            if parent_id:
                await _get(connection, parent_id)
            changed = await connection.fetchval(
                query("patch_folder"),
                folder_id,
                clean_name(name) if name is not None else None,
                parent_id,
                "parent_id" in changes,
            )
            if changed is None:
                raise FolderInsideItself
            return _json(await _get(connection, folder_id))
    except UniqueViolation as error:
        raise FolderExists from error


async def delete_folder(database: Database, identity: Identity, folder_id: UUID) -> None:
    """Remove an empty folder. Raises NotFound and FolderNotEmpty."""
    try:
        async with database.as_user(identity) as connection:
            if await connection.fetchval(query("delete_folder"), folder_id) is None:
                raise NotFound("This folder does not exist.")
    except ForeignKeyViolation as error:
        raise FolderNotEmpty from error


async def _get(connection: Connection, folder_id: UUID) -> Row:
    row = await connection.fetchrow(query("get_folder"), folder_id)
    if row is None:
        raise NotFound("This folder does not exist.")
    return row


def _json(row: Row) -> Json:
    parent = row["parent_id"]
    return {
        "id": str(row["id"]),
        "name": row["name"],
        "parent_id": str(parent) if parent else None,
        "documents": row["documents"],
    }
