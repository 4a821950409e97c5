"""Members and invitations, for administrators."""

from starlette.responses import Response

from server import schemas
from server.errors import NotFound
from server.identity import members
from server.operations import Call, Operation, Who, reply
from sql.queries import query


async def list_members(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(query("list_members"), call.caller.workspace_id)
    return reply({"items": [dict(row) for row in rows], "next_cursor": None})


async def change_member(call: Call) -> Response:
    body: schemas.MemberPatch = call.body
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        member = await members.change(
            connection, call.caller, call.id(), role=body.role, disabled=body.disabled
        )
    return reply(dict(member))


async def create_reset_link(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        member = await members.get(connection, call.caller, call.id())
        made = await members.reset_link(connection, call.caller, member)
    return reply({"link": made.link(call.base_url), "expires_at": made.expires_at}, status=201)


async def list_invitations(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        rows = await connection.fetch(query("list_invitations"), call.caller.workspace_id)
    return reply({"items": [dict(row) for row in rows], "next_cursor": None})


async def create_invitation(call: Call) -> Response:
    body: schemas.InvitationIn = call.body
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        made = await members.invite_member(connection, call.caller, email=body.email, role=body.role)
    return reply(
        {"id": made.id, "email": made.email, "role": made.role, "link": made.link(call.base_url),
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
        "POST", "/api/users/{id}/reset-link", create_reset_link, Who.ADMIN,
        "A link with which a member sets a new password: shown once", returns=schemas.ResetLinkOut, status=201,
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
