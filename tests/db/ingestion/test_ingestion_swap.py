"""Another embedding model is put into use while documents are on their way: none loses its vectors (N8, G1)."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from ingestion.pipeline import Tools
from ingestion.rebuild import active_key, bring_up, complete
from ingestion.worker import Worker
from providers.local import LocalEmbedder
from providers.types import Embedder, SpaceKey
from sql.db import Identity
from sql.queries import query
from tests.db.ingestion.conftest import Counting

TEXT = b"The zzyzx ferry leaves at noon."
NEW = SpaceKey("zzyzx", "zzyzx-new", 384)


@pytest.fixture
def new(embedder: LocalEmbedder) -> Counting:
    """A model of the same dimensions and another space."""
    counting = Counting(embedder)
    counting.key = NEW
    return counting


async def without_vector(desk: Any) -> int:
    """Searchable passages that the dense arm cannot find."""
    connection = await asyncpg.connect(desk.owner_url)
    try:
        found: int = await connection.fetchval(
            "SELECT count(*) FROM documents d JOIN chunks c ON c.document_id = d.id AND c.version = d.live_version"
            " WHERE NOT EXISTS (SELECT FROM vectors v JOIN spaces s ON s.id = v.space_id AND s.status = 'active'"
            " WHERE v.content_hash = c.content_hash)"
        )
        return found
    finally:
        await connection.close()


async def test_a_document_that_is_being_embedded_when_the_space_changes(
    desk: Any, owner: Identity, cases: Path, counting: Counting, new: Counting
) -> None:
    current: list[Embedder] = [counting]

    async def embedder_for(_workspace: UUID) -> Embedder:
        return current[0]

    worker = Worker(Tools(desk.database, desk.blobs, embedder_for), listen_url=desk.app_url)
    working = asyncio.create_task(worker.run())
    try:
        first = await desk.upload(owner, TEXT, "zzyzx.txt")
        await desk.wait(owner, first.id)
        counting.delay = 0.5
        second = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
        await desk.wait_for(owner, second.id, lambda found: found["stage"] == "embedding")
        assert await bring_up(desk.database, owner.workspace_id, new) == 1  # not the one on its way
        current[0] = new
        counting.delay = 0.0
        document = await desk.wait(owner, second.id)
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert document["status"] == "completed"
    assert await active_key(desk.database, owner.workspace_id) == NEW
    assert await without_vector(desk) == 0
    assert await complete(desk.database, owner.workspace_id, NEW)


async def test_a_document_that_becomes_searchable_just_before_the_switch(
    desk: Any, owner: Identity, other: Identity, new: Counting
) -> None:
    async with desk.worker():
        accepted = await desk.upload(other, TEXT, "zzyzx.txt")
        await desk.wait(other, accepted.id)
    async with desk.database.as_user(other) as connection:
        await connection.execute("UPDATE documents SET live_version = NULL")
    async with desk.database.as_user(other) as connection:  # what a completing worker does
        await connection.execute(query("lock_spaces_shared"))
        switching = asyncio.create_task(bring_up(desk.database, owner.workspace_id, new))
        await asyncio.sleep(0.3)
        assert not switching.done()
        await connection.execute("UPDATE documents SET live_version = 1")
    assert await switching == 1
    assert await without_vector(desk) == 0


async def test_a_vector_that_is_missing_is_made(desk: Any, owner: Identity, counting: Counting) -> None:
    assert await complete(desk.database, owner.workspace_id, counting.key)  # nothing is searchable yet
    async with desk.worker():
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        await desk.wait(owner, accepted.id)
    assert await complete(desk.database, owner.workspace_id, counting.key)
    assert not await complete(desk.database, owner.workspace_id, NEW)
    async with desk.database.as_user(owner) as connection:
        await connection.execute("DELETE FROM vectors")
    assert not await complete(desk.database, owner.workspace_id, counting.key)
    assert await bring_up(desk.database, owner.workspace_id, counting) == 1
    assert await complete(desk.database, owner.workspace_id, counting.key)
    assert await without_vector(desk) == 0
