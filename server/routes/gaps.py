"""The list of what to upload: questions of the workspace that its documents did not answer (L8)."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from server import schemas
from server.errors import BadRequest, NotFound
from server.operations import Call, Operation, Who, reply
from sql.queries import query

MOST = 200
STATES = ("open", "done", "ignored")


class GapPatch(schemas.In):
    state: Literal["open", "done", "ignored"]


class GapOut(BaseModel):
    """`times` it was asked by so many `people`; `thread_id` only where the caller asked it."""

    id: UUID
    question: str
    thread_id: UUID | None
    times: int
    people: int
    state: Literal["open", "done", "ignored"]
    asked_at: datetime


async def list_gaps(call: Call) -> Response:
    state = call.request.query_params.get("state") or None
    if state not in (None, *STATES):
        raise BadRequest(f"state must be one of {', '.join(STATES)}.")
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(query("list_gaps"), call.caller.workspace_id, state, MOST)
    return reply({"items": [dict(row) for row in rows]})


async def settle_gap(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        settled = await connection.fetch(
            query("settle_gap"), call.caller.workspace_id, call.id(), call.body.state
        )
    if not settled:
        raise NotFound
    return Response(status_code=204)


OPERATIONS = [
    Operation("GET", "/api/gaps", list_gaps, Who.ADMIN, "Questions that the documents did not answer",
              returns=schemas.Items[GapOut]),
    Operation("PATCH", "/api/gaps/{id}", settle_gap, Who.ADMIN, "Settle a question, for everybody who asked it",
              GapPatch, status=204),
]  # fmt: skip
