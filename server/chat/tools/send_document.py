"""Handing over a file itself: the one that was named, or none (L5, L6)."""

import re
from collections.abc import AsyncGenerator
from time import perf_counter

from providers.events import ToolCall
from server.chat import library
from server.chat.desk import Desk
from server.chat.events import Event, ToolState
from server.chat.library import Document, Match
from server.chat.sources import quoted
from server.chat.tools.tool import Arguments, Tool, milliseconds, string, words

NAME = "send_document"
SEVERAL = 5
# No rule about words reaches into a file; the pages of a source are read without what the rules protect (D17).
GUESTS = "Files are for people with an account. Ask about what you look for: its page opens from the answer."
ARTICLES = re.compile(r"^(?:(?:the|my|our|a|an|file|document|die|der|das|datei)\s+)+", re.I)


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    match = await library.named(
        desk.means.database, desk.means.identity, words(arguments, "document", most=300)
    )
    async for event in send(desk, call, words(arguments, "document", most=300), match):
        yield event


async def send(desk: Desk, call: ToolCall, asked: str, match: Match) -> AsyncGenerator[Event, None]:
    """The file as an event with its link, which works for whoever may see it; `desk.output` says what came of it."""
    shown = {"document": asked}
    yield ToolState(call.id, NAME, "started", shown)
    began = perf_counter()
    if desk.means.guest:
        desk.output = f"No file was handed over. {GUESTS}"
        yield ToolState(call.id, NAME, "failed", shown, {"code": "not_for_guests"}, milliseconds(began))
        return
    if len(match.documents) == 1:
        result = link(match.documents[0])
        desk.output = f"The file {quoted(result['name'])} stands below this answer. Say so in one sentence."
        yield ToolState(call.id, NAME, "done", shown, result, milliseconds(began))
        return
    names = [document.name for document in match.documents[:SEVERAL]] or list(match.near)
    desk.output = "No file was handed over. " + (
        f"These have such a name, ask which one: {quoted(', '.join(names))}"
        if names
        else "No file has such a name."
    )
    code = "several_documents" if match.documents else "no_such_document"
    yield ToolState(call.id, NAME, "failed", shown, {"code": code, "names": names}, milliseconds(began))


def link(document: Document) -> dict[str, str]:
    return {
        "document_id": str(document.id),
        "name": document.name,
        "url": f"/api/documents/{document.id}/original",
    }


def sentence(asked: str, match: Match, *, guest: bool) -> str:
    """What the answer says: names of real files only, and never another file than the one asked for (L6)."""
    if guest:
        return GUESTS
    if len(match.documents) == 1:
        return f"Here is **{match.documents[0].name}**."
    if match.documents:
        names = "\n".join(f"- {document.name}" for document in match.documents[:SEVERAL])
        return f"Several files have this name. Which one do you mean?\n\n{names}"
    near = "\n".join(f"- {name}" for name in match.near)
    said = f"I have no file called “{ARTICLES.sub('', asked).strip(' .?!')[:80]}”."
    return f"{said} Names that come near it:\n\n{near}" if near else said


TOOL = Tool(
    NAME,
    "Give the user one of their files itself, to open or download.",
    offered=lambda desk: desk.turn.searches and desk.sources.has_passages() and not desk.means.guest,
    run=run,
    parameters={"document": string("The file's name, exactly as the user or a passage gives it.")},
    required=("document",),
)
