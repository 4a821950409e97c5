"""Messages of a conversation: answered again, shown, deleted, left out, rated, and what they were made from."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from starlette.responses import Response

import server.chat.schemas as shown_as
from server import schemas
from server.chat import branches, thread
from server.chat.ask import again, find
from server.chat.sentences import MARKER
from server.errors import BadRequest, NotFound
from server.evaluation import golden
from server.operations import Call, Operation, Who, reply
from server.routes.playing import opened, play
from sql.queries import query

LONGEST_GOLDEN = 4000  # characters of a question


async def regenerate(call: Call) -> Response:
    runtime, identity = call.runtime, call.caller.identity
    async with runtime.database.as_user(identity) as connection:
        message = await find(connection, identity, call.id())
    asked = await opened(call, message["thread_id"], partial(again, runtime.database, identity, call.id()))
    return play(call, asked, allow_web=call.body.allow_web)


async def select_message(call: Call) -> Response:
    return await _thread(call, await branches.select(call.runtime.database, call.caller.identity, call.id()))


async def patch_message(call: Call) -> Response:
    thread_id = await branches.exclude(
        call.runtime.database, call.caller.identity, call.id(), excluded=call.body.excluded
    )
    return await _thread(call, thread_id)


async def delete_message(call: Call) -> Response:
    return await _thread(call, await branches.delete(call.runtime.database, call.caller.identity, call.id()))


async def restore_message(call: Call) -> Response:
    return await _thread(call, await branches.restore(call.runtime.database, call.caller.identity, call.id()))


async def _thread(call: Call, thread_id: UUID) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply(await thread.read(connection, call.caller.identity, thread_id))


async def put_feedback(call: Call) -> Response:
    caller, body = call.caller, call.body
    async with call.runtime.database.as_user(caller.identity) as connection:
        message = await find(connection, caller.identity, call.id())
        if message["role"] != "assistant":
            raise BadRequest("Only answers can be rated.", code="not_an_answer")
        if body.rating is None:
            await connection.execute(query("delete_feedback"), caller.workspace_id, call.id())
            return reply({"rating": None, "reason": ""})
        await connection.execute(
            query("put_feedback"), caller.workspace_id, caller.user_id, call.id(), body.rating, body.reason
        )
    return reply({"rating": body.rating, "reason": body.reason})


async def read_requests(call: Call) -> Response:
    """One's own; an administrator's switch opens those sent while it is on to administrators (C9)."""
    caller = call.caller
    async with call.runtime.database.as_user(caller.identity) as connection:
        rows = await connection.fetch(query("list_requests"), caller.workspace_id, call.id())
        if not rows:
            await find(connection, caller.identity, call.id())  # else one of nobody's, or of somebody else's
    return reply({"items": [_request(dict(row)) for row in rows]})


def _request(row: dict[str, object]) -> dict[str, object]:
    text = str(row.pop("body"))
    return row | {"text": text, "body": json.loads(text) if row["whole"] else None}


async def make_golden(call: Call) -> Response:
    """The question of this answer, to be found in the documents that it cites, or in those named."""
    database, identity = call.runtime.database, call.caller.identity
    async with database.as_user(identity) as connection:
        answer = await find(connection, identity, call.id())
        if answer["role"] != "assistant" or answer["parent_id"] is None:
            raise BadRequest(
                "Only an answer to a question can become a golden question.", code="not_an_answer"
            )
        question = await find(connection, identity, answer["parent_id"])
    wanted = call.body.document_ids or cited_documents(answer["content"], answer["sources"])
    if not wanted:
        raise BadRequest("Name the documents that answer it: this answer cites none.", code="no_documents")
    id_ = await golden.add_golden(database, identity, question["content"][:LONGEST_GOLDEN], wanted)
    if id_ is None:
        raise NotFound("One of these documents does not exist.")
    return reply({"id": id_}, status=201)


def cited_documents(content: str, sources: Sequence[Mapping[str, Any]]) -> list[UUID]:
    """Documents whose passages an answer cites, in the order of their numbers."""
    cited = {int(n) for n in MARKER.findall(content)}
    return list(
        dict.fromkeys(UUID(s["document_id"]) for s in sources if s["n"] in cited and s.get("document_id"))
    )


OPERATIONS = [
    Operation("POST", "/api/messages/{id}/regenerate", regenerate, Who.READER,
              "Answer again, beside the earlier answers", schemas.RegenerateIn, stream=True),
    Operation("POST", "/api/messages/{id}/select", select_message, Who.READER, "Show the branch of this message",
              returns=shown_as.ThreadDetailOut),
    Operation("PATCH", "/api/messages/{id}", patch_message, Who.READER, "Leave out of memory, or take in again",
              schemas.MessagePatch, shown_as.ThreadDetailOut),
    Operation("DELETE", "/api/messages/{id}", delete_message, Who.READER, "Delete with all that follows it",
              returns=shown_as.ThreadDetailOut),
    Operation("POST", "/api/messages/{id}/restore", restore_message, Who.READER,
              "Take a deletion back, within ten minutes", returns=shown_as.ThreadDetailOut),
    Operation("PUT", "/api/messages/{id}/feedback", put_feedback, Who.READER, "Rate an answer and say why",
              schemas.FeedbackIn, shown_as.FeedbackOut),
    Operation("POST", "/api/messages/{id}/golden", make_golden, Who.READER, "Keep its question as a golden one",
              schemas.MessageGoldenIn, shown_as.MadeOut, status=201),
    Operation("GET", "/api/messages/{id}/requests", read_requests, Who.READER, "What the model was sent for it",
              returns=shown_as.RequestsOut),
]  # fmt: skip
