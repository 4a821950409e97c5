"""The pipeline without the cost of a model: what changed texts embed again, and how its cost grows with size.

The embedder is fixed and takes 50 microseconds a text, so that what is measured is everything else: the child
that reads, the cutter with the real tokeniser, the statements and the indexes. Its vectors are as alike as texts
are: of 10,000 random ones, which no model makes, each took 2.5 ms instead of 2.2.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ingestion.blobs import Blobs
from ingestion.documents import FINAL, get_document
from ingestion.intake import accept
from ingestion.pipeline import Tools
from ingestion.worker import Worker
from providers.local import LocalEmbedder
from providers.types import Embedder, SpaceKey
from server.evaluation.bench_texts import MARK, appended, edited, pages, texts
from sql.queries import query
from sql.scratch import Scratch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAGES = 100
DIRECTIONS = 4096
REPEATS = {100: 5}  # small documents: the median of several
LOOK_SECONDS = 0.05


class Fixed:
    """Implements Embedder: a text is the sum of its words' directions. Texts are measured as by the real one."""

    key = SpaceKey(provider="bench", model="words", dimensions=384)

    def __init__(self, real: LocalEmbedder) -> None:
        import numpy as np

        self.fits = real.fits
        self._directions = np.random.default_rng(0).standard_normal((DIRECTIONS, 384), np.float32)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        words = [[zlib.crc32(word.encode()) % DIRECTIONS for word in text.split()] for text in texts]
        vectors: NDArray[np.float32] = np.stack([self._directions[row].sum(axis=0) for row in words])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = (await self.embed_documents([text]))[0]
        return vector


@dataclass(frozen=True, slots=True)
class Reuse:
    """Vectors made for a new version of a document of PAGES pages, by what has changed in it."""

    reupload_vectors: int  # nothing but the bytes: a line end after the last
    append_vectors: int  # a paragraph at the end
    edit_vectors_beyond: int  # a word in the middle: more than the passages that hold it


@dataclass(frozen=True, slots=True)
class Desk:
    """A place to ingest in, with a worker beside it."""

    place: Scratch
    blobs: Blobs

    async def ingest(self, name: str, text: str) -> dict[str, Any]:
        """The document once it is searchable; the same name again makes its next version."""
        database, identity = self.place.database, self.place.identity
        accepted = await accept(
            database,
            self.blobs,
            identity,
            name=name,
            stream=_stream(text),
            folder_id=None,
            max_bytes=1_000_000_000,
        )
        while True:
            document = await get_document(database, identity, accepted.id)
            if document["status"] == "completed":
                return document
            if document["status"] in FINAL:
                raise RuntimeError(f"{name} is {document['status']}: {document['error']}")
            await asyncio.sleep(LOOK_SECONDS)

    async def hashes(self) -> set[bytes]:
        """Of the texts that have a vector."""
        async with self.place.database.as_user(self.place.identity) as connection:
            return {row["content_hash"] for row in await connection.fetch(query("vector_hashes"))}

    async def holding(self, word: str) -> int:
        """How many passages hold this word."""
        async with self.place.database.as_user(self.place.identity) as connection:
            return int(await connection.fetchval(query("count_passages_holding"), word))


@asynccontextmanager
async def desk(place: Scratch, folder: Path, embedder: Embedder) -> AsyncIterator[Desk]:
    """Opens the store in `folder` and keeps a worker running."""
    blobs = Blobs.open((folder / "blobs").as_uri(), spool=folder / "spool")

    async def embedder_for(_workspace: UUID) -> Embedder:
        return embedder

    worker = Worker(Tools(place.database, blobs, embedder_for), listen_url=place.app_url)
    working = asyncio.create_task(worker.run())
    try:
        opened = Desk(place, blobs)
        await opened.ingest("warm-up.txt", "Nothing is measured on this one.")
        yield opened
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def reuse(desk: Desk) -> Reuse:
    """What the versions of one long document embed again (F3)."""
    name, text = "handbook.txt", pages(PAGES)
    await desk.ingest(name, text)
    touched = await desk.holding(MARK)
    made = [
        await _made(desk, name, version) for version in (text + "\n", appended(text), edited(appended(text)))
    ]
    return Reuse(made[0], made[1], made[2] - touched)


async def scale(desk: Desk, sizes: Sequence[int]) -> dict[str, float]:
    """Milliseconds a chunk, from the stored upload to the searchable document, for documents of these sizes."""
    found: dict[str, float] = {}
    for size in sizes:
        measured = []
        for repeat in range(REPEATS.get(size, 1)):
            [text] = texts(1, chunks=size, seed=size + repeat)
            document = await desk.ingest(f"{size}-{repeat}.txt", text)
            measured.append(1000 * _seconds(document) / document["chunks"])
        found[str(size)] = round(median(measured), 3)
    return found


async def _made(desk: Desk, name: str, text: str) -> int:
    before = await desk.hashes()
    await desk.ingest(name, text)
    return len(await desk.hashes() - before)


def _seconds(document: dict[str, Any]) -> float:
    """Between the row's first moment and its last, both by the database's clock."""
    first, last = (datetime.fromisoformat(document[name]) for name in ("created_at", "updated_at"))
    return (last - first).total_seconds()


async def _stream(text: str) -> AsyncIterator[bytes]:
    yield text.encode()
