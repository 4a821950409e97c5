"""Cancel, retry and delete in every state; a file that kills its child twice stays out of the way (E19, E22, E24)."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import asyncpg
import psutil
import pytest

from ingestion import pipeline
from ingestion.documents import cancel_document, delete_document, get_document, retry_document
from ingestion.parse.child import shared_nursery
from providers.errors import Unreachable
from sql.db import Database, Identity
from tests.db.ingestion.conftest import Counting, Desk

TEXT = b"The zzyzx ferry leaves at noon."
# Long enough for its child to be found: several seconds by docling, half a second by the plain reader.
LONG = ("<h1>Zzyzx</h1>" + "<p>the <b>tide</b> turns <i>at</i> five</p>" * 20_000).encode()

linux = pytest.mark.skipif(sys.platform != "linux", reason="finds children by /proc")


async def crash_child(known: set[int]) -> None:
    """Segfault the next process that parses: nursery, minder, and below that one the parser."""
    async with asyncio.timeout(30):
        while True:
            await asyncio.sleep(0.01)
            with suppress(psutil.NoSuchProcess, ProcessLookupError):  # one that ended while it was looked at
                for parser in parsers():
                    if parser.pid not in known:
                        known.add(parser.pid)
                        os.kill(parser.pid, signal.SIGSEGV)
                        return


def parsers() -> list[psutil.Process]:
    nursery = shared_nursery()._process
    minders = psutil.Process(nursery.pid).children() if nursery else []
    return [child for minder in minders for child in minder.children()]


@linux
async def test_a_file_that_kills_its_child_twice_is_put_aside_with_its_diagnosis(
    desk: Desk, owner: Identity
) -> None:  # E19 E22
    known: set[int] = set()
    async with desk.worker():
        bad = await desk.upload(owner, LONG, "zzyzx.html")
        for _ in range(2):
            await crash_child(known)
        document = await desk.wait(owner, bad.id)
        assert (document["status"], document["error"]["class"]) == ("failed", "parser_crashed")
        assert document["error"]["message"].endswith(".")
        assert (await desk.counts())["jobs"] == 0  # nobody takes it up again by itself
        good = await desk.upload(owner, TEXT, "zzyzx.txt")
        assert (await desk.wait(owner, good.id))["status"] == "completed"
    again = await retry_document(desk.database, owner, bad.id)
    assert (again["status"], again["error"]["class"]) == ("pending", "parser_crashed")
    async with desk.worker():
        await desk.wait_for(owner, bad.id, lambda found: found["status"] == "processing")
        assert (await get_document(desk.database, owner, bad.id))["error"]["class"] == "parser_crashed"
        document = await desk.wait(owner, bad.id)
    assert (document["status"], document["error"]) == ("completed", None)
    assert [warning["code"] for warning in document["warnings"]] == ["earlier_failure"]


async def test_a_file_that_killed_workers_is_put_aside(desk: Desk, owner: Identity) -> None:  # E22
    accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
    connection = await asyncpg.connect(desk.owner_url)
    await connection.execute("UPDATE jobs SET crashes = $1", pipeline.MAX_CRASHES)
    await connection.close()
    async with desk.worker():
        document = await desk.wait(owner, accepted.id)
        assert (document["status"], document["error"]["class"]) == ("failed", "parser_crashed")
        await retry_document(desk.database, owner, accepted.id)
        assert (await desk.wait(owner, accepted.id, ["completed"]))["chunks"] == 1


Act = Callable[[Desk, Identity, UUID], Awaitable[Any]]


async def cancelling(desk: Desk, owner: Identity, document_id: UUID) -> None:
    before = await get_document(desk.database, owner, document_id)
    after = await cancel_document(desk.database, owner, document_id)
    was_final = before["status"] not in ("pending", "processing")
    assert after["status"] == (before["status"] if was_final else "cancelled")
    assert (await desk.counts())["jobs"] == 0


async def retrying(desk: Desk, owner: Identity, document_id: UUID) -> None:
    before = await get_document(desk.database, owner, document_id)
    after = await retry_document(desk.database, owner, document_id)
    # What is being worked on goes on; everything else is queued again, with its diagnosis.
    assert after["status"] == ("processing" if before["status"] == "processing" else "pending")
    assert after["error"] == before["error"]
    assert (await desk.counts())["jobs"] == 1


async def deleting(desk: Desk, owner: Identity, document_id: UUID) -> None:
    receipt = await delete_document(desk.database, desk.blobs, owner, document_id)
    assert receipt["deleted"]["blobs"] == 1
    assert set((await desk.counts()).values()) == {0}
    assert desk.stored() == []


ACTS = [cancelling, retrying, deleting]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("status", ["completed", "partial", "failed", "needs_ocr", "cancelled"])
async def test_at_rest(desk: Desk, owner: Identity, counting: Counting, status: str, act: Act) -> None:
    async with desk.worker():
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        await desk.wait(owner, accepted.id)
    await put(desk, accepted.id, status)
    await act(desk, owner, accepted.id)
    await goes_on(desk, owner, accepted.id, act)


async def put(desk: Desk, document_id: UUID, status: str) -> None:
    """As an earlier attempt left it."""
    failed = status in ("failed", "needs_ocr")
    connection = await asyncpg.connect(desk.owner_url)
    await connection.execute(
        "UPDATE documents SET status = $2, error_class = $3, error_message = $4, error_hint = $4 WHERE id = $1",
        document_id,
        status,
        "corrupt" if failed else None,
        "It was damaged." if failed else None,
    )
    await connection.close()


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("state", ["queued", "delayed", "parsing", "embedding", "linking"])
async def test_on_the_way(
    desk: Desk, owner: Identity, counting: Counting, state: str, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "DELAYS", (60.0,))
    data, name = (LONG[:150_000], "zzyzx.html") if state == "parsing" else (TEXT, "zzyzx.txt")
    counting.delay = 60.0 if state == "embedding" else 0.0
    counting.error = Unreachable() if state == "delayed" else None

    async def link(_database: Database, _job: Any, _version: int) -> None:
        await asyncio.sleep(60 if state == "linking" else 0)

    if state == "queued":
        accepted = await desk.upload(owner, data, name)
        await act(desk, owner, accepted.id)
    else:
        async with desk.worker(linker=link):
            accepted = await desk.upload(owner, data, name)
            if state == "delayed":
                await desk.wait_for(owner, accepted.id, lambda found: found["error"])
            else:
                await desk.wait_for(
                    owner,
                    accepted.id,
                    lambda found: (found["stage"], found["status"]) == (state, "processing"),
                )
            await act(desk, owner, accepted.id)
    counting.delay, counting.error = 0.0, None
    await goes_on(desk, owner, accepted.id, act)


async def goes_on(desk: Desk, owner: Identity, document_id: UUID, act: Act) -> None:
    """Whatever was done: nothing is left over, and what can be tried again can be."""
    if act is not deleting:
        if act is cancelling:
            await retry_document(desk.database, owner, document_id)
        async with desk.worker():
            document = await desk.wait(owner, document_id, ["completed"])
        assert document["chunks"]
        assert (await desk.counts())["jobs"] == 0
    assert not any((await desk.orphans()).values())
