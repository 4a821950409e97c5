"""The entity cases of the case book, through the real pipeline."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from ingestion.documents import delete_document
from ingestion.extract import by_model, link
from ingestion.queue import Job
from providers.chat import ChatClient
from providers.scripted import play, running, scripted_app
from providers.types import Endpoint
from retrieval.graph import walk
from retrieval.passages import Filters
from sql.db import Database, Identity


async def linker(database: Database, job: Job, version: int) -> None:
    await link(database, job, version)


async def ingest(desk: Any, person: Identity, folder: Path, *names: str) -> dict[str, UUID]:
    uploads = {name: await desk.upload(person, folder / f"qzv-{name}.md") for name in names}
    async with desk.worker(linker=linker):
        for accepted in uploads.values():
            assert (await desk.wait(person, accepted.id))["status"] == "completed"
    return {name: accepted.id for name, accepted in uploads.items()}


async def reached(desk: Any, person: Identity, query: str) -> set[UUID]:
    async with desk.database.as_user(person) as connection:
        found = (await walk(connection, query, [], Filters(), candidates=24, cap=3)).candidates
    return {candidate.document_id for candidate in found}


async def rows(desk: Any, person: Identity, statement: str, *values: object) -> list[asyncpg.Record]:
    async with desk.database.as_user(person) as connection:
        return list(await connection.fetch(statement, *values))


async def test_one_organisation_under_its_names_is_one(  # S-GE-01 K1 K4
    desk: Any, owner: Identity, cases: Path
) -> None:
    documents = await ingest(desk, owner, cases / "S-GE-01", "g1", "g2", "g3")
    names = {r["name"] for r in await rows(desk, owner, "SELECT DISTINCT name FROM mentions")}
    assert {"qvx", "quillon vex exchange"} <= names
    alike = await rows(desk, owner, "SELECT other FROM names_alike(ARRAY['qvx'])")
    assert [r["other"] for r in alike] == ["quillon vex exchange"]
    assert documents["g3"] in await reached(desk, owner, "where are the servers of QVX?")
    assert documents["g2"] in await reached(desk, owner, "whom did Quillon Vex Exchange plc hire?")


async def test_two_people_of_one_name_are_two(desk: Any, owner: Identity, cases: Path) -> None:  # S-GE-02 K4
    documents = await ingest(desk, owner, cases / "S-GE-02", "p1", "p2")
    senses = await rows(
        desk, owner, "SELECT DISTINCT sense FROM mentions WHERE name = 'mara teel' ORDER BY 1"
    )
    assert [r["sense"] for r in senses] == ["bracken foods", "orlith shipping"]
    assert await reached(desk, owner, "what does Orlith Shipping do?") == {documents["p1"]}
    assert await reached(desk, owner, "Mara Teel") == set(documents.values())


async def test_one_name_of_a_company_and_a_product_leads_to_both(  # S-GE-03 K5
    desk: Any, owner: Identity, cases: Path
) -> None:
    documents = await ingest(desk, owner, cases / "S-GE-03", "z1", "z2")
    assert await reached(desk, owner, "what is Zentro and where was it founded?") == set(documents.values())


@pytest_asyncio.fixture
async def chat(cases: Path) -> AsyncIterator[ChatClient]:
    """A chat model that answers every request with the case's extraction."""
    app = scripted_app()
    answer = json.loads((cases / "S-GE-04" / "extraction.json").read_text())[0]
    play(app, [json.dumps(answer)])
    async with running(app) as base_url:
        client = ChatClient(Endpoint(base_url, "scripted"))
        yield client
        await client.close()


async def test_thoughts_and_malformed_names_of_a_model_are_dropped(  # S-GE-04 E22 K1 N5
    desk: Any, owner: Identity, cases: Path, chat: ChatClient
) -> None:
    async def ask(database: Database, job: Job, version: int) -> None:
        await link(database, job, version, find=by_model(chat))

    accepted = await desk.upload(owner, cases / "S-GE-04" / "qzv-thoughts.md")
    async with desk.worker(linker=ask):
        assert (await desk.wait(owner, accepted.id))["status"] == "completed"
    found = await rows(desk, owner, "SELECT surface FROM mentions ORDER BY surface")
    assert [r["surface"] for r in found] == ["Bittern", "Ilse Varn"]
    edges = await rows(desk, owner, "SELECT source, kind, target FROM relationships")
    assert [tuple(r) for r in edges] == [("ilse varn", "commands", "bittern")]


async def test_a_deleted_document_takes_what_only_it_supported(  # S-GE-05 K8 E12
    desk: Any, owner: Identity, cases: Path
) -> None:
    documents = await ingest(desk, owner, cases / "S-GE-05", "k1", "k2")
    support = "SELECT count(*) FROM relationships WHERE source = 'tolvan mills' AND target = 'merrow farm'"
    [before] = await rows(desk, owner, support)
    receipt = await delete_document(desk.database, desk.blobs, owner, documents["k2"])
    [after] = await rows(desk, owner, support)
    assert (before["count"], after["count"]) == (2, 1)
    assert await rows(desk, owner, "SELECT FROM mentions WHERE name = 'dunholt'") == []
    assert not any((await desk.orphans()).values())
    assert receipt["deleted"]["entities"] == 1
    assert receipt["deleted"]["mentions"] == 3


@pytest.mark.parametrize("query", ["who is she?", "how do I bake bread?", ""])
async def test_a_query_that_names_nothing_known_reaches_nothing(
    desk: Any, owner: Identity, cases: Path, query: str
) -> None:
    await ingest(desk, owner, cases / "S-GE-05", "k1")
    assert await reached(desk, owner, query) == set()
