"""A conversation as Markdown: what was said on the branch that is shown, each answer with its sources."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

LABELS = {"refusal": "declined", "declined": "declined", "error": "failed", "stopped": "stopped"}
GROUNDING = {
    "grounded": "From the documents.",
    "partly": "Partly from the documents.",
    "general": "Not from the documents.",
    "none": "The documents hold nothing on this.",
}


def markdown(thread: Mapping[str, Any]) -> str:
    """The whole file. `thread` is as `thread.read` gives it."""
    title = thread["title"] or "Conversation"
    parts = [f"# {_line(title)}", _day(thread["created_at"])]
    for message in thread["messages"]:
        parts += _question(message) if message["role"] == "user" else _answer(message)
    return "\n\n".join(part for part in parts if part) + "\n"


def filename(title: str) -> str:
    """A Content-Disposition value that downloads under the thread's title, in any script."""
    plain = re.sub(r"[\x00-\x1f\x7f/\\:*?\"<>|]+", " ", title).strip(" .")[:80] or "conversation"
    ascii_ = re.sub(r"[^A-Za-z0-9 ._-]+", "_", plain).strip("_ ") or "conversation"
    return f"attachment; filename=\"{ascii_}.md\"; filename*=UTF-8''{quote(plain + '.md', safe='')}"


def _question(message: Mapping[str, Any]) -> list[str]:
    mark = " (left out of memory)" if message["excluded"] else ""
    return [f"## Question{mark}", message["content"]]


def _answer(message: Mapping[str, Any]) -> list[str]:
    label = LABELS.get(message["kind"])
    parts = [f"## Answer ({label})" if label else "## Answer", message["content"]]
    if message["error"]:
        parts.append(f"*{message['error']['message']}*")
    grounding = message["grounding"]
    if grounding and message["kind"] == "answer":
        parts.append(f"*{GROUNDING[grounding['state']]}*")
        if grounding["unsupported"]:
            doubted = "\n".join(f"- {_line(sentence)}" for sentence in grounding["unsupported"])
            parts.append(f"Not borne out by the passage cited:\n\n{doubted}")
    sources = _sources(message["sources"], message["content"])
    return [*parts, f"Sources:\n\n{sources}" if sources else ""]


def _sources(sources: Sequence[Mapping[str, Any]], content: str) -> str:
    """One line for each passage that the answer cites."""
    cited = {int(n) for n in re.findall(r"\[(\d+)\]", content)}
    return "\n".join(f"- [{s['n']}] {_source(s)}" for s in sources if s["n"] in cited)


def _source(source: Mapping[str, Any]) -> str:
    first, last = source.get("page_start"), source.get("page_end")
    pages = (
        f", page {first}"
        if first and first == (last or first)
        else f", pages {first}–{last}"
        if first
        else ""
    )
    heading = " > ".join(source.get("heading_path") or ())
    gone = " (deleted)" if source.get("deleted") else ""
    url = f" <{source['url']}>" if source.get("url") else ""
    return _line(f"{source['name']}{pages}{': ' + heading if heading else ''}{url}{gone}")


def _line(text: str) -> str:
    return " ".join(text.split())


def _day(moment: datetime) -> str:
    return f"*{moment:%d %B %Y}*"
