"""Whole conversations with the tools that read documents and hand over files."""

import asyncio
import json

import pytest
import pytest_asyncio

from providers.scenarios import Reply, call, say
from providers.scripted import play
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, Event, events_of, named, take, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOPICS = ("lighthouse", "crane", "slipway", "tide gauge", "chain locker", "signal mast")
HANDBOOK = "\n\n".join(
    f"# Chapter {i}: {topic}\n\n"
    + f"The {topic} of the Zzyzx harbour is kept by warden number {i}. "
    + f"It was last inspected in {2000 + i} and found in good order by the harbour board. " * 30
    for i, topic in enumerate(TOPICS, 1)
)
OLD = "# Fees of 2019\n\nThe mooring fee is 12 crowns. The crane fee is 30 crowns a lift."
NEW = "# Fees of 2024\n\nThe mooring fee is 14 crowns. The pilot fee is 90 crowns a passage."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(house: Service) -> Asker:
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    files = {
        "zzyzx-handbook.md": HANDBOOK,
        "zzyzx-fees-2019.md": OLD,
        "zzyzx-fees-2024.md": NEW,
        "zzyzx-cv-anna.md": "# Curriculum vitae\n\nAnna Zzyzx has kept lighthouses for eleven years.",
    }
    done = await asyncio.gather(*(asker.upload(name, text.encode()) for name, text in files.items()))
    assert {document["status"] for document in done} == {"completed"}
    return asker


@pytest_asyncio.fixture(loop_scope="module")
async def thread(reader: Asker) -> str:
    return await reader.thread()


async def without_model(house: Service) -> None:
    values = {"chat.base_url": None, "chat.model": None}
    assert (await house.admin.put("/api/settings", json={"values": values})).status_code == 200


def tools(events: list[Event], state: str = "started") -> list[str]:
    return [t["name"] for t in named(events, "tool") if t["state"] == state]


# Whole documents ----------------------------------------------------------------------------------


async def test_a_whole_document_is_read_in_windows_and_only_its_conclusion_stays(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # L1, L2, B14
    await scripted.answers(house, "scripted-cite")
    small = {"values": {"chat.context_tokens": 3000, "chat.max_tokens": 600}}
    assert (await house.admin.put("/api/settings", json=small)).status_code == 200
    try:
        events = await reader.ask(thread, "Please summarise the zzyzx handbook")
    finally:
        back = {"values": {"chat.context_tokens": None, "chat.max_tokens": None}}
        await house.admin.put("/api/settings", json=back)
    assert named(events, "turn")[0]["kind"] == "whole_document"
    seen = named(events, "tool")
    [analysis] = [t for t in seen if t["name"] == "analyze_document" and t["state"] == "done"]
    windows = [t for t in seen if t["name"] == "read_window"]
    assert len(windows) >= 4
    assert {t["parent_id"] for t in windows} == {analysis["id"]}
    assert {t["state"] for t in windows} == {"started", "done"}
    progress = [t["result"] for t in seen if t["state"] == "progress"]
    assert progress[-1]["done"] == progress[-1]["total"] == analysis["result"]["read"]
    notes = scripted.requests[:-1]
    together = json.dumps([r["messages"] for r in notes])
    for topic in TOPICS:  # everything was read, and never all of it at once
        assert f"The {topic} of the Zzyzx harbour" in together
    assert max(len(json.dumps(r["messages"])) for r in scripted.requests) < 3000 * 4
    assert "[1]" in text_of(events)
    items = named(events, "sources")[-1]["items"]
    assert {item["name"] for item in items} == {"zzyzx-handbook.md"}
    assert [item["n"] for item in items] == list(range(1, len(items) + 1))
    assert named(events, "grounding")[0]["state"] in ("grounded", "partly")
    stored = (await reader.messages(thread))[1]
    assert stored["content"] == text_of(events)
    assert stored["sources"] == items
    assert len([t for t in stored["trace"] if t.get("parent_id")]) == len(windows) // 2
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, "And who keeps the crane?")
    assert "Quoted material" not in json.dumps(
        scripted.requests[0]["messages"][:3]
    )  # only the conclusion is replayed


