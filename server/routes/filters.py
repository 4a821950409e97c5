"""Ids in filters: what the caller cannot see is not found, instead of silently filtering everything away."""

from collections.abc import Sequence
from uuid import UUID

from server.errors import NotFound
from server.operations import Call
from sql.queries import query


async def require_seen(
    call: Call, *, folder_id: UUID | None = None, document_ids: Sequence[UUID] = ()
) -> None:
    """Raises NotFound for a folder that is not the caller's and for documents that they do not see (X2)."""
    if folder_id is None and not document_ids:
        return
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        if folder_id and not await connection.fetchrow(query("get_folder"), folder_id):
            raise NotFound("This folder does not exist.")
        wanted = set(document_ids)
        if wanted and await connection.fetchval(query("count_seen"), list(wanted)) != len(wanted):
            raise NotFound("One of these documents does not exist.")
