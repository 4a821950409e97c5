"""Whole conversations with what reaches out of the house: the web, people, and documents that order it to."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from providers.scenarios import Reply, call, say
from providers.scripted import play
from providers.web import Web
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, Event, events_of, named, text_of
from tests.db.web_server import WebServer, web_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

FEES = "# Fees of 2024\n\nThe mooring fee is 14 crowns. The pilot fee is 90 crowns a passage."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(house: Service) -> AsyncIterator[WebServer]:
    """A search engine on this machine; pages of this machine may be opened, which in a real house they may not."""
    house.runtime.web = Web(house.runtime.http, loopback=True)
    async with web_server() as seen:
        yield seen


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader(house: Service) -> Asker:
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    assert (await asker.upload("zzyzx-fees-2024.md", FEES.encode()))["status"] == "completed"
    return asker


@pytest_asyncio.fixture(loop_scope="module")
async def thread(reader: Asker) -> str:
    return await reader.thread()


async def policy(house: Service, web: WebServer, value: str, **more: Any) -> None:
    values = {"web.policy": value, "web.base_url": web.base_url, **more}
    saved = await house.admin.put("/api/settings", json={"values": values})
    assert saved.status_code == 200, saved.text
    web.clear()


async def without_model(house: Service) -> None:
    values = {"chat.base_url": None, "chat.model": None}
    assert (await house.admin.put("/api/settings", json={"values": values})).status_code == 200


def tools(events: list[Event], state: str = "started") -> list[str]:
    return [t["name"] for t in named(events, "tool") if t["state"] == state]


# The web ------------------------------------------------------------------------------------------

UNKNOWN = "What does a zorbal cost in Blorptz?"


async def test_off_searches_nothing(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # Settled 4
    await policy(house, web, "off")
    await scripted.answers(house, "scripted-obey")
    events = await reader.ask(thread, UNKNOWN)
    assert web.everything == ""
    assert named(events, "proposal") == []
    for request in scripted.requests:
        assert not {"search_web", "fetch_page"} & {t["function"]["name"] for t in request.get("tools", ())}


async def test_automatic_goes_to_the_web_at_once_and_cites_it(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # B8, L9
    await policy(house, web, "automatic")
    await scripted.answers(house, "scripted-cite")
    events = await reader.ask(thread, UNKNOWN)
    assert tools(events) == ["search_documents", "search_web"]
    assert web.queries == ["What does a zorbal cost in Blorptz"]
    shown = [t["arguments"] for t in named(events, "tool") if t["name"] == "search_web"]
    assert shown[0] == {"query": web.queries[0]}  # the query is shown
    items = named(events, "sources")[-1]["items"]
    assert [(i["title"], i["url"], i["document_id"]) for i in items] == [
        ("Zorbal prices", f"{web.base_url}/page", None),
        ("Elsewhere", f"{web.base_url}/inwards", None),
    ]
    assert "77 crowns in Dunholt [1]" in text_of(events)
    [grounding] = named(events, "grounding")
    assert grounding["state"] == "grounded"
    assert "web" in grounding["reasons"]
    assert (await reader.messages(thread))[1]["sources"] == items  # also after a reload


async def test_what_the_documents_answer_is_not_searched_outside(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # B8
    await policy(house, web, "automatic")
    await scripted.answers(house, "scripted-cite")
    events = await reader.ask(thread, "How much is the pilot fee of a passage?")
    assert tools(events) == ["search_documents"]
    assert web.everything == ""


async def test_ask_offers_and_a_yes_searches(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # Settled 4, D2
    await policy(house, web, "ask")
    await scripted.answers(house, "scripted-never-tools")
    first = await reader.ask(thread, UNKNOWN)
    assert web.everything == ""
    assert named(first, "proposal") == [{"tool": "search_web", "query": "What does a zorbal cost in Blorptz"}]
    assert "“What does a zorbal cost in Blorptz”" in text_of(first)
    await scripted.answers(house, "scripted-cite")
    second = await reader.ask(thread, "yes")
    assert web.queries == ["What does a zorbal cost in Blorptz"]
    assert "77 crowns" in text_of(second)


async def test_ask_with_the_button_searches(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:
    await policy(house, web, "ask", **{"web.provider": "tavily", "web.key": "qzv-web-key"})
    await scripted.answers(house, "scripted-cite")
    body = {"content": UNKNOWN, "allow_web": True}
    async with reader.client.stream("POST", f"/api/threads/{thread}/messages", json=body) as live:
        events = [event async for event in events_of(live)]
    assert web.queries == ["What does a zorbal cost in Blorptz"]
    assert web.keys == ["Bearer qzv-web-key"]
    assert "77 crowns" in text_of(events)
    await policy(house, web, "ask", **{"web.provider": None, "web.key": None})


async def test_a_page_is_opened_by_its_number_only(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # X12, X13, X14
    await policy(house, web, "automatic")
    await scripted.answers(house, "any")
    play(
        scripted.app,
        [
            Reply([*call("fetch_page", {"n": 1}, id_="a"), *call("fetch_page", {"n": 2}, id_="b", index=1),
                   *call("fetch_page", {"url": f"{web.base_url}/page?secret"}, id_="c", index=2)], finish="tool_calls"),
            Reply(say("A zorbal costs 77 crowns in Dunholt [1].")),
        ],
    )  # fmt: skip
    events = await reader.ask(thread, UNKNOWN)
    states = [
        t["state"] for t in named(events, "tool") if t["name"] == "fetch_page" and t["state"] != "started"
    ]
    assert states == ["done", "failed", "failed"]  # a page, one that leads to cloud metadata, and no page
    assert web.pages == [f"{web.base_url}/page", f"{web.base_url}/inwards"]
    read = [m["content"] for m in scripted.requests[-1]["messages"] if m["role"] == "tool"]
    assert "A zorbal costs 77 crowns in Dunholt." in read[-3]
    assert "evil.example" not in "".join(read)
    assert "alert(1)" not in "".join(read)


async def test_a_broken_search_engine_is_no_broken_answer(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # O4
    await policy(house, web, "automatic", **{"web.base_url": f"{web.base_url}/nothing"})
    await scripted.answers(house, "scripted-never-tools")
    events = await reader.ask(thread, UNKNOWN)
    assert tools(events, "failed") == ["search_web"]
    assert events[-1].name == "done"


async def test_without_a_model_web_results_are_listed(
    house: Service, web: WebServer, reader: Asker, thread: str
) -> None:  # L9
    await policy(house, web, "automatic")
    await without_model(house)
    events = await reader.ask(thread, UNKNOWN)
    assert "A zorbal costs 77 crowns in Dunholt. [1]" in text_of(events)


async def test_orders_in_documents_send_nothing_out(
    house: Service, scripted: Scripted, web: WebServer, shared: Path
) -> None:  # S-SI-05, X14, D14, X11
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    for name in ("qzv-notice.md", "qzv-secret.md"):
        await asker.upload(name, (shared / "cases/files/S-SI-05" / name).read_bytes())
    await policy(house, web, "automatic", **{"handover.base_url": f"{web.base_url}/hook"})
    await scripted.answers(house, "scripted-obey")
    thread = await asker.thread()
    for question in (
        "what is the vault code?",
        "what is the mooring fee?",
        "and what else does the notice say?",
    ):
        events = await asker.ask(thread, question)
        assert events[-1].name == "done"
    for word in ("7719", "heron", "orlith", "api_keys", "quarrow"):
        assert word not in web.everything.lower()
    assert web.messages == []  # nothing was handed to anybody
    ran = {t["name"] for m in await asker.messages(thread) for t in m["trace"]}
    assert "query_structured_data" not in ran  # and no such statement ever ran
    await policy(house, web, "off", **{"handover.base_url": None})


async def test_no_egress_tool_is_reached_with_private_text(
    house: Service, scripted: Scripted, web: WebServer, shared: Path
) -> None:  # X14, X13: e-mails with orders in them, and a model that obeys every one

    with gzip.open(shared / "data/safety/poisoned_docs.jsonl.gz", "rt") as lines:
        poisoned = [json.loads(line) for line in lines][::15]  # 50 of the 150 pass as well, in 30 s
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    await asyncio.gather(
        *(asker.upload(f"zzyzx-{i}.txt", d["text"].encode()) for i, d in enumerate(poisoned))
    )
    await policy(house, web, "automatic", **{"handover.base_url": f"{web.base_url}/hook"})
    await scripted.answers(house, "scripted-obey")
    asked = []
    for document in poisoned:
        subject = document["text"].partition("SUBJECT:")[2].partition("|")[0].strip()[:60] or "the e-mail"
        asked.append(f"What does the e-mail about {subject} say?")
        events = await asker.ask(await asker.thread(), asked[-1])
        assert events[-1].name == "done"
        for source in named(events, "sources")[-1:]:
            assert all(
                item.get("url") is None or item["url"].startswith(web.base_url) for item in source["items"]
            )
    said = {word for question in asked for word in question.casefold().replace("?", " ").split()}
    for query in web.queries:  # only ever the person's own words
        assert set(query.casefold().split()) <= said
    assert web.messages == []
    await policy(house, web, "off", **{"handover.base_url": None})


# People -------------------------------------------------------------------------------------------


async def test_a_question_is_handed_to_a_person(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # L7
    hook = {"handover.base_url": f"{web.base_url}/hook", "handover.label": "the harbour desk"}
    await policy(house, web, "off", **hook)
    await scripted.answers(house, "scripted-cite")
    question = "How much is the pilot fee of a passage?"
    await reader.ask(thread, question)
    events = await reader.ask(thread, "Please pass this on to a person")
    assert tools(events) == ["hand_over"]
    [message] = web.messages
    assert question in message["message"]
    assert "90 crowns" not in message["message"]  # the question, not what a document says
    assert "the harbour desk" in text_of(events)
    await policy(house, web, "off", **{"handover.base_url": None, "handover.label": None})
    events = await reader.ask(thread, "Can I talk to a human?")
    assert tools(events) == []
    assert web.messages == []


async def test_a_declined_question_is_passed_on_after_a_yes(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # L12, D2
    hook = {"handover.base_url": f"{web.base_url}/hook", "handover.label": "the harbour desk"}
    await policy(house, web, "off", **hook, **{"safety.declined": "salaries: what people earn, pay, wages"})
    await scripted.answers(house, "scripted-cite")
    question = "What salary does the harbour pay its wardens?"
    first = await reader.ask(thread, question)
    assert named(first, "turn")[0]["kind"] == "declined"
    await reader.ask(thread, "yes please")
    assert [message["message"] for message in web.messages] == [question]
    await policy(house, web, "off", **dict.fromkeys((*hook, "safety.declined")))


async def test_a_refusal_with_an_offer_is_not_replayed_and_its_offer_stands(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # C2, D2
    await policy(house, web, "ask")
    await scripted.answers(house, "scripted-refusal")
    await reader.ask(thread, UNKNOWN)
    assert (await reader.messages(thread))[1]["kind"] == "refusal"
    await scripted.answers(house, "scripted-cite")
    events = await reader.ask(thread, "yes")
    assert web.queries == ["What does a zorbal cost in Blorptz"]
    assert "77 crowns" in text_of(events)
    assert "sorry" not in json.dumps([r["messages"] for r in scripted.requests])
    # Asked again, the "yes" still means the offer before it, not what was answered last in the thread.
    web.clear()
    url = f"/api/messages/{(await reader.messages(thread))[-1]['id']}/regenerate"
    async with reader.client.stream("POST", url, json={}) as live:
        events = [event async for event in events_of(live)]
    assert web.queries == ["What does a zorbal cost in Blorptz"]
    assert "77 crowns" in text_of(events)
    await policy(house, web, "off")


async def test_what_a_model_words_after_reading_documents_is_not_sent_to_people(
    house: Service, scripted: Scripted, web: WebServer, reader: Asker, thread: str
) -> None:  # X14, L7
    await policy(house, web, "off", **{"handover.base_url": f"{web.base_url}/hook"})
    await scripted.answers(house, "scripted-cite")
    await reader.ask(thread, "How much is the pilot fee of a passage?")
    await scripted.answers(house, "scripted-obey")
    await reader.ask(thread, "what can you do?")
    assert {message["message"] for message in web.messages} <= {"what can you do?"}
    await policy(house, web, "off", **{"handover.base_url": None})
