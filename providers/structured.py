"""JSON from a chat model, whether or not its server can be told to write JSON (N5)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from providers.chat import PATIENCE, ChatClient, Patience
from providers.degrade import degraded
from providers.events import Text

LONGEST = 200_000  # characters; nothing that we ask for is longer, and the forgiving parsers are slow
thought = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL)
fence = re.compile(r"```[a-zA-Z]*\s*(.*?)(?:```|\Z)", re.DOTALL)
trailing_comma = re.compile(r",(\s*[}\]])")


async def json_completion(
    chat: ChatClient,
    messages: Sequence[Mapping[str, Any]],
    *,
    max_tokens: int | None = None,
    patience: Patience = PATIENCE,
) -> Any | None:
    """What the model wrote, parsed; None (logged and counted) when no JSON is in it. Raises ProviderError.

    The messages must ask for JSON by that word: servers with a JSON mode insist on it.
    """
    text = ""
    json_mode = {"type": "json_object"}
    async for event in chat.stream(
        messages, max_tokens=max_tokens, temperature=0.0, response_format=json_mode, patience=patience
    ):
        if isinstance(event, Text):
            text += event.delta
    value = parse_json(text)
    if value is None:
        degraded("json fallback", "the model wrote no JSON")
    return value


def parse_json(text: str) -> Any | None:
    """The object or list in a model's answer: thoughts, fences, prose, last commas, single quotes allowed."""
    text = thought.sub("", text[:LONGEST]).rpartition("</think>")[2]
    for candidate in candidates(text):
        for read in (json.loads, without_trailing_commas, ast.literal_eval):
            try:
                value = read(candidate)
            except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                continue
            if isinstance(value, (dict, list)):
                return value
    return None


def candidates(text: str) -> Iterator[str]:
    """Places where JSON may stand, the likeliest first."""
    for block in (*fence.findall(text), text):
        yield block.strip()
        for pair in sorted(("{}", "[]"), key=lambda pair: block.find(pair[0])):
            start, end = block.find(pair[0]), block.rfind(pair[1])
            if 0 <= start < end:
                yield block[start : end + 1]


def without_trailing_commas(text: str) -> Any:
    return json.loads(trailing_comma.sub(r"\1", text))
