"""The web search: with this person's own words only, shown before they leave, refused when they are not only theirs."""

from collections.abc import AsyncGenerator
from time import perf_counter

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.events import ToolCall
from providers.rejection import Rejected
from server.chat.desk import Desk
from server.chat.egress import leaks, web_query
from server.chat.events import Event, SourcesKnown, ToolState
from server.chat.sources import as_context
from server.chat.tools.tool import Arguments, Tool, milliseconds

NAME = "search_web"
NOTHING = "The web search found nothing."


def allowed(desk: Desk) -> bool:
    """Whether the web may be searched in this turn: the policy says automatic, or the person said yes."""
    web = desk.means.web
    return web is not None and (web.policy == "automatic" or desk.turn.web or desk.means.allow_web)


def query_of(desk: Desk) -> str | None:
    """What would be searched: no word of it comes from a model, a document or an earlier answer (X14)."""
    query = web_query(desk.turn.own or desk.message)
    if query is None or leaks(query, desk.sources.texts().values()):
        return None
    return query


async def run(desk: Desk, call: ToolCall, _arguments: Arguments) -> AsyncGenerator[Event, None]:
    """The arguments of the model are not read."""
    web, query = desk.means.web, query_of(desk)
    if web is None or query is None or not allowed(desk):
        desk.output = "The web was not searched: the question cannot leave the house as it stands."
        yield ToolState(call.id, NAME, "failed", {}, {"code": "private_text"}, 0)
        return
    shown = {"query": query}
    yield ToolState(call.id, NAME, "started", shown)
    began = perf_counter()
    try:
        found = await web.web.search(web.kind, web.endpoint, query)
    except (ProviderError, Rejected) as error:
        degraded("web search", error)
        desk.output = "The web search is not available at the moment."
        yield ToolState(call.id, NAME, "failed", shown, {"code": "web_unavailable"}, milliseconds(began))
        return
    numbers = desk.sources.add(found)
    desk.pages |= dict(zip(numbers, found, strict=True))
    desk.output = desk.spend(as_context(found, numbers, budget=desk.budget, nothing=NOTHING))
    top = [{"n": n, "name": page.title, "url": page.url} for n, page in zip(numbers, found, strict=True)]
    result = {"results": len(found), "query": query, "top": top}
    yield ToolState(call.id, NAME, "done", shown, result, milliseconds(began))
    if found:
        yield SourcesKnown(desk.sources.items())


TOOL = Tool(
    NAME,
    "Search the web for the user's question as the user put it. Takes no words of yours. Use it when the documents "
    "do not answer.",
    offered=lambda desk: allowed(desk) and not desk.pages and query_of(desk) is not None,
    run=run,
)
