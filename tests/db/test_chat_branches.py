"""Conversations that branch: answered again, edited, deleted and restored, left out; and what is replayed then."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, Event, error_of, events_of, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Small talk, so that nothing is searched: the words that follow `hello` are social ones.
FIRST, SECOND, THIRD = "hello there", "hello again", "good day"


async def stream(asker: Asker, url: str, body: dict[str, Any]) -> list[Event]:
    async with asker.client.stream("POST", url, json=body) as response:
        assert response.status_code == 200, await response.aread()
        return [event async for event in events_of(response)]


async def post(asker: Asker, thread: str, content: str, **more: Any) -> list[Event]:
    return await stream(asker, f"/api/threads/{thread}/messages", {"content": content, **more})


async def again(asker: Asker, message_id: str) -> list[Event]:
    return await stream(asker, f"/api/messages/{message_id}/regenerate", {})


def sent(scripted: Scripted) -> list[str]:
    """What the last request replayed, without the system prompt."""
    return [m["content"] for m in scripted.requests[-1]["messages"] if m["role"] != "system"]


async def two_turns(house: Service, scripted: Scripted, asker: Asker, thread: str) -> list[dict[str, Any]]:
    await scripted.answers(house, "scripted-echo")
    await asker.ask(thread, FIRST)
    await asker.ask(thread, SECOND)
    return await asker.messages(thread)


async def test_each_message_follows_the_one_before(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    q1, a1, q2, a2 = await two_turns(house, scripted, asker, thread)
    assert [m["parent_id"] for m in (q1, a1, q2, a2)] == [None, q1["id"], a1["id"], q2["id"]]
    for message in (q1, a1, q2, a2):
        assert message["siblings"] == {"index": 0, "count": 1, "ids": [message["id"]]}
        assert (message["excluded"], message["feedback"], message["search_ids"]) == (False, None, [])


async def test_an_answer_made_again_stands_beside_the_first_and_is_what_is_replayed(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # issue 5: regenerate
    _, _, q2, a2 = await two_turns(house, scripted, asker, thread)
    await scripted.answers(house, "scripted-pace-200-3")  # says w0 w1 w2
    events = await again(asker, a2["id"])
    assert text_of(events) == "w0 w1 w2 "
    assert sent(scripted) == [
        FIRST,
        FIRST,
        SECOND,
    ]  # asked with what came before it, not with its first answer
    shown = await asker.messages(thread)
    assert [m["content"] for m in shown] == [FIRST, FIRST, SECOND, "w0 w1 w2 "]
    newest = shown[-1]
    assert newest["id"] == events[0].data["message_id"]
    assert newest["siblings"] == {"index": 1, "count": 2, "ids": [a2["id"], newest["id"]]}
    assert newest["parent_id"] == q2["id"]

    await scripted.answers(house, "scripted-echo")
    await asker.ask(thread, THIRD)
    assert sent(scripted) == [FIRST, FIRST, SECOND, "w0 w1 w2 ", THIRD]

    back = await asker.client.post(f"/api/messages/{a2['id']}/select")
    assert [m["content"] for m in back.json()["messages"]] == [FIRST, FIRST, SECOND, SECOND]
    await asker.ask(thread, THIRD)  # from here the other branch is nowhere on the wire
    assert sent(scripted) == [FIRST, FIRST, SECOND, SECOND, THIRD]
    # Going back shows that branch to its end.
    there = (await asker.client.post(f"/api/messages/{newest['id']}/select")).json()["messages"]
    assert [m["content"] for m in there] == [FIRST, FIRST, SECOND, "w0 w1 w2 ", THIRD, THIRD]


async def test_a_question_edited_and_sent_again_begins_a_branch(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # issue 5: edit-and-resend
    q1, a1, q2, _ = await two_turns(house, scripted, asker, thread)
    await post(asker, thread, THIRD, parent_id=q2["parent_id"])
    assert sent(scripted) == [FIRST, FIRST, THIRD]
    shown = await asker.messages(thread)
    assert [m["content"] for m in shown] == [FIRST, FIRST, THIRD, THIRD]
    assert shown[2]["siblings"] == {"index": 1, "count": 2, "ids": [q2["id"], shown[2]["id"]]}
    await post(asker, thread, SECOND, parent_id=None)  # the first question, edited
    assert sent(scripted) == [SECOND]
    shown = await asker.messages(thread)
    assert [m["content"] for m in shown] == [SECOND, SECOND]
    assert shown[0]["siblings"]["ids"] == [q1["id"], shown[0]["id"]]
    assert (await asker.client.post(f"/api/messages/{a1['id']}/select")).status_code == 200
    assert [m["content"] for m in await asker.messages(thread)] == [FIRST, FIRST, THIRD, THIRD]


async def test_a_parent_of_another_thread_is_refused(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # X2
    q1, *_ = await two_turns(house, scripted, asker, thread)
    other = await asker.thread()
    stranger = await house.newcomer()
    foreign = Asker(stranger, house.client(stranger))
    for parent in (q1["id"], str(uuid4())):
        answer = await asker.client.post(
            f"/api/threads/{other}/messages", json={"content": "hi", "parent_id": parent}
        )
        error_of(answer, 400)
    assert await asker.messages(other) == []
    for method, path, body in (
        ("POST", "regenerate", {}), ("POST", "select", None), ("PATCH", "", {"excluded": True}),
        ("DELETE", "", None), ("POST", "restore", None), ("PUT", "feedback", {"rating": "up"}),
        ("GET", "requests", None),
    ):  # fmt: skip
        url = f"/api/messages/{q1['id']}/{path}".rstrip("/")
        answer = await foreign.client.request(method, url, json=body)
        assert answer.status_code == 404, (method, path, answer.text)
    assert len(await asker.messages(thread)) == 4


async def test_a_deleted_message_goes_with_what_follows_it_and_comes_back(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C4
    q1, a1, q2, a2 = await two_turns(house, scripted, asker, thread)
    left = await asker.client.delete(f"/api/messages/{q2['id']}")
    assert [m["id"] for m in left.json()["messages"]] == [q1["id"], a1["id"]]
    assert [
        t["id"] for t in (await asker.client.get("/api/threads", params={"q": "again"})).json()["items"]
    ] == []
    await post(asker, thread, THIRD)
    assert sent(scripted) == [FIRST, FIRST, THIRD]
    for gone in (q2, a2):
        assert (await asker.client.post(f"/api/messages/{gone['id']}/select")).status_code == 404
    back = await asker.client.post(f"/api/messages/{q2['id']}/restore")
    assert [m["id"] for m in back.json()["messages"]] == [m["id"] for m in (q1, a1, q2, a2)]
    assert back.json()["messages"][2]["siblings"]["count"] == 2
    assert (await asker.client.post(f"/api/messages/{q2['id']}/restore")).status_code == 404  # only once


async def test_where_an_answer_is_deleted_the_one_beside_it_is_shown(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    _, _, _, a2 = await two_turns(house, scripted, asker, thread)
    newest = (await again(asker, a2["id"]))[0].data["message_id"]
    left = (await asker.client.delete(f"/api/messages/{newest}")).json()["messages"]
    assert left[-1]["id"] == a2["id"]
    assert left[-1]["siblings"]["count"] == 1
    left = (await asker.client.delete(f"/api/messages/{a2['id']}")).json()["messages"]
    assert [m["role"] for m in left] == ["user", "assistant", "user"]
    assert (await asker.client.post(f"/api/messages/{a2['id']}/restore")).status_code == 200
    assert (await asker.messages(thread))[-1]["id"] == a2["id"]


async def test_an_excluded_message_is_shown_and_never_on_the_wire(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C4
    q1, a1, _, a2 = await two_turns(house, scripted, asker, thread)
    for half in (q1, a1):  # either half takes the pair along: an answer without its question is none
        out = await asker.client.patch(f"/api/messages/{half['id']}", json={"excluded": True})
        assert [m["excluded"] for m in out.json()["messages"] if m["id"] == half["id"]] == [True]
        await post(asker, thread, THIRD, parent_id=a2["id"])
        assert sent(scripted) == [SECOND, SECOND, THIRD]
        await asker.client.patch(f"/api/messages/{half['id']}", json={"excluded": False})
    await post(asker, thread, THIRD, parent_id=a2["id"])
    assert sent(scripted) == [FIRST, FIRST, SECOND, SECOND, THIRD]


async def test_while_an_answer_is_written_nothing_is_deleted_or_asked_again(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    q1, a1, q2, a2 = await two_turns(house, scripted, asker, thread)
    await scripted.answers(house, "scripted-pace-10-60")
    url = f"/api/threads/{thread}/messages"
    body = {"content": THIRD, "parent_id": a1["id"]}
    async with asker.client.stream("POST", url, json=body) as response:
        live = events_of(response)
        run = await anext(live)
        assert error_of(await asker.client.delete(f"/api/messages/{q1['id']}"), 409)["code"] == "run_active"
        answer = await asker.client.post(f"/api/messages/{a1['id']}/regenerate", json={})
        assert error_of(answer, 409)["code"] == "run_active"
        active = (await asker.read(thread))["active_run"]
        assert active["parent_id"] == (await asker.messages(thread))[-1]["id"]
        # Another branch may be looked at meanwhile; the answer does not tear the reader away from it.
        other = await asker.client.post(f"/api/messages/{q2['id']}/select")
        assert other.json()["active_run"] == active
        await asker.client.post(f"/api/runs/{run.data['run_id']}/stop")
        [event async for event in live]
    assert [m["id"] for m in await asker.messages(thread)] == [m["id"] for m in (q1, a1, q2, a2)]


async def test_an_answer_is_rated_with_a_reason(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    q1, a1, *_ = await two_turns(house, scripted, asker, thread)
    url = f"/api/messages/{a1['id']}/feedback"
    said = await asker.client.put(url, json={"rating": "down", "reason": " page 7 says otherwise "})
    assert said.json() == {"rating": "down", "reason": "page 7 says otherwise"}
    assert (await asker.messages(thread))[1]["feedback"] == said.json()
    await asker.client.put(url, json={"rating": "up"})
    assert (await asker.messages(thread))[1]["feedback"] == {"rating": "up", "reason": ""}
    await asker.client.put(url, json={"rating": None})
    assert (await asker.messages(thread))[1]["feedback"] is None
    error_of(await asker.client.put(f"/api/messages/{q1['id']}/feedback", json={"rating": "up"}), 400)


async def test_what_the_model_was_sent_is_shown_as_it_was(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C9
    *_, a2 = await two_turns(house, scripted, asker, thread)
    shown = (await asker.client.get(f"/api/messages/{a2['id']}/requests")).json()["items"]
    assert [item["body"] for item in shown] == [scripted.requests[-1]]
    assert json.loads(shown[0]["text"]) == scripted.requests[-1]
    assert (shown[0]["whole"], shown[0]["for_admins"]) == (True, False)
    assert "authorization" not in shown[0]["text"].lower()
    other = await house.newcomer("admin")
    admin = house.client(other)
    assert (await admin.get(f"/api/messages/{a2['id']}/requests")).status_code == 404
    await house.admin.put("/api/settings", json={"values": {"debug.record_requests": True}})
    await asker.ask(thread, THIRD)
    newest = (await asker.messages(thread))[-1]["id"]
    await house.admin.put("/api/settings", json={"values": {"debug.record_requests": None}})
    seen = (await admin.get(f"/api/messages/{newest}/requests")).json()["items"]
    assert [item["body"] for item in seen] == [scripted.requests[-1]]
    member = house.client(await house.newcomer())
    assert (await member.get(f"/api/messages/{newest}/requests")).status_code == 404


async def test_threads_are_found_by_title_and_by_what_was_said(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await two_turns(house, scripted, asker, thread)
    await asker.client.patch(f"/api/threads/{thread}", json={"title": "Zzyzx winches"})
    for words, found in (("zzyzx", True), ("HELLO AGAIN", True), ("nothing like it", False), ("%", False)):
        items = (await asker.client.get("/api/threads", params={"q": words})).json()["items"]
        assert ([t["id"] for t in items] == [thread]) is found, words


async def test_a_thread_is_exported_as_markdown(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await two_turns(house, scripted, asker, thread)
    await asker.client.patch(f"/api/threads/{thread}", json={"title": "Füße: a/b"})
    file = await asker.client.get(f"/api/threads/{thread}/export")
    assert file.headers["content-type"].startswith("text/markdown")
    assert file.headers["content-disposition"].startswith("attachment; filename=")
    assert "F%C3%BC%C3%9Fe" in file.headers["content-disposition"]
    assert file.text.startswith("# Füße: a/b\n")
    assert file.text.count("## Question\n\nhello") == 2
    assert file.text.count("## Answer\n\nhello") == 2


async def test_an_answer_becomes_a_golden_question(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # issue 5, 9
    document = await asker.upload("zzyzx-anchor.txt", b"The anchor of the ship Zzyzx weighs 940 kg.")
    await scripted.answers(house, "scripted-cite")
    await asker.ask(thread, "How heavy is the anchor of the Zzyzx?")
    question, answer = await asker.messages(thread)
    made = await asker.client.post(f"/api/messages/{answer['id']}/golden", json={})
    assert made.status_code == 201, made.text
    [kept] = (await asker.client.get("/api/golden")).json()["items"]
    assert kept["id"] == made.json()["id"]
    assert kept["question"] == question["content"]
    assert [d["id"] for d in kept["documents"]] == [document["id"]]
    error_of(await asker.client.post(f"/api/messages/{question['id']}/golden", json={}), 400)
    await scripted.answers(house, "scripted-echo")
    await asker.ask(thread, FIRST)
    talk = (await asker.messages(thread))[-1]
    error_of(await asker.client.post(f"/api/messages/{talk['id']}/golden", json={}), 400)
    foreign = {"document_ids": [str(uuid4())]}
    error_of(await asker.client.post(f"/api/messages/{answer['id']}/golden", json=foreign), 404)
