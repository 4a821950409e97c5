"""The explained searches of answers: kept with them, opened from them, replayed (O2)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from providers.degrade import degraded
from retrieval.explain import storable
from retrieval.passages import SearchRequest, SearchResult
from server.errors import NotFound
from server.search.shapes import filters_from, with_words
from sql.db import CONNECTION_LOST, Database, ForeignKeyViolation, Identity, Row
from sql.queries import query

NOT_KEPT = "search not kept"
MOST_CHARACTERS = 4000


async def keep(
    database: Database,
    identity: Identity,
    *,
    thread_id: UUID,
    message_id: UUID,
    request: SearchRequest,
    result: SearchResult,
) -> UUID | None:
    """Keep a search that was asked to explain itself; its id, or None for a guest (A9) and where it failed.

    An answer is worth more than its explanation: nothing is raised, what failed is counted (O4).
    """
    if identity.user_id is None:
        return None
    explanation, candidates = storable(result)
    documents = list({UUID(item["document_id"]) for item in candidates})
    try:
        async with database.as_user(identity) as connection:
            return UUID(
                str(
                    await connection.fetchval(
                        query("insert_search"),
                        thread_id,
                        message_id,
                        request.query[:MOST_CHARACTERS],
                        request.k,
                        request.filters.json(),
                        explanation,
                        candidates,
                        documents,
                    )
                )
            )
    except (*CONNECTION_LOST, ForeignKeyViolation) as error:  # the thread may have gone meanwhile
        degraded(NOT_KEPT, error)
        return None


async def opened(database: Database, identity: Identity, search_id: UUID) -> dict[str, Any]:
    """A kept search, with names and words as they may be seen now. Raises NotFound."""
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_search"), search_id)
        if row is None:
            raise NotFound
        candidates = await with_words(connection, row["candidates"])
    kept: dict[str, Any] = {
        name: row[name] for name in ("id", "thread_id", "message_id", "query", "k", "filters", "created_at")
    }
    explained: dict[str, Any] = row["explanation"]
    return kept | explained | {"candidates": candidates}


async def again(database: Database, identity: Identity, search_id: UUID) -> tuple[SearchRequest, set[str]]:
    """What a kept search asked for, and the chunk ids that it showed. Raises NotFound."""
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(query("get_search"), search_id)
    if row is None:
        raise NotFound
    request = SearchRequest(row["query"], k=row["k"], filters=filters_from(row["filters"]), explain=True)
    return request, shown(row)


def shown(row: Row | Mapping[str, Any]) -> set[str]:
    """Chunk ids of a kept search's results."""
    return {item["chunk_id"] for item in row["candidates"] if item["fate"] == "shown"}
