"""Exactness: however the bytes arrive and however often a reader goes away, what is read is the log, byte for byte."""

import asyncio
import json
import random
from uuid import UUID

import pytest

from providers.scripted import play_stream
from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, events_of, take

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELLO = "hello there"
PIECES = [
    "Füße ",
    "in 北",
    "京 <thi",
    "nk>a secret plan</th",
    "ink>🌊 — ",
    "one\n\ntwo ",
    "`[1]` [9",
    "] data: x\\n",
    " end.",
]
TEXT = "Füße in 北京 🌊 — one\n\ntwo `[1]` data: x\\n end."


def raw_stream() -> bytes:
    """An answer as servers send it: comments, CRLF and LF, an empty chunk, multi-byte characters, usage, [DONE]."""
    lines = [": hello\r\n\r\n"]
    for number, piece in enumerate(PIECES):
        chunk = {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
        end = "\r\n\r\n" if number % 2 else "\n\n"
        lines.append(f"data: {json.dumps(chunk, ensure_ascii=False)}{end}")
    lines.append('data: {"choices":[]}\n\n')
    lines.append('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
    lines.append('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}\n\ndata: [DONE]\n\n')
    return "".join(lines).encode()


async def ask_raw(asker: Asker, thread: str) -> bytes:
    """The bytes of an answer as they come, heartbeats left out."""
    url = f"/api/threads/{thread}/messages"
    async with asker.client.stream("POST", url, json={"content": HELLO}) as response:
        assert response.status_code == 200, await response.aread()
        return b"".join([piece async for piece in response.aiter_raw()])


async def stored(house: Service, run_id: str) -> bytes:
    """The log in the database, framed."""
    await house.written(run_id)
    async with owner_transaction(house.runtime.urls.owner) as connection:
        rows = await connection.fetch(
            "SELECT seq, event, data FROM run_events WHERE run_id = $1 ORDER BY seq", UUID(run_id)
        )
    return "".join(f"event: {r['event']}\nid: {r['seq']}\ndata: {r['data']}\n\n" for r in rows).encode()


def said(raw: bytes) -> str:
    frames = [frame.split("\n") for frame in raw.decode().split("\n\n") if frame]
    assert [frame[1] for frame in frames] == [f"id: {n}" for n in range(1, len(frames) + 1)]
    return "".join(
        json.loads(data.removeprefix("data: "))["delta"] for name, _, data in frames if name == "event: text"
    )


async def test_two_hundred_random_splits_change_nothing(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # issue 5: exactness; S-ST-01 to S-ST-04, S-ST-08
    raw, chance = raw_stream(), random.Random(5)
    await scripted.answers(house, "any")
    for _ in range(10):
        splits = sorted(chance.sample(range(1, len(raw)), 20))
        play_stream(scripted.app, raw, splits)
        received = await ask_raw(asker, thread)
        assert said(received) == TEXT, splits
        assert b"secret" in received
        assert "secret" not in said(received)
        run_id = json.loads(received.split(b"\n")[2].removeprefix(b"data: "))["run_id"]
        run = house.runtime.runs._runs[UUID(run_id)]
        assert received == b"".join(frame.encode() for frame in run.log)
        assert received == await stored(house, run_id)
        assert (await asker.messages(thread))[-1]["content"] == TEXT


async def test_twenty_disconnects_lose_nothing_and_repeat_nothing(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # issue 5: exactness; S-ST-07
    await scripted.answers(house, "scripted-pace-50-120")
    chance = random.Random(7)
    async with asker.asking(thread, HELLO) as live:
        kept = await take(live, 1)
    run_id = kept[0].data["run_id"]
    for _ in range(20):
        headers = {"last-event-id": str(kept[-1].seq)}
        async with asker.client.stream("GET", f"/api/runs/{run_id}/events", headers=headers) as response:
            kept += await take(events_of(response), chance.randint(1, 5))
    assert kept[-1].name == "text"  # it was still going
    kept += await asker.follow(run_id, after=kept[-1].seq)
    assert "".join(event.raw + "\n\n" for event in kept).encode() == await stored(house, run_id)


async def test_a_reader_who_does_not_read_holds_nobody_up(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # bounded back-pressure
    await scripted.answers(house, "any")
    thought = {"choices": [{"index": 0, "delta": {"reasoning_content": "x" * 40_000}}]}
    word = {"choices": [{"index": 0, "delta": {"content": "Hello."}, "finish_reason": "stop"}]}
    big = f"data: {json.dumps(thought)}\n\n" * 60  # 2.4 MB, more than the buffers between
    play_stream(scripted.app, f"{big}data: {json.dumps(word)}\n\ndata: [DONE]\n\n".encode())
    async with asker.asking(thread, HELLO) as live:
        started = await anext(live)
        run = house.runtime.runs._runs[UUID(started.data["run_id"])]
        async with asyncio.timeout(8):
            while run.state == "running":
                await asyncio.sleep(0.02)
        assert (await asker.read(thread))["active_run"] is None  # stored while its reader has read one event
        rest = [event async for event in live]
    assert [event.seq for event in (started, *rest)] == list(range(1, len(run.log) + 1))
