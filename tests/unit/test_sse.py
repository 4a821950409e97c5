"""Server-sent events on the wire."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from uuid import uuid4

import pytest

import server.stream.sse as sse
from server.chat.events import Done, Failed, SourcesKnown, TextDelta, ToolState, TurnKnown, payload
from server.stream.sse import Frame, frame


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


async def gather(frames: AsyncIterator[Frame]) -> list[bytes]:
    return [bytes(piece) async for piece in sse.response(frames).body_iterator]  # type: ignore[arg-type]


async def test_a_pause_is_filled_with_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.01)

    async def frames() -> AsyncIterator[Frame]:
        yield frame("text", {"delta": "a"}, seq=1)
        await asyncio.sleep(0.05)
        yield frame("done", {}, seq=2)

    pieces = await gather(frames())
    assert pieces[0].startswith(b"event: text")
    assert pieces[-1].startswith(b"event: done")
    assert set(pieces[1:-1]) == {sse.HEARTBEAT}
    assert sse.HEARTBEAT.startswith(b":")
    assert len(pieces) > 2


async def test_a_reader_who_leaves_ends_the_source() -> None:
    ended = []

    async def frames() -> AsyncGenerator[Frame, None]:
        try:
            while True:
                yield frame("text", {"delta": "a"}, seq=1)
        finally:
            ended.append(True)

    source = frames()
    body = sse.response(source).body_iterator
    await anext(aiter(body))
    await body.aclose()  # type: ignore[attr-defined]
    await source.aclose()
    assert ended == [True]


def test_responses_are_never_buffered_or_stored() -> None:
    async def nothing() -> AsyncIterator[Frame]:
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
