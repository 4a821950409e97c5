"""Runs that go wrong: the model fails, the thread goes, the person goes, the server dies, notices are forged."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from providers.chat import ChatClient, Patience
from providers.scenarios import Reply, say
from providers.scripted import play
from server.stream.runs import INTERRUPTED
from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named, take, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELLO = "hello there"  # small talk: nothing is searched, so these tests need no documents


ERRORS = {
    "scripted-401": "model_unauthorized",
    "scripted-404": "model_not_found",
    "scripted-quota": "model_quota_used_up",
    "scripted-context": "model_context_too_long",
    "scripted-html": "model_bad_response",
    "scripted-cut": "model_cut_off",
}


@pytest.mark.parametrize("model", ERRORS)
async def test_an_error_ends_in_a_sentence_and_the_thread_goes_on(
    house: Service, scripted: Scripted, asker: Asker, thread: str, model: str
) -> None:  # E13, C2, X11, X15
    await scripted.answers(house, model)
    events = await asker.ask(thread, HELLO)
    last = events[-1]
    assert (last.name, last.data["code"]) == ("error", ERRORS[model])
    assert last.data["message"].endswith(".")
    question, answer = await asker.messages(thread)
    assert question["content"] == HELLO
    assert (answer["kind"], answer["finish"]) == ("error", None)
    assert answer["error"] == last.data
    assert answer["content"] == text_of(events)
    shown = "".join(event.raw for event in events) + str(answer)
    assert not [secret for secret in ("sk-qzv", "Traceback", "nginx") if secret in shown]
    await scripted.answers(house, "scripted-echo")
    assert text_of(await asker.ask(thread, "thanks!")) == "thanks!"
    assert [m["role"] for m in scripted.requests[0]["messages"]] == ["system", "user"]


async def test_a_busy_model_is_waited_for_and_the_reader_told(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # N4
    await scripted.answers(house, "any")
    busy = Reply(status=429, error={"error": {"message": "slow down"}}, headers={"retry-after": "0.2"})
    play(scripted.app, [busy, Reply(say("Here I am."))])
    events = await asker.ask(thread, HELLO)
    assert named(events, "waiting") == [{"seconds": 0.2, "reason": "model_busy"}]
    assert text_of(events) == "Here I am."


async def test_a_failing_server_is_tried_again_before_it_is_an_error(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await scripted.answers(house, "scripted-500-once")
    events = await asker.ask(thread, HELLO)
    assert [data["reason"] for data in named(events, "waiting")] == ["model_failed"]
    assert events[-1].name == "done"


async def test_a_model_that_cannot_be_reached(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await scripted.answers(house, "any")
    values = {"chat.base_url": "http://127.0.0.1:9/v1"}
    assert (await house.admin.put("/api/settings", json={"values": values})).status_code == 200
    last = (await asker.ask(thread, HELLO))[-1]
    assert (last.name, last.data["code"]) == ("error", "model_unreachable")


class Impatient:
    """The real client with less patience than a person."""

    def __init__(self, client: ChatClient) -> None:
        self.client = client

    def stream(self, messages: Any, **options: Any) -> Any:
        return self.client.stream(messages, **options, patience=Patience(first=0.4, between=0.3), retries=0)


@pytest.mark.parametrize(("model", "begins"), [("scripted-stall", "The winch"), ("scripted-stall-first", "")])
async def test_a_model_that_falls_silent(
    house: Service, scripted: Scripted, asker: Asker, thread: str, model: str, begins: str
) -> None:
    await scripted.answers(house, model)
    runtime = house.runtime
    assert runtime.models.chat is not None
    runtime.models = replace(runtime.models, chat=Impatient(runtime.models.chat))  # type: ignore[arg-type]
    events = await asker.ask(thread, HELLO)
    assert (events[-1].name, events[-1].data["code"]) == ("error", "model_timeout")
    assert text_of(events).startswith(begins)
    assert (await asker.messages(thread))[1]["content"] == text_of(events)


async def test_a_thread_deleted_while_it_answers_takes_its_run_along(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # E24
    await scripted.answers(house, "scripted-pace-20-200")
    async with asker.asking(thread, HELLO) as live:
        [started, *_] = await take(live, 2)
        assert (await asker.client.delete(f"/api/threads/{thread}")).status_code == 204
        async with asyncio.timeout(5):
            rest = [event async for event in live]
    assert [event.name for event in rest if event.name in ("done", "error")] == [rest[-1].name]
    async with asyncio.timeout(2):
        while not scripted.app.state.closed:
            await asyncio.sleep(0.01)
    assert (await asker.client.get(f"/api/threads/{thread}")).status_code == 404
    run = house.runtime.runs._runs[UUID(started.data["run_id"])]
    async with asyncio.timeout(5):  # its log is given up, not tried for ever
        while not run.kept:
            await asyncio.sleep(0.02)


async def test_a_disabled_person_is_answered_no_more(house: Service, scripted: Scripted) -> None:  # X16
    identity = await house.newcomer()
    asker = Asker(identity, house.client(identity))
    thread = await asker.thread()
    await scripted.answers(house, "scripted-pace-10-200")
    async with asker.client.stream("GET", "/api/events") as page, asker.asking(thread, HELLO) as live:
        await take(live, 2)
        changed = await house.admin.patch(f"/api/users/{identity.user_id}", json={"disabled": True})
        assert changed.status_code == 200
        async with asyncio.timeout(3):
            [event async for event in live]
            [piece async for piece in page.aiter_bytes()]
    async with asyncio.timeout(2):
        while not scripted.app.state.closed:
            await asyncio.sleep(0.01)
    assert (await asker.client.get(f"/api/threads/{thread}")).status_code == 401


async def notify(house: Service, channel: str, payload: str) -> None:
    connection = await asyncpg.connect(house.runtime.urls.app)
    try:
        await connection.execute("SELECT pg_notify($1, $2)", channel, payload)
    finally:
        await connection.close()


async def test_a_forged_notice_stops_nothing(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # X5
    await scripted.answers(house, "scripted-pace-20-20")
    async with asker.asking(thread, HELLO) as live:
        begun = await take(live, 2)
        run_id, user = begun[0].data["run_id"], asker.identity.user_id
        workspace = asker.identity.workspace_id
        await notify(house, "ibid_runs", f'{{"id": "{run_id}", "stop": true, "state": "running"}}')
        await notify(
            house,
            "ibid_events",
            f'{{"kind": "membership", "workspace_id": "{workspace}", "user_id": "{user}"}}',
        )
        await notify(house, "ibid_runs", "not json")
        await notify(house, "ibid_runs", '{"id": 7, "stop": true, "state": "running"}')
        rest = [event async for event in live]
    assert rest[-1].data["finish"] == "complete"
    assert text_of(begun + rest) == "".join(f"w{n} " for n in range(20))


async def test_a_stop_asked_of_another_process_arrives(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-ST-06
    await scripted.answers(house, "scripted-pace-10-200")
    async with asker.asking(thread, HELLO) as live:
        [started, *_] = await take(live, 2)
        async with house.runtime.database.as_user(asker.identity) as connection:  # all another process can do
            await connection.execute(
                "UPDATE runs SET stop_requested = true WHERE id = $1", UUID(started.data["run_id"])
            )
        async with asyncio.timeout(2):
            rest = [event async for event in live]
    assert rest[-1].data["finish"] == "stopped"


async def orphan(house: Service, asker: Asker, thread: str, *, seconds: int) -> str:
    """A run as a killed server leaves it: some events, no end, untouched for this long."""
    async with owner_transaction(house.runtime.urls.owner) as connection:
        question = await connection.fetchval(
            "INSERT INTO messages (workspace_id, owner_id, thread_id, role, kind, content)"
            " SELECT workspace_id, owner_id, id, 'user', 'question', 'zzyzx?' FROM threads WHERE id = $1"
            " RETURNING id",
            UUID(thread),
        )
        await connection.execute("UPDATE threads SET leaf_id = $2 WHERE id = $1", UUID(thread), question)
        message = await connection.fetchval("SELECT uuid_v7()")
        run = await connection.fetchval(
            "INSERT INTO runs (workspace_id, owner_id, thread_id, question_id, message_id, heartbeat_at)"
            " SELECT workspace_id, owner_id, id, $2, $3, now() - make_interval(secs => $4) FROM threads"
            " WHERE id = $1 RETURNING id",
            UUID(thread),
            question,
            message,
            float(seconds),
        )
        for seq, (event, data) in enumerate(
            [
                ("run", f'{{"run_id":"{run}","thread_id":"{thread}","message_id":"{message}"}}'),
                ("text", '{"delta":"The anchor "}'),
                ("text", '{"delta":"weighs"}'),
            ],
            1,
        ):
            await connection.execute(
                "INSERT INTO run_events (workspace_id, run_id, seq, owner_id, event, data)"
                " SELECT workspace_id, id, $2, owner_id, $3, $4 FROM runs WHERE id = $1",
                run,
                seq,
                event,
                data,
            )
    return str(run)


async def test_a_run_of_a_crashed_server_is_closed_as_interrupted(
    asker: Asker, house: Service, thread: str
) -> None:
    # E21, S-ST-07
    run_id = await orphan(house, asker, thread, seconds=25)
    detail = await asker.read(thread)
    assert detail["active_run"] is None
    answer = detail["messages"][-1]
    assert (answer["kind"], answer["content"]) == ("stopped", "The anchor weighs")
    assert answer["error"] == INTERRUPTED
    events = await asker.follow(run_id)
    assert text_of(events) == "The anchor weighs"
    assert [(e.name, e.seq) for e in events][-1] == ("error", 4)  # a stream ends with exactly one of the two
    assert events[-1].data == INTERRUPTED
    assert len((await asker.read(thread))["messages"]) == 2  # closed once


async def test_whoever_follows_a_run_when_its_server_dies_is_told(
    asker: Asker, house: Service, thread: str
) -> None:
    run_id = await orphan(house, asker, thread, seconds=25)
    async with asyncio.timeout(5):
        events = await asker.follow(run_id, after=1)
    assert [e.name for e in events] == ["text", "text", "error"]
    assert events[-1].data["code"] == "interrupted"


async def test_a_run_that_another_server_works_on_is_left_alone(
    asker: Asker, house: Service, thread: str
) -> None:
    run_id = await orphan(house, asker, thread, seconds=2)
    assert (await asker.read(thread))["active_run"]["id"] == run_id
    busy = await asker.client.post(f"/api/threads/{thread}/messages", json={"content": "hi"})
    assert busy.json()["error"]["code"] == "run_active"


async def test_asking_again_after_a_crash_works(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # E21
    await orphan(house, asker, thread, seconds=25)
    await scripted.answers(house, "scripted-echo")
    assert text_of(await asker.ask(thread, "hi")) == "hi"
    kinds = [m["kind"] for m in await asker.messages(thread)]
    assert kinds == ["question", "stopped", "question", "answer"]
