"""Search without a chat: the same passages that an answer would be written from."""

from dataclasses import asdict

from starlette.responses import Response

from retrieval.passages import Filters, SearchRequest, SearchResult
from server import schemas
from server.operations import Call, Operation, Who, reply
from server.routes.filters import require_seen


async def post_search(call: Call) -> Response:
    body: schemas.SearchIn = call.body
    await require_seen(call, folder_id=body.filters.folder_id, document_ids=body.filters.document_ids)
    result = await call.runtime.searcher.search(
        call.caller.identity,
        SearchRequest(
            query=body.query,
            k=body.k,
            filters=Filters(
                document_ids=tuple(body.filters.document_ids) or None,
                folder_id=body.filters.folder_id,
                media_types=(body.filters.media_type,) if body.filters.media_type else None,
            ),
            explain=body.explain,
        ),
    )
    return reply(as_json(result))


def as_json(result: SearchResult) -> dict[str, object]:
    """A search result in the shape of the contract; also what `ibid search --json` prints."""
    return {
        "grounding": result.grounding,
        "reasons": list(result.reasons),
        "results": [
            {
                "chunk_id": p.chunk_id,
                "document_id": p.document_id,
                "version": p.version,
                "name": p.name,
                "title": p.title,
                "page_start": p.page_start,
                "page_end": p.page_end,
                "heading_path": list(p.heading_path),
                "text": p.text,
                "score": p.score,
                "ranks": asdict(p.ranks),
            }
            for p in result.passages
        ],
        "counts": asdict(result.counts),
        "timings_ms": dict(result.timings_ms),
        "trace": [asdict(item) for item in result.trace] if result.trace else None,
    }


OPERATIONS = [
    Operation("POST", "/api/search", post_search, Who.READER, "Search", schemas.SearchIn, schemas.SearchOut),
]
