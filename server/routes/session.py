"""Signing in and out, coming in by a link, and who am I."""

from typing import Any

from starlette.responses import Response

from ingestion.parse.filetype import ACCEPTED
from server import schemas
from server.errors import TooMany
from server.identity import accounts, invitations
from server.identity.accounts import Caller
from server.identity.session import clear_cookie, set_cookie
from server.operations import Call, Operation, Who, reply
from sql.queries import query


async def setup(call: Call) -> Response:
    async with call.runtime.database.transaction() as connection:
        installation = await connection.fetchrow(query("find_installation"))
    return reply(
        {"needs_owner": not installation["claimed"], "guests": call.runtime.settings["guests.enabled"]}
    )


async def sign_in(call: Call) -> Response:
    body: schemas.Credentials = call.body
    client = call.request.client.host if call.request.client else ""
    if not call.runtime.sign_in_limit.allow(client, body.email):
        raise TooMany("Too many attempts to sign in. Wait a minute, then try again.")
    caller = await accounts.sign_in(call.runtime.database, email=body.email, password=body.password)
    call.runtime.sign_in_limit.forget(client, body.email)
    return _begin(call, caller)


async def sign_out(call: Call) -> Response:
    response = Response(status_code=204)
    clear_cookie(response)
    return response


async def check_invitation(call: Call) -> Response:
    found = await invitations.check(call.runtime.database, call.body.token)
    return reply(
        {
            "kind": found["kind"],
            "email": found["email"],
            "role": found["role"],
            "workspace": found["workspace_name"],
        }
    )


async def accept_invitation(call: Call) -> Response:
    body: schemas.Acceptance = call.body
    caller = await invitations.accept(
        call.runtime.database, token=body.token, email=body.email, name=body.name, password=body.password
    )
    return _begin(call, caller)


def _begin(call: Call, caller: Caller) -> Response:
    token = call.runtime.tokens.issue(user_id=caller.user_id, workspace_id=caller.workspace_id)
    response = reply({"access_token": token, "user": caller.public()})
    set_cookie(response, token, secure=call.request.url.scheme == "https")
    return response


async def me(call: Call) -> Response:
    runtime, caller = call.runtime, call.caller
    models: dict[str, Any] = {
        "chat": {"kind": runtime.models.chat_kind, "label": runtime.models.chat_label},
        "embedding": {"label": runtime.models.embedder.key.model},
    }
    return reply(
        {
            "user": caller.public(),
            "workspace": {"id": caller.workspace_id, "name": caller.workspace_name},
            "models": models,
            "limits": {"max_upload_bytes": runtime.max_upload_bytes, "accepted": list(ACCEPTED)},
        }
    )


async def jwks(call: Call) -> Response:
    return reply(call.runtime.tokens.jwks())


OPERATIONS = [
    Operation("GET", "/api/setup", setup, Who.ANYBODY, "Whether the first owner has signed in yet",
              returns=schemas.SetupOut),
    Operation("POST", "/api/session", sign_in, Who.ANYBODY, "Sign in", schemas.Credentials, schemas.SessionOut),
    Operation("DELETE", "/api/session", sign_out, Who.ANYBODY, "Sign out", status=204),
    Operation("GET", "/api/me", me, Who.READER, "Who am I, and what may I send", returns=schemas.MeOut),
    Operation(
        "POST", "/api/invitations/check", check_invitation, Who.ANYBODY, "What a link invites to",
        schemas.TokenIn, schemas.InvitationCheckOut,
    ),
    Operation(
        "POST", "/api/invitations/accept", accept_invitation, Who.ANYBODY, "Come in by a link",
        schemas.Acceptance, schemas.SessionOut,
    ),
    Operation("GET", "/.well-known/jwks.json", jwks, Who.ANYBODY, "The keys that verify session tokens"),
]  # fmt: skip
