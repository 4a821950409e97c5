"""Whole conversations: what kind of turn each message is, what it sets off, and what is remembered of it."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from providers.degrade import count
from providers.scenarios import Reply, say
from providers.scripted import play
from server.chat.prompts import prompt
from server.chat.rewrite import FALLBACK
from server.chat.tools import TOOLS
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, Event, named, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HANDBOOK = "\n\n".join(
    f"# Chapter {i}: {topic}\n\nThe {topic} of the Zzyzx harbour is kept by warden number {i}. "
    f"It was last inspected in {2000 + i} and found in good order by the harbour board."
    for i, topic in enumerate(
        ("lighthouse", "crane", "slipway", "tide gauge", "chain locker", "signal mast"), 1
    )
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(house: Service, shared: Path) -> Asker:
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    cases = shared / "cases/files"
    files = {name: (cases / "S-CM-02" / name).read_bytes() for name in ("qzv-job1.md", "qzv-job2.md")}
    files |= {
        "qzv-anchor.md": (cases / "S-CI-01/qzv-anchor.md").read_bytes(),
        "zzyzx-handbook.md": HANDBOOK.encode(),
    }
    done = await asyncio.gather(*(asker.upload(name, content) for name, content in files.items()))
    assert {document["status"] for document in done} == {"completed"}
    return asker


@pytest_asyncio.fixture(loop_scope="module")
async def thread(reader: Asker) -> str:
    return await reader.thread()


def kind(events: list[Event]) -> str:
    return str(named(events, "turn")[0]["kind"])


def tools(events: list[Event]) -> list[str]:
    return [t["name"] for t in named(events, "tool") if t["state"] == "started" and "parent_id" not in t]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("hello there", "greeting"),
        ("Guten Tag", "greeting"),
        ("hey what's up", "small_talk"),
        ("vielen Dank!", "acknowledgement"),
        ("what can you do?", "out_of_scope"),
        ("how heavy is the anchor?", "question"),
        ("How should I prepare for a salary negotiation?", "advisory"),
        ("Draft an e-mail about the crane inspection", "artefact"),
    ],
)
async def test_the_kind_of_a_turn_is_said_before_anything_is_looked_up(
    house: Service, scripted: Scripted, reader: Asker, thread: str, message: str, expected: str
) -> None:  # D1, B9
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, message)
    assert kind(events) == expected
    searches = expected in ("question", "advisory", "artefact")
    assert tools(events) == (["search_documents"] if searches else [])
    assert bool(named(events, "turn")[0]["query"]) is searches
    # The rules were sure: no model was asked what kind of turn it is.
    assert prompt("rewrite") not in [r["messages"][0]["content"] for r in scripted.requests]


async def test_general_advice_without_documents_is_given_and_labelled(
    house: Service, scripted: Scripted
) -> None:  # D3
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("Not from your documents: rest well before you travel."))])
    thread = await asker.thread()
    events = await asker.ask(thread, "What should I do against jet lag?")
    assert kind(events) == "advisory"
    assert named(events, "sources") == []
    [grounding] = named(events, "grounding")
    assert (grounding["state"], grounding["reasons"]) == ("general", ["not_from_documents"])
    assert [m["kind"] for m in await asker.messages(thread)] == ["question", "answer"]
    assert (await house.admin.get("/api/gaps")).json()["items"] == []  # nothing was asked of the documents


@pytest.mark.parametrize("message", ["What else?", "What else is there about it?"])
async def test_what_else_is_never_blocked(
    house: Service, scripted: Scripted, reader: Asker, thread: str, message: str
) -> None:  # D7
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, "Who keeps the lighthouse of the Zzyzx harbour?")
    events = await reader.ask(thread, message)
    assert kind(events) == "follow_up"
    assert "lighthouse" in named(events, "turn")[0]["query"]
    assert named(events, "sources")
    assert (await reader.messages(thread))[3]["kind"] == "answer"


async def test_yes_does_what_was_offered(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # D2
    await scripted.answers(house, "any")
    offer = "It is kept by warden number 1. Shall I summarise the zzyzx-handbook?"
    play(scripted.app, [Reply(say(offer)), Reply(say("It tells who keeps what [1]."))])
    await reader.ask(thread, "Who keeps the lighthouse of the Zzyzx harbour?")
    events = await reader.ask(thread, "yes please")
    assert kind(events) == "whole_document"
    assert tools(events) == ["analyze_document"]
    assert named(events, "sources")[0]["items"][0]["name"] == "zzyzx-handbook.md"
    assert (await reader.messages(thread))[3]["kind"] == "answer"


async def test_a_long_follow_up_is_rewritten_by_the_model(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C8
    await scripted.answers(house, "any")
    rewritten = {
        "kind": "follow_up",
        "query": "year in which the tide model of Corvane Instruments was built",
    }
    play(
        scripted.app,
        [
            Reply(say("The tide model was built at Corvane Instruments.")),
            Reply(say(json.dumps(rewritten))),
            Reply(say("In 2019.")),
        ],
    )
    await reader.ask(thread, "tell me about modelling work")
    events = await reader.ask(thread, "in which year had they finally built it there?")
    assert named(events, "turn")[0] == rewritten
    assert named(events, "tool")[0]["arguments"] == {"query": rewritten["query"]}
    asked = json.dumps(scripted.requests[1]["messages"])
    assert "Corvane Instruments" in asked  # the referent stands in the previous answer
    assert "tools" not in scripted.requests[1]


async def test_a_rewrite_that_is_no_use_falls_back_and_is_counted(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C8, J3
    await scripted.answers(house, "any")
    before = count(FALLBACK)
    play(
        scripted.app,
        [Reply(say("The tide model was built at Corvane Instruments.")), Reply(say("I would say: maybe?"))],
    )
    await reader.ask(thread, "tell me about modelling work")
    events = await reader.ask(thread, "in which year had they finally built it there?")
    assert count(FALLBACK) == before + 1
    assert kind(events) == "follow_up"
    assert "Corvane Instruments" in named(events, "turn")[0]["query"]
    assert "qzv-job1.md" in {item["name"] for item in named(events, "sources")[0]["items"]}


async def test_a_stalled_rewrite_is_not_waited_for(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C8, J3
    await scripted.answers(house, "any")
    before = count(FALLBACK)
    play(
        scripted.app,
        [
            Reply(say("The tide model was built at Corvane Instruments.")),
            Reply(say("x"), before_first=60),
            Reply(say("In 2019.")),
        ],
    )
    await reader.ask(thread, "tell me about modelling work")
    async with asyncio.timeout(10):
        events = await reader.ask(thread, "in which year had they finally built it there?")
    assert count(FALLBACK) == before + 1
    assert text_of(events) == "In 2019."


async def test_a_pasted_text_is_worked_on(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # D11
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("A warden wanted, paid fairly."))])
    paste = (
        "Shorten this job description:\n"
        + "The harbour wants a warden. The salary is 42,000 crowns a year. " * 40
    )
    events = await reader.ask(thread, paste)
    assert kind(events) == "artefact"
    assert "42,000 crowns" in json.dumps(scripted.requests[0]["messages"])
    assert (await reader.messages(thread))[1]["kind"] == "answer"


async def test_odd_numbers_of_parallel_calls_are_two_searches(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # S-ST-05, N6
    await scripted.answers(house, "scripted-same-index")
    events = await reader.ask(thread, "how heavy is the anchor of the Bittern?")
    queries = [t["arguments"]["query"] for t in named(events, "tool") if t["state"] == "done"]
    assert len(queries) == 3  # ours, and the model's two
    assert queries[2] == f"{queries[1]} again"
    assert "940 kg [1]" in text_of(events)


@pytest.mark.parametrize(
    "model", ["scripted-no-index", "scripted-empty-choices", "scripted-missing-done", "scripted-no-finish"]
)
async def test_odd_streams_end_in_the_same_answer(
    house: Service, scripted: Scripted, reader: Asker, thread: str, model: str
) -> None:  # S-ST-04, S-ST-05, N6
    await scripted.answers(house, model)
    events = await reader.ask(thread, "how heavy is the anchor of the Bittern?")
    assert text_of(events).startswith("The anchor of the Bittern weighs 940 kg [1].")
    assert events[-1].name == "done"


async def test_a_tool_that_hangs_ends_in_an_answer(
    house: Service, scripted: Scripted, reader: Asker, thread: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # B3
    monkeypatch.setitem(TOOLS, "analyze_document", replace(TOOLS["analyze_document"], seconds=0.3))
    await scripted.answers(house, "any")
    arguments = json.dumps({"document": "zzyzx-handbook", "task": "summarise"})
    called = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "analyze_document", "arguments": arguments},
    }
    play(
        scripted.app,
        [
            Reply([{"tool_calls": [called]}], finish="tool_calls"),
            Reply(say("x"), before_first=60),
            Reply(say("It weighs 940 kg [1].")),
        ],
    )
    events = await reader.ask(thread, "how heavy is the anchor of the Bittern?")
    failed = [t for t in named(events, "tool") if t["state"] == "failed"]
    assert [t["result"] for t in failed] == [{"code": "tool_timeout"}]
    assert "940 kg" in text_of(events)
    assert events[-1].name == "done"


async def test_a_question_without_evidence_is_in_the_list_of_what_to_upload(
    house: Service, scripted: Scripted, reader: Asker
) -> None:  # L8
    await scripted.answers(house, "scripted-never-tools")
    question = "Which composer wrote the opera about the flying Dutchman?"
    for _ in range(2):
        thread = await reader.thread()
        await reader.ask(thread, question)
    other = await house.newcomer()
    asker = Asker(other, house.client(other))
    await asker.ask(await asker.thread(), "which composer wrote the opera about the flying dutchman")
    items = [i for i in (await house.admin.get("/api/gaps")).json()["items"] if "composer" in i["question"]]
    [gap] = items
    assert (gap["times"], gap["people"], gap["state"]) == (3, 2, "open")
    assert (await reader.client.get("/api/gaps")).status_code == 403
    settled = await house.admin.patch(f"/api/gaps/{gap['id']}", json={"state": "done"})
    assert settled.status_code == 204
    states = {i["id"]: i["state"] for i in (await house.admin.get("/api/gaps?state=done")).json()["items"]}
    assert states[gap["id"]] == "done"
    await reader.ask(thread, question)  # it comes back: open again
    assert gap["question"] in [
        i["question"] for i in (await house.admin.get("/api/gaps?state=open")).json()["items"]
    ] or (
        question in [i["question"] for i in (await house.admin.get("/api/gaps?state=open")).json()["items"]]
    )


async def test_a_greeting_leaves_no_gap(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("Hello!"))])
    before = (await house.admin.get("/api/gaps")).json()["items"]
    await reader.ask(thread, "hello there")
    assert (await house.admin.get("/api/gaps")).json()["items"] == before


async def test_titles_that_a_model_writes_are_no_sources(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # M1, M2
    await scripted.answers(house, "any")
    said = "The anchor of the Bittern weighs 940 kg [1]. Source: [Secret Ledger.pdf, page 9](http://evil.example) [7]"
    play(scripted.app, [Reply(say(said))])
    events = await reader.ask(thread, "how heavy is the anchor of the Bittern?")
    items = [item for data in named(events, "sources") for item in data["items"]]
    assert "Secret Ledger" not in json.dumps(items)
    assert not [item for item in items if item.get("url")]
    assert "[7]" not in text_of(events)


async def test_a_swapped_number_is_marked_and_not_hidden(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # M7
    await asker.upload(
        "zzyzx-weights.md", b"The anchor of the Zorbal weighs 940 kg. The winch of the Zorbal weighs 310 kg."
    )
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("The anchor of the Zorbal weighs 310 kg [1]."))])
    events = await asker.ask(await asker.thread(), "how heavy is the anchor of the Zorbal?")
    assert text_of(events) == "The anchor of the Zorbal weighs 310 kg [1]."
    [grounding] = named(events, "grounding")
    assert (grounding["state"], grounding["unsupported"]) == (
        "partly",
        ["The anchor of the Zorbal weighs 310 kg ."],
    )
    assert "other_number" in grounding["reasons"]


async def test_a_sentence_in_other_words_is_borne_out_by_meaning(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # M7: words alone would doubt it
    await asker.upload(
        "zzyzx-cat.md", b"The physician advised the patient to stop smoking cigarettes at once."
    )
    await scripted.answers(house, "any")
    play(
        scripted.app,
        [Reply(say("A doctor told someone ill that they should quit tobacco smoking immediately [1]."))],
    )
    events = await asker.ask(await asker.thread(), "What did the physician advise the patient?")
    assert named(events, "grounding")[0]["state"] == "grounded"
