"""Takes an upload in: bytes to the store, then document and job in one transaction, once each (E1-E5)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from ingestion.blobs import Blobs, Spooled, blob_key
from ingestion.errors import BlobUnavailable, NotAllowed, NotFound
from ingestion.names import clean_name
from ingestion.parse.filetype import FileType, identify
from ingestion.removal import remove_unused
from sql.db import Connection, Database, Identity, InsufficientPrivilege, Row
from sql.queries import query

# An upload again of one of these means "try it again", not "you have it already" (S-DV-02).
ABANDONED = ("failed", "cancelled")
ATTEMPTS = 3  # a sweep may take a blob between its put and its row: seen in tests only, put again


@dataclass(frozen=True, slots=True)
class Original:
    """The document that an upload repeats."""

    id: UUID
    name: str
    folder_id: UUID | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to an upload; `duplicate` means that nothing was stored and nothing will be done.

    `duplicate_of` without `duplicate`: the bytes of a version that failed, which is tried again where it is.
    """

    id: UUID
    name: str
    status: str
    version: int = 1
    duplicate: bool = False
    duplicate_of: Original | None = None

    def json(self) -> dict[str, object]:
        """The item of the contract's 202 answer."""
        item: dict[str, object] = {
            "id": str(self.id),
            "name": self.name,
            "status": self.status,
            "version": self.version,
            "duplicate": self.duplicate,
        }
        if self.duplicate_of:
            folder = self.duplicate_of.folder_id
            item["duplicate_of"] = {
                "id": str(self.duplicate_of.id),
                "name": self.duplicate_of.name,
                "folder_id": str(folder) if folder else None,
            }
        return item


@dataclass(frozen=True, slots=True)
class Received:
    """A whole file of an accepted kind on this machine's disk, not stored yet."""

    name: str
    kind: FileType
    file: Spooled


@dataclass(frozen=True, slots=True)
class _Upload:
    name: str
    folder_id: UUID | None
    kind: FileType
    file: Spooled
    key: str


@asynccontextmanager
async def receive(
    blobs: Blobs, *, name: str, stream: AsyncIterator[bytes], max_bytes: int
) -> AsyncIterator[Received]:
    """Read an upload to its end; it is kept as long as the block. Raises Empty, TooLarge, UnsupportedType."""
    name = clean_name(name)
    async with blobs.spool(stream, max_bytes=max_bytes) as file:
        # In a thread: the list of an archive's members, or a search through 25 MB, takes 15 ms and more.
        yield Received(name, await asyncio.to_thread(identify, name, file.head, file.path), file)


async def accept(
    database: Database,
    blobs: Blobs,
    identity: Identity,
    *,
    name: str,
    stream: AsyncIterator[bytes],
    folder_id: UUID | None,
    max_bytes: int,
) -> Accepted:
    """Receive one upload and store it. Raises what `receive` and `store` raise."""
    async with receive(blobs, name=name, stream=stream, max_bytes=max_bytes) as received:
        return await store(database, blobs, identity, received, folder_id=folder_id)


async def store(
    database: Database, blobs: Blobs, identity: Identity, received: Received, *, folder_id: UUID | None
) -> Accepted:
    """Store what was received and queue its work.

    The same bytes of the same owner answer with the document they already are (E4); other bytes under the
    same name in the same folder become its next version (E18).

    Raises NotFound (the folder), NotAllowed (a reader), BlobUnavailable.
    """
    if identity.user_id is None or identity.role not in ("owner", "admin", "member"):
        raise NotAllowed
    file = received.file
    key = blob_key(identity.workspace_id, identity.user_id, file.sha256)
    upload = _Upload(received.name, folder_id, received.kind, file, key)
    async with database.as_user(identity) as connection:
        await _require_folder(connection, folder_id)
    for _ in range(ATTEMPTS):
        await blobs.put(upload.key, file)
        accepted, replaced = await _enter(database, blobs, identity, upload)
        if accepted:
            break
    else:
        raise BlobUnavailable(detail=f"{upload.key} keeps vanishing")
    if replaced:
        await remove_unused(database, blobs, identity, [replaced])
    return accepted


async def _require_folder(connection: Connection, folder_id: UUID | None) -> None:
    if folder_id and not await connection.fetchrow(query("get_folder"), folder_id):
        raise NotFound("This folder does not exist.")


async def _enter(
    database: Database, blobs: Blobs, identity: Identity, upload: _Upload
) -> tuple[Accepted | None, str | None]:
    """(the answer, the key of bytes that are no longer needed); no answer when the bytes vanished again."""
    try:
        async with database.as_user(identity) as connection:
            await connection.execute(query("lock_owner"))
            if not await blobs.holds(upload.key, size=upload.file.size):
                return None, None
            await _require_folder(connection, upload.folder_id)
            same = await connection.fetchrow(query("find_document_by_hash"), upload.file.sha256)
            if same:
                return await _again(connection, same, upload), None
            named = await connection.fetchrow(query("find_document_by_name"), upload.folder_id, upload.name)
            if named:
                return await _replace(connection, named, upload), named["blob_key"]
            return await _insert(connection, upload), None
    except InsufficientPrivilege as error:
        raise NotAllowed from error


async def _insert(connection: Connection, upload: _Upload) -> Accepted:
    id_ = await connection.fetchval(
        query("insert_document"),
        upload.folder_id,
        upload.name,
        upload.file.sha256,
        upload.key,
        upload.kind.media_type,
        upload.file.size,
    )
    await connection.execute(query("add_job"), id_)
    return Accepted(id=id_, name=upload.name, status="pending")


async def _again(connection: Connection, document: Row, upload: _Upload) -> Accepted:
    id_, version = document["id"], document["version"]
    original = Original(id_, document["name"], document["folder_id"])
    if document["status"] not in ABANDONED:
        status = document["status"]
        return Accepted(id_, original.name, status, version, duplicate=True, duplicate_of=original)
    await connection.execute(query("requeue_document"), id_, False)
    await connection.execute(query("add_job"), id_)
    if document["live_version"] is None:  # what people search and cite is not renamed by an upload
        await connection.execute(query("place_document"), id_, upload.folder_id, upload.name)
        return Accepted(id_, upload.name, "pending", version)
    moved = (upload.name, upload.folder_id) != (original.name, original.folder_id)
    return Accepted(id_, original.name, "pending", version, duplicate_of=original if moved else None)


async def _replace(connection: Connection, document: Row, upload: _Upload) -> Accepted:
    version = await connection.fetchval(
        query("replace_document"),
        document["id"],
        upload.file.sha256,
        upload.key,
        upload.kind.media_type,
        upload.file.size,
    )
    await connection.execute(query("delete_abandoned_versions"), document["id"])
    await connection.execute(query("add_job"), document["id"])
    return Accepted(id=document["id"], name=document["name"], status="pending", version=version)
