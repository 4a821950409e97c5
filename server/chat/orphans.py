"""Runs whose process is gone: closed when their thread is next read, with what their log still has (E21)."""

import json
from uuid import UUID

from server.stream.runs import INTERRUPTED, LAST_EVENTS, RunHub
from server.stream.sse import frame
from sql.db import Database, Identity
from sql.queries import query


async def close_if_orphaned(database: Database, runs: RunHub, identity: Identity, thread_id: UUID) -> None:
    """End the thread's run as interrupted if nobody has touched it for 20 s, keeping its text and sources."""
    async with database.as_user(identity) as connection:
        run = await connection.fetchrow(query("running_run_of_thread"), identity.workspace_id, thread_id)
        if run is None or not run["stale"] or runs.is_running_here(run["id"]):
            return
        rows = await connection.fetch(
            query("read_run_events"), identity.workspace_id, run["id"], 0, 1_000_000
        )
        text = "".join(json.loads(r["data"])["delta"] for r in rows if r["event"] == "text")
        named = [json.loads(r["data"])["items"] for r in rows if r["event"] == "sources"]
        sources = named[-1] if named else []
        await connection.execute(
            query("insert_answer"), identity.workspace_id, identity.user_id, thread_id, run["question_id"],
            run["message_id"], "stopped", text, sources, None, [], None, INTERRUPTED, None, "stopped", run["id"], None,
        )  # fmt: skip
        await connection.execute(
            query("follow_question"), identity.workspace_id, thread_id, run["question_id"], run["message_id"]
        )
        if not rows or rows[-1]["event"] not in LAST_EVENTS:  # its stream ends as every stream does
            last = frame("error", INTERRUPTED, seq=rows[-1]["seq"] + 1 if rows else 1)
            await connection.execute(
                query("append_run_events"), identity.workspace_id, identity.user_id, [run["id"]],
                [last.seq], [last.event], [last.data],
            )  # fmt: skip
        await connection.execute(query("end_run"), identity.workspace_id, run["id"], "interrupted")
