"""Where the bytes of documents lie: a local folder or any object store, by one URL and the same code."""

import asyncio
import hashlib
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit
from uuid import UUID

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore, from_url

from ingestion.errors import BlobUnavailable, Empty, TooLarge
from ingestion.parse.filetype import HEAD_BYTES

# 25 MB in 25 trips to a thread: hashing and writing one takes 1 to 2 ms, which the event loop never sees.
WRITE_BYTES = 1024 * 1024
# Of a store by network. Its client's own 10 and 180 would let a person wait for three minutes to be told.
RETRIES = 3
RETRY_SECONDS = 10
SPOOL_SECONDS = 3600.0  # a spooled upload older than this belongs to a process that is gone


@dataclass(frozen=True, slots=True)
class Spooled:
    """An upload on this machine's disk: complete, hashed, not yet stored."""

    path: Path
    size: int
    sha256: bytes
    head: bytes


class Blobs:
    """A store of bytes under content-addressed keys, and the folder where uploads are spooled."""

    def __init__(self, store: ObjectStore, *, spool: Path, folder: Path | None) -> None:
        self._store = store
        self._spool = spool
        self._folder = folder

    @classmethod
    def open(cls, url: str, *, spool: Path) -> "Blobs":
        """`url`: file:///folder (made if missing), s3://bucket/prefix, gs://, az://, memory:///."""
        _private(spool)
        parts = urlsplit(url)
        if parts.scheme != "file":
            return cls(_remote(url), spool=spool, folder=None)
        folder = Path(unquote(parts.path))
        _private(folder)
        return cls(from_url(url, mkdir=True, automatic_cleanup=False), spool=spool, folder=folder)

    @asynccontextmanager
    async def spool(self, stream: AsyncIterator[bytes], *, max_bytes: int) -> AsyncIterator[Spooled]:
        """Read a whole upload onto the disk, hashing it; the file is gone when the block ends.

        Raises Empty for no bytes and TooLarge as soon as one byte too many has arrived (E3).
        """
        descriptor, name = tempfile.mkstemp(dir=self._spool, prefix="upload-")
        path = Path(name)
        with ExitStack() as stack:
            stack.callback(path.unlink, missing_ok=True)
            with os.fdopen(descriptor, "wb") as file:
                spooled = await _fill(file, path, stream, max_bytes)
            yield spooled  # the file is closed: a form of a thousand files keeps none open

    async def put(self, key: str, spooled: Spooled) -> None:
        """Store a spooled upload under `key`; whole or not at all, on the disk when this returns (E5)."""
        try:
            if not await self.holds(key, size=spooled.size):
                await obstore.put_async(self._store, key, spooled.path)
        except (BaseError, OSError) as error:
            raise BlobUnavailable(detail=repr(error)) from error
        if self._folder is not None:
            await asyncio.to_thread(_flush, self._folder / key)

    async def holds(self, key: str, *, size: int) -> bool:
        """Whether `key` is stored with this many bytes."""
        try:
            meta = await obstore.head_async(self._store, key)
        except FileNotFoundError:
            return False
        except BaseError as error:
            raise BlobUnavailable(detail=repr(error)) from error
        return int(meta["size"]) == size

    async def delete(self, key: str) -> bool:
        """Remove `key`; false when it was not there."""
        try:
            await obstore.head_async(self._store, key)
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            return False
        except BaseError as error:
            raise BlobUnavailable(detail=repr(error)) from error
        return True

    async def read(self, key: str) -> AsyncIterator[bytes]:
        """The bytes, in pieces. Raises BlobUnavailable: before the first, or when the store breaks off."""
        try:
            result = await obstore.get_async(self._store, key)
            async for piece in result.stream(min_chunk_size=256 * 1024):
                yield bytes(piece)
        except (BaseError, FileNotFoundError) as error:
            raise BlobUnavailable(detail=repr(error)) from error

    @asynccontextmanager
    async def local(self, key: str) -> AsyncIterator[Path]:
        """A path to read the bytes from: the stored file, or a copy that lasts as long as the block."""
        if self._folder is not None:
            path = self._folder / key
            if not path.is_file():
                raise BlobUnavailable(detail=f"no file {key}")
            yield path
            return
        with tempfile.NamedTemporaryFile(dir=self._spool, prefix="parse-") as file:
            async for piece in self.read(key):
                await asyncio.to_thread(file.write, piece)
            await asyncio.to_thread(file.flush)
            yield Path(file.name)

    async def stored(self) -> AsyncIterator[list[str]]:
        """Every stored key, in batches."""
        try:
            async for batch in obstore.list(self._store, chunk_size=500):
                yield [str(meta["path"]) for meta in batch]
        except BaseError as error:
            raise BlobUnavailable(detail=repr(error)) from error

    async def sweep_spool(self) -> int:
        """Remove what uploads of dead processes left; returns how many files."""
        moment = time.time() - SPOOL_SECONDS
        removed = await asyncio.to_thread(_remove_older, self._spool, "*", moment)
        if self._folder is not None:  # the store's own name for a file that is being written: key#number
            removed += await asyncio.to_thread(_remove_older, self._folder, "*#*", moment)
        return removed


def blob_key(workspace_id: UUID, owner_id: UUID, sha256: bytes) -> str:
    """Content-addressed below its owner: nobody learns from a key's existence what others store."""
    return f"{workspace_id}/{owner_id}/{sha256.hex()}"


def owner_of(key: str) -> tuple[UUID, UUID] | None:
    """(workspace_id, owner_id) of a key made by `blob_key`; None for anything else."""
    parts = key.split("/")
    try:
        return (UUID(parts[0]), UUID(parts[1])) if len(parts) == 3 else None
    except ValueError:
        return None


def _remote(url: str) -> ObjectStore:
    if urlsplit(url).scheme == "memory":
        return from_url(url)
    return from_url(
        url, retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)}
    )


def _private(folder: Path) -> None:
    """A folder that other users of the machine cannot look into."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


async def _fill(file: IO[bytes], path: Path, stream: AsyncIterator[bytes], max_bytes: int) -> Spooled:
    digest, size, head = hashlib.sha256(), 0, bytearray()
    waiting = bytearray()

    def write(piece: bytes) -> None:
        digest.update(piece)
        file.write(piece)

    async for piece in stream:
        size += len(piece)
        if size > max_bytes:
            raise TooLarge(max_bytes=max_bytes)
        if len(head) < HEAD_BYTES:
            head += piece[: HEAD_BYTES - len(head)]
        waiting += piece
        if len(waiting) >= WRITE_BYTES:
            await asyncio.to_thread(write, bytes(waiting))
            waiting.clear()
    if size == 0:
        raise Empty("This file has no content: it is 0 bytes long.")
    await asyncio.to_thread(write, bytes(waiting))
    await asyncio.to_thread(file.flush)
    return Spooled(path=path, size=size, sha256=digest.digest(), head=bytes(head))


def _flush(path: Path) -> None:
    """A kill -9 loses no written file, a power cut does: make file and folder entry durable."""
    for target in (path, path.parent):
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_older(folder: Path, pattern: str, moment: float) -> int:
    removed = 0
    for path in folder.rglob(pattern):
        if path.is_file() and path.stat().st_mtime < moment:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
