"""Turns the JSON chunks of a chat completion, streamed or not, into events."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from providers.errors import ProviderError
from providers.events import ChatEvent, Finished, Thinking, ToolCall, ToolCalls, Usage
from providers.rejection import from_payload
from providers.tags import TagSplitter
from providers.toolcalls import CallCollector

REASONS = {
    "max_tokens": "length",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "end_turn": "stop",
}
LONGEST_NAME = 200  # characters of a model's name
KNOWN_REASONS = frozenset({"stop", "length", "tool_calls", "content_filter"})


class Assembly:
    """Feed it decoded chunks in order, then `finish`; `tools` are the names that were offered."""

    def __init__(self, *, tools: Collection[str] = ()) -> None:
        self._splitter = TagSplitter(tools=tools)
        self._collector = CallCollector()
        self._usage: Usage | None = None
        self._model: str | None = None
        self._reason: str | None = None
        self.chunks = 0
        self.begun = False  # not by a role alone: some servers send it before they read the prompt

    @property
    def complete(self) -> bool:
        """Whether the server said why it stopped; only usage can follow."""
        return self._reason is not None

    def feed(self, chunk: Any) -> Iterator[ChatEvent]:
        """Raises the ProviderError of an error sent inside the stream."""
        if not isinstance(chunk, dict):
            return
        if chunk.get("error"):
            raise error_in_stream(chunk)
        choices = chunk.get("choices")
        self.chunks += isinstance(choices, list)
        self._usage = read_usage(chunk.get("usage")) or self._usage
        model = chunk.get("model")
        self._model = model[:LONGEST_NAME] if isinstance(model, str) and model else self._model
        choice = choices[0] if isinstance(choices, list) and choices else None  # may be empty (S-ST-04)
        if not isinstance(choice, dict):
            return
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._delta(delta)
        self._reason = choice.get("finish_reason") or self._reason

    def finish(self) -> Iterator[ChatEvent]:
        """What was held back, the tool calls, the usage and Finished, in this order."""
        yield from self._splitter.finish()
        calls = self._collector.calls() or numbered(self._splitter.calls)
        if calls:
            yield ToolCalls(calls)
        if self._usage:
            yield replace(self._usage, model=self._model)
        reason = REASONS.get(str(self._reason), self._reason)
        yield Finished(
            "tool_calls" if calls else reason if reason in KNOWN_REASONS - {"tool_calls"} else "stop"
        )

    def _delta(self, delta: dict[str, Any]) -> Iterator[ChatEvent]:
        self.begun = self.begun or any(value for key, value in delta.items() if key != "role")
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(thought, str) and thought:
            yield Thinking(thought)
        yield from self._content(delta.get("content"))
        if delta.get("tool_calls"):
            self._collector.feed(delta["tool_calls"])
        if delta.get("function_call"):
            self._collector.feed({"function": delta["function_call"]})

    def _content(self, content: Any) -> Iterator[ChatEvent]:
        """A string, or a list of parts of which some are thoughts."""
        if isinstance(content, str):
            yield from self._splitter.feed(content)
        elif isinstance(content, list):
            for part in content:
                if isinstance(part, dict) and part.get("type") == "thinking":
                    yield Thinking("".join(text_of(inner) for inner in part.get("thinking") or ()))
                else:
                    yield from self._splitter.feed(text_of(part))


def text_of(part: Any) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def read_usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Usage(prompt, completion or 0) if isinstance(prompt, int) else None


def numbered(calls: list[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(f"call_{i}", call.name, call.arguments) for i, call in enumerate(calls, 1))


def error_in_stream(chunk: dict[str, Any]) -> ProviderError:
    return from_payload(chunk).error()
