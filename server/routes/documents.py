"""Documents: upload, list, read, change, delete; and the passages that citations open."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from urllib.parse import quote
from uuid import UUID

from starlette.responses import Response, StreamingResponse

import ingestion.documents as library
import ingestion.passages as passages
from ingestion.errors import IngestionError, LibraryError, NotFound
from ingestion.intake import Accepted, Received, receive, store
from server import schemas
from server.chat.cited import cited_passage
from server.errors import BadRequest, HttpError
from server.faults import as_http_error
from server.operations import Call, Operation, Who, id_of, reply
from server.routes import guests
from server.routes.filters import require_seen
from server.uploads import Multipart

# What a browser might run is never served inline from our origin (X7).
DOWNLOAD_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    # The address has no version: a browser asks each time, and the hash of the content spares the bytes.
    "cache-control": "private, no-cache",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A file of a form that was not taken in."""

    name: str
    error: HttpError

    def json(self) -> dict[str, object]:
        problem = {"code": self.error.error_code, "message": self.error.message}
        return {"id": None, "name": self.name, "status": "refused", "duplicate": False, "error": problem}


async def upload(call: Call) -> Response:
    """Take in a form of files. One bad file of several does not lose the good ones.

    Nothing is stored before the form has ended: its folder may stand behind the files, and decides whether
    they are new or next versions.
    """
    folder_id = call.query_id("folder_id")
    files: list[Received | Refused] = []
    async with AsyncExitStack() as spool:
        async for part in Multipart(call.request).parts():
            if part.name == "folder_id" and part.filename is None:
                folder_id = id_of(part.value, "folder_id")
            elif part.stream is not None:
                files.append(await _receive(call, spool, part.filename or "", part.stream))
        if not files:
            raise BadRequest("Choose a file first.", code="no_file")
        await require_seen(call, folder_id=folder_id)
        outcomes = [await _store(call, file, folder_id) for file in files]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    if len(refused) == len(outcomes):
        raise refused[0].error
    return reply([outcome.json() for outcome in outcomes], status=202)


async def _receive(
    call: Call, spool: AsyncExitStack, name: str, stream: AsyncIterator[bytes]
) -> Received | Refused:
    limit = call.runtime.max_upload_bytes
    try:
        return await spool.enter_async_context(
            receive(call.runtime.blobs, name=name, stream=stream, max_bytes=limit)
        )
    except (IngestionError, LibraryError) as error:
        return Refused(name, as_http_error(error))


async def _store(call: Call, file: Received | Refused, folder_id: UUID | None) -> Accepted | Refused:
    if isinstance(file, Refused):
        return file
    runtime, identity = call.runtime, call.caller.identity
    try:
        return await store(runtime.database, runtime.blobs, identity, file, folder_id=folder_id)
    except LibraryError as error:
        return Refused(file.name, as_http_error(error))


async def list_documents(call: Call) -> Response:
    params = call.request.query_params
    unfiled = params.get("folder_id") == "none"
    folder_id = None if unfiled else call.query_id("folder_id")
    await require_seen(call, folder_id=folder_id)
    where = library.Filter(
        folder_id=folder_id,
        unfiled=unfiled,
        statuses=tuple(s for s in params.get("status", "").split(",") if s),
        text=params.get("q", ""),
    )
    return reply(
        await library.list_documents(
            call.runtime.database,
            call.caller.identity,
            where=where,
            sort=params.get("sort") or "-created_at",
            cursor=params.get("cursor") or None,
            limit=call.query_int("limit", 50, most=200),
        )
    )


async def read_document(call: Call) -> Response:
    return reply(await library.get_document(call.runtime.database, call.caller.identity, call.id()))


async def change_document(call: Call) -> Response:
    changes = call.body.model_dump(exclude_unset=True)
    return reply(
        await library.patch_document(call.runtime.database, call.caller.identity, call.id(), changes)
    )


async def delete_document(call: Call) -> Response:
    runtime, identity = call.runtime, call.caller.identity
    receipt = await library.delete_document(runtime.database, runtime.blobs, identity, call.id())
    return reply(receipt)


async def retry_document(call: Call) -> Response:
    return reply(await library.retry_document(call.runtime.database, call.caller.identity, call.id()))


async def cancel_document(call: Call) -> Response:
    return reply(await library.cancel_document(call.runtime.database, call.caller.identity, call.id()))


async def list_chunks(call: Call) -> Response:
    return reply(
        await passages.list_chunks(
            call.runtime.database,
            call.caller.identity,
            call.id(),
            cursor=call.request.query_params.get("cursor") or None,
        )
    )


async def read_page(call: Call) -> Response:
    number = call.request.path_params["number"]
    return reply(await passages.page(call.runtime.database, call.caller.identity, call.id(), number))


async def read_passage(call: Call) -> Response:
    database, identity, chunk_id = call.runtime.database, call.caller.identity, call.id("chunk_id")
    try:
        return reply(await passages.passage(database, identity, chunk_id))
    except NotFound:
        return reply(await cited_passage(database, identity, chunk_id))


async def download(call: Call) -> Response:
    """The bytes as they were uploaded, as a download and nothing else."""
    original = await library.original(call.runtime.database, call.caller.identity, call.id())
    content_hash = original["blob_key"].rpartition("/")[2]
    headers = DOWNLOAD_HEADERS | {"etag": f'"{content_hash}"'}
    if headers["etag"] in call.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    pieces = call.runtime.blobs.read(original["blob_key"])
    first = await anext(pieces, b"")  # before the headers, so that a missing file is an error, not a cut
    name = original["name"]
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    return StreamingResponse(
        _from(first, pieces),
        media_type=original["media_type"]
        if original["media_type"] == "application/pdf"
        else "application/octet-stream",
        headers=headers | {"content-disposition": disposition, "content-length": str(original["size_bytes"])},
    )


async def _from(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


_ID = "/api/documents/{id}"
OPERATIONS = [
    Operation("POST", "/api/documents", upload, Who.MEMBER, "Upload files", returns=schemas.Uploads, status=202,
              files=True),
    Operation("GET", "/api/documents", list_documents, Who.READER, "Documents", returns=schemas.DocumentsOut),
    Operation("GET", _ID, read_document, Who.READER, "A document", returns=schemas.DocumentOut),
    Operation("PATCH", _ID, change_document, Who.MEMBER, "Rename, move or share a document",
              schemas.DocumentPatch, schemas.DocumentOut),
    Operation("DELETE", _ID, delete_document, Who.MEMBER, "Delete a document and all that was made of it",
              returns=schemas.ReceiptOut),
    Operation("POST", _ID + "/retry", retry_document, Who.MEMBER, "Try again", returns=schemas.DocumentOut),
    Operation("POST", _ID + "/cancel", cancel_document, Who.MEMBER, "Stop working on it",
              returns=schemas.DocumentOut),
    Operation("GET", _ID + "/chunks", list_chunks, Who.READER, "Its passages",
              returns=schemas.Items[schemas.ChunkOut]),
    Operation("GET", _ID + "/pages/{number:int}", read_page, Who.READER, "One page as blocks of text",
              returns=schemas.PageOut, guest=guests.read_page),
    Operation("GET", _ID + "/original", download, Who.READER, "The file as it was uploaded"),
    Operation("GET", "/api/passages/{chunk_id}", read_passage, Who.READER, "A passage and where it stands",
              returns=schemas.PassageOut, guest=guests.read_passage),
]  # fmt: skip
