"""A tool as data: its contract with the model, when it is offered, and what it does."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from providers.events import ToolCall
from server.chat.desk import Desk
from server.chat.events import Event

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """`offered` says whether it has a target in this turn (B7); `run` leaves its result in `desk.output`."""

    name: str
    description: str
    offered: Callable[[Desk], bool]
    run: Callable[[Desk, ToolCall, Arguments], AsyncGenerator[Event, None]]
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    seconds: float = 30.0  # the longest that one call may take

    def contract(self) -> dict[str, Any]:
        """What the model is told, in the form of the chat completions API."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": self.parameters,
                    "required": list(self.required),
                },
            },
        }


def milliseconds(since: float) -> int:
    """Whole milliseconds since a `perf_counter()`."""
    return round((perf_counter() - since) * 1000)


def words(arguments: Arguments, name: str, *, most: int = 1000) -> str:
    """An argument as text, whatever the model wrote there."""
    return (
        str(arguments.get(name) or "").replace("\0", " ").encode("utf-8", "replace").decode().strip()[:most]
    )


def string(description: str) -> dict[str, str]:
    return {"type": "string", "description": description}
