"""Brings a corpus into a database as ingestion would: read as plain text, cut, embedded, stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from ingestion.chunk import Chunk, chunk
from ingestion.embed import Passage, batches, fits_of
from ingestion.extract import by_rules, linked, store_links
from ingestion.language import language_of
from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.text import paragraphs
from ingestion.storage import store_chunks, store_parsed
from providers.types import Embedder
from server.evaluation.beir import Entry
from sql.db import Connection, Database, Identity
from sql.queries import query
from sql.vectors import halfvecs

GROUP = 200  # documents a transaction
MEDIA_TYPE = "text/plain"


async def store(
    database: Database,
    identity: Identity,
    embedder: Embedder,
    corpus: Sequence[Entry],
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> dict[UUID, str]:
    """Make every entry a searchable document of this person; returns document id -> entry id.

    The stages and statements are ingestion's own; the job, the blob and the child are left out.
    """
    ids: dict[UUID, str] = {}
    async with database.as_user(identity) as connection:
        space_id = await _space(connection, embedder)
    for first in range(0, len(corpus), GROUP):
        async with database.as_user(identity) as connection:
            stored = await _store_group(connection, embedder, corpus[first : first + GROUP], space_id)
        ids |= stored
        on_progress(len(ids), len(corpus))
    return ids


async def _store_group(
    connection: Connection, embedder: Embedder, entries: Sequence[Entry], space_id: UUID
) -> dict[UUID, str]:
    stored: dict[UUID, str] = {}
    texts: dict[bytes, str] = {}
    for entry, parsed in _readable(entries):
        chunks = list(chunk(parsed.blocks, fits=fits_of(embedder)))
        if chunks:
            stored[await _store_document(connection, entry, parsed, chunks)] = entry.id
            texts |= {item.content_hash: item.embed_text for item in chunks}
    passages = [Passage(key, text) for key, text in sorted(texts.items(), key=lambda pair: len(pair[1]))]
    for batch in batches(passages):
        vectors = await embedder.embed_documents([passage.text for passage in batch])
        hashes = [passage.content_hash for passage in batch]
        await connection.execute(
            query("insert_vectors"), space_id, embedder.key.dimensions, hashes, halfvecs(vectors)
        )
    for document_id in stored:
        await connection.execute(query("complete_document"), document_id, "completed", {})
    return stored


async def _store_document(
    connection: Connection, entry: Entry, parsed: Parsed, chunks: Sequence[Chunk]
) -> UUID:
    text = f"{entry.title}\n\n{entry.text}".encode()
    # Two entries with the same text stay two documents: the judgements tell them apart.
    key = hashlib.sha256(entry.id.encode() + b"\0" + text)
    document_id: UUID = await connection.fetchval(
        query("insert_document"), None, entry.id, key.digest(), key.hexdigest(), MEDIA_TYPE, len(text)
    )
    language = language_of("\n".join(block.text for block in parsed.blocks))
    await store_parsed(connection, document_id, 1, parsed, language=language, seconds=0.0)
    await store_chunks(connection, document_id, 1, chunks)
    rows = await connection.fetch(query("passages_to_link"), document_id, 1)
    await store_links(connection, document_id, linked(rows, await by_rules([row["text"] for row in rows])))
    return document_id


def _readable(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Parsed]]:
    for entry in entries:
        title = entry.title.strip()
        blocks = [Block("heading", title, level=1)] if title else []
        yield entry, Parsed(blocks + paragraphs(entry.text), [], "text", [], title or None)


async def _space(connection: Connection, embedder: Embedder) -> UUID:
    key = embedder.key
    fields = (key.provider, key.model, key.dimensions, key.query_prefix, key.document_prefix)
    row = await connection.fetchrow(query("find_space"), *fields)
    row = row or await connection.fetchrow(query("create_space"), *fields)
    found: Mapping[str, UUID] = row
    return found["id"]
