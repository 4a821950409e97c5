"""Runs and their streams: live, stopped, resumed, dropped, failed, many at once, and left behind by a crash."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio

from providers.chat import ChatClient, Patience
from providers.scenarios import Reply, say
from providers.scripted import play, play_stream
from server.stream.runs import INTERRUPTED
from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, Event, named, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELLO = "hello there"  # small talk: nothing is searched, so these tests need no documents
REPLACEMENT = "\ufffd"


@pytest_asyncio.fixture(loop_scope="module")
async def asker(house: Service) -> Asker:
    identity = await house.newcomer()
    return Asker(identity, house.client(identity))


@pytest_asyncio.fixture(loop_scope="module")
async def thread(asker: Asker) -> str:
    return await asker.thread()


async def until(condition: Any, *, seconds: float = 10) -> None:
    """Wait until an async condition holds."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def take(live: AsyncIterator[Event], count: int, name: str = "text") -> list[Event]:
    """Events up to the `count`th of this name."""
    taken: list[Event] = []
    async for event in live:
        taken.append(event)
        if sum(e.name == name for e in taken) == count:
            break
    return taken


async def idle(asker: Asker, thread: str) -> bool:
    return (await asker.read(thread))["active_run"] is None


async def test_the_first_token_comes_before_the_last_is_made(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # B2
    await scripted.answers(house, "scripted-pace-20-30")  # 30 tokens in 1.5 s
    async with asker.asking(thread, HELLO) as live:
        await take(live, 1)
        first = time.monotonic()
        rest = [event async for event in live]
    assert time.monotonic() - first > 0.8
    assert len(named(rest, "text")) > 20  # one by one, not in a lump
    assert rest[-1].name == "done"


async def test_stop_closes_upstream_and_keeps_what_there_is(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-ST-06, C2
    await scripted.answers(house, "scripted-pace-10-100")
    async with asker.asking(thread, HELLO) as live:
        begun = await take(live, 5)
        run = begun[0].data
        stopped = time.monotonic()
        assert (await asker.client.post(f"/api/runs/{run['run_id']}/stop")).status_code == 204
        rest = [event async for event in live]
    assert time.monotonic() - stopped < 1
    assert rest[-1].data == {"message_id": run["message_id"], "finish": "stopped"}
    async with asyncio.timeout(1):
        while not scripted.app.state.closed:
            await asyncio.sleep(0.01)
    assert scripted.app.state.closed[0] - stopped < 1
    answer = (await asker.messages(thread))[1]
    assert (answer["kind"], answer["finish"]) == ("stopped", "stopped")
    assert answer["content"] == text_of(begun + rest)
    assert 5 <= len(answer["content"].split()) <= 15
    await scripted.answers(house, "scripted-echo")
    assert text_of(await asker.ask(thread, "thanks!")) == "thanks!"  # the thread goes on
    assert "w1" not in str(scripted.requests[0]["messages"])  # and what was stopped is not replayed
    again = await asker.client.post(f"/api/runs/{run['run_id']}/stop")  # too late is no error
    assert again.status_code == 204
    assert (await asker.messages(thread))[1] == answer


async def test_a_reader_who_comes_back_gets_exactly_the_rest(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-ST-07
    await scripted.answers(house, "scripted-pace-40-40")
    async with asker.asking(thread, HELLO) as live:
        kept = await take(live, 8)
    run_id = kept[0].data["run_id"]
    rest = await asker.follow(run_id, after=kept[-1].seq)  # while it runs
    whole = kept + rest
    assert [event.seq for event in whole] == list(range(1, len(whole) + 1))
    assert [event.name for event in whole].count("done") == 1
    assert text_of(whole) == "".join(f"w{n} " for n in range(40))
    assert (await asker.messages(thread))[1]["content"] == text_of(whole)

    everything = "".join(event.raw for event in whole)
    chance = random.Random(11)
    for after in [0, *chance.sample(range(1, len(whole)), 4), len(whole)]:
        again = await asker.follow(run_id, after=after)
        assert "".join(e.raw for e in whole[:after]) + "".join(e.raw for e in again) == everything

    house.runtime.runs._runs.pop(UUID(run_id))  # as another process, or this one after a restart, reads it
    for after in [0, *chance.sample(range(1, len(whole)), 3), len(whole) - 1]:
        stored = await asker.follow(run_id, after=after)
        assert "".join(e.raw for e in whole[:after]) + "".join(e.raw for e in stored) == everything


@pytest.mark.parametrize("after", ["-1", "x", "", "99999999999999999999", "9" * 5000, "٣"])
async def test_a_senseless_position_is_no_error(
    house: Service, scripted: Scripted, asker: Asker, thread: str, after: str
) -> None:  # E13
    await scripted.answers(house, "scripted-echo")
    run_id = (await asker.ask(thread, HELLO))[0].data["run_id"]
    for _ in range(2):
        answer = await asker.client.get(f"/api/runs/{run_id}/events", params={"after": after}, timeout=5)
        assert answer.status_code == 200
        await house.written(run_id)
        house.runtime.runs._runs.pop(UUID(run_id), None)


async def test_a_dropped_connection_does_not_stop_the_run(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-ST-07, B2
    await scripted.answers(house, "scripted-pace-40-30")
    async with asker.asking(thread, HELLO) as live:
        kept = await take(live, 2)
    assert (await asker.read(thread))["active_run"] == {"id": kept[0].data["run_id"]}
    await until(lambda: idle(asker, thread))
    answer = (await asker.messages(thread))[1]
    assert (answer["kind"], answer["content"]) == ("answer", "".join(f"w{n} " for n in range(30)))
    assert scripted.app.state.closed == []


async def test_one_answer_a_thread_at_a_time(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await scripted.answers(house, "scripted-pace-10-60")
    other = await asker.thread()
    async with asker.asking(thread, HELLO) as live:
        [started, *_] = await take(live, 1)
        second = await asker.client.post(f"/api/threads/{thread}/messages", json={"content": "hi"})
        assert (second.status_code, second.json()["error"]["code"]) == (409, "run_active")
        assert len(await asker.messages(thread)) == 1  # the second question was not kept
        await scripted.answers(house, "scripted-echo")  # another thread answers meanwhile, with another model
        assert text_of(await asker.ask(other, "hi")) == "hi"
        await asker.client.post(f"/api/runs/{started.data['run_id']}/stop")
        assert [event async for event in live][-1].name == "done"
    assert text_of(await asker.ask(thread, "hi")) == "hi"


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


RAW = {
    "S-ST-01": "Füße in 北京 🌊 — fin",
    "S-ST-02": "one two",
    "S-ST-03": "alpha beta",
    "S-ST-04": "gamma",
    "S-ST-08": "Sure. The winch weighs 310 kg, that is a < b.",
}


@pytest.mark.parametrize("case", RAW)
async def test_raw_streams_of_the_case_book(
    house: Service, scripted: Scripted, asker: Asker, thread: str, shared: Path, case: str
) -> None:
    raw = (shared / f"cases/files/{case}/stream.sse").read_bytes()
    await scripted.answers(house, "any")
    # S-ST-01 is cut inside its characters; the others at every third byte.
    splits = [103, 112, 113, 121, 159] if case == "S-ST-01" else range(3, len(raw), max(3, len(raw) // 60))
    play_stream(scripted.app, raw, list(splits))
    events = await asker.ask(thread, HELLO)
    answer = (await asker.messages(thread))[1]
    assert text_of(events) == answer["content"] == RAW[case]
    assert answer["kind"] == "answer"
    live = ""
    for data in named(events, "text"):
        live += data["delta"]
        assert not [part for part in ("secret plan", "<thi", "nk>", REPLACEMENT) if part in live]
    if case == "S-ST-04":
        [usage] = named(events, "usage")
        assert (usage["prompt_tokens"], usage["completion_tokens"]) == (12, 7)
    if case == "S-ST-08":
        assert "secret plan" in "".join(data["delta"] for data in named(events, "thinking"))


async def test_a_call_without_an_index_keeps_its_arguments(
    house: Service, scripted: Scripted, asker: Asker, thread: str, shared: Path
) -> None:  # S-ST-05
    await scripted.answers(house, "any")
    play_stream(scripted.app, (shared / "cases/files/S-ST-05/stream.sse").read_bytes())
    scripted.app.state.queue.append(Reply(say("It weighs 310 kg.")))
    events = await asker.ask(thread, "how heavy is the winch?")
    asked = [tool["arguments"] for tool in named(events, "tool") if tool["state"] == "started"]
    assert asked == [{"query": "how heavy is the winch?"}, {"query": "winch"}]
    assert text_of(events) == "It weighs 310 kg."


async def test_half_a_character_in_a_delta_is_stored_as_something(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # E25, S-ST-01: escaped surrogates, each in a delta of its own, and a NUL
    deltas = [{"content": piece} for piece in ("wave \ud83c", "\udf0a or \ud83c", " nul \0 end")]
    await scripted.answers(house, "any")
    play(scripted.app, [Reply(deltas)])
    async with asyncio.timeout(8):
        events = await asker.ask(thread, HELLO)
    assert events[-1].name == "done"
    text = (await asker.messages(thread))[1]["content"]
    assert text.startswith("wave ")
    assert text.endswith(" end")
    assert "\0" not in text
    run_id = events[0].data["run_id"]
    await house.written(run_id)
    house.runtime.runs._runs.pop(UUID(run_id))
    assert [event.seq for event in await asker.follow(run_id)] == [event.seq for event in events]


async def test_a_parameter_the_model_refuses_is_left_out_and_remembered(
    house: Service, scripted: Scripted, asker: Asker, thread: str, shared: Path
) -> None:  # S-PR-01, N4
    script = json.loads((shared / "cases/files/S-PR-01/script.json").read_text())
    await scripted.answers(house, f"refusing-{uuid4().hex}")
    play(scripted.app, script)
    for _ in range(2):
        assert text_of(await asker.ask(thread, HELLO)) == "ok"
    first, second, third = scripted.requests
    assert "max_tokens" in first
    for request in (second, third):
        assert "max_completion_tokens" in request
        assert "max_tokens" not in request
    assert [m["kind"] for m in await asker.messages(thread)] == ["question", "answer"] * 2


async def test_more_streams_than_connections_and_the_list_still_answers(
    house: Service, scripted: Scripted, asker: Asker
) -> None:  # H6
    await scripted.answers(house, "scripted-pace-10-100")
    pool = house.runtime.database.pool
    threads = [await asker.thread() for _ in range(pool.get_max_size() + 4)]
    runs: list[str] = []
    async with asyncio.TaskGroup() as group:

        async def listen(thread: str) -> None:
            async with asker.asking(thread, HELLO) as live:
                runs.append((await take(live, 2))[0].data["run_id"])
                [event async for event in live]

        tasks = [group.create_task(listen(thread)) for thread in threads]
        async with asyncio.timeout(20):
            while len(runs) < len(threads):
                await asyncio.sleep(0.02)
        assert not any(task.done() for task in tasks)
        for _ in range(3):
            answer = await asker.client.get("/api/documents", timeout=3)
            assert answer.status_code == 200
        async with asyncio.timeout(2):  # not one connection is held for long
            held = [await pool.acquire() for _ in range(pool.get_max_size() - 2)]
        for connection in held:
            await pool.release(connection)
        for run_id in runs:
            assert (await asker.client.post(f"/api/runs/{run_id}/stop")).status_code == 204


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
    assert run.task is not None
    async with asyncio.timeout(5):  # its log is given up, not tried for ever
        while run.flushed < len(run.log):
            await asyncio.sleep(0.02)
    assert not (run.task.done() and run.task.exception())


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
        message = await connection.fetchval(
            "INSERT INTO messages (workspace_id, owner_id, thread_id, role, kind, content)"
            " SELECT workspace_id, owner_id, id, 'user', 'question', 'zzyzx?' FROM threads WHERE id = $1"
            " RETURNING uuid_v7()",
            UUID(thread),
        )
        run = await connection.fetchval(
            "INSERT INTO runs (workspace_id, owner_id, thread_id, message_id, heartbeat_at)"
            " SELECT workspace_id, owner_id, id, $2, now() - make_interval(secs => $3) FROM threads WHERE id = $1"
            " RETURNING id",
            UUID(thread),
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
    assert (await asker.read(thread))["active_run"] == {"id": run_id}
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


@pytest.mark.parametrize(
    "body", [{}, {"content": ""}, {"content": "  \n"}, {"content": "\u0000"}, {"content": 7}]
)
async def test_an_empty_question_is_refused(asker: Asker, thread: str, body: dict[str, Any]) -> None:  # E13
    answer = await asker.client.post(f"/api/threads/{thread}/messages", json=body)
    assert answer.status_code in (400, 422)
    assert await asker.messages(thread) == []
