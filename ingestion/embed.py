"""Gives each passage of a document its vector, unless the workspace has one of this text (G1, G2, G5, G6)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from uuid import UUID

from ingestion.progress import Progress
from ingestion.queue import Job, holding
from providers.errors import ContextTooLong, Refused, UnusableVector
from providers.types import Embedder, SpaceKey
from sql.db import Database
from sql.queries import query
from sql.vectors import halfvecs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_ITEMS = 50
BATCH_CHARACTERS = 64_000  # about 16,000 tokens, which every common embedding server takes in one request
# Two batches keep both threads of the embedded model busy while a third is being written. Written side by side,
# not one after the other: 1,000 vectors that cost nothing to make took 2.0 s instead of 3.0 to 4.6 (load 7).
IN_FLIGHT = 3


@runtime_checkable
class Measures(Protocol):
    """An embedder that knows whether its model reads the whole of a text."""

    def fits(self, text: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A text without a vector: what is embedded, and the hash of exactly that."""

    content_hash: bytes
    text: str


def fits_of(embedder: Embedder) -> Callable[[str], bool]:
    """The chunker's measure: models behind an address read thousands of tokens, more than any chunk has."""
    return embedder.fits if isinstance(embedder, Measures) else lambda _text: True


def embed_text(heading_path: Sequence[str], text: str) -> str:
    """What is embedded for a passage: where it stands, then what it says. Equal to Chunk.embed_text."""
    return " > ".join(heading_path) + "\n" + text


async def space_of(database: Database, job: Job, key: SpaceKey) -> UUID:
    """The id of the workspace's space for this key, made if it is new (G3)."""
    fields = (key.provider, key.model, key.dimensions, key.query_prefix, key.document_prefix)
    async with holding(database, job) as connection:
        while True:  # twice when somebody else made it, or another first one, at the same moment
            for name in ("find_space", "create_space"):
                row = await connection.fetchrow(query(name), *fields)
                if row:
                    found: UUID = row["id"]
                    return found


async def missing(database: Database, job: Job, *, version: int, space_id: UUID) -> list[Passage]:
    """The passages of a version that have no vector, shortest first, each text once."""
    async with holding(database, job) as connection:
        rows = await connection.fetch(query("list_chunks_to_embed"), job.document_id, version, space_id)
    return [Passage(row["content_hash"], embed_text(row["heading_path"], row["text"])) for row in rows]


async def embed(
    database: Database,
    job: Job,
    embedder: Embedder,
    passages: Sequence[Passage],
    *,
    space_id: UUID,
    progress: Progress,
) -> None:
    """Embed and store passages in bounded batches: one is written while the next ones are computed.

    A batch that is stored stays stored, whatever happens later. Raises ProviderError and LostJob.
    """

    async def one(batch: Sequence[Passage]) -> None:
        vectors = await vectors_of(embedder, batch)
        async with holding(database, job, shared=True) as connection:
            await connection.execute(
                query("insert_vectors"),
                space_id,
                embedder.key.dimensions,
                [passage.content_hash for passage in batch],
                halfvecs(vectors),
            )
        await progress.advance(database, len(batch))

    running: deque[asyncio.Task[None]] = deque()
    try:
        for batch in batches(passages):
            running.append(asyncio.create_task(one(batch)))
            if len(running) == IN_FLIGHT:
                await running.popleft()
        while running:
            await running.popleft()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def batches(passages: Sequence[Passage]) -> Iterator[Sequence[Passage]]:
    """Cut at 50 items or 64,000 characters, whichever comes first (G5)."""
    start = characters = 0
    for index, passage in enumerate(passages):
        if index - start == BATCH_ITEMS or (
            index > start and characters + len(passage.text) > BATCH_CHARACTERS
        ):
            yield passages[start:index]
            start, characters = index, 0
        characters += len(passage.text)
    if start < len(passages):
        yield passages[start:]


async def vectors_of(embedder: Embedder, batch: Sequence[Passage]) -> NDArray[np.float32]:
    """(len(batch), dimensions). A batch that is refused is halved, not sent again unchanged (G5)."""
    import numpy as np

    try:
        vectors = await embedder.embed_documents([passage.text for passage in batch])
    except (ContextTooLong, Refused):
        if len(batch) == 1:
            raise
        middle = len(batch) // 2
        halves = [await vectors_of(embedder, half) for half in (batch[:middle], batch[middle:])]
        return np.concatenate(halves)
    if vectors.shape != (len(batch), embedder.key.dimensions):
        raise UnusableVector
    return vectors
