"""Takes stored bytes away that no document needs, and finds whatever should not exist (E12)."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ingestion.blobs import Blobs, owner_of
from ingestion.errors import BlobUnavailable
from sql.db import Database, Identity
from sql.queries import query

log = logging.getLogger("ibid.ingestion")


async def remove_unused(database: Database, blobs: Blobs, identity: Identity, keys: Sequence[str]) -> int:
    """Remove those of the owner's `keys` that no document points to; returns how many were removed.

    The lock is the one under which an upload checks its bytes and makes its row, so that neither sees the
    other half-way. What the store does not let go of now, the worker sweeps later.
    """
    async with database.as_user(identity) as connection:
        await connection.execute(query("lock_owner"))
        used = {row["key"] for row in await connection.fetch(query("used_blob_keys"), list(keys))}
        try:
            return sum([await blobs.delete(key) for key in keys if key not in used])
        except BlobUnavailable as error:
            log.warning("stored files are left to the sweep: %s", error.detail)
            return 0


async def sweep(database: Database, blobs: Blobs) -> int:
    """Remove what killed processes left in the store: unfinished uploads, and blobs whose row never came.

    A key names its owner, so the look-up needs no right over other people's documents.
    """
    removed = await blobs.sweep_spool()
    async for batch in blobs.stored():
        owners: dict[tuple[UUID, UUID], list[str]] = defaultdict(list)
        for key in batch:
            owner = owner_of(key)
            if owner:
                owners[owner].append(key)
        for (workspace_id, user_id), keys in owners.items():
            identity = Identity(workspace_id=workspace_id, user_id=user_id, role="member")
            async with database.as_user(identity) as connection:
                used = {row["key"] for row in await connection.fetch(query("used_blob_keys"), keys)}
            suspects = [key for key in keys if key not in used]
            if suspects:
                removed += await remove_unused(database, blobs, identity, suspects)
    if removed:
        log.info("removed %d stored files that no document needs", removed)
    return removed


async def orphans(connection: Any, blobs: Blobs) -> dict[str, int]:
    """What should never exist, counted by kind; all zero in a healthy house.

    `connection` must see every row: the owner's login inside a transaction with begin_maintenance.
    """
    row = await connection.fetchrow(query("orphan_counts"))
    known = {record["blob_key"] for record in await connection.fetch(query("all_blob_keys"))}
    stored = {key async for batch in blobs.stored() for key in batch}
    return {
        **{kind: int(count) for kind, count in row.items()},
        "blobs": len(stored - known),
        "documents_without_blob": len(known - stored),
    }
