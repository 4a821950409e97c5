"""Sources of stored answers, later: the old text after a new version, nothing after deletion or unsharing."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from server.errors import NotFound
from sql.db import Connection, Database, Identity, Row
from sql.queries import query

WORDS = ("text", "snippet", "heading_path")  # what a source says of its document's content


async def cited_passage(database: Database, identity: Identity, chunk_id: UUID) -> dict[str, Any]:
    """A passage that is no longer indexed but was cited to this person. Raises NotFound if it never was."""
    async with database.as_user(identity) as connection:
        source = await connection.fetchval(
            query("find_cited"), identity.workspace_id, [{"chunk_id": str(chunk_id)}]
        )
        if source is None:
            raise NotFound("This passage does not exist any more.")
        kept = bool(await _visible(connection, [source])) and source.get("text")
    return {
        "chunk_id": chunk_id,
        "document_id": source["document_id"],
        "name": source["name"],
        "media_type": "text/plain",
        "version": source["version"],
        "state": "superseded" if kept else "deleted",
        "text": source["text"] if kept else "",
        "heading_path": source["heading_path"] if kept else [],
        "page_start": source["page_start"],
        "page_end": source["page_end"],
        "block_start": 0,
        "block_end": 0,
        "viewer_page": source["page_start"] or 1,
        "boxes": [],
    }


async def shown(connection: Connection, messages: Sequence[Row]) -> list[dict[str, Any]]:
    """Messages as the page gets them: sources of documents that are gone or hidden keep only their names."""
    plain = [dict(message) for message in messages]
    visible = await _visible(connection, [source for message in plain for source in message["sources"]])
    for message in plain:
        message["sources"] = [
            _outline(source, is_web(source) or source["document_id"] in visible)
            for source in message["sources"]
        ]
    return plain


def is_web(source: dict[str, Any]) -> bool:
    """A page of the open web, which is nobody's."""
    return source["document_id"] is None


async def _visible(connection: Connection, sources: Sequence[dict[str, Any]]) -> set[str]:
    ids = {UUID(source["document_id"]) for source in sources if not is_web(source)}
    rows = await connection.fetch(query("visible_documents"), list(ids)) if ids else []
    return {str(row["id"]) for row in rows}


def _outline(source: dict[str, Any], visible: bool) -> dict[str, Any]:
    if visible:
        return {name: value for name, value in source.items() if name != "text"}
    hidden: dict[str, Any] = {"snippet": None, "heading_path": [], "deleted": True}
    return {name: value for name, value in source.items() if name not in WORDS} | hidden
