"""What of a thread is replayed to the model: exchanges that went well, in pairs, trimmed to a budget of tokens."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

# English prose runs at 4 to 4.5 characters a token in the common tokenizers, code and tables nearer 3.
CHARACTERS_PER_TOKEN = 3.6
LONGEST_ENTRY = 2000  # characters; a paste of 5,000 is not sent whole on the next 20 turns (C6)
HISTORY_SHARE = 0.3  # of the context; passages and the question need the rest
SUMMARY_REQUEST = "What have we said so far, in short?"

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """What becomes of a stored message of some kind beyond being shown to people."""

    replayed: bool  # sent to the model on later turns, and so part of what is summarised
    why: str


# A stored refusal is a learned refusal (C2): the model goes on as it sees itself begin.
POLICIES: Mapping[str, Policy] = {
    "question": Policy(True, "what was asked, with its answer"),
    "answer": Policy(True, "what was said, with its question"),
    "refusal": Policy(False, "the model would learn to refuse"),
    "error": Policy(False, "our sentence about a failure is nobody's answer"),
    "stopped": Policy(False, "a half answer teaches to break off"),
    "tool": Policy(False, "passages are found anew for each turn (C12)"),
    "note": Policy(False, "for people only"),
    "crisis": Policy(False, "fixed text, not the model's"),
    "declined": Policy(False, "fixed text, not the model's"),
}


class Entry(Protocol):
    """A stored message: `role`, `kind`, `content`, and where it is known `id` and `excluded`."""

    def __getitem__(self, name: str) -> Any: ...
    def get(self, name: str, default: Any = None) -> Any: ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with its answer; or, as the first of a list, the summary of what came before the others."""

    question: str
    answer: str
    ids: tuple[UUID, ...] = field(default=(), compare=False)
    summary: bool = False
    replayed: bool = True  # False: a declined question, which only an answer to its offer looks back at


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
    """Questions with their answers, in pairs. A pair is left out as a whole when its answer is of a kind that is
    not replayed, or when a person has excluded either half (C4)."""
    found: list[Exchange] = []
    asked: Entry | None = None
    offered: Exchange | None = None
    for message in messages:
        if message["role"] == "user":
            asked = message
        elif asked is not None:
            offered = None
            if _replayed(asked) and _replayed(message):
                ids = tuple(m["id"] for m in (asked, message) if m.get("id"))
                found.append(Exchange(asked["content"], message["content"], ids))
            elif message["kind"] == "declined":
                offered = Exchange(asked["content"], message["content"], replayed=False)
            asked = None
    return [*found, offered] if offered else found


def _replayed(message: Entry) -> bool:
    return POLICIES[message["kind"]].replayed and not message.get("excluded", False)


def previous(past: Sequence[Exchange]) -> Exchange | None:
    """The exchange before this message, which follow-ups point at."""
    return past[-1] if past and not past[-1].summary else None


def pair(exchange: Exchange) -> list[Message]:
    """An exchange as chat messages, each trimmed from both ends."""
    return [
        {"role": "user", "content": SUMMARY_REQUEST if exchange.summary else trim(exchange.question)},
        {"role": "assistant", "content": trim(exchange.answer)},
    ]


def cost(messages: Sequence[Message]) -> int:
    """Tokens of chat messages, tool calls included."""
    return sum(tokens(_text(message)) for message in messages)


def split(past: Sequence[Exchange], *, budget: int) -> tuple[list[Exchange], list[Exchange]]:
    """The exchanges that do not fit `budget` tokens, and the newest that do; both oldest first, no summary."""
    plain = [exchange for exchange in past if exchange.replayed and not exchange.summary]
    start = len(plain)
    while start and (price := cost(pair(plain[start - 1]))) <= budget:
        budget -= price
        start -= 1
    return plain[:start], plain[start:]


def replay(past: Sequence[Exchange], *, budget: int) -> list[Message]:
    """Chat messages of the summary, if there is one, and of the newest exchanges that fit; never half a pair."""
    lead = pair(past[0]) if past and past[0].summary else []
    if cost(lead) > budget:
        lead = []
    _, kept = split(past, budget=budget - cost(lead))
    return lead + [message for exchange in kept for message in pair(exchange)]


def trimmed(
    messages: Sequence[Message],
    *,
    budget: int,
    price: Callable[[Sequence[Message]], int] = cost,
) -> list[Message]:
    """A chat request cut to `budget`: a call and its results leave together, the oldest first.

    System messages and the last question stay whatever they cost (S-CM-04: a result without its call is a 400).
    """
    units = _units(messages)
    last = max((i for i, unit in enumerate(units) if unit[0]["role"] == "user"), default=-1)
    kept = {i for i, unit in enumerate(units) if unit[0]["role"] == "system" or i == last}
    budget -= sum(price(units[i]) for i in kept)
    for i in reversed(range(len(units))):
        if i in kept:
            continue
        budget -= price(units[i])
        if budget < 0:
            break
        kept.add(i)
    return [message for i in sorted(kept) for message in units[i]]


def _units(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages that stand or fall together: an answer that asks for tools, with the results; others alone.
    Results without their call, and calls that lack a result, belong to no request and are left out."""
    units: list[list[Message]] = []
    for message in messages:
        if message["role"] != "tool":
            units.append([message])
        elif units and message.get("tool_call_id") in _called(units[-1][0]):
            units[-1].append(message)
    return [u for u in units if _called(u[0]) == {m["tool_call_id"] for m in u[1:]}]


def _called(message: Message) -> set[str]:
    return {call["id"] for call in message.get("tool_calls") or ()}


def _text(message: Message) -> str:
    calls = message.get("tool_calls")
    return (message.get("content") or "") + (json.dumps(calls, ensure_ascii=False) if calls else "")
