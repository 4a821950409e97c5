"""Turns about whole documents: which one is meant, and what is done with it without asking a model first."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from uuid import uuid4

from providers.events import ToolCall
from retrieval.passages import SearchRequest
from server.chat import library
from server.chat.desk import Desk
from server.chat.events import Event, TextDelta
from server.chat.history import Exchange
from server.chat.library import Document, Match
from server.chat.social import agrees
from server.chat.tools import analyze_document, list_documents, send_document
from server.chat.turn import DOCUMENT_TASKS
from sql.queries import query

PART = re.compile(r"\b(?:of|in|from|about|aus|von|du|de|del)\b", re.I)
LONGEST_NAME = 5  # words; what is described at more length is a question for the search
MOST_PHRASES = 6  # looked up one after the other; a pasted sentence may have hundreds of "of"
NO_DOCUMENTS = "There are no documents yet. Upload one, and I can answer from it."


@dataclass(frozen=True, slots=True)
class Plan:
    """A task with its documents; for a file to be sent, also what was asked for and what comes near it."""

    documents: tuple[Document, ...] = ()
    asked: str = ""
    match: Match | None = None


async def plan(desk: Desk, last: Exchange | None) -> Plan | None:
    """What a whole-document turn is about; None when no document is meant, and the turn is a question after all."""
    task, about = desk.turn.wish.task, desk.turn.wish.about
    database, identity = desk.means.database, desk.means.identity
    if task == "list":
        return Plan()
    if task == "send":
        return await _file(desk, about, last)
    if task == "compare":
        documents = await library.pair(database, identity, about)
        return Plan(documents) if documents else None
    for phrase in _phrases(about):
        match = await library.named(database, identity, phrase)
        if match.documents:
            return Plan(match.documents[:1]) if len(match.documents) == 1 else None
        if not match.words:
            documents = await _meant(desk, last)
            return Plan(documents[:1]) if documents else None
    return None


def _phrases(about: str) -> list[str]:
    """The whole phrase, then what follows each "of": "chapter two of the handbook" is about the handbook."""
    text = about.strip(" .?!:\n")
    return [text, *(text[m.end() :] for m in islice(PART.finditer(text), MOST_PHRASES))]


async def _file(desk: Desk, about: str, last: Exchange | None) -> Plan | None:
    wanted = about.strip(" .?!")
    match = await library.named(desk.means.database, desk.means.identity, wanted)
    if not match.words:
        documents = await _meant(desk, last)
        return Plan(documents[:1], wanted, Match(documents[:1], (), words=True)) if documents else None
    if not match.documents and len(library.significant(wanted)) > LONGEST_NAME:
        return None
    return Plan(match.documents, wanted, match)


async def _meant(desk: Desk, last: Exchange | None) -> tuple[Document, ...]:
    """What "this document" is: the one cited last, the only one there is, or the best for the words of the turn."""
    database, identity = desk.means.database, desk.means.identity
    if last and last.ids and not desk.means.guest:
        async with database.as_user(identity) as connection:
            rows = await connection.fetch(query("sources_of"), identity.workspace_id, last.ids[-1])
        cited = await library.by_ids(database, identity, _cited_first(rows))
        if cited:
            return cited
    documents = await library.only(database, identity)
    if documents or last is None:
        return documents
    found = await desk.means.searcher.search(identity, SearchRequest(query=desk.turn.query, k=3))
    return await library.by_ids(database, identity, [str(p.document_id) for p in found.passages])


def _cited_first(rows: Sequence[object]) -> list[str]:
    """Ids of an answer's documents, those that it cites before those that were merely found."""
    ids: list[tuple[bool, int, str]] = []
    for n, row in enumerate(rows, 1):
        document_id, content = row["document_id"], row["content"]  # type: ignore[index]
        if document_id:
            ids.append((f"[{n}]" not in content, n, document_id))
    return [id_ for _, _, id_ in sorted(ids)]


async def carry_out(desk: Desk, plan: Plan) -> AsyncIterator[Event]:
    """The events of the task and its answer, which no model words where a name could be invented."""
    wanted = desk.turn.wish
    if wanted.task == "list":
        async for event in list_documents.run(desk, _call(list_documents.NAME), {}):
            yield event
            result = getattr(event, "result", None)
        yield TextDelta(_listing(result or {}))
    elif wanted.task == "send" and plan.match:
        call = _call(send_document.NAME, document=plan.asked)
        async for event in send_document.send(desk, call, plan.asked, plan.match):
            yield event
        yield TextDelta(send_document.sentence(plan.asked, plan.match, guest=desk.means.guest))
    elif wanted.task in DOCUMENT_TASKS:
        names = {"document": plan.documents[0].name}
        call = _call(analyze_document.NAME, task=wanted.task, **names)
        asked = desk.turn.query if agrees(desk.message) else desk.message
        instruction = wanted.what if desk.means.model is None else asked
        async for event in analyze_document.conclude(desk, call, wanted.task, instruction, plan.documents):
            yield event


def _listing(result: dict[str, object]) -> str:
    names, total = result.get("names"), result.get("documents")
    if not isinstance(names, list) or not names:
        return NO_DOCUMENTS
    lines = "\n".join(f"- {name}" for name in names)
    more = f"\n\n… and {total - len(names)} more." if isinstance(total, int) and total > len(names) else ""
    return f"{total} {'document' if total == 1 else 'documents'}:\n\n{lines}{more}"


def as_question(desk: Desk) -> None:
    """No document is meant: the words are searched."""
    desk.turn = replace(desk.turn, kind="question")


def _call(name: str, **arguments: str) -> ToolCall:
    return ToolCall(f"call_{uuid4().hex[:12]}", name, json.dumps(arguments, ensure_ascii=False))
