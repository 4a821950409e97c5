"""One-time links: the first owner's, invitations to everybody else, and new passwords for members."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from server.errors import Conflict, NotFound, Unprocessable
from server.identity.accounts import Caller, current, hashed
from server.identity.tokens import Claims
from sql.db import Connection, Database, Row, UniqueViolation
from sql.queries import query

LIFETIME = {"owner": timedelta(days=7), "member": timedelta(days=7), "reset": timedelta(days=1)}
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
MIN_PASSWORD = 10
MAX_PASSWORD = 1024  # argon2 reads all of it: no work for whoever sends megabytes


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link that was made: shown once, only its hash is kept."""

    id: UUID
    email: str | None
    role: str
    token: str
    expires_at: datetime

    def link(self, base: str) -> str:
        """The page that accepts it. The token is in the fragment, which no log and no referrer sees."""
        return f"{base}/welcome#token={self.token}"


async def invite(
    connection: Connection,
    *,
    workspace_id: UUID,
    role: str,
    email: str | None = None,
    kind: str = "member",
    user_id: UUID | None = None,
    created_by: UUID | None = None,
) -> Invitation:
    """Make an invitation in a transaction that may (an admin's, or maintenance)."""
    token = secrets.token_urlsafe(24)
    row = await connection.fetchrow(
        query("create_invitation"),
        workspace_id,
        _hash(token),
        kind,
        email.strip().lower() if email else None,
        role,
        user_id,
        created_by,
        datetime.now(UTC) + LIFETIME[kind],
    )
    return Invitation(row["id"], row["email"], row["role"], token, row["expires_at"])


async def check(database: Database, token: str) -> Row:
    """The open invitation behind a token. Raises NotFound when used, expired or made up."""
    async with database.transaction(invitation=_hash(token).hex()) as connection:
        row = await connection.fetchrow(query("find_invitation"), _hash(token))
    if row is None:
        raise NotFound("This link has been used, has expired or is not complete. Ask for a new one.")
    return row


async def accept(database: Database, *, token: str, email: str | None, name: str, password: str) -> Caller:
    """Become a member, or the owner, or set a new password. Raises NotFound, Unprocessable, Conflict.

    A password that changes ends every session begun before.
    """
    invitation = await check(database, token)
    address = (invitation["email"] or email or "").strip().lower()
    _require(address=address, password=password)
    password_hash = await hashed(password)
    user_id = invitation["user_id"] or uuid4()
    try:
        async with database.transaction(
            user_id=str(user_id),
            workspace_id=str(invitation["workspace_id"]),
            invitation=_hash(token).hex(),
        ) as connection:
            await _join(connection, invitation, user_id, address, name.strip() or address.partition("@")[0])
            await connection.execute(query("put_credentials"), user_id, password_hash, datetime.now(UTC))
            if await connection.fetchval(query("accept_invitation"), _hash(token)) is None:
                raise NotFound("This link has just been used.")
    except UniqueViolation as error:
        raise Conflict(
            "Somebody with this address is here already. Sign in instead.", code="exists"
        ) from error
    return await current(database, Claims(user_id, invitation["workspace_id"], ""))


async def _join(connection: Connection, invitation: Row, user_id: UUID, email: str, name: str) -> None:
    if invitation["kind"] == "reset":
        # Made for the role of that time: an admin's link opens no account that has become an owner's.
        role = await connection.fetchval(query("find_role"), invitation["workspace_id"], user_id)
        if role != invitation["role"]:
            raise NotFound("This link no longer fits the account. Ask for a new one.")
        return
    if invitation["kind"] == "owner":
        await connection.execute(query("update_user"), user_id, email, name)
        await connection.fetchval(query("claim_installation"), invitation["workspace_id"])
        return
    await connection.execute(query("insert_user"), user_id, email, name)
    # While the invitation is still open: the policy on memberships looks for it.
    await connection.execute(
        query("insert_membership"), invitation["workspace_id"], user_id, invitation["role"]
    )


def _require(*, address: str, password: str) -> None:
    fields = {}
    if not is_address(address):
        fields["email"] = "Enter an e-mail address."
    if len(password) < MIN_PASSWORD:
        fields["password"] = f"Use at least {MIN_PASSWORD} characters."
    if len(password) > MAX_PASSWORD:
        fields["password"] = f"Use at most {MAX_PASSWORD:,} characters."
    if fields:
        raise Unprocessable(" ".join(fields.values()), detail={"fields": fields})


def is_address(text: str) -> bool:
    return len(text) <= 254 and ADDRESS.fullmatch(text) is not None


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
