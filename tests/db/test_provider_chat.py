"""The chat client over real HTTP against the scripted server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from providers.chat import ChatClient, Patience
from providers.errors import (
    AddressForbidden,
    BadResponse,
    ContextTooLong,
    CutOff,
    ModelNotFound,
    ProviderError,
    QuotaUsedUp,
    RateLimited,
    Timeout,
    Unauthorized,
    Unreachable,
)
from providers.events import ChatEvent, Finished, Text, Thinking, ToolCalls, Usage, Waiting
from providers.scenarios import Reply, refuse, say
from providers.scripted import play, play_stream, running, scripted_app
from providers.structured import json_completion
from providers.types import Endpoint

QUESTION = [{"role": "user", "content": "how heavy is the winch?"}]
TOOLS = [{"type": "function", "function": {"name": "search_documents", "parameters": {"type": "object"}}}]
QUICK = Patience(first=1.5, between=1.0)


@pytest.fixture
def app() -> Starlette:
    return scripted_app()


@pytest.fixture
async def base_url(app: Starlette) -> AsyncIterator[str]:
    async with running(app) as url:
        yield url


async def ask(base_url: str, model: str, **how: Any) -> list[ChatEvent]:
    chat = ChatClient(Endpoint(base_url, model))
    try:
        return [event async for event in chat.stream(QUESTION, **how)]
    finally:
        await chat.close()


def text(events: list[ChatEvent]) -> str:
    return "".join(event.delta for event in events if isinstance(event, Text))


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
async def test_case_streams(app: Starlette, base_url: str, shared: Path, case: str, expected: str) -> None:
    folder = shared / "cases/files" / case
    splits = folder / "splits.json"
    play_stream(
        app, (folder / "stream.sse").read_bytes(), json.loads(splits.read_text()) if splits.exists() else ()
    )
    events = await ask(base_url, "any")
    assert text(events) == expected
    assert events[-1] == Finished("stop")


async def test_s_pr_01_renamed_once_and_remembered(app: Starlette, base_url: str, shared: Path) -> None:
    play(app, json.loads((shared / "cases/files/S-PR-01/script.json").read_text()))
    chat = ChatClient(Endpoint(base_url, "any"))
    for _ in range(2):
        assert text([event async for event in chat.stream(QUESTION, max_tokens=50)]) == "ok"
    await chat.close()
    first, second, third = app.state.requests  # three in all
    assert first["max_tokens"] == second["max_completion_tokens"] == third["max_completion_tokens"] == 50
    assert "max_tokens" not in second
    assert "max_tokens" not in third


async def test_several_refusals_in_one_turn(app: Starlette, base_url: str) -> None:  # N4
    events = await ask(base_url, "scripted-strict", max_tokens=50, temperature=0.1)
    assert isinstance(events[0], Text)
    assert len(app.state.requests) == 3


async def test_a_model_without_tools_still_answers(app: Starlette, base_url: str) -> None:  # N4, B9
    events = await ask(
        base_url, "scripted-no-tools", tools=TOOLS, tool_choice="auto", parallel_tool_calls=False
    )
    assert isinstance(events[0], Text)
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(app.state.requests[-1])


async def test_the_first_piece_comes_before_the_last_is_made(base_url: str) -> None:  # B2
    chat = ChatClient(Endpoint(base_url, "scripted-pace-20-20"))
    await chat.warm()
    start = time.perf_counter()
    times = [time.perf_counter() - start async for event in chat.stream(QUESTION) if isinstance(event, Text)]
    await chat.close()
    assert len(times) == 20
    assert times[0] < 0.5 < times[-1]


async def test_usage_and_end_come_last(base_url: str) -> None:
    *_, usage, finished = await ask(base_url, "scripted-cite")
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens > 0
    assert finished == Finished("stop")


@pytest.mark.parametrize(
    "model",
    [
        "scripted-tool",
        "scripted-no-index",
        "scripted-not-streamed",
        "scripted-text-tool",
        "scripted-tag-tool",
    ],
)
async def test_a_tool_is_called_however_it_is_written(base_url: str, model: str) -> None:  # S-ST-05, B6
    events = await ask(base_url, model, tools=TOOLS)
    calls = next(event.calls for event in events if isinstance(event, ToolCalls))
    assert [(call.name, json.loads(call.arguments)) for call in calls] == [
        ("search_documents", {"query": "how heavy is the winch?"})
    ]
    assert "search_documents" not in text(events)
    assert "```" not in text(events)
    assert events[-1] == Finished("tool_calls")


async def test_the_answer_cites_what_the_tool_found(base_url: str) -> None:
    found = [{"role": "tool", "tool_call_id": "c", "content": "[1] The winch of the Bittern weighs 310 kg."}]
    chat = ChatClient(Endpoint(base_url, "scripted-tool"))
    events = [event async for event in chat.stream([*QUESTION, *found], tools=TOOLS)]
    await chat.close()
    assert text(events) == "The winch of the Bittern weighs 310 kg [1]."


async def test_a_call_written_in_the_last_round_is_not_shown(app: Starlette, base_url: str) -> None:  # B3, B6
    written = '{"name": "search_documents", "arguments": {"query": "winch"}}'
    play(app, [written])
    call = {"id": "c", "type": "function", "function": {"name": "search_documents", "arguments": "{}"}}
    history: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "-"},
    ]
    chat = ChatClient(Endpoint(base_url, "any"))
    events = [event async for event in chat.stream([*QUESTION, *history])]
    await chat.close()
    assert text(events) == ""


@pytest.mark.parametrize(
    "model", ["scripted-missing-done", "scripted-no-finish", "scripted-crlf", "scripted-empty-choices"]
)
async def test_odd_streams_are_whole_answers(base_url: str, model: str) -> None:  # S-ST-02, S-ST-04
    events = await ask(base_url, model)
    assert text(events) == "I found nothing about this in the documents."
    assert events[-1] == Finished("stop")


@pytest.mark.parametrize("model", ["scripted-think", "scripted-reasoning"])
async def test_thinking_is_apart(base_url: str, model: str) -> None:  # S-ST-08, Q4
    events = await ask(base_url, model)
    assert any(isinstance(event, Thinking) for event in events)
    assert text(events) == "I found nothing about this in the documents."


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("scripted-401", Unauthorized),
        ("scripted-404", ModelNotFound),
        ("scripted-unheard-of", ModelNotFound),
        ("scripted-quota", QuotaUsedUp),
        ("scripted-context", ContextTooLong),
        ("scripted-html", BadResponse),
        ("scripted-cut", CutOff),
        ("scripted-stall", Timeout),
        ("scripted-stall-first", Timeout),
    ],
)
async def test_what_goes_wrong_is_said_and_never_echoed(
    base_url: str, model: str, error: type[ProviderError]
) -> None:  # X11, X15
    with pytest.raises(error) as raised:
        await ask(base_url, model, patience=QUICK)
    assert "sk-qzv" not in str(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


async def test_text_before_a_break_is_kept_and_not_asked_for_again(app: Starlette, base_url: str) -> None:
    events: list[ChatEvent] = []
    chat = ChatClient(Endpoint(base_url, "scripted-cut"))

    async def listen() -> None:
        async for event in chat.stream(QUESTION):
            events.append(event)

    with pytest.raises(CutOff):
        await listen()
    await chat.close()
    assert text(events).startswith("The winch")
    assert len(app.state.requests) == 1


async def test_a_busy_model_is_asked_again_and_people_are_told(app: Starlette, base_url: str) -> None:
    events = await ask(base_url, "scripted-429-once")
    assert events[0] == Waiting(1.0, "model_busy")
    assert text(events)
    assert len(app.state.requests) == 2


async def test_a_model_that_stays_busy_is_left_alone(app: Starlette, base_url: str) -> None:
    with pytest.raises(RateLimited):
        await ask(base_url, "scripted-429")
    assert len(app.state.requests) == 3


async def test_waiting_can_be_cancelled(base_url: str) -> None:
    chat = ChatClient(Endpoint(base_url, "scripted-429"))
    async with aclosing(chat.stream(QUESTION)) as events:
        assert isinstance(await anext(events), Waiting)
    await chat.close()


@pytest.mark.parametrize("way", ["close", "cancel"])
async def test_stopping_closes_the_upstream_within_a_second(app: Starlette, base_url: str, way: str) -> None:
    """S-ST-06: the generation ends, not only its display."""
    chat = ChatClient(Endpoint(base_url, "scripted-slow"))
    stream = chat.stream(QUESTION)
    for _ in range(5):
        await anext(stream)
    if way == "cancel":
        task = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    else:
        await stream.aclose()
    stopped = time.monotonic()
    async with asyncio.timeout(2):
        while not app.state.closed:
            await asyncio.sleep(0.01)
    await chat.close()
    assert app.state.closed[0] - stopped < 1


async def test_comments_count_as_life(app: Starlette, base_url: str) -> None:
    pings = b": waiting in the queue\n\n" * 60
    answer = (
        b'data: {"choices": [{"delta": {"content": "here"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    )
    play_stream(app, pings + answer, splits=range(24, len(pings) + 1, 24))  # 0.6 s of nothing but comments
    assert text(await ask(base_url, "any", patience=Patience(first=0.4, between=0.4))) == "here"


async def test_a_role_alone_is_no_beginning(app: Starlette, base_url: str) -> None:
    """A local server sends it at once and then reads the prompt, which takes as long as it takes."""
    play(app, [Reply([{"role": "assistant", "content": None}, {"content": "here"}], pace=0.5)])
    assert text(await ask(base_url, "any", patience=Patience(first=3.0, between=0.2))) == "here"


async def test_a_server_that_never_ends_has_an_end(app: Starlette, base_url: str) -> None:
    with pytest.raises(Timeout):
        await ask(base_url, "scripted-slow", patience=Patience(total=0.5))


async def test_nobody_listens() -> None:
    with pytest.raises(Unreachable):
        await ask("http://127.0.0.1:9/v1", "any")


async def test_metadata_addresses_are_never_called() -> None:  # X11
    with pytest.raises(AddressForbidden):
        await ask("http://169.254.169.254/v1", "any")


async def test_a_redirect_is_not_followed(app: Starlette, base_url: str) -> None:  # X11
    app.state.queue = [
        Reply(status=307, error={}, headers={"location": f"{base_url}/chat/completions?stolen"})
    ]
    with pytest.raises(ModelNotFound):
        await ask(base_url, "any")
    assert len(app.state.requests) == 1


async def test_the_key_is_sent_when_there_is_one(app: Starlette, base_url: str) -> None:
    for key in ("sk-qzv-1", None):
        chat = ChatClient(Endpoint(base_url, "scripted-cite", key))
        _ = [event async for event in chat.stream(QUESTION)]
        await chat.close()
    assert app.state.headers[0]["authorization"] == "Bearer sk-qzv-1"
    assert not {"authorization", "openai-organization", "openai-project"} & set(app.state.headers[1])


async def test_odd_characters_are_sent_as_they_can_be(base_url: str) -> None:  # E25
    chat = ChatClient(Endpoint(base_url, "scripted-echo"))
    events = [event async for event in chat.stream([{"role": "user", "content": "a\ud800b \x00 北京"}])]
    await chat.close()
    assert text(events) == "a?b \x00 北京"


async def test_one_connection_serves_several_turns(app: Starlette, base_url: str) -> None:  # B12
    chat = ChatClient(Endpoint(base_url, "scripted-cite"))
    for _ in range(3):
        _ = [event async for event in chat.stream(QUESTION)]
    pool = chat._client._client._transport._pool
    assert len(pool.connections) == 1
    await chat.close()


async def test_json_mode_is_given_up_where_it_is_refused(app: Starlette, base_url: str) -> None:  # N5
    app.state.queue = [
        refuse(400, "'response_format' is not supported"),
        Reply(say('```json\n{"title": "Winch"}\n```')),
    ]
    chat = ChatClient(Endpoint(base_url, "any"))
    assert await json_completion(chat, QUESTION) == {"title": "Winch"}
    app.state.queue = [Reply(say("no"))]
    assert await json_completion(chat, QUESTION) is None
    await chat.close()
    assert ["response_format" in body for body in app.state.requests] == [True, False, False]


def test_the_sdk_is_imported_only_when_a_model_is_asked() -> None:
    code = (
        "import sys, providers.chat, providers.embed, providers.rerank, providers.probe, providers.tracing;"
        "print({'openai', 'httpx', 'httpx2', 'langsmith', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"set()\n"
