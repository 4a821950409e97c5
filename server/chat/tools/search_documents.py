"""The search tool: one search, its sources numbered, its counts for the trace."""

import re
from collections.abc import AsyncGenerator
from dataclasses import asdict
from datetime import date
from time import perf_counter
from typing import Any

from ingestion.kinds import KINDS
from providers.errors import ProviderError
from providers.events import ToolCall
from retrieval.errors import RetrievalError
from retrieval.passages import Filters, SearchRequest, SearchResult
from server.chat.desk import Desk
from server.chat.events import Event, SourcesKnown, ToolState
from server.chat.tools.tool import Arguments, Tool, milliseconds, string, words
from server.search import kept

NAME = "search_documents"
EVERYWHERE = Filters()
LANGUAGE = re.compile("[a-z]{2}")


async def search(
    desk: Desk, call: ToolCall, query: str, filters: Filters = EVERYWHERE
) -> AsyncGenerator[ToolState | SourcesKnown, None]:
    """Events of one search. What the evidence gate refused is neither shown nor handed on (D5).

    Raises ProviderError and RetrievalError.
    """
    arguments = {"query": query} | ({"filters": filters.json()} if filters.json() else {})
    yield ToolState(call.id, NAME, "started", arguments)
    began = perf_counter()
    means = desk.means
    try:
        request = SearchRequest(query, k=means.passages, filters=filters, explain=means.thread_id is not None)
        result = await means.searcher.search(means.identity, request)
    except (ProviderError, RetrievalError) as error:
        yield ToolState(call.id, NAME, "failed", arguments, {"code": error.code}, milliseconds(began))
        raise
    desk.found = list(result.passages) if result.grounding != "none" else []
    desk.numbers = desk.sources.add(desk.found)
    desk.private = desk.private or bool(desk.found)
    desk.judge(result.grounding, tuple(result.reasons))
    ms = milliseconds(began)
    summary = _summary(desk, result) | {"search_id": await _kept(desk, request, result)}
    yield ToolState(call.id, NAME, "done", arguments, summary, ms)
    if desk.found:
        yield SourcesKnown(desk.sources.items())


async def _kept(desk: Desk, request: SearchRequest, result: SearchResult) -> str | None:
    """The id under which the search can be looked into later (O2)."""
    means = desk.means
    if means.thread_id is None or means.message_id is None:
        return None
    id_ = await kept.keep(
        means.database, means.identity, thread_id=means.thread_id, message_id=means.message_id,
        request=request, result=result,
    )  # fmt: skip
    return str(id_) if id_ else None


def _summary(desk: Desk, result: SearchResult) -> dict[str, Any]:
    return {
        "passages": len(desk.found),
        "documents": len({p.document_id for p in desk.found}),
        "counts": asdict(result.counts),
        "timings_ms": dict(result.timings_ms),
        "grounding": result.grounding,
        "reasons": list(result.reasons),
        "gated": asdict(result.gated),
        "relaxed": list(result.relaxed),
        "top": [
            {"n": n, "name": p.name, "page_start": p.page_start}
            for n, p in zip(desk.numbers, desk.found, strict=True)
        ],
    }


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    query = words(arguments, "query").replace("\ufffd", " ").strip()
    if not query:
        desk.output = "The search needs a query. Answer from what you have."
        return
    async for event in search(desk, call, query, filters_of(arguments, desk.means.time_zone)):
        yield event
    desk.output = desk.passages()


def filters_of(arguments: Arguments, time_zone: str = "UTC") -> Filters:
    """What a model asked for of them; what cannot be meant filters nothing."""
    kind, language = words(arguments, "type").lower(), words(arguments, "language").lower()
    return Filters(
        types=(kind,) if kind in KINDS else None,
        languages=(language,) if LANGUAGE.fullmatch(language) else None,
        since=_day(words(arguments, "since")),
        until=_day(words(arguments, "until")),
        time_zone=time_zone,
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


TOOL = Tool(
    NAME,
    "Search the user's own documents. Returns numbered passages. Search again with other words when the "
    "passages so far do not answer the question.",
    offered=lambda desk: desk.turn.searches,
    run=run,
    parameters={
        "query": string("What to look for: names, numbers, codes and key terms, not a command."),
        "type": string("Only if the user names a kind of document.") | {"enum": list(KINDS)},
        "language": string("Only if the user wants documents of one language: its code, such as de."),
        "since": string("Only if the user names a time: its first day, as 2026-03-31."),
        "until": string("Only if the user names a time: its last day."),
    },
    required=("query",),
)
