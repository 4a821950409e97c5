"""Linking what came in before there was a graph, or while it was off: document by document, as their owners."""

from __future__ import annotations

import asyncio
import logging
from uuid import UUID

from ingestion.beside import LINKING, UNLINKED
from ingestion.extract import Finder, linked, store_links
from providers.degrade import degraded
from sql.db import CONNECTION_LOST, Database, Identity, service
from sql.queries import query

log = logging.getLogger("ibid.ingestion")

BATCH = 100  # documents looked up at a time
PAUSE_SECONDS = 0.05  # after each document: nobody waits for this


async def link_rest(database: Database, workspace_id: UUID, *, find: Finder) -> int:
    """Link every searchable document that is not; returns how many were. Safe to cut off and to run again."""
    async with database.transaction(**service(workspace_id)) as connection:
        rows = await connection.fetch(query("list_members_ids"))
    done = 0
    for row in rows:
        done += await _link_of(database, Identity(workspace_id, row["user_id"], row["role"]), find)
    if done:
        log.info("%d documents of before were linked by their names", done)
    return done


async def _link_of(database: Database, member: Identity, find: Finder) -> int:
    done, after = 0, UUID(int=0)
    while True:
        async with database.as_user(member) as connection:
            documents = await connection.fetch(query("list_unlinked"), BATCH, after)
        if not documents:
            return done
        for document in documents:
            after, version = document["id"], document["live_version"]
            work = _link_one(database, member, after, version, find)
            [error] = await asyncio.gather(work, return_exceptions=True)
            if isinstance(error, CONNECTION_LOST):
                raise error
            if isinstance(error, Exception):  # it stays alone in this (E22)
                await _left_out(database, member, after, version, error)
            else:
                done += 1
            await asyncio.sleep(PAUSE_SECONDS)


async def _left_out(
    database: Database, member: Identity, document_id: UUID, version: int, error: Exception
) -> None:
    """Counted and shown, and not tried again before its next version (O4)."""
    log.error("document %s cannot be linked", document_id, exc_info=error)
    degraded(f"{LINKING} of a document", error)
    async with database.as_user(member) as connection:
        if await connection.fetchval(query("claim_unlinked"), document_id, version):
            await connection.execute(query("add_warning"), document_id, f"{LINKING}_failed", UNLINKED)


async def _link_one(
    database: Database, member: Identity, document_id: UUID, version: int, find: Finder
) -> None:
    async with database.as_user(member) as connection:
        rows = await connection.fetch(query("passages_to_link"), document_id, version)
    passages = await asyncio.to_thread(linked, rows, await find([row["text"] for row in rows]))
    async with database.as_user(member) as connection:
        if await connection.fetchval(query("claim_unlinked"), document_id, version):
            await store_links(connection, document_id, passages)
