"""Links and description are made beside the vectors, once, and cost a document nothing when they fail (E15-E17)."""

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingestion import pipeline
from ingestion.documents import delete_document, retry_document
from ingestion.queue import Job, holding
from providers import degrade
from providers.errors import Unauthorized, Unreachable
from sql.db import Database, Identity

TEXT = b"The zzyzx ferry leaves at noon."
INVOICE = b"""# Invoice

Zzyzx Ferries, invoice number 77, dated 3 March 2021. Passage of twelve zebras over the zzyzx strait, as ordered.

Amount due: zebras 12, total 340.00
"""


class Linking:
    """A linker that notes what it was asked for; as slow or as broken as a test tells it to be."""

    def __init__(self, *, error: Exception | None = None, delay: float = 0.0) -> None:
        self.error = error
        self.delay = delay
        self.calls: list[tuple[int, int]] = []
        self.begun = asyncio.Event()

    async def __call__(self, database: Database, job: Job, version: int) -> None:
        self.begun.set()
        async with holding(database, job) as connection:
            count = "SELECT count(*) FROM chunks WHERE document_id = $1 AND version = $2"
            self.calls.append((version, await connection.fetchval(count, job.document_id, version)))
        await asyncio.sleep(self.delay)
        if self.error:
            raise self.error


async def test_links_are_made_while_vectors_are(desk: Any, owner: Identity, counting: Any) -> None:  # E15
    counting.delay = 0.3
    linker = Linking()
    async with desk.worker(linker=linker):
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        async with asyncio.timeout(20):
            await linker.begun.wait()
        assert (await desk.counts())["vectors"] == 0
        document = await desk.wait(owner, accepted.id)
    assert (document["status"], linker.calls) == ("completed", [(1, 1)])
    assert document["seconds"]["linking"] < 0.3
    assert (await desk.row(accepted.id))["linked_version"] == 1


async def test_the_stage_is_linking_once_only_links_are_missing(desk: Any, owner: Identity) -> None:  # E6
    async with desk.worker(linker=Linking(delay=0.5)):
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        await desk.wait_for(owner, accepted.id, lambda found: found["stage"] == "linking")
        assert (await desk.counts())["vectors"] == 1
        document = await desk.wait(owner, accepted.id)
    assert (document["status"], document["stage"]) == ("completed", "done")


async def test_without_a_linker_nothing_is_linked(desk: Any, owner: Identity) -> None:  # E16
    async with desk.worker():
        document = await desk.wait(owner, (await desk.upload(owner, TEXT, "zzyzx.txt")).id)
    assert document["seconds"]["linking"] is None
    assert (await desk.row(document["id"]))["linked_version"] is None


async def test_an_outage_of_the_linker_delays(
    desk: Any, owner: Identity, counting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:  # E26
    monkeypatch.setattr(pipeline, "DELAYS", (0.2,))
    linker = Linking(error=Unreachable())
    async with desk.worker(linker=linker):
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        waiting = await desk.wait_for(owner, accepted.id, lambda found: found["error"])
        assert (waiting["status"], waiting["error"]["class"]) == ("pending", "model_unreachable")
        linker.error = None
        document = await desk.wait(owner, accepted.id)
    assert (document["status"], document["error"]) == ("completed", None)
    assert counting.texts == 1  # its vector was kept


@pytest.mark.parametrize("error", [Unauthorized(), ZeroDivisionError("zzyzx")])
async def test_any_other_failure_costs_the_links_only(
    desk: Any, owner: Identity, error: Exception
) -> None:  # O4
    before = degrade.count("linking of a document")
    async with desk.worker(linker=Linking(error=error)):
        document = await desk.wait(owner, (await desk.upload(owner, TEXT, "zzyzx.txt")).id)
    assert document["status"] == "completed"
    assert [warning["code"] for warning in document["warnings"]] == ["linking_failed"]
    assert degrade.count("linking of a document") == before + 1
    assert (await desk.row(document["id"]))["linked_version"] is None


async def test_what_was_linked_is_not_linked_again_but_a_new_version_is(
    desk: Any, owner: Identity, counting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:  # E21 H5
    monkeypatch.setattr(pipeline, "DELAYS", (0.2,))
    linker = Linking()
    counting.error, counting.delay = Unreachable(), 0.3
    async with desk.worker(linker=linker):
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")

        async def linked() -> bool:
            return (await desk.row(accepted.id))["linked_version"] == 1

        await desk.until(linked)
        counting.error = None
        await desk.wait(owner, accepted.id)
        assert linker.calls == [(1, 1)]
        await retry_document(desk.database, owner, accepted.id)
        await desk.wait_for(owner, accepted.id, lambda found: found["stage"] == "done")
    assert linker.calls == [(1, 1), (2, 1)]


async def test_a_delete_stops_the_linker(desk: Any, owner: Identity) -> None:  # E24
    linker = Linking(delay=60)
    async with desk.worker(linker=linker) as worker:
        accepted = await desk.upload(owner, TEXT, "zzyzx.txt")
        await desk.wait_for(owner, accepted.id, lambda found: found["stage"] == "linking")
        await delete_document(desk.database, desk.blobs, owner, accepted.id)

        async def idle() -> bool:
            return not worker._running

        await desk.until(idle, 5)
    assert set((await desk.counts()).values()) == {0}


async def test_what_is_known_of_a_document_can_be_filtered_by(desk: Any, owner: Identity) -> None:  # E17
    async with desk.worker():
        document = await desk.wait(owner, (await desk.upload(owner, INVOICE, "zzyzx.md")).id)
    row = await desk.row(document["id"])
    assert (row["title"], row["doc_type"], row["language"]) == ("Invoice", "invoice", "en")
    assert row["doc_date"] == date(2021, 3, 3)
    assert {"invoice", "zebras", "zzyzx"} <= set(row["topics"])
    assert row["summary"].startswith("Zzyzx Ferries, invoice number 77")
    assert (row["described_version"], row["version"]) == (1, 1)


async def test_the_date_a_file_gives_itself_comes_first(
    desk: Any, owner: Identity, shared: Path
) -> None:  # E17
    letter = (
        b"From: a@zzyzx.test\nSubject: Zzyzx\nDate: Tue, 5 May 2020 10:00:00 +0200\n\nOf 1 January 1999.\n"
    )
    async with desk.worker():
        document = await desk.wait(owner, (await desk.upload(owner, letter, "zzyzx.eml")).id)
    row = await desk.row(document["id"])
    assert (row["doc_type"], row["doc_date"]) == ("email", date(2020, 5, 5))
