"""What a citation opens later: its place, the old text after a new version, nothing after deletion."""

from uuid import UUID

import pytest
import pytest_asyncio

from providers.scenarios import Reply, say
from providers.scripted import play
from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named, take

pytestmark = pytest.mark.asyncio(loop_scope="module")

OLD = b"# Zzyzx quay\n\nThe Zzyzx quay is lit by forty-one lamps of the Orlith pattern.\n"
NEW = b"# Zzyzx quay\n\nThe Zzyzx quay has been dark since the Orlith lamps were sold.\n"
QUESTION = "How many lamps light the Zzyzx quay?"


@pytest_asyncio.fixture(loop_scope="module")
async def asker(house: Service) -> Asker:
    identity = await house.newcomer()
    return Asker(identity, house.client(identity))


async def test_a_citation_opens_where_it_stands(asker: Asker) -> None:  # M7, E11
    document = await asker.upload("zzyzx-quay.md", OLD)
    events = await asker.ask(await asker.thread(), QUESTION)
    [source] = named(events, "sources")[-1]["items"]
    assert "text" not in source
    passage = (await asker.client.get(f"/api/passages/{source['chunk_id']}")).json()
    assert passage["state"] == "current"
    assert passage["document_id"] == document["id"]
    assert "forty-one lamps" in passage["text"]


async def test_after_a_new_version_the_old_text_opens_and_is_marked(asker: Asker) -> None:  # E18, S-DV-06
    first = await asker.upload("zzyzx-quay.md", OLD)
    thread = await asker.thread()
    [source] = named(await asker.ask(thread, QUESTION), "sources")[-1]["items"]
    second = await asker.upload("zzyzx-quay.md", NEW)
    assert (second["id"], second["version"]) == (first["id"], 2)
    passage = (await asker.client.get(f"/api/passages/{source['chunk_id']}")).json()
    assert passage["state"] == "superseded"
    assert "forty-one lamps" in passage["text"]


async def test_after_deletion_a_citation_says_so_and_shows_nothing(asker: Asker) -> None:  # E12
    document = await asker.upload("zzyzx-quay.md", OLD)
    thread = await asker.thread()
    [source] = named(await asker.ask(thread, QUESTION), "sources")[-1]["items"]
    receipt = (await asker.client.delete(f"/api/documents/{document['id']}")).json()
    assert receipt["deleted"]["chunks"] == 1
    opened = await asker.client.get(f"/api/passages/{source['chunk_id']}")
    assert opened.json()["state"] == "deleted"
    assert "lamps" not in opened.text
    [kept] = (await asker.messages(thread))[-1]["sources"]
    assert kept["deleted"] is True
    assert kept["name"] == "zzyzx-quay.md"
    assert kept["snippet"] is None


async def test_deletion_reaches_everybodys_answers(house: Service, asker: Asker) -> None:  # E12
    identity = await house.newcomer()
    colleague = Asker(identity, house.client(identity))
    document = await asker.upload("zzyzx-quay.md", OLD)
    url = f"/api/documents/{document['id']}"
    await asker.client.patch(url, json={"visibility": "workspace"})
    thread = await colleague.thread()
    [run] = named(await colleague.ask(thread, QUESTION), "run")
    assert (await asker.client.delete(url)).status_code == 200
    async with owner_transaction(house.runtime.urls.owner) as connection:
        stored = await connection.fetch("SELECT sources FROM messages WHERE sources <> '[]'")
        logged = await connection.fetchval(
            "SELECT count(*) FROM run_events WHERE run_id = $1 AND event = 'sources'", UUID(run["run_id"])
        )
    mine = [s for row in stored for s in row["sources"] if s["document_id"] == document["id"]]
    assert [(s["name"], s.keys() & {"text", "snippet", "heading_path"}) for s in mine] == [
        ("zzyzx-quay.md", set())
    ]
    assert logged == 0


async def test_a_document_that_is_deleted_while_an_answer_is_written_is_not_kept_with_it(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # E12, E24
    await scripted.answers(house, "any")
    document = await asker.upload("zzyzx-quay.md", OLD)
    thread = await asker.thread()
    play(scripted.app, [Reply(say("There are forty-one [1]. " * 4, size=4), pace=0.05)])
    async with asker.asking(thread, QUESTION) as live:
        await take(live, 2)
        assert (await asker.client.delete(f"/api/documents/{document['id']}")).status_code == 200
        rest = [event async for event in live]
    assert rest[-1].name == "done"
    answer = (await asker.messages(thread))[-1]
    assert [kept["deleted"] for kept in answer["sources"]] == [True]
    async with owner_transaction(house.runtime.urls.owner) as connection:
        [row] = await connection.fetch("SELECT sources FROM messages WHERE id = $1", UUID(answer["id"]))
    assert "lamps" not in str(row["sources"])
    assert (await asker.client.get(f"/api/messages/{answer['id']}/requests")).json()["items"] == []


async def test_a_document_that_was_read_whole_is_a_source_though_nothing_cites_it(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # E12: so that what the model was sent goes with it
    await scripted.answers(house, "scripted-never-tools")
    document = await asker.upload("zzyzx-quay.md", OLD)
    thread = await asker.thread()
    events = await asker.ask(thread, "Summarise zzyzx-quay.md")
    assert [s["document_id"] for s in named(events, "sources")[-1]["items"]] == [document["id"]]
    url = f"/api/messages/{(await asker.messages(thread))[-1]['id']}/requests"
    assert "forty-one lamps" in (await asker.client.get(url)).text
    assert (await asker.client.delete(f"/api/documents/{document['id']}")).status_code == 200
    assert (await asker.client.get(url)).json()["items"] == []


async def test_when_a_document_is_no_longer_shared_its_words_are_hidden(
    house: Service, asker: Asker
) -> None:  # D18
    identity = await house.newcomer()
    colleague = Asker(identity, house.client(identity))
    document = await asker.upload("zzyzx-quay.md", OLD)
    url = f"/api/documents/{document['id']}"
    assert (await asker.client.patch(url, json={"visibility": "workspace"})).status_code == 200
    thread = await colleague.thread()
    [source] = named(await colleague.ask(thread, QUESTION), "sources")[-1]["items"]
    assert (await asker.client.patch(url, json={"visibility": "private"})).status_code == 200
    opened = await colleague.client.get(f"/api/passages/{source['chunk_id']}")
    assert opened.json()["state"] == "deleted"
    assert "lamps" not in opened.text
    assert (await colleague.messages(thread))[-1]["sources"][0]["snippet"] is None


async def test_nobody_opens_what_was_never_cited_to_them(house: Service, asker: Asker) -> None:  # X2
    await asker.upload("zzyzx-quay.md", OLD)
    [source] = named(await asker.ask(await asker.thread(), QUESTION), "sources")[-1]["items"]
    stranger = house.client(await house.newcomer())
    assert (await stranger.get(f"/api/passages/{source['chunk_id']}")).status_code == 404
