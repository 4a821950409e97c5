"""Answers over HTTP with a scripted model: what is said, cited, stored and sent to the model again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from providers.scenarios import Reply, say
from providers.scripted import play, play_stream
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANCHOR = "How heavy is the anchor of the Bittern?"
COUNTS = {"dense_results", "sparse_results", "graph_results", "rrf_candidates"}  # O1
TOOLS = ("search_documents", "analyze_document", "query_structured_data", "search_web")


@pytest.fixture(scope="module")
def cases(shared: Path) -> Path:
    return shared / "cases/files"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(house: Service, cases: Path) -> Asker:
    """Somebody with the anchor and two jobs among their documents; each test begins a thread of its own."""
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    names = ("S-CI-01/qzv-anchor.md", "S-CM-02/qzv-job1.md", "S-CM-02/qzv-job2.md")
    done = await asyncio.gather(*(asker.upload(Path(n).name, (cases / n).read_bytes()) for n in names))
    assert [document["status"] for document in done] == ["completed"] * 3
    return asker


@pytest_asyncio.fixture(loop_scope="module")
async def thread(reader: Asker) -> str:
    return await reader.thread()


def sent_text(body: dict[str, Any]) -> str:
    return json.dumps(body["messages"], ensure_ascii=False)


async def test_an_answer_from_beginning_to_end(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # interfaces.md, B10, M1, M6
    await scripted.answers(house, "scripted-cite")
    events = await reader.ask(thread, ANCHOR)
    kinds = list(dict.fromkeys(event.name for event in events))
    assert kinds == ["run", "turn", "tool", "sources", "text", "grounding", "usage", "done"] or kinds == [
        "run", "turn", "tool", "sources", "text", "usage", "grounding", "done",
    ]  # fmt: skip
    [run], [turn], tools = named(events, "run"), named(events, "turn"), named(events, "tool")
    assert run["thread_id"] == thread
    assert turn == {"kind": "question", "query": ANCHOR}
    assert [tool["state"] for tool in tools] == ["started", "done"]
    result = tools[-1]["result"]
    assert {"passages", "documents", "counts", "grounding", "top"} <= set(result)
    assert set(result["counts"]) >= COUNTS
    assert result["top"][0] == {"n": 1, "name": "qzv-anchor.md", "page_start": None}
    [sources] = named(events, "sources")
    assert [item["n"] for item in sources["items"]] == list(range(1, len(sources["items"]) + 1))
    assert sources["items"][0]["name"] == "qzv-anchor.md"
    text = text_of(events)
    assert text.startswith("The anchor of the Bittern weighs 940 kg [1].")
    assert named(events, "grounding")[0]["state"] == "grounded"
    [done] = named(events, "done")
    assert done == {"message_id": run["message_id"], "finish": "complete"}

    detail = await reader.read(thread)
    assert detail["active_run"] is None
    assert detail["title"] == ANCHOR
    question, answer = detail["messages"]
    assert (question["role"], question["kind"], question["content"]) == ("user", "question", ANCHOR)
    assert (answer["id"], answer["kind"], answer["content"]) == (run["message_id"], "answer", text)
    assert answer["sources"] == sources["items"]
    assert answer["grounding"]["state"] == "grounded"
    assert answer["trace"] == [tools[-1]]
    assert (answer["model"], answer["finish"], answer["error"]) == ("scripted-cite", "complete", None)
    assert answer["ms"] > 0


async def test_a_model_that_never_searches_has_sources_all_the_same(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # B9
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, ANCHOR)
    assert named(events, "sources")[0]["items"][0]["name"] == "qzv-anchor.md"
    [request] = scripted.requests
    tool_result = next(m for m in request["messages"] if m["role"] == "tool")
    assert "The anchor of the Bittern weighs 940 kg." in tool_result["content"]
    [grounding] = named(events, "grounding")
    assert (grounding["state"], grounding["unsupported"]) == ("general", [])
    assert "no_citations" in grounding["reasons"]


async def test_a_model_that_always_searches_ends_in_an_answer(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # B3
    await scripted.answers(house, "scripted-loop")
    events = await reader.ask(thread, ANCHOR)
    assert text_of(events) == "I have searched enough and can say no more."
    assert [("tools" in request) for request in scripted.requests] == [True, True, True, False]
    done = [tool for tool in named(events, "tool") if tool["state"] == "done"]
    assert len(done) == 1 + 3  # our own search, then one for each round
    for request in scripted.requests:  # every call has its result, every result its call (S-CM-04)
        asked = [c["id"] for m in request["messages"] for c in m.get("tool_calls") or ()]
        answered = [m["tool_call_id"] for m in request["messages"] if m["role"] == "tool"]
        assert asked == answered
    assert (await reader.messages(thread))[1]["trace"] == done


async def test_a_prompt_names_no_tool_that_is_not_offered(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # B6, B7
    await scripted.answers(house, "scripted-loop")
    await reader.ask(thread, ANCHOR)
    await reader.ask(thread, "thanks!")
    for request in scripted.requests:
        offered = {tool["function"]["name"] for tool in request.get("tools", ())}
        system = request["messages"][0]
        assert system["role"] == "system"
        assert not [name for name in TOOLS if name in system["content"] and name not in offered]
    assert "tools" not in scripted.requests[-1]  # small talk has nothing to search for


@pytest.mark.parametrize("model", ["scripted-text-tool", "scripted-tag-tool"])
async def test_a_tool_call_written_as_text_is_run_and_not_shown(
    house: Service, scripted: Scripted, reader: Asker, thread: str, model: str
) -> None:  # B6
    await scripted.answers(house, model)
    events = await reader.ask(thread, ANCHOR)
    assert "search_documents" not in text_of(events)
    assert "{" not in text_of(events)
    assert "940 kg [1]" in text_of(events)


@pytest.mark.parametrize("model", ["scripted-think", "scripted-reasoning"])
async def test_thinking_stays_apart(
    house: Service, scripted: Scripted, reader: Asker, thread: str, model: str
) -> None:  # Q4
    await scripted.answers(house, model)
    events = await reader.ask(thread, ANCHOR)
    thought = "".join(data["delta"] for data in named(events, "thinking"))
    assert thought in ("the user wants a secret plan", "First I look at the passages.")
    assert text_of(events).startswith("The anchor of the Bittern weighs 940 kg [1].")
    stored = (await reader.messages(thread))[1]["content"]
    assert stored == text_of(events)
    assert "<think" not in stored


async def test_numbers_of_no_source_are_gone_live_and_stored(
    house: Service, scripted: Scripted, reader: Asker, thread: str, cases: Path
) -> None:  # S-CI-01, M2
    await scripted.answers(house, "any")
    play_stream(scripted.app, (cases / "S-CI-01/stream.sse").read_bytes())
    events = await reader.ask(thread, "how heavy is the anchor?")
    live = text_of(events)
    assert live == "The anchor weighs 940 kg [1] and it was cast in Dunholt. See, and."
    assert (await reader.messages(thread))[1]["content"] == live
    assert named(events, "sources")[0]["items"][0]["name"] == "qzv-anchor.md"


async def test_sources_stick_to_their_answer_after_a_reload(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # S-CI-03, M7
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, "hello there")
    live = named(await reader.ask(thread, ANCHOR), "sources")[0]["items"]
    messages = await reader.messages(thread)
    assert [len(m["sources"]) for m in messages] == [0, 0, 0, len(live)]
    assert messages[3]["sources"] == live
    passage = (await reader.client.get(f"/api/passages/{live[0]['chunk_id']}")).json()
    assert (passage["state"], passage["text"]) == ("current", "The anchor of the Bittern weighs 940 kg.")


@pytest.mark.parametrize("greeting", ["hey what's up", "thanks!", "good morning", "ok cool", "vielen Dank"])
async def test_small_talk_has_no_sources(
    house: Service, scripted: Scripted, reader: Asker, thread: str, greeting: str
) -> None:  # S-CI-04, D1, M5
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("Hello! Shall I look something up [1]?"))])
    events = await reader.ask(thread, greeting)
    assert [e.name for e in events if e.name in ("tool", "sources")] == []
    assert text_of(events) == "Hello! Shall I look something up?"
    assert named(events, "grounding")[0]["state"] == "general"


async def test_pages_are_those_of_their_own_document(house: Service, scripted: Scripted, cases: Path) -> None:
    # S-CI-02, M1, M3
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    for name in ("qzv-ports.pdf", "qzv-fees.pdf"):
        assert (await asker.upload(name, (cases / "S-CI-02" / name).read_bytes()))["status"] == "completed"
    await scripted.answers(house, "scripted-cite")
    events = await asker.ask(await asker.thread(), "length limit of berth nine, and the mooring fee?")
    items = named(events, "sources")[0]["items"]
    first = {name: next(i for i in items if i["name"] == name) for name in ("qzv-ports.pdf", "qzv-fees.pdf")}
    assert first["qzv-ports.pdf"]["page_start"] == 7
    assert first["qzv-fees.pdf"]["page_start"] == 2
    boxes = (await asker.client.get(f"/api/passages/{first['qzv-ports.pdf']['chunk_id']}")).json()["boxes"]
    assert {box["page"] for box in boxes} == {7}


async def test_the_model_reads_whole_passages(house: Service, scripted: Scripted, cases: Path) -> None:
    # S-CI-05, F5, J4
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    await asker.upload("qzv-dense.txt", (cases / "S-CI-05/qzv-dense.txt").read_bytes())
    await scripted.answers(house, "scripted-cite")
    events = await asker.ask(
        await asker.thread(), "where does the spare key hang and how much does the second tank hold?"
    )
    for fact in ("behind the barometer", "5,130 litres"):
        assert fact in sent_text(scripted.requests[0])
    passages = [
        (await asker.client.get(f"/api/passages/{item['chunk_id']}")).json()["text"]
        for item in named(events, "sources")[0]["items"]
    ]
    assert any("behind the barometer" in text for text in passages)
    assert any("5,130 litres" in text for text in passages)


async def test_the_second_turn_carries_history_on_the_wire(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C1, C9, C10, C12
    await scripted.answers(house, "scripted-cite")
    first = text_of(await reader.ask(thread, ANCHOR))
    events = await reader.ask(thread, "and who built the tide model?")
    [_, request] = scripted.requests
    roles = [m["role"] for m in request["messages"]]
    assert roles[:4] == ["system", "user", "assistant", "user"]
    assert [m["content"] for m in request["messages"][1:4]] == [
        ANCHOR,
        first,
        "and who built the tide model?",
    ]
    assert roles.count("tool") == 1  # passages of earlier turns are not replayed
    assert named(events, "turn")[0]["kind"] == "follow_up"


async def test_a_follow_up_finds_what_the_last_answer_named(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # S-CM-02, C8
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("The tide model was built at Corvane Instruments."))])
    await reader.ask(thread, "tell me about modelling work")
    events = await reader.ask(thread, "where was that, which company?")
    assert "Corvane" in named(events, "turn")[0]["query"]
    assert "qzv-job1.md" in {item["name"] for item in named(events, "sources")[0]["items"]}


async def test_yes_to_an_offer_looks_it_up(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # S-CM-03, D2
    await scripted.answers(house, "any")
    play(
        scripted.app,
        [Reply(say("A small team. Shall I look up the tide model too?")), Reply(say("At Corvane [1]."))],
    )
    await reader.ask(thread, "who ran the lighthouse survey?")
    events = await reader.ask(thread, "yes")
    assert "qzv-job1.md" in {item["name"] for item in named(events, "sources")[0]["items"]}
    assert (await reader.messages(thread))[3]["kind"] == "answer"


async def test_a_paste_is_sent_whole_once(
    house: Service, scripted: Scripted, reader: Asker, thread: str, cases: Path
) -> None:  # S-CM-05, C5, C6, C7
    paste = (cases / "S-CM-05/paste.txt").read_text()
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(say("In bay 1."))])
    for text in (paste, "and crate 34?", "and crate 51?"):
        assert (await reader.ask(thread, text))[-1].name == "done"
    first, _, last = (r for r in scripted.requests if r["messages"][0]["role"] == "system")
    assert paste.strip() in [m["content"] for m in first["messages"]]
    assert "Title: stowage plan" in sent_text(last)
    assert "which bay holds crate 17?" in sent_text(last)
    assert "Bay 95 holds" not in sent_text(last)


async def test_a_very_long_message_is_answered(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C7, D11
    await scripted.answers(house, "scripted-cite")
    text = "Salary of the harbour master. " * 2000 + ANCHOR
    assert len(text) > 50_000
    events = await reader.ask(thread, text)
    assert events[-1].name == "done"
    assert "940 kg" in text_of(events)
    assert len(sent_text(scripted.requests[0])) < 40_000  # the context of the settings is kept to


async def test_refusals_are_kept_for_people_and_not_replayed(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:  # C2
    await scripted.answers(house, "scripted-refusal")
    await reader.ask(thread, "What is the zorbal code?")
    await scripted.answers(house, "scripted-empty")
    await reader.ask(thread, "What is the glimmer code?")
    await scripted.answers(house, "scripted-filtered")
    await reader.ask(thread, "What is the wimble code?")
    await scripted.answers(house, "scripted-401")
    await reader.ask(thread, "What is the tobble code?")
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, ANCHOR)
    [request] = scripted.requests
    assert [m["role"] for m in request["messages"]] == ["system", "user", "assistant", "tool"]
    for word in ("sorry", "zorbal", "glimmer", "returned no answer", "wimble", "tobble", "accept the key"):
        assert word not in sent_text(request)
    kinds = [m["kind"] for m in await reader.messages(thread)]
    assert kinds == ["question", "refusal"] * 3 + ["question", "error", "question", "answer"]


async def test_a_question_the_corpus_does_not_answer_says_so(house: Service, scripted: Scripted) -> None:
    # D4, D5, I12
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    await asker.upload("zzyzx.md", b"The anchor of the Bittern weighs 940 kg.")
    await scripted.answers(house, "scripted-cite")
    thread = await asker.thread()
    events = await asker.ask(thread, "Which composer wrote the opera about the flying Dutchman?")
    assert named(events, "sources") == []
    assert named(events, "grounding")[0]["state"] == "none"
    assert "940 kg" not in sent_text(scripted.requests[0])
    assert (await asker.messages(thread))[1]["sources"] == []


async def test_an_answer_cut_at_its_limit_says_so(
    house: Service, scripted: Scripted, reader: Asker, thread: str
) -> None:
    await scripted.answers(house, "scripted-length")
    assert named(await reader.ask(thread, ANCHOR), "done")[0]["finish"] == "length"
    assert (await reader.messages(thread))[1]["finish"] == "length"


async def test_without_a_model_the_answer_is_quotations(house: Service, reader: Asker, thread: str) -> None:
    cleared = {"chat.base_url": None, "chat.model": None}
    assert (await house.admin.put("/api/settings", json={"values": cleared})).status_code == 200
    events = await reader.ask(thread, ANCHOR)
    assert "> The anchor of the Bittern weighs 940 kg. [1]" in text_of(events)
    assert named(events, "grounding")[0]["state"] == "grounded"
    nothing = await reader.ask(thread, "Which composer wrote the opera about the flying Dutchman?")
    assert named(nothing, "grounding")[0]["state"] == "none"
    hello = await reader.ask(thread, "hello there")
    assert named(hello, "sources") == []
    kinds = [m["kind"] for m in await reader.messages(thread)]
    assert kinds == ["question", "answer", "question", "refusal", "question", "answer"]
