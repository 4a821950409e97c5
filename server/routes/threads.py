"""Conversations: threads, the questions asked in them, and the runs that write answers."""

from datetime import datetime
from functools import partial
from uuid import UUID

from starlette.responses import Response

import server.chat.schemas as shown_as
from server import schemas
from server.chat import export, thread
from server.chat.ask import At, ask
from server.chat.orphans import close_if_orphaned
from server.chat.suggest import suggestions
from server.errors import NotFound
from server.operations import Call, Operation, Who, reply
from server.routes import guests
from server.routes.playing import opened, play, question_of
from server.stream import sse
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
        return reply(await thread.read(connection, caller.identity, call.id()))


async def export_thread(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        found = await thread.read(connection, call.caller.identity, call.id())
    headers = {"content-disposition": export.filename(found["title"] or "conversation")}
    return Response(export.markdown(found), media_type="text/markdown; charset=utf-8", headers=headers)


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
    body: schemas.MessageIn = call.body
    database, identity, text = call.runtime.database, call.caller.identity, question_of(body)
    parent = body.parent_id if "parent_id" in body.model_fields_set else At.LEAF
    asked = await opened(call, call.id(), partial(ask, database, identity, call.id(), text, parent))
    return play(call, asked, allow_web=body.allow_web)


async def run_events(call: Call) -> Response:
    await _require_run(call)
    after = sse.resumes_after(call.request)
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
              returns=schemas.Items[shown_as.ThreadOut], guest=guests.list_threads),
    Operation("POST", "/api/threads", create_thread, Who.READER, "Begin a thread",
              schemas.ThreadIn, shown_as.ThreadOut, status=201, guest=guests.create_thread),
    Operation("GET", "/api/threads/{id}", read_thread, Who.READER, "A thread with the messages of its shown branch",
              returns=shown_as.ThreadDetailOut, guest=guests.read_thread),
    Operation("PATCH", "/api/threads/{id}", rename_thread, Who.READER, "Rename a thread",
              schemas.ThreadPatch, shown_as.ThreadOut),
    Operation("DELETE", "/api/threads/{id}", delete_thread, Who.READER, "Delete a thread", status=204,
              guest=guests.delete_thread),
    Operation("GET", "/api/threads/{id}/export", export_thread, Who.READER, "The shown branch as a Markdown file"),
    Operation("POST", "/api/threads/{id}/messages", post_message, Who.READER, "Ask: the answer streams",
              schemas.MessageIn, stream=True, guest=guests.post_message),
    Operation("GET", "/api/runs/{id}/events", run_events, Who.READER, "Follow a run, from Last-Event-ID on",
              stream=True, guest=guests.run_events),
    Operation("POST", "/api/runs/{id}/stop", stop_run, Who.READER, "Stop a run and keep what it has", status=204,
              guest=guests.stop_run),
    Operation("GET", "/api/events", document_events, Who.READER, "Ids of documents that changed", stream=True),
    Operation("GET", "/api/suggestions", suggest, Who.READER, "Questions that the newest documents answer",
              returns=shown_as.SuggestionsOut, guest=guests.suggest),
]  # fmt: skip
