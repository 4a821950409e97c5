"""Entities: what the documents name, what is known of it, and what people decided about names."""

from starlette.responses import Response

import retrieval.entities as graph
import server.search.entities as names
from retrieval.lookalikes import candidates
from server import schemas
from server.operations import Call, Operation, Who, reply


async def find_entities(call: Call) -> Response:
    limit = call.query_int("limit", graph.MOST_ENTITIES, most=200)
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        items = await graph.find_entities(connection, call.request.query_params.get("q", ""), limit=limit)
    return reply({"items": items})


async def get_entity(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply(await graph.get_entity(connection, call.request.path_params["id"]))


async def list_candidates(call: Call) -> Response:
    runtime = call.runtime
    items = await candidates(runtime.database, call.caller.identity, runtime.models.embedder)
    return reply({"items": items})


async def list_merges(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply({"items": await graph.list_merges(connection)})


async def merge(call: Call) -> Response:
    return await _decide(call, "merge")


async def split(call: Call) -> Response:
    return await _decide(call, "split")


async def undo(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply(await graph.undo(connection, call.id()))


async def _decide(call: Call, kind: str) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        made = await graph.decide(connection, kind, call.body.source, call.body.target)
    return reply(made, status=201)


OPERATIONS = [
    Operation("GET", "/api/entities", find_entities, Who.READER, "Names in the documents",
              returns=schemas.Items[names.EntityOut]),
    Operation("GET", "/api/entities/candidates", list_candidates, Who.MEMBER, "Entities that may be one",
              returns=schemas.Items[names.LookalikeOut]),
    Operation("GET", "/api/entities/merges", list_merges, Who.READER, "Decisions about names",
              returns=schemas.Items[names.MergeOut]),
    Operation("POST", "/api/entities/merges", merge, Who.MEMBER, "Say that two entities are one",
              names.DecisionIn, names.DecisionOut, status=201),
    Operation("POST", "/api/entities/splits", split, Who.MEMBER, "Say that two names are not one",
              names.DecisionIn, names.DecisionOut, status=201),
    Operation("POST", "/api/entities/merges/{id}/undo", undo, Who.MEMBER, "Take a decision about names back",
              returns=names.DecisionOut),
    Operation("GET", "/api/entities/{id}", get_entity, Who.READER, "One entity with its neighbours and passages",
              returns=names.EntityDetailOut),
]  # fmt: skip
