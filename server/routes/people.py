"""Members and invitations, for administrators."""

from starlette.responses import Response

from server import schemas
from server.errors import Conflict, Forbidden, NotFound
from server.identity import invitations
from server.operations import Call, Operation, Who, reply
from sql.queries import query


async def list_members(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(query("list_members"), call.caller.workspace_id)
    return reply({"items": [dict(row) for row in rows], "next_cursor": None})


async def change_member(call: Call) -> Response:
    body: schemas.MemberPatch = call.body
    caller = call.caller
    if body.role == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can make somebody an owner.")
    async with call.runtime.database.as_user(caller.identity) as connection:
        members = {
            row["id"]: row for row in await connection.fetch(query("list_members"), caller.workspace_id)
        }
        member = members.get(call.id())
        if member is None:
            raise NotFound
        if member["role"] == "owner" and caller.role != "owner":
            raise Forbidden("Only an owner can change an owner.")
        await connection.fetchval(
            query("update_member"), caller.workspace_id, call.id(), body.role, body.disabled
        )
        if not await connection.fetchval(query("count_active_owners"), caller.workspace_id):
            raise Conflict("A workspace needs at least one owner.", code="last_owner")
        rows = await connection.fetch(query("list_members"), caller.workspace_id)
    return reply(next(dict(row) for row in rows if row["id"] == call.id()))


async def list_invitations(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(query("list_invitations"), call.caller.workspace_id)
    return reply({"items": [dict(row) for row in rows], "next_cursor": None})


async def create_invitation(call: Call) -> Response:
    body: schemas.InvitationIn = call.body
    caller = call.caller
    if body.role == "owner" and caller.role != "owner":
        raise Forbidden("Only an owner can invite an owner.")
    async with call.runtime.database.as_user(caller.identity) as connection:
        known = await connection.fetchrow(
            query("find_member_by_email"), body.email.strip().lower(), caller.workspace_id
        )
        if known:
            raise Conflict(f"{known['email']} is a member already.", code="exists")
        made = await invitations.invite(
            connection,
            workspace_id=caller.workspace_id,
            role=body.role,
            email=body.email,
            created_by=caller.user_id,
        )
    base = str(call.request.base_url).rstrip("/")
    return reply(
        {"id": made.id, "email": made.email, "role": made.role, "link": made.link(base),
         "expires_at": made.expires_at},
        status=201,
    )  # fmt: skip


async def delete_invitation(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        gone = await connection.fetchval(query("delete_invitation"), call.caller.workspace_id, call.id())
    if gone is None:
        raise NotFound
    return Response(status_code=204)


OPERATIONS = [
    Operation("GET", "/api/users", list_members, Who.ADMIN, "Members", returns=schemas.Items[schemas.MemberOut]),
    Operation(
        "PATCH", "/api/users/{id}", change_member, Who.ADMIN, "Change a role, disable or enable",
        schemas.MemberPatch, schemas.MemberOut,
    ),
    Operation(
        "GET", "/api/invitations", list_invitations, Who.ADMIN, "Open invitations",
        returns=schemas.Items[schemas.InvitationOut],
    ),
    Operation(
        "POST", "/api/invitations", create_invitation, Who.ADMIN, "Invite somebody: the link is shown once",
        schemas.InvitationIn, schemas.InvitationOut, status=201,
    ),
    Operation("DELETE", "/api/invitations/{id}", delete_invitation, Who.ADMIN, "Withdraw an invitation", status=204),
]  # fmt: skip
