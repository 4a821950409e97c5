"""The list of the documents that this person may draw on."""

from collections.abc import AsyncGenerator
from time import perf_counter

from providers.events import ToolCall
from server.chat.desk import Desk
from server.chat.events import Event, ToolState
from server.chat.sources import quoted
from server.chat.tools.tool import Arguments, Tool, milliseconds
from sql.queries import query

NAME = "list_documents"
MOST = 50


async def run(desk: Desk, call: ToolCall, _arguments: Arguments) -> AsyncGenerator[Event, None]:
    yield ToolState(call.id, NAME, "started")
    began = perf_counter()
    async with desk.means.database.as_user(desk.means.identity) as connection:
        rows = await connection.fetch(query("library_list"), MOST)
        total = await connection.fetchval(query("library_count"))
    desk.private = True
    names = [row["name"] for row in rows]
    lines = [
        f"- {row['name']}" + (f", {row['page_count']} pages" if row["page_count"] else "") for row in rows
    ]
    head = f"{total} documents" + (f", the newest {len(rows)}" if total > len(rows) else "")
    desk.output = desk.spend(f"{head}:\n{quoted(chr(10).join(lines))}" if rows else "There are no documents.")
    yield ToolState(call.id, NAME, "done", {}, {"documents": total, "names": names}, milliseconds(began))


TOOL = Tool(
    NAME,
    "List the names of the user's documents, the newest first.",
    offered=lambda desk: desk.turn.searches and not desk.sources.has_passages(),
    run=run,
)
