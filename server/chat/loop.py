"""The agent loop: ask the model, run what it asks for; three rounds of tools, then an answer (B3)."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Protocol
from uuid import uuid4

from providers.events import ChatEvent, Text, ToolCall, ToolCalls
from server.chat.events import Event

MAX_ROUNDS = 3
MAX_CALLS = 4  # of one round; a model that asks for more gets the first ones

Message = dict[str, Any]


class ChatModel(Protocol):
    """What the loop needs of a model; providers.chat.ChatClient and the scripted models have it."""

    def stream(
        self, messages: list[Message], *, tools: list[Message] | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[ChatEvent, None]: ...


class ToolRunner(Protocol):
    """Runs one call and yields its events; `output` is then what the model reads."""

    output: str

    def run(self, call: ToolCall, arguments: dict[str, Any]) -> AsyncIterator[Event]: ...


async def converse(
    model: ChatModel, messages: list[Message], tools: list[Message], runner: ToolRunner, *, max_tokens: int
) -> AsyncIterator[ChatEvent | Event]:
    """The model's events and those of the tools it calls, until it answers.

    `messages` grows by each round. In the last round no tool is offered, so that the turn ends in words.
    """
    used: set[str] = set()
    for step in range(MAX_ROUNDS + 1):
        offered = tools if tools and step < MAX_ROUNDS else None
        said: list[str] = []
        calls: tuple[ToolCall, ...] = ()
        async with aclosing(model.stream(messages, tools=offered, max_tokens=max_tokens)) as events:
            async for event in events:
                if isinstance(event, ToolCalls):
                    calls = _distinct(event.calls[:MAX_CALLS], used) if offered else ()
                    continue
                if isinstance(event, Text):
                    said.append(event.delta)
                yield event
        if not calls:
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
