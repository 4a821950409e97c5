"""What a chat model's stream is made of, whatever its server called it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    delta: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """A piece of what the model says to itself; never part of the answer (Q4)."""

    delta: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call; `arguments` is JSON as the model wrote it, which need not be valid."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """Every call of this answer, once, after its text."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the server counted them."""

    prompt_tokens: int
    completion_tokens: int
    model: str | None = None  # the one that really answered, as the server names it


@dataclass(frozen=True, slots=True)
class Waiting:
    """The model is busy and is asked again after `seconds`; `reason` is the error's code."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event: stop | length | tool_calls | content_filter."""

    reason: str


ChatEvent = Text | Thinking | ToolCalls | Usage | Waiting | Finished
