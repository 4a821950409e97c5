"""Linking at ingestion: on or off, by rules or by the model, and of what came in before."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ingestion.documents import delete_document
from ingestion.extract import by_rules, link
from ingestion.queue import Job
from ingestion.relink import link_rest
from providers.entities import Names
from retrieval.entities import decide, entity_id
from sql.db import Database, Identity

TEXT = b"Tolvan Mills buys flour from Merrow Farm."


async def linker(database: Database, job: Job, version: int) -> None:
    await link(database, job, version)


async def names(desk: Any, person: Identity) -> set[str]:
    async with desk.database.as_user(person) as connection:
        return {row["name"] for row in await connection.fetch("SELECT DISTINCT name FROM mentions")}


async def ingested(desk: Any, person: Identity, data: bytes, name: str, linker: Any = None) -> UUID:
    accepted = await desk.upload(person, data, name)
    async with desk.worker(linker=linker):
        await desk.wait(person, accepted.id)
    document_id: UUID = accepted.id
    return document_id


async def test_what_came_in_without_a_graph_is_linked_later(
    desk: Any, owner: Identity, other: Identity
) -> None:  # E16
    await ingested(desk, owner, TEXT, "zzyzx-mills.txt")
    await ingested(desk, other, TEXT + b" Also Dunholt.", "zzyzx-dunholt.txt")
    assert await names(desk, owner) == set()
    assert await link_rest(desk.database, owner.workspace_id, find=by_rules) == 2
    assert await names(desk, owner) == {"tolvan mills", "merrow farm"}
    assert "dunholt" in await names(desk, other)
    assert await link_rest(desk.database, owner.workspace_id, find=by_rules) == 0


async def test_a_document_that_cannot_be_linked_stops_no_other(desk: Any, owner: Identity) -> None:  # E22 O4
    bad = await ingested(desk, owner, b"Quorn Bakery is in Dunholt.", "zzyzx-bad.txt")
    await ingested(desk, owner, TEXT, "zzyzx-mills.txt")

    async def find(texts: Sequence[str]) -> list[Names]:
        if "Quorn" in texts[0]:
            raise ValueError("unreadable")
        return await by_rules(texts)

    assert await link_rest(desk.database, owner.workspace_id, find=find) == 1
    assert await names(desk, owner) == {"tolvan mills", "merrow farm"}
    async with desk.database.as_user(owner) as connection:
        warnings = await connection.fetchval("SELECT warnings FROM documents WHERE id = $1", bad)
    assert "linking_failed" in {warning["code"] for warning in warnings}
    assert await link_rest(desk.database, owner.workspace_id, find=by_rules) == 0  # not again every minute


async def test_a_new_version_takes_the_names_of_the_old_one(desk: Any, owner: Identity) -> None:  # E18 K8
    await ingested(desk, owner, TEXT, "zzyzx-mills.txt", linker)
    await ingested(desk, owner, b"Quorn Bakery buys rye from Merrow Farm.", "zzyzx-mills.txt", linker)
    assert await names(desk, owner) == {"quorn bakery", "merrow farm"}
    await desk.until_stored(1)
    assert not any((await desk.orphans()).values())


async def test_a_decision_goes_with_the_last_passage_that_has_its_names(
    desk: Any, owner: Identity
) -> None:  # E12
    document_id = await ingested(desk, owner, TEXT, "zzyzx-mills.txt", linker)
    async with desk.database.as_user(owner) as connection:
        await decide(connection, "merge", entity_id("tolvan mills"), entity_id("merrow farm"))
    receipt = await delete_document(desk.database, desk.blobs, owner, document_id)
    assert {name: receipt["deleted"][name] for name in ("entities", "mentions", "edges")} == {
        "entities": 2,
        "mentions": 2,
        "edges": 1,
    }
    async with desk.database.as_user(owner) as connection:
        assert await connection.fetchval("SELECT count(*) FROM merges") == 0
    assert not any((await desk.orphans()).values())
