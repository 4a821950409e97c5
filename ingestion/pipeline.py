"""One document from its bytes to searchable passages; a stage that an earlier attempt did is skipped."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

from ingestion.beside import DESCRIBING, LINKING, Linker, Work, beside, describing, linking
from ingestion.blobs import Blobs
from ingestion.chunk import Chunk, chunk
from ingestion.embed import embed, fits_of, missing, space_of
from ingestion.errors import BlobUnavailable, IngestionError, NeedsOcr, ParserCrashed
from ingestion.language import language_of
from ingestion.metadata import SAMPLE_BLOCKS
from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.child import parse_in_child
from ingestion.parse.filetype import TYPES
from ingestion.parse.limits import Limits
from ingestion.progress import Progress
from ingestion.queue import Job, end, holding
from ingestion.removal import remove_unused
from ingestion.storage import read_blocks, store_chunks, store_parsed
from providers.errors import ProviderError
from providers.types import Embedder
from sql.db import Database
from sql.queries import query

log = logging.getLogger("ibid.ingestion")

# Deaths of a worker over one document without any stage finished. Three documents run at a time, so two or
# three of these are usually somebody else's doing; a document that kills its child is judged by the child.
MAX_CRASHES = 5
DELAYS = (2.0, 5.0, 15.0, 60.0, 300.0)  # for an outage of the model or the store; the last repeats for ever
SWITCH_SECONDS = 0.5  # between looks at which space is in use, while one takes the other's place
STORE_ATTEMPTS = 5  # a file that the store does not give by then (about 6 minutes) is gone

EmbedderFor = Callable[[UUID], Awaitable[Embedder]]


@dataclass(frozen=True, slots=True)
class Tools:
    """What every document needs. `embedder_for`: the embedding model a workspace uses at the moment.

    `linker`: finds the names and relations in a version's passages; None where the graph is off (E16).
    """

    database: Database
    blobs: Blobs
    embedder_for: EmbedderFor
    limits: Limits = field(default_factory=Limits)
    linker: Linker | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The version being worked on; `described` and `linked` when an earlier attempt did that."""

    version: int
    name: str
    media_type: str
    blob_key: str
    live_blob_key: str | None
    described: bool
    linked: bool


async def ingest(tools: Tools, job: Job) -> None:
    """Bring one document to a final state, or delay its job. Raises LostJob and CONNECTION_LOST."""
    try:
        document = await _start(tools, job)
        await _stages(tools, job, document)
    except IngestionError as error:
        log.info("document %s: %s %s", job.document_id, error.code, error.detail)
        status = "needs_ocr" if isinstance(error, NeedsOcr) else "failed"
        await _stop(tools, job, status, error.code, error.message, error.hint)
    except ProviderError as error:
        if error.transient:
            await _delay(tools, job, error.code, error.message, at_least=getattr(error, "retry_after", None))
        else:
            await _stop(tools, job, "failed", error.code, error.message, "Then try this document again.")
    except BlobUnavailable as error:
        log.warning("document %s: %s", job.document_id, error.detail)
        if job.attempts + 1 < STORE_ATTEMPTS:
            await _delay(tools, job, error.code, error.message)
        else:
            await _stop(tools, job, "failed", error.code, error.message, "Upload the file again.")


async def fail_unexpected(tools: Tools, job: Job) -> None:
    """End a document whose work raised what nobody foresaw: it fails alone, the log has the trace (E22)."""
    await _stop(tools, job, "failed", IngestionError.code, str(IngestionError()), IngestionError.hint)


async def _start(tools: Tools, job: Job) -> Document:
    async with holding(tools.database, job) as connection:
        # After a delay the reason for it is out of date; after a retry the diagnosis is kept (E19).
        row = await connection.fetchrow(query("start_document"), job.document_id, job.attempts > 0)
    if job.crashes >= MAX_CRASHES:
        raise ParserCrashed(detail=f"{job.crashes} workers died on it")
    return Document(**row)


async def _stages(tools: Tools, job: Job, document: Document) -> None:
    async with holding(tools.database, job) as connection:
        made = await connection.fetchrow(query("parts_made"), job.document_id, document.version)
    embedder = await tools.embedder_for(job.workspace_id)
    if not made["chunks"]:
        blocks = await _blocks(tools, job, document, made["blocks"])
        await _cut(tools, job, document, embedder, blocks)
    async with beside(tools.database, job, _others(tools, job, document)) as rest:
        seconds = await _embed(tools, job, document, embedder)
        await rest()
    while not await _complete(tools, job, document, seconds):
        await asyncio.sleep(SWITCH_SECONDS)
        seconds += await _embed(tools, job, document, await tools.embedder_for(job.workspace_id))
    if document.live_blob_key:
        await remove_unused(tools.database, tools.blobs, job.identity, [document.live_blob_key])


