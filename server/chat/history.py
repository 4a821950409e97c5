"""What of a thread is replayed to the model: questions and answers that went well, trimmed to a budget."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# English prose runs at 4 to 4.5 characters a token in the common tokenizers, code and tables nearer 3.
CHARACTERS_PER_TOKEN = 3.6
LONGEST_ENTRY = 2000  # characters; a paste of 5,000 is not sent whole on the next 20 turns (C6)
REPLAYED_KINDS = ("question", "answer")  # a stored refusal is a learned refusal (C2)


class Entry(Protocol):
    """A stored message: `role`, `kind`, `content`."""

    def __getitem__(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class Exchange:
    question: str
    answer: str


def tokens(text: str) -> int:
    """An estimate, on the safe side."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 4


def trim(text: str, limit: int = LONGEST_ENTRY) -> str:
    """Shorten from the middle: the title at the start and the question at the end survive (C5)."""
    if len(text) <= limit:
        return text
    half = (limit - 20) // 2
    return f"{text[:half].rstrip()}\n[…]\n{text[-half:].lstrip()}"


def exchanges(messages: Sequence[Entry]) -> list[Exchange]:
    """Questions with their answers, in pairs; a question whose answer failed or was stopped is left out."""
    found, asked = [], None
    for message in messages:
        if message["role"] == "user":
            asked = message["content"]
        elif asked is not None:
            if message["kind"] in REPLAYED_KINDS:
                found.append(Exchange(asked, message["content"]))
            asked = None
    return found


def replay(past: Sequence[Exchange], *, budget: int) -> list[dict[str, Any]]:
    """Chat messages of the newest exchanges that fit `budget` tokens, oldest first, never half a pair."""
    chosen: list[dict[str, Any]] = []
    for exchange in reversed(past):
        pair = [
            {"role": "user", "content": trim(exchange.question)},
            {"role": "assistant", "content": trim(exchange.answer)},
        ]
        cost = sum(tokens(m["content"]) for m in pair)
        if cost > budget:
            break
        budget -= cost
        chosen = pair + chosen
    return chosen
