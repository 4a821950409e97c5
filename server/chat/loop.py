"""The agent loop: ask the model, run what it asks for; three rounds of tools, then an answer (B3)."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4

from providers.events import ChatEvent, Text, ToolCall, ToolCalls
from server.chat.events import Event

MAX_ROUNDS = 3
MAX_CALLS = 4  # of one round; a model that asks for more gets the first ones
TOOL_SECONDS = 240.0  # after these a turn gets no more tools, whatever it has found, and answers

Message = dict[str, Any]


class ChatModel(Protocol):
    """What the loop needs of a model; providers.chat.ChatClient and the scripted models have it."""

    def stream(
        self,
        messages: list[Message],
        *,
        tools: list[Message] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        response_format: Message | None = None,
    ) -> AsyncGenerator[ChatEvent, None]: ...


class ToolRunner(Protocol):
    """Offers what has a target now, and runs one call: its events, then `output` is what the model reads."""

    @property
    def output(self) -> str: ...

    def offered(self) -> list[Message]: ...

    def run(self, call: ToolCall, arguments: dict[str, Any]) -> AsyncIterator[Event]: ...


async def converse(
    model: ChatModel,
    messages: list[Message],
    runner: ToolRunner | None,
    *,
    max_tokens: int,
    seconds: float = TOOL_SECONDS,
) -> AsyncIterator[ChatEvent | Event]:
    """The model's events and those of the tools it calls, until it answers.

    `messages` grows by each round. In the last round, and after `seconds`, no tool is offered, so that the turn
    ends in words.
    """
    used: set[str] = set()
    deadline = monotonic() + seconds
    for step in range(MAX_ROUNDS + 1):
        in_time = step < MAX_ROUNDS and monotonic() < deadline
        offered = runner.offered() if runner and in_time else []
        said: list[str] = []
        calls: tuple[ToolCall, ...] = ()
        async with aclosing(model.stream(messages, tools=offered or None, max_tokens=max_tokens)) as events:
            async for event in events:
                if isinstance(event, ToolCalls):
                    calls = _distinct(event.calls[:MAX_CALLS], used) if offered else ()
                    continue
                if isinstance(event, Text):
                    said.append(event.delta)
                yield event
        if not calls or runner is None:
            return
        messages.append(asked(calls, "".join(said)))
        for call in calls:
            async for happened in runner.run(call, arguments_of(call)):
                yield happened
            messages.append(answered(call.id, runner.output))


def _distinct(calls: tuple[ToolCall, ...], used: set[str]) -> tuple[ToolCall, ...]:
    """The calls under ids of their own: some servers count from 1 again in every round."""
    found = []
    for call in calls:
        id_ = f"call_{uuid4().hex[:12]}" if call.id in used else call.id
        used.add(id_)
        found.append(ToolCall(id_, call.name, call.arguments))
    return tuple(found)


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """The call's arguments; {} when the model wrote something else than a JSON object."""
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def asked(calls: tuple[ToolCall, ...], said: str = "") -> Message:
    """The assistant's message that asks for tools, as the protocol records it."""
    return {
        "role": "assistant",
        "content": said or None,
        "tool_calls": [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments or "{}"}}
            for c in calls
        ],
    }


def answered(call_id: str, output: str) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": output}
