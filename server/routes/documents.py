"""Documents: upload, list, read, change, delete; and the passages that citations open."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote
from uuid import UUID

from starlette.responses import Response, StreamingResponse

import ingestion.documents as library
import ingestion.passages as passages
from ingestion.errors import IngestionError, LibraryError, NotFound
from ingestion.intake import accept
from server import schemas
from server.chat.cited import cited_passage
from server.errors import BadRequest, HttpError
from server.faults import as_http_error
from server.operations import Call, Operation, Who, reply
from server.routes.filters import require_seen
from server.uploads import Multipart, Part

# What a browser might run is never served inline from our origin (X7).
DOWNLOAD_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, max-age=3600",
}


async def upload(call: Call) -> Response:
    """Take in each file as it arrives. One bad file of several does not lose the good ones."""
    folder_id = call.query_id("folder_id")
    multipart = Multipart(call.request)
    items: list[dict[str, Any]] = []
    refused: list[HttpError] = []
    async for part in multipart.parts():
        if part.name == "folder_id" and part.filename is None:
            folder_id = await _late_folder(call, part.value, items)
        elif part.stream is not None:
            try:
                items.append(await _accept(call, part.filename or "", part.stream, folder_id))
            except (IngestionError, LibraryError) as error:
                refused.append(as_http_error(error))
                items.append(_refusal(part, refused[-1]))
    if not items:
        raise BadRequest("Choose a file first.", code="no_file")
    if len(refused) == len(items):
        await multipart.drain()
        raise refused[0]
    return reply(items, status=202)


async def _accept(
    call: Call, name: str, stream: AsyncIterator[bytes], folder_id: UUID | None
) -> dict[str, Any]:
    accepted = await accept(
        call.runtime.database,
        call.runtime.blobs,
        call.caller.identity,
        name=name,
        stream=stream,
        folder_id=folder_id,
        max_bytes=call.runtime.max_upload_bytes,
    )
    return dict(accepted.json())


def _refusal(part: Part, error: HttpError) -> dict[str, Any]:
    problem = {"code": error.error_code, "message": error.message}
    return {"id": None, "name": part.filename, "status": "refused", "duplicate": False, "error": problem}


async def _late_folder(call: Call, value: str, items: list[dict[str, Any]]) -> UUID | None:
    """The folder that a form names; where it stands behind files, they are moved there."""
    if not value:
        return None
    try:
        folder_id = UUID(value)
    except ValueError:
        raise BadRequest("folder_id must be an id.") from None
    for item in items:
        if item["id"] and not item["duplicate"]:
            await library.patch_document(
                call.runtime.database, call.caller.identity, UUID(str(item["id"])), {"folder_id": folder_id}
            )
    return folder_id


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
        headers=DOWNLOAD_HEADERS
        | {"content-disposition": disposition, "content-length": str(original["size_bytes"])},
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
              returns=schemas.PageOut),
    Operation("GET", _ID + "/original", download, Who.READER, "The file as it was uploaded"),
    Operation("GET", "/api/passages/{chunk_id}", read_passage, Who.READER, "A passage and where it stands",
              returns=schemas.PassageOut),
]  # fmt: skip
