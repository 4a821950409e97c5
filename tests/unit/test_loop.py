"""The agent loop with models written for it: rounds and time end in an answer."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from providers.events import ChatEvent, Finished, Text, ToolCall, ToolCalls
from server.chat.events import Event, ToolState
from server.chat.loop import MAX_CALLS, MAX_ROUNDS, Message, converse


@dataclass
class Asking:
    """A model that asks for tools whenever there are any, under the same id each time."""

    calls: int = 1
    offers: list[int] = field(default_factory=list)

    async def stream(
        self, messages: list[Message], *, tools: list[Message] | None = None, **_: Any
    ) -> AsyncGenerator[ChatEvent, None]:
        self.offers.append(len(tools or ()))
        if tools:
            yield ToolCalls(tuple(ToolCall("call_1", "look", '{"at": 1}') for _ in range(self.calls)))
        else:
            yield Text("That is all.")
        yield Finished("stop")


@dataclass
class Looking:
    """A tool that takes its time."""

    seconds: float = 0.0
    output: str = "seen"
    runs: int = 0

    def offered(self) -> list[Message]:
        return [{"type": "function", "function": {"name": "look"}}]

    async def run(self, call: ToolCall, arguments: dict[str, Any]) -> AsyncIterator[Event]:
        self.runs += 1
        await asyncio.sleep(self.seconds)
        yield ToolState(call.id, "look", "done", arguments)


async def played(
    model: Asking, runner: Looking | None, *, seconds: float = 60.0
) -> tuple[str, list[Message]]:
    messages: list[Message] = [{"role": "user", "content": "?"}]
    said = ""
    async for event in converse(model, messages, runner, max_tokens=10, seconds=seconds):
        said += event.delta if isinstance(event, Text) else ""
    return said, messages


async def test_three_rounds_then_an_answer() -> None:  # B3
    model, runner = Asking(), Looking()
    said, messages = await played(model, runner)
    assert said == "That is all."
    assert model.offers == [1] * MAX_ROUNDS + [0]
    ids = [call["id"] for m in messages for call in m.get("tool_calls") or ()]
    assert len(set(ids)) == MAX_ROUNDS  # a server that counts from 1 again in every round confuses nobody
    assert ids == [m["tool_call_id"] for m in messages if m["role"] == "tool"]


async def test_time_ends_in_an_answer_too() -> None:  # B3
    model, runner = Asking(), Looking(seconds=0.05)
    said, _ = await played(model, runner, seconds=0.02)
    assert (said, model.offers, runner.runs) == ("That is all.", [1, 0], 1)


async def test_a_round_runs_a_few_calls_at_most() -> None:
    model, runner = Asking(calls=30), Looking()
    await played(model, runner)
    assert runner.runs == MAX_ROUNDS * MAX_CALLS


async def test_without_tools_there_is_one_request() -> None:
    model = Asking()
    assert (await played(model, None))[0] == "That is all."
    assert model.offers == [0]
