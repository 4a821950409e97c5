"""Reading a document line by line, within bounds; each passage of it that was read has its number."""

from collections.abc import AsyncGenerator
from time import perf_counter
from typing import Any

from providers.events import ToolCall
from retrieval.passages import Passage
from server.chat import library
from server.chat.desk import Desk
from server.chat.events import Event, SourcesKnown, ToolState
from server.chat.sources import quoted
from server.chat.tools.tool import Arguments, Tool, milliseconds, string, words

NAME = "read_document"
MOST_LINES = 200
LINE = {"type": "integer", "minimum": 1}


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    asked = words(arguments, "document", most=300)
    first = _line(arguments.get("from_line"), 1)
    last = min(_line(arguments.get("to_line"), first + MOST_LINES - 1), first + MOST_LINES - 1)
    shown = {"document": asked, "from_line": first, "to_line": last}
    yield ToolState(call.id, NAME, "started", shown)
    began = perf_counter()
    means = desk.means
    match = await library.named(means.database, means.identity, asked)
    if len(match.documents) != 1:
        names = [d.name for d in match.documents] or list(match.near)
        desk.output = "No one document has this name." + (
            f" Names like it: {quoted(', '.join(names))}" if names else ""
        )
        yield ToolState(call.id, NAME, "failed", shown, {"code": "no_such_document"}, milliseconds(began))
        return
    passages = await library.passages(means.database, means.identity, match.documents[0].id)
    read, total = lines_of(passages, first, last)
    numbers = desk.sources.add([passage for passage, _ in read])
    desk.private = True
    text = "\n\n".join(f"[{n}] {part}" for n, (_, part) in zip(numbers, read, strict=True))
    desk.output = desk.spend(f"Lines {first} to {min(last, total)} of {total}.\n{quoted(text)}")
    if read:
        desk.judge("grounded", ("read",))
    result = {"document_id": match.documents[0].id, "name": match.documents[0].name, "lines": total}
    yield ToolState(call.id, NAME, "done", shown, _plain(result), milliseconds(began))
    yield SourcesKnown(desk.sources.items())


def lines_of(passages: list[Passage], first: int, last: int) -> tuple[list[tuple[Passage, str]], int]:
    """The passages that lines `first` to `last` stand in, with those lines, and how many lines there are."""
    found, number = [], 0
    for passage in passages:
        lines = passage.text.splitlines()
        begin, end = number + 1, number + len(lines)
        if begin <= last and end >= first:
            part = lines[max(first - begin, 0) : last - begin + 1]
            found.append((passage, "\n".join(part)))
        number = end
    return found, number


def _line(value: Any, default: int) -> int:
    try:
        return max(1, int(value))
    except (TypeError, ValueError, OverflowError):
        return default


def _plain(result: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if name.endswith("_id") else value for name, value in result.items()}


TOOL = Tool(
    NAME,
    "Read a document itself, at most 200 lines at a time. For a table of contents, a clause or what stands around "
    "a passage.",
    offered=lambda desk: desk.turn.searches and desk.sources.has_passages(),
    run=run,
    parameters={
        "document": string("The document's name as the list or a passage gives it."),
        "from_line": LINE,
        "to_line": LINE,
    },
    required=("document",),
)
