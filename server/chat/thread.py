"""A thread as its page gets it: the branch that is shown, and for each message what stands beside it."""

from typing import Any
from uuid import UUID

from server.chat.cited import shown
from server.errors import NotFound
from sql.db import Connection, Identity
from sql.queries import query

SHOWN = ("id", "title", "created_at", "updated_at")


async def read(connection: Connection, identity: Identity, thread_id: UUID) -> dict[str, Any]:
    """The thread with its messages and the run that is writing one. Raises NotFound."""
    workspace = identity.workspace_id
    thread = await connection.fetchrow(query("find_thread"), workspace, thread_id)
    if thread is None:
        raise NotFound
    rows = await connection.fetch(query("list_messages"), workspace, thread_id, thread["leaf_id"])
    messages = [_detail(message) for message in await shown(connection, rows)]
    run = await connection.fetchrow(query("running_run_of_thread"), workspace, thread_id)
    active = None
    # An answer is stored a moment before its run is closed; it is not active then.
    if run is not None and run["message_id"] not in {m["id"] for m in messages}:
        active = {"id": run["id"], "message_id": run["message_id"], "parent_id": run["question_id"]}
    plain = {name: value for name, value in thread.items() if name in SHOWN}
    return plain | {"messages": messages, "active_run": active}


def _detail(message: dict[str, Any]) -> dict[str, Any]:
    ids = message.pop("siblings")
    rating, reason = message.pop("rating"), message.pop("reason")
    return message | {
        "siblings": {"index": ids.index(message["id"]), "count": len(ids), "ids": ids},
        "feedback": {"rating": rating, "reason": reason} if rating else None,
        "search_ids": search_ids(message["trace"]),
    }


def search_ids(trace: list[dict[str, Any]]) -> list[str]:
    """Searches that can be looked into, of a message's tool calls."""
    results = (entry.get("result") or {} for entry in trace)
    return [result["search_id"] for result in results if result.get("search_id")]
