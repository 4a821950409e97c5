"""A document's parts in the database: pages and blocks as parsed, passages as cut, all or none of each."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TypeVar
from uuid import UUID

from ingestion.chunk import Chunk
from ingestion.parse.blocks import Block, Parsed, document_text
from sql.db import Connection
from sql.queries import query

T = TypeVar("T")

# Rows a statement: 2,000 blocks are about 1 MB and 60 ms.
ROWS = 2_000
MAX_BLANK_PAGES = 100  # numbers kept for the report; a scan of 3,000 pages says no more by naming them all
PATH_SEPARATOR = "\x1f"  # no stored text contains it: parse.characters.clean takes it out


async def store_parsed(
    connection: Connection,
    document_id: UUID,
    version: int,
    parsed: Parsed,
    *,
    language: str | None,
    seconds: float,
) -> None:
    """Pages, blocks and what is known of the document; `seconds` is what parsing took."""
    pages = parsed.pages
    await connection.execute(
        query("insert_pages"),
        document_id,
        version,
        [page.number for page in pages],
        [page.width for page in pages],
        [page.height for page in pages],
        [page.characters for page in pages],
    )
    for first, blocks in _slices(parsed.blocks):
        await connection.execute(query("insert_blocks"), document_id, version, *_columns(first, blocks))
    characters = await asyncio.to_thread(lambda: len(document_text(parsed.blocks)))
    await connection.execute(
        query("report_parsed"),
        document_id,
        parsed.title,
        parsed.parser,
        language,
        len(pages) or None,
        [page.number for page in pages if not page.characters][:MAX_BLANK_PAGES],
        sum(block.kind == "table" for block in parsed.blocks),
        characters,
        parsed.made_on,
        [_warning(item.code, item.message, item.page) for item in parsed.warnings],
        {"parsing": seconds},
    )


async def read_blocks(
    connection: Connection, document_id: UUID, version: int, *, at_most: int | None = None
) -> list[Block]:
    """The blocks of a version in reading order, as they were stored, or the first of them."""
    rows = await connection.fetch(query("list_blocks"), document_id, version, at_most)
    return [
        Block(
            row["kind"], row["text"], row["level"], row["page"], tuple(row["bbox"]) if row["bbox"] else None
        )
        for row in rows
    ]


async def store_chunks(
    connection: Connection, document_id: UUID, version: int, chunks: Sequence[Chunk]
) -> None:
    """All passages of a version."""
    await connection.execute(query("share_vectors"))
    for _, part in _slices(chunks):
        await connection.execute(
            query("insert_chunks"),
            document_id,
            version,
            [item.ordinal for item in part],
            [item.content_hash for item in part],
            [item.text for item in part],
            [PATH_SEPARATOR.join(item.heading_path) for item in part],
            [item.page_start for item in part],
            [item.page_end for item in part],
            [item.block_start for item in part],
            [item.block_end for item in part],
            [item.char_start for item in part],
            [item.char_end for item in part],
        )


def _columns(first: int, blocks: Sequence[Block]) -> list[list[object]]:
    boxes = [block.bbox or (None, None, None, None) for block in blocks]
    return [
        list(range(first, first + len(blocks))),
        [block.kind for block in blocks],
        [block.level for block in blocks],
        [block.text for block in blocks],
        [block.page for block in blocks],
        *[list(side) for side in zip(*boxes, strict=True)],
    ]


def _slices(items: Sequence[T]) -> Iterator[tuple[int, Sequence[T]]]:
    for first in range(0, len(items), ROWS):
        yield first, items[first : first + ROWS]


def _warning(code: str, message: str, page: int | None) -> dict[str, object]:
    return {"code": code, "message": message} | ({"page": page} if page is not None else {})
