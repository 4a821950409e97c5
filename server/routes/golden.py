"""Golden questions: which documents a search must find, and whether it does."""

from functools import partial

from starlette.responses import Response

from server.errors import NotFound
from server.evaluation import golden
from server.operations import Call, Operation, Who, reply
from server.schemas import Items
from server.search import schemas


async def list_golden(call: Call) -> Response:
    found = await golden.list_golden(call.runtime.database, call.caller.identity)
    return reply({"items": [item.json() for item in found], "next_cursor": None})


async def add_golden(call: Call) -> Response:
    body: schemas.GoldenIn = call.body
    database, identity = call.runtime.database, call.caller.identity
    id_ = await golden.add_golden(database, identity, body.question, body.document_ids)
    if id_ is None:
        raise NotFound("One of these documents does not exist.")
    found = {item.id: item for item in await golden.list_golden(database, identity)}
    return reply(found[id_].json(), status=201)


async def delete_golden(call: Call) -> Response:
    if not await golden.delete_golden(call.runtime.database, call.caller.identity, call.id()):
        raise NotFound
    return Response(status_code=204)


async def run_golden(call: Call) -> Response:
    """As the caller: what they do not see is not expected of their searches."""
    identity = call.caller.identity
    questions = await golden.list_golden(call.runtime.database, identity)
    report = await golden.run_golden(questions, partial(call.runtime.searcher.search, identity))
    return reply(report.json())


OPERATIONS = [
    Operation("GET", "/api/golden", list_golden, Who.READER, "Golden questions",
              returns=Items[schemas.GoldenOut]),
    Operation("POST", "/api/golden", add_golden, Who.MEMBER, "A question and the documents that answer it",
              schemas.GoldenIn, schemas.GoldenOut, status=201),
    Operation("DELETE", "/api/golden/{id}", delete_golden, Who.MEMBER, "Forget a golden question", status=204),
    Operation("POST", "/api/golden/run", run_golden, Who.MEMBER, "Ask them all and score what is found",
              returns=schemas.GoldenReportOut),
]  # fmt: skip
