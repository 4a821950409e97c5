"""What a document was cut into, to look at: its passages, its pages, and where a passage stands (E11).

A guest, who is an identity without a user, gets pages and passages through statements with gates (sql/guests.sql).
"""

from functools import partial
from typing import Any
from uuid import UUID

from ingestion.errors import NotFound
from sql.db import Connection, Database, Identity, Row
from sql.queries import query

Json = dict[str, Any]

# A document without pages is shown in pieces of this many blocks: about 60 KB of JSON.
BLOCKS_A_PAGE = 400
CHUNKS_A_PAGE = 50
LAST_BLOCK = 2**31 - 1


async def list_chunks(
    database: Database, identity: Identity, document_id: UUID, *, cursor: str | None = None
) -> Json:
    """{items, next_cursor} of the searchable version, in reading order. Raises NotFound."""
    after = int(cursor) if cursor and cursor.isascii() and cursor.isdigit() and len(cursor) < 10 else -1
    async with database.as_user(identity) as connection:
        if not await connection.fetchrow(query("get_document"), document_id):
            raise NotFound("This document does not exist.")
        rows = await connection.fetch(query("list_chunks"), document_id, after, CHUNKS_A_PAGE + 1)
    items = [{**row, "id": str(row["id"])} for row in rows[:CHUNKS_A_PAGE]]
    return {
        "items": items,
        "next_cursor": str(items[-1]["ordinal"]) if len(rows) > CHUNKS_A_PAGE else None,
    }


async def page(database: Database, identity: Identity, document_id: UUID, number: int) -> Json:
    """The blocks of page `number` from 1: {page, pages, width, height, blocks}. Raises NotFound.

    To a guest, blocks that stand in protected words are of the kind "hidden", without text and place (D17).
    """
    if not 1 <= number < 1_000_000:
        raise NotFound("There is no such page.")
    async with database.as_user(identity) as connection:
        statement = query("get_public_page") if _is_guest(identity) else query("get_page")
        row = await connection.fetchrow(statement, document_id, number)
        if row is None:
            raise NotFound("This document does not exist.")
        pages, blocks = await _page_blocks(connection, identity, document_id, row, number)
    if number > max(pages, 1):
        raise NotFound("There is no such page.")
    return {
        "page": number,
        "pages": max(pages, 1),
        "width": row["width"],
        "height": row["height"],
        "blocks": [
            {name: block[name] for name in ("ordinal", "text", "kind", "level", "bbox")} for block in blocks
        ],
    }


async def _page_blocks(
    connection: Connection, identity: Identity, document_id: UUID, row: Row, number: int
) -> tuple[int, list[Row]]:
    reading = partial(_blocks, connection, identity, document_id, row["version"])
    if row["pages"]:
        return row["pages"], await reading(page=number)
    first = (number - 1) * BLOCKS_A_PAGE
    blocks = await reading(first=first, last=first + BLOCKS_A_PAGE - 1)
    return -(-row["blocks"] // BLOCKS_A_PAGE), blocks


async def _blocks(
    connection: Connection,
    identity: Identity,
    document_id: UUID,
    version: int,
    *,
    page: int | None = None,
    first: int = 0,
    last: int = LAST_BLOCK,
) -> list[Row]:
    """Those of a page, or those from `first` to `last`, in order."""
    place: tuple[int | None, ...]
    if _is_guest(identity):
        statement, place = query("list_public_blocks"), (page, first, last)
    elif page is not None:
        statement, place = query("list_page_blocks"), (page,)
    else:
        statement, place = query("list_block_range"), (first, last)
    rows: list[Row] = await connection.fetch(statement, document_id, version, *place)
    return rows


def _is_guest(identity: Identity) -> bool:
    return identity.user_id is None


async def passage(database: Database, identity: Identity, chunk_id: UUID) -> Json:
    """A cited passage, where it stands on its page, and whether it is still what is searched.

    Raises NotFound when it is gone with its document or was never the caller's to see.
    """
    async with database.as_user(identity) as connection:
        statement = query("get_public_passage") if _is_guest(identity) else query("get_passage")
        row = await connection.fetchrow(statement, chunk_id)
        if row is None:
            raise NotFound("This passage does not exist any more.")
        blocks = await _blocks(
            connection,
            identity,
            row["document_id"],
            row["version"],
            first=row["block_start"],
            last=row["block_end"],
        )
    paged = row["page_start"] is not None
    return {
        "chunk_id": str(row["id"]),
        "document_id": str(row["document_id"]),
        "name": row["name"],
        "media_type": row["media_type"],
        "version": row["version"],
        "state": "current" if row["is_live"] else "superseded",
        "text": row["text"],
        "heading_path": row["heading_path"],
        "page_start": row["page_start"],
        "page_end": row["page_end"],
        "block_start": row["block_start"],
        "block_end": row["block_end"],
        "viewer_page": row["page_start"] if paged else row["block_start"] // BLOCKS_A_PAGE + 1,
        "boxes": [{"page": block["page"], "bbox": block["bbox"]} for block in blocks if block["bbox"]],
    }
