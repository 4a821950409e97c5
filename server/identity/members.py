"""What administrators do with members: invite them, change them, and let them set a new password."""

from uuid import UUID

from server.errors import Conflict, Forbidden, NotFound, Unprocessable
from server.identity.accounts import Caller
from server.identity.invitations import Invitation, invite, is_address
from sql.db import Connection, Row
from sql.queries import query


async def find(connection: Connection, workspace_id: UUID, email: str) -> Row | None:
    """The member with this address, disabled or not."""
    return await connection.fetchrow(query("find_member_by_email"), email.strip().lower(), workspace_id)


async def invite_member(connection: Connection, caller: Caller, *, email: str, role: str) -> Invitation:
    """A link for somebody new. Raises Unprocessable, Forbidden, Conflict."""
    _require_admin(caller)
    if not is_address(email.strip()):
        raise Unprocessable(f"{email!r} is not an e-mail address.")
    if role == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can invite an owner.")
    known = await find(connection, caller.workspace_id, email)
    if known:
        state = "is a member already, disabled now" if known["disabled"] else "is a member already"
        raise Conflict(f"{known['email']} {state}.", code="exists")
    return await invite(
        connection, workspace_id=caller.workspace_id, role=role, email=email, created_by=caller.user_id
    )


async def reset_link(connection: Connection, caller: Caller, member: Row) -> Invitation:
    """A link to set a new password; earlier ones stop working. Raises Forbidden, Conflict."""
    _require_admin(caller)
    if member["role"] == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can change an owner.")
    if member["disabled"]:
        raise Conflict(f"{member['email']} is disabled. Enable the account first.", code="disabled")
    await connection.execute(query("delete_reset_links"), caller.workspace_id, member["id"])
    return await invite(
        connection,
        workspace_id=caller.workspace_id,
        role=member["role"],
        email=member["email"],
        kind="reset",
        user_id=member["id"],
        created_by=caller.user_id,
    )


async def get(connection: Connection, caller: Caller, user_id: UUID) -> Row:
    """A member of the caller's workspace. Raises NotFound."""
    rows = await connection.fetch(query("list_members"), caller.workspace_id)
    member = next((row for row in rows if row["id"] == user_id), None)
    if member is None:
        raise NotFound
    return member


async def change(
    connection: Connection, caller: Caller, user_id: UUID, *, role: str | None, disabled: bool | None
) -> Row:
    """Give another role, disable or enable; what is None stays. Raises NotFound, Forbidden, Conflict."""
    if role == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can make somebody an owner.")
    await connection.execute(query("lock_members"), caller.workspace_id)
    # Read again behind the lock: whoever held it may have changed the caller.
    if await connection.fetchval(query("find_role"), caller.workspace_id, caller.user_id) != caller.role:
        raise Forbidden
    member = await get(connection, caller, user_id)
    if member["role"] == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can change an owner.")
    await connection.fetchval(query("update_member"), caller.workspace_id, user_id, role, disabled)
    if not await connection.fetchval(query("count_active_owners"), caller.workspace_id):
        raise Conflict("A workspace needs at least one owner.", code="last_owner")
    return await get(connection, caller, user_id)


def _require_admin(caller: Caller) -> None:
    if not caller.is_admin:
        raise Forbidden
