"""What a document was cut into, to look at: its passages, its pages, and where a passage stands (E11)."""

from typing import Any
from uuid import UUID

from ingestion.errors import NotFound
from sql.db import Connection, Database, Identity, Row
from sql.queries import query

Json = dict[str, Any]

# A document without pages is shown in pieces of this many blocks: about 60 KB of JSON.
BLOCKS_A_PAGE = 400
CHUNKS_A_PAGE = 50


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
    """The blocks of page `number` from 1: {page, pages, width, height, blocks}. Raises NotFound."""
    if not 1 <= number < 1_000_000:
        raise NotFound("There is no such page.")
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_page"), document_id, number)
        if row is None:
            raise NotFound("This document does not exist.")
        pages, blocks = await _page_blocks(connection, document_id, row, number)
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
    connection: Connection, document_id: UUID, row: Row, number: int
) -> tuple[int, list[Row]]:
    version = row["version"]
    if row["pages"]:
        blocks = await connection.fetch(query("list_page_blocks"), document_id, version, number)
        return row["pages"], blocks
    first = (number - 1) * BLOCKS_A_PAGE
    last = first + BLOCKS_A_PAGE - 1
    blocks = await connection.fetch(query("list_block_range"), document_id, version, first, last)
    return -(-row["blocks"] // BLOCKS_A_PAGE), blocks


async def passage(database: Database, identity: Identity, chunk_id: UUID) -> Json:
    """A cited passage, where it stands on its page, and whether it is still what is searched.

    Raises NotFound when it is gone with its document or was never the caller's to see.
    """
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_passage"), chunk_id)
        if row is None:
            raise NotFound("This passage does not exist any more.")
        blocks = await connection.fetch(
            query("list_block_range"),
            row["document_id"],
            row["version"],
            row["block_start"],
            row["block_end"],
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
