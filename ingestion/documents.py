"""Documents as people see them: list, read, change, try again, cancel, delete with a receipt."""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ingestion.blobs import Blobs
from ingestion.errors import NotFound
from ingestion.names import clean_name
from ingestion.removal import remove_unused
from sql.db import Database, Identity, Row
from sql.queries import query

Json = dict[str, Any]

SORTS = ("name", "created_at", "updated_at", "pages", "chunks", "size_bytes", "status")
PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
STAGES = ("parsing", "chunking", "embedding", "linking")  # those that take time worth telling
FINAL = ("completed", "partial", "failed", "cancelled", "needs_ocr")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents of a list; `unfiled` means in no folder that the caller sees."""

    folder_id: UUID | None = None
    unfiled: bool = False
    statuses: tuple[str, ...] = ()
    text: str = ""


async def list_documents(
    database: Database,
    identity: Identity,
    *,
    where: Filter | None = None,
    sort: str = "-created_at",
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> Json:
    """A page: {items, next_cursor, counts}; counts by status disregard the status filter.

    `sort` is one of SORTS, with a leading minus for descending; anything else sorts by newest. A cursor that
    cannot be read starts from the beginning.
    """
    where = where or Filter()
    key = sort.removeprefix("-")
    descending = sort.startswith("-") if key in SORTS else True
    after_key, after_id = _read_cursor(cursor)
    size = max(1, min(limit, MAX_PAGE_SIZE))
    pattern = _pattern(where.text)
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(
            query("list_documents"),
            where.folder_id,
            where.unfiled,
            list(where.statuses) or None,
            pattern,
            key,
            descending,
            after_key,
            after_id,
            size + 1,
        )
        counts = await connection.fetch(query("count_documents"), where.folder_id, where.unfiled, pattern)
    more = rows[size - 1] if len(rows) > size else None
    return {
        "items": [document_json(row) for row in rows[:size]],
        "next_cursor": _write_cursor(more["sort_key"], more["id"]) if more else None,
        "counts": {row["status"]: row["documents"] for row in counts},
    }


async def get_document(database: Database, identity: Identity, document_id: UUID) -> Json:
    """One document. Raises NotFound."""
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_document"), document_id)
    if row is None:
        raise NotFound("This document does not exist.")
    return document_json(row)


async def original(database: Database, identity: Identity, document_id: UUID) -> Row:
    """name, media_type, size_bytes and blob_key of the file that searches answer from. Raises NotFound."""
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_original"), document_id)
    if row is None:
        raise NotFound("This document does not exist.")
    return row


async def patch_document(database: Database, identity: Identity, document_id: UUID, changes: Json) -> Json:
    """Rename, move or reclassify; `changes` holds any of name, folder_id (null: no folder), visibility.

    Raises NotFound for a document of somebody else's and for a folder that is not the caller's.
    """
    name = changes.get("name")
    folder_id = changes.get("folder_id")
    async with database.as_user(identity) as connection:
        if folder_id and not await connection.fetchrow(query("get_folder"), folder_id):
            raise NotFound("This folder does not exist.")
        changed = await connection.fetchval(
            query("patch_document"),
            document_id,
            clean_name(name) if name is not None else None,
            folder_id,
            changes.get("visibility"),
            "folder_id" in changes,
        )
        if changed is None:
            raise NotFound("This document does not exist.")
        return document_json(await connection.fetchrow(query("get_document"), document_id))


async def retry_document(database: Database, identity: Identity, document_id: UUID) -> Json:
    """Work on a document again (E19). One that is being worked on goes on; one that waits is done now.

    What an earlier attempt made is kept; a document that is already searchable is read afresh and answers
    from what it has meanwhile. Raises NotFound.
    """
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("lock_document"), document_id)
        if row is None:
            raise NotFound("This document does not exist.")
        if row["status"] != "processing":
            again = row["live_version"] == row["version"]
            await connection.execute(query("requeue_document"), document_id, again)
            await connection.execute(query("add_job"), document_id)
        return document_json(await connection.fetchrow(query("get_document"), document_id))


async def cancel_document(database: Database, identity: Identity, document_id: UUID) -> Json:
    """Stop work on a document at once; one that is finished stays as it is. Raises NotFound."""
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("lock_document"), document_id)
        if row is None:
            raise NotFound("This document does not exist.")
        if row["status"] not in FINAL:
            await connection.execute(query("cancel_document"), document_id)
            await connection.execute(query("end_job"), document_id)
        return document_json(await connection.fetchrow(query("get_document"), document_id))


async def delete_document(database: Database, blobs: Blobs, identity: Identity, document_id: UUID) -> Json:
    """Remove a document and everything made from it, also while it is worked on: the receipt (E12, E24).

    Raises NotFound.
    """
    async with database.as_user(identity) as connection:
        if not await connection.fetchrow(query("lock_document"), document_id):
            raise NotFound("This document does not exist.")
        parts = await connection.fetchrow(query("count_parts"), document_id)
        gone = await connection.fetchrow(query("delete_document"), document_id)
    keys = {key for key in gone["blob_keys"] if key}
    removed = await remove_unused(database, blobs, identity, list(keys))
    deleted = {name: parts[name] for name in ("chunks", "vectors", "blocks", "entities", "mentions", "edges")}
    return {
        "document_id": str(document_id),
        "name": gone["name"],
        "deleted": {**deleted, "blobs": removed, "jobs": parts["jobs"]},
    }


def document_json(row: Row) -> Json:
    """A row of get_document or list_documents in the contract's shape."""
    return {
        "id": str(row["id"]),
        "name": row["name"],
        "folder_id": str(row["seen_folder_id"]) if row["seen_folder_id"] else None,
        "status": row["status"],
        "stage": row["stage"],
        "media_type": row["media_type"],
        "size_bytes": row["size_bytes"],
        "title": row["title"],
        "summary": row["summary"],
        "topics": row["topics"],
        "type": row["doc_type"],
        "date": row["doc_date"].isoformat() if row["doc_date"] else None,
        "pages": row["page_count"],
        "blank_pages": row["blank_pages"],
        "tables": row["table_count"],
        "chunks": row["chunk_count"],
        "characters": row["character_count"],
        "language": row["language"],
        "parser": row["parser"],
        "visibility": row["visibility"],
        "owner": {"id": str(row["owner_id"]), "name": row["owner_name"] or ""},
        "version": row["version"],
        "searchable": row["live_version"] is not None,
        "progress": _progress(row),
        "warnings": row["warnings"],
        "error": _error(row),
        "seconds": {stage: row["seconds"].get(stage) for stage in STAGES},
        "created_at": rfc3339(row["created_at"]),
        "updated_at": rfc3339(row["updated_at"]),
    }


def _progress(row: Row) -> Json | None:
    if row["status"] != "processing" or row["progress_total"] is None:
        return None
    return {"done": row["progress_done"], "total": row["progress_total"], "unit": row["progress_unit"]}


def _error(row: Row) -> Json | None:
    if not row["error_class"]:
        return None
    return {"class": row["error_class"], "message": row["error_message"], "hint": row["error_hint"]}


def rfc3339(moment: datetime) -> str:
    """UTC with a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _pattern(text: str) -> str | None:
    if not text.strip():
        return None
    escaped = text.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("\0", "")
    return f"%{escaped}%"


def _write_cursor(key: str, id_: UUID) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, str(id_)]).encode()).decode()


def _read_cursor(cursor: str | None) -> tuple[str | None, UUID | None]:
    if not cursor:
        return None, None
    try:
        key, id_ = json.loads(base64.urlsafe_b64decode(cursor))
        return str(key), UUID(id_)
    except (binascii.Error, ValueError, TypeError, AttributeError):
        return None, None