def _others(tools: Tools, job: Job, document: Document) -> dict[str, Work]:
    """What runs beside the embedding of a version: what an earlier attempt did not do."""

    async def read() -> list[Block]:
        return await _stored(tools, job, document, at_most=SAMPLE_BLOCKS)

    works: dict[str, Work] = {}
    if not document.described:
        kind = document.media_type
        works[DESCRIBING] = describing(tools.database, job, read, name=document.name, media_type=kind)
    if tools.linker and not document.linked:
        works[LINKING] = linking(tools.database, job, document.version, tools.linker)
    return works


async def _blocks(tools: Tools, job: Job, document: Document, made: bool) -> list[Block]:
    if made:
        return await _stored(tools, job, document)
    started = time.perf_counter()
    parsed = await _parse(tools, job, document)
    language = await asyncio.to_thread(language_of, "\n".join(block.text for block in parsed.blocks[:500]))
    async with holding(tools.database, job) as connection:
        await store_parsed(
            connection,
            job.document_id,
            document.version,
            parsed,
            language=language,
            seconds=_since(started),
        )
        await connection.execute(query("forgive_crashes"), job.id)
    return parsed.blocks


async def _stored(tools: Tools, job: Job, document: Document, *, at_most: int | None = None) -> list[Block]:
    async with holding(tools.database, job) as connection:
        return await read_blocks(connection, job.document_id, document.version, at_most=at_most)


async def _parse(tools: Tools, job: Job, document: Document) -> Parsed:
    kind = next(kind for kind in TYPES if kind.media_type == document.media_type)
    progress = Progress(job, stage="parsing", unit="pages")
    async with tools.blobs.local(document.blob_key) as path:
        work = parse_in_child(path, kind, limits=tools.limits, on_progress=progress.saw)
        return await progress.during(tools.database, work)


async def _cut(tools: Tools, job: Job, document: Document, embedder: Embedder, blocks: list[Block]) -> None:
    started = time.perf_counter()
    chunks: list[Chunk] = await asyncio.to_thread(lambda: list(chunk(blocks, fits=fits_of(embedder))))
    if not chunks:
        raise NeedsOcr if document.media_type == "application/pdf" else IngestionError
    async with holding(tools.database, job) as connection:
        await store_chunks(connection, job.document_id, document.version, chunks)
        await connection.execute(
            query("add_seconds"), job.document_id, "embedding", {"chunking": _since(started)}
        )
        await connection.execute(query("forgive_crashes"), job.id)


async def _embed(tools: Tools, job: Job, document: Document, embedder: Embedder) -> float:
    started = time.perf_counter()
    space_id = await space_of(tools.database, job, embedder.key)
    # A second round finds something only when another document's deletion took a vector away meanwhile.
    while passages := await missing(tools.database, job, version=document.version, space_id=space_id):
        progress = Progress(job, stage="embedding", unit="chunks", total=len(passages))
        await embed(tools.database, job, embedder, passages, space_id=space_id, progress=progress)
    return _since(started)


async def _complete(tools: Tools, job: Job, document: Document, seconds: float) -> bool:
    """Put this version into use; false when searches have meanwhile gone over to another space (G1)."""
    async with holding(tools.database, job) as connection:
        await connection.execute(query("lock_spaces_shared"))
        if await connection.fetchval(query("awaits_vectors"), job.document_id, document.version):
            return False
        warnings = await connection.fetchval(query("warning_codes"), job.document_id)
        status = "partial" if "page_unreadable" in warnings else "completed"
        await connection.execute(query("delete_other_versions"), job.document_id, document.version)
        await connection.execute(query("complete_document"), job.document_id, status, {"embedding": seconds})
        await end(connection, job)
    return True


async def _stop(tools: Tools, job: Job, status: str, code: str, message: str, hint: str) -> None:
    async with holding(tools.database, job) as connection:
        await connection.execute(query("stop_document"), job.document_id, status, code, message, hint)
        await end(connection, job)


async def _delay(tools: Tools, job: Job, code: str, message: str, *, at_least: float | None = None) -> None:
    """An outage delays, never poisons (E26): the document waits with its reason, and goes on where it was."""
    seconds = max(DELAYS[min(job.attempts, len(DELAYS) - 1)] * random.uniform(0.8, 1.2), at_least or 0.0)  # noqa: S311
    async with holding(tools.database, job) as connection:
        hint = "It goes on by itself as soon as this works again."
        await connection.execute(query("stop_document"), job.document_id, "pending", code, message, hint)
        await connection.execute(query("delay_job"), job.id, seconds)


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 3)
