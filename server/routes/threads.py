"""Conversations: threads, their messages, and the runs that write answers."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import UUID

from starlette.responses import Response

import server.chat.schemas as shown_as
from server import schemas
from server.chat.answer import Means
from server.chat.cited import shown
from server.chat.means import means_of
from server.chat.orphans import close_if_orphaned
from server.chat.run import Asked, ask, produce
from server.chat.suggest import suggestions
from server.errors import BadRequest, NotFound
from server.operations import Call, Operation, Who, reply
from server.stream import sse
from server.stream.runs import Run
from sql.queries import query

MOST_THREADS = 200


async def list_threads(call: Call) -> Response:
    wanted = call.request.query_params.get("q", "").strip()
    pattern = f"%{_literal(wanted)}%" if wanted else None
    before, before_id = _read_cursor(call.request.query_params.get("cursor"))
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(
            query("list_threads"), call.caller.workspace_id, pattern, MOST_THREADS + 1, before, before_id
        )
    last = rows[MOST_THREADS - 1] if len(rows) > MOST_THREADS else None
    return reply(
        {
            "items": [dict(row) for row in rows[:MOST_THREADS]],
            "next_cursor": f"{last['updated_at'].isoformat()}|{last['id']}" if last else None,
        }
    )


def _read_cursor(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    """A cursor that cannot be read starts from the beginning."""
    moment, _, id_ = (cursor or "").partition("|")
    try:
        return datetime.fromisoformat(moment), UUID(id_)
    except ValueError:
        return None, None


async def create_thread(call: Call) -> Response:
    caller = call.caller
    async with call.runtime.database.as_user(caller.identity) as connection:
        row = await connection.fetchrow(
            query("create_thread"), caller.workspace_id, caller.user_id, call.body.title.strip()
        )
    return reply(dict(row), status=201)


async def read_thread(call: Call) -> Response:
    caller, runtime = call.caller, call.runtime
    await close_if_orphaned(runtime.database, runtime.runs, caller.identity, call.id())
    async with runtime.database.as_user(caller.identity) as connection:
        thread = await connection.fetchrow(query("find_thread"), caller.workspace_id, call.id())
        if thread is None:
            raise NotFound
        messages = await shown(
            connection, await connection.fetch(query("list_messages"), caller.workspace_id, call.id())
        )
        run = await connection.fetchrow(query("running_run_of_thread"), caller.workspace_id, call.id())
    # An answer is stored a moment before its run is closed; it is not active then.
    active = run is not None and run["message_id"] not in {m["id"] for m in messages}
    return reply(dict(thread) | {"messages": messages, "active_run": {"id": run["id"]} if active else None})


async def rename_thread(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        row = await connection.fetchrow(
            query("rename_thread"), call.caller.workspace_id, call.id(), call.body.title
        )
    if row is None:
        raise NotFound
    return reply(dict(row))


async def delete_thread(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        run = await connection.fetchrow(query("running_run_of_thread"), call.caller.workspace_id, call.id())
    if run is not None:
        await call.runtime.runs.stop(call.caller.identity, run["id"])
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        gone = await connection.fetchval(query("delete_thread"), call.caller.workspace_id, call.id())
    if gone is None:
        raise NotFound
    return Response(status_code=204)


async def post_message(call: Call) -> Response:
    text = call.body.content.replace("\0", "").encode("utf-8", "replace").decode().strip()
    if not text:
        raise BadRequest("Write a question first.", code="empty")
    runtime, identity = call.runtime, call.caller.identity
    await close_if_orphaned(runtime.database, runtime.runs, identity, call.id())
    asked = await ask(runtime.database, identity, call.id(), text)
    run = runtime.runs.start(asked.run_id, identity, _producer(asked, means_of(runtime, identity)))
    return sse.response(runtime.runs.follow(identity, run.id))


def _producer(asked: Asked, means: Means) -> Callable[[Run], Awaitable[str]]:
    async def play(run: Run) -> str:
        return await produce(run, asked, means)

    return play


async def run_events(call: Call) -> Response:
    await _require_run(call)
    header = call.request.headers.get("last-event-id") or call.request.query_params.get("after") or "0"
    after = int(header) if header.isdecimal() and len(header) < 10 else 0
    return sse.response(call.runtime.runs.follow(call.caller.identity, call.id(), after=after))


async def stop_run(call: Call) -> Response:
    await _require_run(call)
    await call.runtime.runs.stop(call.caller.identity, call.id())
    return Response(status_code=204)


async def _require_run(call: Call) -> None:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        if await connection.fetchrow(query("find_run"), call.caller.workspace_id, call.id()) is None:
            raise NotFound


async def document_events(call: Call) -> Response:
    return sse.response(call.runtime.events.stream(call.caller.identity))


async def suggest(call: Call) -> Response:
    return reply({"questions": await suggestions(call.runtime.database, call.caller.identity)})


def _literal(text: str) -> str:
    return text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_").replace("\0", "")


OPERATIONS = [
    Operation("GET", "/api/threads", list_threads, Who.READER, "Threads, newest first",
              returns=schemas.Items[shown_as.ThreadOut]),
    Operation("POST", "/api/threads", create_thread, Who.READER, "Begin a thread",
              schemas.ThreadIn, shown_as.ThreadOut, status=201),
    Operation("GET", "/api/threads/{id}", read_thread, Who.READER, "A thread with its messages",
              returns=shown_as.ThreadDetailOut),
    Operation("PATCH", "/api/threads/{id}", rename_thread, Who.READER, "Rename a thread",
              schemas.ThreadPatch, shown_as.ThreadOut),
    Operation("DELETE", "/api/threads/{id}", delete_thread, Who.READER, "Delete a thread", status=204),
    Operation("POST", "/api/threads/{id}/messages", post_message, Who.READER, "Ask: the answer streams",
              schemas.MessageIn, stream=True),
    Operation("GET", "/api/runs/{id}/events", run_events, Who.READER, "Follow a run, from Last-Event-ID on",
              stream=True),
    Operation("POST", "/api/runs/{id}/stop", stop_run, Who.READER, "Stop a run and keep what it has", status=204),
    Operation("GET", "/api/events", document_events, Who.READER, "Ids of documents that changed", stream=True),
    Operation("GET", "/api/suggestions", suggest, Who.READER, "Questions that the newest documents answer",
              returns=shown_as.SuggestionsOut),
]  # fmt: skip
