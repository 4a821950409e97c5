"""Whether the service is up, and what its API is."""

import asyncio

from starlette.responses import Response

from server.openapi import document
from server.operations import Call, Operation, Who, reply
from sql.db import CONNECTION_LOST

DATABASE_PATIENCE = 0.5  # seconds; the contract says no wait over 1 s, on a busy machine too


async def health(call: Call) -> Response:
    """200 while the process serves; `database` says whether Postgres answered in time."""
    try:
        async with asyncio.timeout(DATABASE_PATIENCE), call.runtime.database.pool.acquire() as connection:
            await connection.fetchval("SELECT 1")
        database = "ok"
    except CONNECTION_LOST:
        database = "unreachable"
    return reply({"status": "ok", "database": database, "version": call.runtime.version})


async def openapi(call: Call) -> Response:
    from server.routes.table import OPERATIONS as ALL

    return reply(document(ALL))


OPERATIONS = [
    Operation("GET", "/health", health, Who.ANYBODY, "Whether the service is up"),
    Operation("GET", "/api/openapi.json", openapi, Who.ANYBODY, "This API as an OpenAPI document"),
]
