"""Opening a page that this turn's web search found: chosen by its number, so that no address carries a word out."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from time import perf_counter

from providers.errors import ProviderError
from providers.events import ToolCall
from server.chat.desk import Desk
from server.chat.events import Event, SourcesKnown, ToolState
from server.chat.sources import as_context
from server.chat.tools.tool import Arguments, Tool, milliseconds

NAME = "fetch_page"


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    web = desk.means.web
    n = arguments["n"] if isinstance(arguments.get("n"), int) else 0
    found = desk.pages.get(n)
    if found is None or web is None:
        desk.output = "Only pages that the web search has just found can be opened, by their number."
        yield ToolState(call.id, NAME, "failed", {}, {"code": "no_such_page"}, 0)
        return
    shown = {"n": n, "url": found.url}
    yield ToolState(call.id, NAME, "started", shown)
    began = perf_counter()
    try:
        page = await web.web.open(found.url)
    except ProviderError as error:
        desk.output = "The page cannot be opened. Go on with what you have."
        yield ToolState(call.id, NAME, "failed", shown, {"code": error.code}, milliseconds(began))
        return
    desk.sources.replace(n, replace(page, url=found.url))
    desk.output = desk.spend(as_context([page], [n], budget=desk.budget))
    result = {"title": page.title, "characters": len(page.text)}
    yield ToolState(call.id, NAME, "done", shown, result, milliseconds(began))
    yield SourcesKnown(desk.sources.items())


TOOL = Tool(
    NAME,
    "Open one of the web pages just found and read its text.",
    offered=lambda desk: bool(desk.pages),
    run=run,
    parameters={"n": {"type": "integer", "description": "The number of the page among the results."}},
    required=("n",),
)
