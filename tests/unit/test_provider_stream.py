"""From bytes to events: every way in which servers bend the streaming protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from providers.assembly import Assembly
from providers.degrade import count
from providers.errors import (
    BadResponse,
    CutOff,
    ProviderError,
    RateLimited,
    ServerFailed,
    Timeout,
    Unreachable,
)
from providers.events import ChatEvent, Finished, Text, Thinking, ToolCall, ToolCalls, Usage
from providers.sse import LARGEST_LINE, ChunkReader
from providers.toolcalls import CallCollector

TOOLS = ("search_documents",)


def play(raw: bytes, size: int = 1 << 20, tools: tuple[str, ...] = TOOLS) -> list[ChatEvent]:
    """The events of a stream that arrives in pieces of `size` bytes."""
    reader, assembly = ChunkReader(), Assembly(tools=tools)
    pieces = [reader.feed(raw[i : i + size]) for i in range(0, len(raw), size)]
    events = [
        event for chunks in [*pieces, reader.finish()] for chunk in chunks for event in assembly.feed(chunk)
    ]
    return [*events, *assembly.finish()]


def stream(*deltas: dict[str, Any], finish: str | None = "stop") -> bytes:
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)


def said(*pieces: str, tools: tuple[str, ...] = TOOLS) -> list[ChatEvent]:
    return play(stream(*({"content": piece} for piece in pieces)), tools=tools)


def text(events: list[ChatEvent]) -> str:
    return "".join(event.delta for event in events if isinstance(event, Text))


def thinking(events: list[ChatEvent]) -> str:
    return "".join(event.delta for event in events if isinstance(event, Thinking))


def calls(events: list[ChatEvent]) -> list[tuple[str, Any]]:
    found = [event.calls for event in events if isinstance(event, ToolCalls)]
    return [(call.name, json.loads(call.arguments)) for call in (found[0] if found else ())]


@pytest.mark.parametrize("size", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("S-ST-01", "Füße in 北京 🌊 — fin"),
        ("S-ST-02", "one two"),
        ("S-ST-03", "alpha beta"),
        ("S-ST-04", "gamma"),
        ("S-ST-08", "Sure. The winch weighs 310 kg, that is a < b."),
    ],
)
def test_case_text_is_exact_wherever_it_is_cut(shared: Path, case: str, expected: str, size: int) -> None:
    events = play((shared / f"cases/files/{case}/stream.sse").read_bytes(), size)
    assert text(events) == expected
    assert events[-1] == Finished("stop")


def test_s_st_04_usage_of_a_chunk_without_choices(shared: Path) -> None:  # S-ST-04, N6
    events = play((shared / "cases/files/S-ST-04/stream.sse").read_bytes())
    assert Usage(12, 7) in events


def test_s_st_05_calls_without_an_index(shared: Path) -> None:  # S-ST-05, B3
    events = play((shared / "cases/files/S-ST-05/stream.sse").read_bytes())
    assert calls(events) == [("search_documents", {"query": "winch"})]
    assert events[-1] == Finished("tool_calls")


def test_s_st_08_hidden_text_never_shows(shared: Path) -> None:  # S-ST-08, Q4
    events = play((shared / "cases/files/S-ST-08/stream.sse").read_bytes())
    for hidden in ("secret plan", "<thi", "nk>"):
        assert not any(hidden in event.delta for event in events if isinstance(event, Text))
    assert "secret plan" in thinking(events)


def test_a_stream_without_done_ends_well() -> None:
    assert said("one ", "two")[-1] == Finished("stop")
    assert text(play(stream({"content": "one"}, finish=None))) == "one"


def test_a_last_event_without_its_blank_line_counts() -> None:
    assert text(play(stream({"content": "one"}).rstrip(b"\n"))) == "one"
    assert text(play(b'data: {"choices": [{"delta": {"content": "one"}}]}')) == "one"


def test_what_follows_done_is_ignored() -> None:
    assert text(play(stream({"content": "one"}) + b"data: [DONE]\n\n" + stream({"content": "two"}))) == "one"


def test_an_unreadable_chunk_is_skipped_and_counted() -> None:  # J3
    before = count("unreadable chunk")
    assert text(play(b"data: {broken\n\n" + stream({"content": "one"}))) == "one"
    assert count("unreadable chunk") == before + 1


def test_an_answer_that_is_not_streamed() -> None:
    answer = {
        "choices": [{"message": {"role": "assistant", "content": "one two"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }
    for size in (1, 1 << 20):
        events = play(json.dumps(answer, indent=1).encode(), size)
        assert events == [Text("one two"), Usage(3, 2), Finished("length")]


def test_a_line_without_end_is_refused() -> None:
    reader = ChunkReader()
    with pytest.raises(BadResponse):
        reader.feed(b"data: " + b"x" * (LARGEST_LINE + 1))


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        ({"error": {"message": "slow down", "code": 429}}, RateLimited),
        ({"error": {"message": "upstream died sk-qzv-secret", "code": 502}}, ServerFailed),
        ({"error": "boom"}, ServerFailed),
        ({"error": {"message": "x", "code": 504}}, Timeout),
    ],
)
def test_errors_inside_the_stream_are_raised(payload: dict[str, Any], error: type[ProviderError]) -> None:
    with pytest.raises(error) as raised:
        play(b"data: " + json.dumps(payload).encode() + b"\n\n")
    assert "sk-qzv" not in repr(raised.value)  # X15


@pytest.mark.parametrize(
    "delta", [{"reasoning_content": "hm"}, {"reasoning": "hm"}, {"content": "<think>hm</think>"}]
)
def test_thinking_has_many_names(delta: dict[str, Any]) -> None:  # Q4
    events = play(stream(delta, {"content": "\n\nyes"}))
    assert (thinking(events), text(events)) == ("hm", "yes")


def test_content_may_be_a_list_of_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "yes"},
    ]
    events = play(stream({"content": parts}))
    assert (thinking(events), text(events)) == ("hm", "yes")


def test_text_that_only_looks_like_a_tag_is_text() -> None:
    for pieces in (("a < b", " and c <th"), ("x <", "y>"), ("<thing>",), ("1 <", "think of it")):
        assert text(said(*pieces)) == "".join(pieces)


def test_an_open_thought_ends_with_the_stream() -> None:
    events = said("<think>never ", "closed </thi")
    assert (thinking(events), text(events)) == ("never closed </thi", "")


def test_a_closing_tag_alone_is_not_shown() -> None:
    assert text(said("so </th", "ink>yes")) == "so yes"


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "search_documents", "arguments": {"query": "winch"}}',
        '```json\n{"name": "search_documents", "arguments": {"query": "winch"}}\n```',
        '[{"name": "search_documents", "parameters": {"query": "winch"}}]',
        '{"type": "function", "function": {"name": "search_documents", "arguments": {"query": "winch"}}}',
        '{"name": "search_documents", "arguments": "{\\"query\\": \\"winch\\"}"}',
        '<tool_call>\n{"name": "search_documents", "arguments": {"query": "winch"}}\n</tool_call>',
        '[TOOL_CALLS] [{"name": "search_documents", "arguments": {"query": "winch"}}]',
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_call_written_as_text_is_a_call(written: str, size: int) -> None:  # B6
    pieces = [written[i : i + size] for i in range(0, len(written), size)]
    events = said(*pieces)
    assert calls(events) == [("search_documents", {"query": "winch"})]
    assert text(events) == ""
    assert text(said("I will look.\n", *pieces)).strip() == "I will look."


def test_a_tagged_call_that_cannot_be_read_is_still_not_shown() -> None:  # B6
    events = said("Well. <tool_call>search(winch)</tool_call> Done.")
    assert text(events) == "Well. Done."
    assert calls(events) == []


def test_json_is_an_answer_where_no_such_tool_was_offered() -> None:
    for written in ('{"name": "Bittern", "kind": "ship"}', '{"title": "Winch"}', '{"name": "search_doc'):
        assert text(said(written[:9], written[9:])) == written
    assert text(said('{"name": "search_documents", "arguments": {"que')) == ""  # cut off by a limit
    call = '{"name": "search_documents", "arguments": {}}'
    assert text(said(call, tools=())) == call


def test_lines_arrive_whole_and_at_once_where_they_are_no_call() -> None:
    events = said("The winch", " weighs\n", "{310", " kg}\n")
    assert [event.delta for event in events if isinstance(event, Text)] == [
        "The winch",
        " weighs\n",
        "{310",
        " kg}\n",
    ]


def collect(*entries: Any) -> list[ToolCall]:
    collector = CallCollector()
    for entry in entries:
        collector.feed([entry])
    return list(collector.calls())


def entry(index: int | None = None, id: str = "", name: str = "", arguments: Any = None) -> dict[str, Any]:
    value: dict[str, Any] = {"function": {"name": name or None, "arguments": arguments}}
    if index is not None:
        value["index"] = index
    return {**value, "id": id} if id else value


def test_two_calls_with_their_indexes() -> None:
    assert collect(entry(0, "a", "f", '{"x"'), entry(1, "b", "g", "{}"), entry(0, arguments=": 1}")) == [
        ToolCall("a", "f", '{"x": 1}'),
        ToolCall("b", "g", "{}"),
    ]


def test_two_calls_that_are_both_numbered_0() -> None:  # S-ST-05
    found = collect(entry(0, "a", "f", '{"x": 1}'), entry(0, "b", "f", '{"x": 2}'))
    assert [call.arguments for call in found] == ['{"x": 1}', '{"x": 2}']
    found = collect(entry(0, name="f", arguments='{"x": 1}'), entry(0, name="f", arguments='{"x": 2}'))
    assert [call.arguments for call in found] == ['{"x": 1}', '{"x": 2}']
    assert len({call.id for call in found}) == 2


def test_two_calls_without_any_index() -> None:
    found = collect(
        entry(id="a", name="f", arguments='{"x'),
        entry(arguments='": 1}'),
        entry(id="b", name="g", arguments="{}"),
    )
    assert found == [ToolCall("a", "f", '{"x": 1}'), ToolCall("b", "g", "{}")]


def test_a_name_and_id_repeated_in_every_piece() -> None:
    assert collect(entry(0, "a", "f", '{"x"'), entry(0, "a", "f", ": 1}")) == [ToolCall("a", "f", '{"x": 1}')]
    assert (
        collect(entry(name="f", arguments='{"x"'), entry(name="f", arguments=": 1}"))[0].arguments
        == '{"x": 1}'
    )


def test_a_finished_call_sent_once_more_is_the_same_call() -> None:
    assert collect(entry(0, "a", "f", '{"x": 1}'), entry(0, "a", "f", '{"x": 1}')) == [
        ToolCall("a", "f", '{"x": 1}')
    ]


def test_arguments_may_be_an_object_or_missing() -> None:
    assert collect(entry(0, "a", "f", {"x": "é"}))[0].arguments == '{"x": "é"}'
    assert collect(entry(0, "a", "f"))[0].arguments == "{}"
    assert collect(entry(0, "a"), entry(0, arguments="{}")) == []  # a call of nothing is no call


def test_odd_chunks_do_no_harm() -> None:
    odd: list[Any] = [
        None,
        [],
        "x",
        {},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
    ]
    odd += [
        {"choices": [{"delta": {"content": None, "tool_calls": [None, {"function": None}]}}], "usage": []}
    ]
    assembly = Assembly()
    assert [event for chunk in odd for event in assembly.feed(chunk)] == []
    assert list(assembly.finish()) == [Finished("stop")]


def test_the_errors_that_are_tried_again() -> None:
    from providers.chat import seconds_before_retry
    from providers.errors import QuotaUsedUp, Unauthorized

    assert seconds_before_retry(RateLimited(retry_after=3), 0) == 3
    assert seconds_before_retry(RateLimited(retry_after=300), 0) is None  # nobody waits five minutes
    assert seconds_before_retry(RateLimited(), 1) == 4
    assert seconds_before_retry(QuotaUsedUp(), 0) is None
    assert seconds_before_retry(Unauthorized(), 0) is None
    assert seconds_before_retry(Unreachable(), 0) == 0
    assert seconds_before_retry(CutOff(), 1) is None