@pytest.mark.parametrize(
    ("message", "task"),
    [
        ("Compare zzyzx-fees-2019 with zzyzx-fees-2024", "compare"),
        ("What are the differences between zzyzx-fees-2019.md and zzyzx-fees-2024.md?", "compare"),
        ("Extract all fees from zzyzx-fees-2024", "extract"),
        ("Classify zzyzx-fees-2024 as invoice, price list or letter", "classify"),
        ("give me a short summary of the zzyzx fees 2019", "summarise"),
    ],
)
async def test_each_task_reads_its_documents(
    house: Service, scripted: Scripted, reader: Asker, thread: str, message: str, task: str
) -> None:  # L11
    await scripted.answers(house, "scripted-cite")
    events = await reader.ask(thread, message)
    [done] = [t for t in named(events, "tool") if t["state"] == "done"]
    assert (done["name"], done["arguments"]["task"]) == ("analyze_document", task)
    assert len(done["arguments"]["documents"]) == (2 if task == "compare" else 1)
    assert "crowns" in json.dumps(scripted.requests[-1]["messages"])


async def test_this_document_is_the_one_just_cited(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C8, D2
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, "How much is the pilot fee of a passage?")
    events = await reader.ask(thread, "Summarise this document")
    [started] = [t for t in named(events, "tool") if t["state"] == "started"]
    assert started["arguments"]["documents"] == ["zzyzx-fees-2024.md"]


