"""Between the API's words for a search and retrieval's: filters going in, results and candidates going out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any
from uuid import UUID

from retrieval.explain import considered_json
from retrieval.passages import Filters, SearchResult
from server.search.schemas import SearchFilters
from sql.db import Connection
from sql.queries import query

SNIPPET = 240
LISTS = ("media_types", "languages", "types", "topics")


def filters_of(body: SearchFilters, time_zone: str = "UTC") -> Filters:
    """What the API was asked for; empty lists filter nothing. `time_zone`: the caller's, where it names none."""
    media_types = [*body.media_types, *([body.media_type] if body.media_type else [])]
    return Filters(
        document_ids=tuple(body.document_ids) or None,
        folder_id=body.folder_id,
        media_types=tuple(media_types) or None,
        languages=tuple(body.languages) or None,
        types=tuple(body.types) or None,
        topics=tuple(topic.lower() for topic in body.topics) or None,
        since=body.since,
        until=body.until,
        time_zone=body.time_zone or time_zone,
    )


def filters_from(stored: Mapping[str, Any]) -> Filters:
    """Filters as Filters.json() wrote them."""
    ids = stored.get("document_ids")
    since, until = stored.get("since"), stored.get("until")
    return Filters(
        document_ids=tuple(UUID(id_) for id_ in ids) if ids is not None else None,
        folder_id=UUID(stored["folder_id"]) if stored.get("folder_id") else None,
        **{name: tuple(stored[name]) for name in LISTS if stored.get(name)},
        since=date.fromisoformat(since) if since else None,
        until=date.fromisoformat(until) if until else None,
        time_zone=stored.get("time_zone", "UTC"),
    )


def as_json(result: SearchResult) -> dict[str, Any]:
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
                "ranks": p.ranks._asdict(),
            }
            for p in result.passages
        ],
        "counts": asdict(result.counts),
        "timings_ms": dict(result.timings_ms),
        "gated": asdict(result.gated),
        "relaxed": list(result.relaxed),
        "trace": [considered_json(item) for item in result.trace] if result.trace else None,
    }


async def with_words(connection: Connection, candidates: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Candidates with the names and first words that the acting person may see now."""
    ids = [UUID(item["chunk_id"]) for item in candidates]
    rows = await connection.fetch(query("search_passages"), ids) if ids else []
    words = {str(row["id"]): row for row in rows}
    return [dict(item) | _words(words.get(item["chunk_id"])) for item in candidates]


def _words(row: Any) -> dict[str, Any]:
    if row is None:
        return {"name": None, "page_start": None, "snippet": None}
    return {"name": row["name"], "page_start": row["page_start"], "snippet": row["text"][:SNIPPET]}
