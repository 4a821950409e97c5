"""A second opinion on a turn that the rules are not sure of: one short question to the model, never waited for long."""

import json
from dataclasses import replace

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.structured import parse_json
from server.chat.complete import complete
from server.chat.history import trim
from server.chat.loop import ChatModel
from server.chat.prompts import prompt
from server.chat.turn import LONGEST_QUERY, Past, Turn

SECONDS = 4.0  # the answer waits for it; hosted models need 0.5 to 2 s for 40 tokens
MAX_TOKENS = 160
SEEN = 1200  # characters of the last question and of the last answer
KINDS = ("question", "follow_up", "advisory", "small_talk")
FALLBACK = "turn by rules"


async def settle(turn: Turn, message: str, past: Past | None, model: ChatModel | None) -> Turn:
    """The turn as the model sees it; as the rules do when they are sure, or when the model is of no help (counted)."""
    if turn.sure or model is None or past is None:
        return turn
    asked = {
        "last_question": trim(past.question, SEEN),
        "last_answer": trim(past.answer, SEEN),
        "message": message,
    }
    messages = [
        {"role": "system", "content": prompt("rewrite")},
        {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
    ]
    try:
        answer = await complete(model, messages, max_tokens=MAX_TOKENS, seconds=SECONDS, as_json=True)
    except ProviderError as error:
        degraded(FALLBACK, error)
        return turn
    found = read(answer)
    if found is None:
        degraded(FALLBACK, "no usable JSON")
        return turn
    kind, query = found
    if kind == "small_talk":
        return Turn(kind, "")
    return replace(turn, kind=kind, query=query[:LONGEST_QUERY], sure=True)


def read(answer: str) -> tuple[str, str] | None:
    """(kind, query) of a model's answer; None when it is not one of ours."""
    value = parse_json(answer)
    if not isinstance(value, dict):
        return None
    kind, query = value.get("kind"), value.get("query")
    if kind == "small_talk":
        return kind, ""
    if kind not in KINDS or not isinstance(query, str) or not query.strip():
        return None
    return str(kind), " ".join(query.replace("\0", " ").split())