async def test_a_model_may_have_a_document_read(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # L1, B14
    await scripted.answers(house, "any")
    arguments = {"document": "zzyzx-fees-2024.md", "task": "extract", "instruction": "every fee"}
    play(
        scripted.app,
        [
            Reply(call("analyze_document", arguments), finish="tool_calls"),
            Reply(say("The pilot fee is 90 crowns a passage [1].")),
            Reply(say("It is 90 crowns [1].")),
        ],
    )
    events = await reader.ask(thread, "How much is the pilot fee of a passage?")
    assert tools(events, "done") == ["search_documents", "analyze_document"]
    assert "90 crowns a passage" in scripted.requests[-1]["messages"][-1]["content"]
    assert text_of(events) == "It is 90 crowns [1]."


async def test_without_a_model_sections_are_summarised_in_their_own_words(
    house: Service, reader: Asker, thread: str
) -> None:
    # L11
    await without_model(house)
    events = await reader.ask(thread, "Summarise zzyzx-handbook")
    text = text_of(events)
    assert text.count("warden number") >= 3 or text.count("harbour board") >= 3
    assert "[1]" in text
    assert named(events, "grounding")[0]["state"] == "grounded"


async def test_whole_document_work_has_routes_of_its_own(
    house: Service, scripted: Scripted, reader: Asker
) -> None:  # L11, X2
    await scripted.answers(house, "scripted-cite")
    items = (await reader.client.get("/api/documents")).json()["items"]
    ids = {item["name"]: item["id"] for item in items}
    url = f"/api/documents/{ids['zzyzx-fees-2024.md']}/analyze"
    answer = await reader.client.post(url, json={"task": "summarise"})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert "14 crowns [1]" in body["text"]
    assert body["grounding"]["state"] == "grounded"
    assert body["sources"][0]["name"] == "zzyzx-fees-2024.md"
    both = {"task": "compare", "other_document_id": ids["zzyzx-fees-2019.md"]}
    async with reader.client.stream("POST", url, json=both, headers={"accept": "text/event-stream"}) as live:
        events = [event async for event in events_of(live)]
    assert events[-1].name == "done"
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    assert {i["name"] for i in named(events, "sources")[-1]["items"]} == {
        "zzyzx-fees-2019.md",
        "zzyzx-fees-2024.md",
    }
    assert (await reader.client.post(url, json={"task": "compare"})).status_code == 400
    stranger = await house.newcomer()
    assert (await house.client(stranger).post(url, json={"task": "summarise"})).status_code == 404


async def test_whole_document_work_of_a_disabled_person_stops(
    house: Service, scripted: Scripted
) -> None:  # X16
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    document = await asker.upload("zzyzx-fees-2019.md", OLD.encode())
    await scripted.answers(house, "scripted-pace-10-200")
    url, kind = f"/api/documents/{document['id']}/analyze", {"accept": "text/event-stream"}
    async with asker.client.stream("POST", url, json={"task": "summarise"}, headers=kind) as response:
        live = events_of(response)
        await take(live, 2)
        changed = await house.admin.patch(f"/api/users/{identity.user_id}", json={"disabled": True})
        assert changed.status_code == 200
        async with asyncio.timeout(5):
            rest = [event async for event in live]
    assert (rest[-1].name, rest[-1].data["code"]) == ("error", "disabled")
    async with asyncio.timeout(2):
        while not scripted.app.state.closed:
            await asyncio.sleep(0.01)


# Files --------------------------------------------------------------------------------------------


async def test_send_me_the_cv_returns_the_file(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # L5
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, "Send me the CV")
    [done] = [t for t in named(events, "tool") if t["state"] == "done"]
    assert done["name"] == "send_document"
    assert done["result"]["name"] == "zzyzx-cv-anna.md"
    assert set(done["result"]) == {"document_id", "name", "url"}
    file = await reader.client.get(done["result"]["url"])
    assert (file.status_code, b"Anna Zzyzx" in file.content) == (200, True)
    assert "zzyzx-cv-anna.md" in text_of(events)
    assert scripted.requests == []  # no model words a file's name


@pytest.mark.parametrize("name", ["blorptz contract", "invoice 7719.pdf", "zzyzx-cv-bertram"])
async def test_without_such_a_file_there_is_no_other(
    house: Service, scripted: Scripted, reader: Asker, thread: str, name: str
) -> None:  # L6
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, f"Send me the file {name}")
    [last] = [t for t in named(events, "tool") if t["state"] != "started"]
    assert (last["state"], last["result"]["code"]) == ("failed", "no_such_document")
    assert "url" not in json.dumps(named(events, "tool"))
    listed = {item["name"] for item in (await reader.client.get("/api/documents")).json()["items"]}
    assert set(last["result"]["names"]) <= listed
    assert ("zzyzx-cv-anna.md" in last["result"]["names"]) == name.startswith("zzyzx-cv")


async def test_nobody_is_sent_somebody_elses_file(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # L6, X2
    await scripted.answers(house, "scripted-never-tools")
    events = await asker.ask(await asker.thread(), "Send me the file zzyzx-cv-anna.md")
    assert "anna" not in json.dumps([t.get("result") for t in named(events, "tool")])


async def test_which_documents_there_are(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, "Which documents do I have?")
    assert tools(events) == ["list_documents"]
    for name in ("zzyzx-handbook.md", "zzyzx-fees-2019.md", "zzyzx-cv-anna.md"):
        assert name in text_of(events)


async def test_a_document_is_read_by_lines_within_bounds(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:
    await scripted.answers(house, "any")
    arguments = {"document": "zzyzx-handbook.md", "from_line": 1, "to_line": 100000}
    play(
        scripted.app,
        [Reply(call("read_document", arguments), finish="tool_calls"), Reply(say("Warden number 1 [1]."))],
    )
    events = await reader.ask(thread, "Who keeps the lighthouse of the Zzyzx harbour?")
    [read] = [t for t in named(events, "tool") if t["name"] == "read_document" and t["state"] == "done"]
    assert read["arguments"]["to_line"] == 200
    assert scripted.requests[-1]["messages"][-1]["content"].startswith("Lines 1 to ")
