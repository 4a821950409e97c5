"""The linking stage: finds the names in a version's passages and stores which passage mentions what (E15, K1)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar
from uuid import UUID

from ingestion.queue import Job, holding
from ingestion.resolve import Linked, resolve
from providers.chat import ChatClient
from providers.entities import Names, extract
from providers.extraction import extract_by_model
from sql.db import Connection, Database, Row
from sql.queries import query

T = TypeVar("T")

ROWS = 20_000  # a statement


# What finds the names of passages, in their order.
Finder = Callable[[Sequence[str]], Awaitable[list[Names]]]


async def by_rules(texts: Sequence[str]) -> list[Names]:
    """Names by the rules, in a thread: 3,000 to 4,000 passages a second."""
    return await asyncio.to_thread(lambda: [extract(text) for text in texts])


def by_model(chat: ChatClient) -> Finder:
    """Names as this model finds them. Raises ProviderError: an outage delays the document (E26)."""

    async def find(texts: Sequence[str]) -> list[Names]:
        return await extract_by_model(chat, texts)

    return find


async def link(database: Database, job: Job, version: int, *, find: Finder = by_rules) -> None:
    """Link the passages of a version; a second time it changes nothing. Raises LostJob and what `find` raises."""
    async with holding(database, job) as connection:
        rows = await connection.fetch(query("passages_to_link"), job.document_id, version)
    found = await find([row["text"] for row in rows])
    passages = await asyncio.to_thread(linked, rows, found, titles=find is by_rules)
    async with holding(database, job) as connection:
        await store_links(connection, job.document_id, passages)


def linked(rows: Sequence[Row], found: Sequence[Names], *, titles: bool = True) -> list[Linked]:
    """The passages of `passages_to_link` with the names found in them, settled over the document."""
    named = (row["title"] or row["heading_path"][0] for row in rows if row["title"] or row["heading_path"])
    passages = [
        Linked(row["id"], row["ordinal"], tuple(row["heading_path"]), names)
        for row, names in zip(rows, found, strict=True)
    ]
    return resolve(passages, title=next(named, None) if titles else None)


async def store_links(connection: Connection, document_id: UUID, passages: Sequence[Linked]) -> None:
    """All mentions and relations of a version's passages."""
    mentions = ((one.chunk_id, m) for one in passages for m in one.names.mentions)
    for part in _parts(mentions):
        await connection.execute(
            query("insert_mentions"),
            document_id,
            [chunk_id for chunk_id, _ in part],
            [m.key for _, m in part],
            [m.sense for _, m in part],
            [m.kind for _, m in part],
            [m.text for _, m in part],
            [m.weight for _, m in part],
        )
    relations = ((one.chunk_id, r) for one in passages for r in one.names.relations)
    for links in _parts(relations):
        await connection.execute(
            query("insert_relationships"),
            document_id,
            [chunk_id for chunk_id, _ in links],
            [r.source for _, r in links],
            [r.kind for _, r in links],
            [r.target for _, r in links],
        )


def _parts(items: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(items)
    while part := list(islice(remaining, ROWS)):
        yield part
