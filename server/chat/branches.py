"""The branches of a conversation: which one is shown, and what is deleted, restored or left out of memory."""

from uuid import UUID

from server.chat.ask import find, run_active
from server.errors import Conflict, NotFound
from sql.db import Connection, Database, Identity
from sql.queries import query


async def select(database: Database, identity: Identity, message_id: UUID) -> UUID:
    """Show the branch that runs through this message. Returns its thread. Raises NotFound."""
    async with database.as_user(identity) as connection:
        message = await find(connection, identity, message_id)
        await _show_from(connection, identity, message["thread_id"], message_id)
        thread_id: UUID = message["thread_id"]
        return thread_id


async def delete(database: Database, identity: Identity, message_id: UUID) -> UUID:
    """Take away a message and all that follows it; another branch is shown, or what came before.

    Returns its thread. Raises NotFound, Conflict while an answer is being written in the thread.
    """
    workspace = identity.workspace_id
    async with database.as_user(identity) as connection:
        message = await find(connection, identity, message_id)
        thread_id: UUID = message["thread_id"]
        await _require_quiet(connection, identity, thread_id)
        leaf = (await connection.fetchrow(query("find_thread"), workspace, thread_id))["leaf_id"]
        beside = await connection.fetchval(query("nearest_sibling"), workspace, message_id)
        gone = [row["id"] for row in await connection.fetch(query("delete_branch"), workspace, message_id)]
        await connection.execute(query("drop_summary_with"), workspace, thread_id, gone)
        if leaf in gone:
            if beside is not None:
                await _show_from(connection, identity, thread_id, beside)
            else:
                await connection.execute(query("show_branch"), workspace, thread_id, message["parent_id"])
        await connection.execute(query("purge_deleted"), workspace)
    return thread_id


async def restore(database: Database, identity: Identity, message_id: UUID) -> UUID:
    """Take a deletion back and show what it had taken. Returns its thread.

    Raises NotFound after ten minutes, Conflict where what it followed is deleted itself.
    """
    workspace = identity.workspace_id
    async with database.as_user(identity) as connection:
        message = await connection.fetchrow(query("find_message"), workspace, message_id)
        if message is None:
            raise NotFound
        thread_id: UUID = message["thread_id"]
        await _require_quiet(connection, identity, thread_id)
        if message["parent_id"] is not None:
            before = await connection.fetchrow(query("find_message"), workspace, message["parent_id"])
            if before is None or before["deleted_with"] is not None:
                raise Conflict("Restore the message before this one first.", code="parent_deleted")
        back = await connection.fetch(query("restore_branch"), workspace, message_id)
        if not back:
            raise NotFound("This message cannot be restored any more.")
        await _show_from(connection, identity, thread_id, message_id)
    return thread_id


async def exclude(database: Database, identity: Identity, message_id: UUID, *, excluded: bool) -> UUID:
    """Leave a message out of what the model is sent, with its other half; or take it in again (C4)."""
    workspace = identity.workspace_id
    async with database.as_user(identity) as connection:
        thread_id: UUID | None = await connection.fetchval(
            query("exclude_message"), workspace, message_id, excluded
        )
        if thread_id is None:
            raise NotFound
        await connection.execute(query("drop_summary_with"), workspace, thread_id, [message_id])
    return thread_id


async def _show_from(connection: Connection, identity: Identity, thread_id: UUID, message_id: UUID) -> None:
    leaf = await connection.fetchval(query("newest_leaf_below"), identity.workspace_id, message_id)
    await connection.execute(query("show_branch"), identity.workspace_id, thread_id, leaf)


async def _require_quiet(connection: Connection, identity: Identity, thread_id: UUID) -> None:
    running = await connection.fetchrow(query("running_run_of_thread"), identity.workspace_id, thread_id)
    if running is not None:
        raise run_active()
