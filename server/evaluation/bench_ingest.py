"""`ibid bench ingest`: text files through a real server and worker against the bare embedder in the same run;
then, with a fixed embedder, what changes embed again and how the cost of a chunk grows (see bench_pipeline)."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from pydantic_core import to_json

from ingestion.embed import BATCH_ITEMS, embed_text
from providers.local import LocalEmbedder
from providers.types import Embedder
from server.bootstrap import Urls, prepare
from server.config import Config
from server.evaluation.bench_house import House, house, peak_mb
from server.evaluation.bench_pdf import pdf
from server.evaluation.bench_pipeline import Fixed, Reuse, desk, reuse, scale
from server.evaluation.bench_texts import texts
from server.workbench import database_urls
from sql.db import owner_transaction
from sql.queries import query
from sql.scratch import Scratch, scratch

DOCUMENTS = 6
ROUNDS = 2  # pipeline, embedder, pipeline, embedder: what else the machine does falls on both
PDFS = 2
PDF_PART = 3  # a third as many chunks in PDFs
PDF_SEED = 12
SIZES = (100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Throughput:
    """`ratio` compares with the embedder alone on the same texts, `pdf_ratio` on the passages of PDFs.

    Peaks are null where nothing tells them.
    """

    chunks: int
    chunks_per_s: float
    embedder_chunks_per_s: float
    ratio: float
    overhead_s_per_1000: float
    pdf_pages_per_s: float
    pdf_ratio: float
    server_peak_mb: float | None
    worker_peak_mb: float | None


async def bench(config: Config, *, chunks: int, as_json: bool, sizes: Sequence[int] = SIZES) -> int:
    """Measure in throw-away databases and folders, which leave nothing."""
    embedder = LocalEmbedder(config.home / "models")
    try:
        await embedder.warm()
        async with database_urls(config) as urls:
            await prepare(config, urls.owner)
            async with scratch(urls.owner, urls.app) as place:
                throughput = await _throughput(place, urls, embedder, config.home / "models", chunks)
            async with scratch(urls.owner, urls.app) as place:
                reused, per_chunk_ms = await _pipeline(place, Fixed(embedder), sizes)
    finally:
        embedder.close()
    report = {**_fields(throughput), **_fields(reused), "per_chunk_ms": per_chunk_ms}
    print(to_json(report).decode() if as_json else _sentences(throughput, reused, per_chunk_ms))
    return 0


async def _throughput(
    place: Scratch, urls: Urls, embedder: LocalEmbedder, models: Path, chunks: int
) -> Throughput:
    named = [(f"bench-{n}.txt", text) for n, text in enumerate(texts(DOCUMENTS, chunks=chunks))]
    printed = [pdf(text) for text in texts(PDFS, chunks=chunks // PDF_PART, seed=PDF_SEED)]
    with tempfile.TemporaryDirectory(prefix="ibid-bench-") as folder:
        async with house(place, urls, Path(folder), models) as opened:
            step = DOCUMENTS // ROUNDS
            rounds = [
                await _round(place, opened, embedder, named[start : start + step])
                for start in range(0, DOCUMENTS, step)
            ]
            pdfs = await _round(
                place, opened, embedder, [(f"{n}.pdf", data) for n, data in enumerate(printed)]
            )
            await opened.search("What does the government study?")
            server_peak, worker_peak = peak_mb(opened.server), peak_mb(opened.worker)
    count, seconds, alone = (sum(column) for column in zip(*rounds, strict=True))
    pages = sum(data.count(b"/Type /Page ") for data in printed)
    return Throughput(
        chunks=int(count),
        chunks_per_s=round(count / seconds, 2),
        embedder_chunks_per_s=round(count / alone, 2),
        ratio=round(alone / seconds, 3),
        overhead_s_per_1000=round(max(seconds - alone, 0) / count * 1000, 3),
        pdf_pages_per_s=round(pages / pdfs[1], 2),
        pdf_ratio=round(pdfs[2] / pdfs[1], 3),
        server_peak_mb=server_peak,
        worker_peak_mb=worker_peak,
    )


async def _round(
    place: Scratch, opened: House, embedder: Embedder, files: Sequence[tuple[str, str | bytes]]
) -> tuple[int, float, float]:
    """New chunks, the seconds until they are searchable, and those of the embedder alone on them."""
    known = set(await _stored(place))
    seconds = await opened.ingest(files)
    new = [text for text in await _stored(place) if text not in known]
    return len(new), seconds, await _alone(embedder, new)


async def _stored(place: Scratch) -> list[str]:
    async with owner_transaction(place.owner_url) as connection:
        rows = await connection.fetch(query("all_texts"))
    return [embed_text(row["heading_path"], row["text"]) for row in rows]


async def _alone(embedder: Embedder, stored: Sequence[str]) -> float:
    """Seconds that the embedder takes for the same texts and nothing else."""
    began = perf_counter()
    for start in range(0, len(stored), BATCH_ITEMS):
        await embedder.embed_documents(stored[start : start + BATCH_ITEMS])
    return perf_counter() - began


async def _pipeline(place: Scratch, fixed: Fixed, sizes: Sequence[int]) -> tuple[Reuse, dict[str, float]]:
    with tempfile.TemporaryDirectory(prefix="ibid-bench-") as folder:
        async with desk(place, Path(folder), fixed) as opened:
            per_chunk_ms = await scale(opened, sizes)
            return await reuse(opened), per_chunk_ms


def _fields(report: Throughput | Reuse) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__slots__}


def _sentences(throughput: Throughput, reused: Reuse, per_chunk_ms: dict[str, float]) -> str:
    growth = ", ".join(f"{milliseconds:.2f} ms at {size}" for size, milliseconds in per_chunk_ms.items())
    return (
        f"{throughput.chunks} chunks at {throughput.chunks_per_s:.1f} a second, the embedder alone makes "
        f"{throughput.embedder_chunks_per_s:.1f}: ratio {throughput.ratio:.2f}, "
        f"{throughput.overhead_s_per_1000:.2f} s more for each 1,000.\n"
        f"PDFs: {throughput.pdf_pages_per_s:.1f} pages a second, ratio {throughput.pdf_ratio:.2f}.\n"
        f"Peaks: server {throughput.server_peak_mb} MB, worker {throughput.worker_peak_mb} MB.\n"
        f"A chunk without its embedding: {growth}.\n"
        f"Embedded again: {reused.reupload_vectors} of other bytes with the same text, {reused.append_vectors} "
        f"of a paragraph at the end, {reused.edit_vectors_beyond} beyond a word in the middle."
    )
