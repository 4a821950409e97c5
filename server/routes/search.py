"""Search without a chat: the passages an answer would be written from, why they are these, and why not others."""

from starlette.responses import Response

from retrieval.explain import considered_json
from retrieval.passages import SearchRequest, SearchResult
from server.operations import Call, Operation, Who, reply
from server.routes.filters import require_seen
from server.search import kept, schemas
from server.search.shapes import as_json, filters_of, with_words


async def post_search(call: Call) -> Response:
    body: schemas.SearchIn = call.body
    await _require_seen(call, body.filters)
    request = SearchRequest(
        body.query, k=body.k, filters=filters_of(body.filters, call.time_zone), explain=body.explain
    )
    result = await call.runtime.searcher.search(call.caller.identity, request, relax=body.relax)
    return reply(await _told(call, result))


async def post_why(call: Call) -> Response:
    """For any id: what may not be seen and what does not exist are told alike (X2)."""
    body: schemas.WhyIn = call.body
    await _require_seen(call, body.filters)
    request = SearchRequest(body.query, k=body.k, filters=filters_of(body.filters, call.time_zone))
    found = await call.runtime.searcher.why(call.caller.identity, request, body.document_id)
    best = [considered_json(found.best)] if found.best else []
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        told = await with_words(connection, best)
    return reply(
        {
            "stage": found.stage,
            "reached": list(found.reached),
            "remedy": found.remedy,
            "detail": found.detail,
            "best": told[0] if told else None,
        }
    )


async def read_search(call: Call) -> Response:
    return reply(await kept.opened(call.runtime.database, call.caller.identity, call.id()))


async def replay_search(call: Call) -> Response:
    """The same question with the same filters as the library and the settings are now."""
    identity = call.caller.identity
    request, before = await kept.again(call.runtime.database, identity, call.id())
    result = await call.runtime.searcher.search(identity, request)
    now = {str(passage.chunk_id) for passage in result.passages}
    changes = {"same": now == before, "added": sorted(now - before), "missing": sorted(before - now)}
    return reply(await _told(call, result) | changes)


async def _require_seen(call: Call, filters: schemas.SearchFilters) -> None:
    await require_seen(call, folder_id=filters.folder_id, document_ids=filters.document_ids)


async def _told(call: Call, result: SearchResult) -> dict[str, object]:
    told = as_json(result)
    if result.trace:
        async with call.runtime.database.as_user(call.caller.identity) as connection:
            told["trace"] = await with_words(connection, told["trace"])
    return told


OPERATIONS = [
    Operation("POST", "/api/search", post_search, Who.READER, "Search", schemas.SearchIn, schemas.SearchOut),
    Operation("POST", "/api/search/why", post_why, Who.READER, "Why a document was not used",
              schemas.WhyIn, schemas.WhyOut),
    Operation("GET", "/api/searches/{id}", read_search, Who.READER, "The explained search of an answer",
              returns=schemas.KeptSearchOut),
    Operation("POST", "/api/searches/{id}/replay", replay_search, Who.READER, "Search the same again",
              returns=schemas.ReplayOut),
]  # fmt: skip
