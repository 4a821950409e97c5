"""Server-sent events on the wire."""

import asyncio
import json
from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest

import server.stream.sse as sse
from server.chat.events import Done, Failed, SourcesKnown, TextDelta, ToolState, TurnKnown, payload
from server.stream.run import Run
from server.stream.sse import frame
from sql.db import Identity


def test_a_frame_is_event_id_data_in_this_order() -> None:
    made = frame("text", {"delta": "Füße\nin 北京 🌊"}, seq=7)
    assert made.encode().decode() == 'event: text\nid: 7\ndata: {"delta":"Füße\\nin 北京 🌊"}\n\n'
    assert frame("document", {"id": "x"}).encode() == b'event: document\ndata: {"id":"x"}\n\n'


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "data: x\n\nevent: done", "\u2028\u2029\x85", ""])
def test_data_is_one_line_whatever_the_text(text: str) -> None:  # a text cannot make an event of its own
    encoded = frame("text", {"delta": text}, seq=1).encode().decode()
    event, number, data, *rest = encoded.split("\n")
    assert (event, number, rest) == ("event: text", "id: 1", ["", ""])
    assert "\r" not in data
    assert json.loads(data.removeprefix("data: ")) == {"delta": text}


def test_half_a_character_does_not_break_the_stream() -> None:
    assert frame("text", {"delta": "\ud83c"}, seq=1).data == '{"delta":"?"}'


async def gather(frames: sse.Frames) -> list[bytes]:
    return [bytes(piece) async for piece in sse.response(frames).body_iterator]  # type: ignore[arg-type]


async def test_a_pause_is_filled_with_a_comment() -> None:
    run = Run(uuid4(), Identity(uuid4(), uuid4(), "member"))
    run.append("text", "{}")
    assert await run.grown(0)
    now = asyncio.get_running_loop().time
    for late in (False, True):
        waiting = asyncio.create_task(run.grown(len(run.log)))
        await asyncio.sleep(0)
        run.tire(since=now() - 60)  # nobody has waited for that long
        assert not waiting.done()
        if late:
            run.tire(since=now())
        else:
            run.append("done", "{}")
        assert await waiting is not late

    async def frames() -> sse.Frames:
        yield run.log[:1]
        yield []
        yield run.log

    pieces = await gather(frames())
    both = b"".join(f.encode() for f in run.log)
    assert pieces == [run.log[0].encode(), sse.HEARTBEAT, both]
    assert sse.HEARTBEAT.startswith(b":")
    assert [f async for f in sse.one_by_one(frames())] == [run.log[0], *run.log]


async def test_a_reader_who_leaves_ends_the_source() -> None:
    ended = []

    async def frames() -> sse.Frames:
        try:
            while True:
                yield [frame("text", {"delta": "a"}, seq=1)]
        finally:
            ended.append(True)

    body = sse.response(frames()).body_iterator
    await anext(aiter(body))
    await body.aclose()  # type: ignore[attr-defined]
    assert ended == [True]


def test_responses_are_never_buffered_or_stored() -> None:
    async def nothing() -> sse.Frames:
        return
        yield

    headers = sse.response(nothing()).headers
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["cache-control"] == "no-cache, no-transform"
    assert headers["x-accel-buffering"] == "no"


def test_payloads_are_those_of_the_contract() -> None:
    id_ = uuid4()
    assert payload(TurnKnown("question", "q")) == {"kind": "question", "query": "q"}
    assert payload(TextDelta("a")) == {"delta": "a"}
    assert payload(SourcesKnown(({"n": 1},))) == {"items": ({"n": 1},)}
    assert payload(Done(id_, "stopped")) == {"message_id": id_, "finish": "stopped"}
    assert payload(Failed("model_busy", "Wait.")) == {"code": "model_busy", "message": "Wait."}
    started = payload(ToolState("c1", "search_documents", "started", {"query": "q"}))
    assert started == {
        "id": "c1",
        "name": "search_documents",
        "state": "started",
        "arguments": {"query": "q"},
    }
    done = payload(ToolState("c1", "search_documents", "done", {}, {"passages": 2}, 12))
    assert (done["result"], done["ms"]) == ({"passages": 2}, 12)


async def test_a_source_that_keeps_no_time_is_given_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.01)
    ended = []

    async def source() -> AsyncGenerator[sse.Frame, None]:
        try:
            yield frame("text", {"delta": "a"}, seq=1)
            await asyncio.sleep(0.05)
            yield frame("done", {}, seq=2)
        finally:
            ended.append(True)

    pieces = await gather(sse.beating(source()))
    assert pieces[0].startswith(b"event: text")
    assert pieces[-1].startswith(b"event: done")
    assert set(pieces[1:-1]) == {sse.HEARTBEAT}
    assert ended == [True]
