"""Runs and their streams: live, stopped, resumed, dropped, in raw pieces, and many at once."""

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from providers.scenarios import Reply, say
from providers.scripted import play, play_stream
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named, take, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELLO = "hello there"  # small talk: nothing is searched, so these tests need no documents
REPLACEMENT = "\ufffd"


async def until(condition: Any, *, seconds: float = 10) -> None:
    """Wait until an async condition holds."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


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

    await house.written(run_id)
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
    active = (await asker.read(thread))["active_run"]
    assert (active["id"], active["message_id"]) == (kept[0].data["run_id"], kept[0].data["message_id"])
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


@pytest.mark.parametrize(
    "body", [{}, {"content": ""}, {"content": "  \n"}, {"content": "\u0000"}, {"content": 7}]
)
async def test_an_empty_question_is_refused(asker: Asker, thread: str, body: dict[str, Any]) -> None:  # E13
    answer = await asker.client.post(f"/api/threads/{thread}/messages", json=body)
    assert answer.status_code in (400, 422)
    assert await asker.messages(thread) == []
