"""A place to ingest in: a store of files in a temporary folder, and a worker that runs beside the test."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from ingestion.beside import Linker
from ingestion.blobs import Blobs
from ingestion.documents import FINAL, get_document
from ingestion.intake import Accepted, accept
from ingestion.pipeline import Tools
from ingestion.removal import orphans
from ingestion.worker import Worker
from providers.local import LocalEmbedder
from providers.types import Embedder
from sql.db import Database, Identity
from sql.queries import query

MAX_BYTES = 25 * 1024 * 1024


async def pieces(data: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    """As a server receives an upload."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


class Counting:
    """The real embedder, counting its texts; as slow or as broken as a test tells it to be."""

    def __init__(self, real: LocalEmbedder) -> None:
        self.real = real
        self.key = real.key
        self.texts = 0
        self.calls = 0
        self.delay = 0.0
        self.error: Exception | None = None

    def fits(self, text: str) -> bool:
        return self.real.fits(text)

    async def embed_documents(self, texts: Any) -> Any:
        self.texts += len(texts)
        self.calls += 1
        await asyncio.sleep(self.delay)
        if self.error:
            raise self.error
        return await self.real.embed_documents(texts)

    async def embed_query(self, text: str) -> Any:
        return await self.real.embed_query(text)


@dataclass
class Desk:
    """What the tests do by hand, in one line each."""

    database: Database
    blobs: Blobs
    embedder: Any
    owner_url: str
    app_url: str
    store: Path

    async def upload(
        self, identity: Identity, data: bytes | Path, name: str | None = None, folder_id: UUID | None = None
    ) -> Accepted:
        content = data if isinstance(data, bytes) else await asyncio.to_thread(data.read_bytes)
        return await accept(
            self.database,
            self.blobs,
            identity,
            name=name if name is not None else Path(str(data)).name,
            stream=pieces(content),
            folder_id=folder_id,
            max_bytes=MAX_BYTES,
        )

    async def wait(
        self, identity: Identity, document_id: UUID, statuses: Iterable[str] = FINAL, seconds: float = 60
    ) -> dict[str, Any]:
        """The document once it is in one of these states."""
        return await self.wait_for(identity, document_id, lambda found: found["status"] in statuses, seconds)

    async def wait_for(
        self,
        identity: Identity,
        document_id: UUID,
        condition: Callable[[dict[str, Any]], object],
        seconds: float = 60,
    ) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            document = await get_document(self.database, identity, document_id)
            return document if condition(document) else None

        found: dict[str, Any] = await self.until(look, seconds)
        return found

    def tools(self, embedder: Embedder | None = None, linker: Linker | None = None) -> Tools:
        async def embedder_for(_workspace: UUID) -> Embedder:
            return embedder or self.embedder

        return Tools(self.database, self.blobs, embedder_for, linker=linker)

    @asynccontextmanager
    async def worker(
        self, embedder: Embedder | None = None, slots: int = 3, linker: Linker | None = None
    ) -> AsyncIterator[Worker]:
        worker = Worker(self.tools(embedder, linker), listen_url=self.app_url, slots=slots)
        task = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def row(self, document_id: UUID) -> asyncpg.Record:
        """A document as it stands in its table."""
        connection = await asyncpg.connect(self.owner_url)
        try:
            return await connection.fetchrow("SELECT * FROM documents WHERE id = $1", document_id)
        finally:
            await connection.close()

    async def counts(self) -> dict[str, int]:
        """Rows of every table that an upload fills, as seen by maintenance."""
        tables = ("documents", "pages", "blocks", "chunks", "vectors", "jobs")
        connection = await asyncpg.connect(self.owner_url)
        try:
            return {t: await connection.fetchval(f"SELECT count(*) FROM {t}") for t in tables}
        finally:
            await connection.close()

    async def orphans(self) -> dict[str, int]:
        connection = await asyncpg.connect(self.owner_url)
        try:
            async with connection.transaction():
                await connection.execute(query("begin_maintenance"))
                return await orphans(connection, self.blobs)
        finally:
            await connection.close()

    async def until(self, condition: Callable[[], Awaitable[Any]], seconds: float = 30) -> Any:
        """What `condition` gives as soon as it gives something."""
        async with asyncio.timeout(seconds):
            while True:
                found = await condition()
                if found:
                    return found
                await asyncio.sleep(0.01)

    async def until_stored(self, count: int) -> None:
        """Wait until the store holds this many files: a replaced one goes just after its document is done."""

        async def as_many() -> bool:
            return len(self.stored()) == count

        await self.until(as_many)

    def stored(self) -> list[str]:
        """File names in the store, by our own ids only."""
        return sorted(str(p.relative_to(self.store)) for p in self.store.rglob("*") if p.is_file())


@pytest.fixture
def counting(embedder: LocalEmbedder) -> Counting:
    return Counting(embedder)


@pytest.fixture
def desk(database: Database, urls: Any, tmp_path: Path, counting: Counting) -> Desk:
    store = tmp_path / "blobs"
    blobs = Blobs.open(store.as_uri(), spool=tmp_path / "spool")
    return Desk(database, blobs, counting, urls.owner, urls.app, store)


@pytest.fixture
def cases(shared: Path) -> Path:
    return shared / "cases" / "files"
