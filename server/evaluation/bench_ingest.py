"""`ibid bench ingest`: text files through the whole pipeline, against the bare embedder in the same run."""

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from uuid import UUID

from pydantic_core import to_json

from ingestion.blobs import Blobs
from ingestion.documents import list_documents
from ingestion.embed import embed_text
from ingestion.intake import accept
from ingestion.pipeline import Tools
from ingestion.worker import Worker
from providers.local import LocalEmbedder
from providers.types import Embedder
from server.bootstrap import prepare
from server.config import Config
from server.workbench import database_urls
from sql.queries import query
from sql.scratch import Scratch, scratch

DOCUMENTS = 6
CHARACTERS_PER_CHUNK = 460  # of new text: what these paragraphs come to
BATCH = 50
SEED = 11
TEXT = """
time year people way day man thing woman life child world school state family student group country problem hand
part place case week company system program question work government number night point home water room mother
area money story fact month lot right study book eye job word business issue side kind head house service friend
father power hour game line end member law car city community name president team minute idea body information
back parent face others level office door health person art war history party result change morning reason
research girl guy moment air teacher force education foot boy age policy process music market sense nation plan
college interest death experience effect use class control care field development role effort rate heart drug
show leader light voice wife
"""
WORDS = TEXT.split()


@dataclass(frozen=True, slots=True)
class Report:
    """One run. `ratio` compares with the embedder alone, before and after, on the same texts."""

    chunks: int
    chunks_per_s: float
    embedder_chunks_per_s: float
    ratio: float
    overhead_s_per_1000: float
    reupload_vectors: int


async def bench(config: Config, *, chunks: int, as_json: bool) -> int:
    """Measure in a throw-away database and folder, which leave nothing."""
    embedder = LocalEmbedder(config.home / "models")
    try:
        async with database_urls(config) as urls:
            await prepare(config, urls.owner)
            async with scratch(urls.owner, urls.direct) as place:
                report = await _measure(place, embedder, chunks)
    finally:
        embedder.close()
    if as_json:
        print(to_json(report).decode())
    else:
        print(
            f"{report.chunks} chunks at {report.chunks_per_s:.1f} a second, the embedder alone makes "
            f"{report.embedder_chunks_per_s:.1f}: ratio {report.ratio:.2f}"
        )
    return 0


async def _measure(place: Scratch, embedder: LocalEmbedder, chunks: int) -> Report:
    texts = documents(chunks)
    await embedder.warm()
    with tempfile.TemporaryDirectory(prefix="ibid-bench-") as folder:
        blobs = Blobs.open((Path(folder) / "blobs").as_uri(), spool=Path(folder) / "spool")
        seconds = await _ingest(place, blobs, embedder, texts)
        stored = await _texts(place)
        alone = await _alone(embedder, stored)
        vectors = await _vectors(place)
        await _ingest(place, blobs, embedder, texts)
        again = await _vectors(place) - vectors
    return Report(
        chunks=len(stored),
        chunks_per_s=round(len(stored) / seconds, 2),
        embedder_chunks_per_s=round(len(stored) / alone, 2),
        ratio=round(alone / seconds, 3),
        overhead_s_per_1000=round(max(seconds - alone, 0) / len(stored) * 1000, 3),
        reupload_vectors=again,
    )


def documents(chunks: int) -> list[str]:
    """Texts of common words that make about this many chunks, the same in every run."""
    chance = random.Random(SEED)  # noqa: S311 - a corpus, not a secret
    size = chunks * CHARACTERS_PER_CHUNK // DOCUMENTS
    texts = []
    for number in range(DOCUMENTS):
        paragraphs: list[str] = [f"Document {number}"]
        while sum(map(len, paragraphs)) < size:
            sentences = (" ".join(chance.choices(WORDS, k=chance.randint(8, 20))) for _ in range(5))
            paragraphs.append(" ".join(sentence.capitalize() + "." for sentence in sentences))
        texts.append("\n\n".join(paragraphs))
    return texts


async def _ingest(place: Scratch, blobs: Blobs, embedder: Embedder, texts: Sequence[str]) -> float:
    """Seconds from the first upload to the last document that is searchable, with a worker of its own."""

    async def embedder_for(_workspace: UUID) -> Embedder:
        return embedder

    worker = Worker(Tools(place.database, blobs, embedder_for), listen_url=place.app_url)
    working = asyncio.create_task(worker.run())
    began = perf_counter()
    try:
        for number, text in enumerate(texts):
            await accept(
                place.database,
                blobs,
                place.identity,
                name=f"bench-{number}.txt",
                stream=_stream(text),
                folder_id=None,
                max_bytes=100_000_000,
            )
        async with asyncio.timeout(3600):
            await _all_completed(place, len(texts))
        return perf_counter() - began
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def _all_completed(place: Scratch, count: int) -> None:
    completed = 0
    while completed < count:
        await asyncio.sleep(0.05)
        listed = await list_documents(place.database, place.identity)
        completed = listed["counts"].get("completed", 0)


async def _stream(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


async def _alone(embedder: Embedder, texts: Sequence[str]) -> float:
    """Seconds that the embedder takes for the same texts and nothing else."""
    began = perf_counter()
    for start in range(0, len(texts), BATCH):
        await embedder.embed_documents(texts[start : start + BATCH])
    return perf_counter() - began


async def _texts(place: Scratch) -> list[str]:
    async with place.database.as_user(place.identity) as connection:
        rows = await connection.fetch(query("all_texts"))
    return [embed_text(row["heading_path"], row["text"]) for row in rows]


async def _vectors(place: Scratch) -> int:
    async with place.database.as_user(place.identity) as connection:
        return int(await connection.fetchval(query("count_vectors")))
