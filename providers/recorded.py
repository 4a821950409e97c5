"""What was really sent: request bodies as they leave, kept for whoever asked to see them (C9).

A context variable, so that every request of a turn is seen whoever makes it, and those of other turns are not.
"""

import json
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

MOST = 40  # requests of one turn; three rounds of tools with a sub-agent over a whole document make 20
LONGEST = 400_000  # characters of one; the default context of 8,000 tokens is about 30,000


@dataclass(slots=True)
class Sent:
    """Bodies in the order sent, as JSON text; `whole` is False where one was cut. The key is in no body."""

    bodies: list[str] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)

    def add(self, body: Mapping[str, Any]) -> None:
        if len(self.bodies) < MOST:
            text = json.dumps(body, ensure_ascii=False)
            self.bodies.append(text[:LONGEST])
            self.whole.append(len(text) <= LONGEST)


_sent: ContextVar[Sent | None] = ContextVar("sent", default=None)


def begin() -> Sent:
    """Record what this task, and those that it starts, send from here on."""
    sent = Sent()
    _sent.set(sent)
    return sent


def note(body: Mapping[str, Any]) -> None:
    """A body that goes out now."""
    sent = _sent.get()
    if sent is not None:
        sent.add(body)
