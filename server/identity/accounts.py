"""Local accounts: sign-in, and who a verified token stands for right now."""

import asyncio
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.errors import Unauthorized
from server.identity.tokens import Claims
from sql.db import Database, Identity, Row
from sql.queries import query

# OWASP's profile for argon2id with 19 MiB and two passes: about 25 ms on one idle core here.
HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """A verified person in a workspace, with the role the database gives them now."""

    user_id: UUID
    workspace_id: UUID
    role: str
    email: str
    name: str
    workspace_name: str

    @property
    def identity(self) -> Identity:
        return Identity(workspace_id=self.workspace_id, user_id=self.user_id, role=self.role)

    @property
    def is_admin(self) -> bool:
        return self.role in ("owner", "admin")

    def public(self) -> dict[str, Any]:
        return {"id": str(self.user_id), "email": self.email, "name": self.name, "role": self.role}


async def sign_in(database: Database, *, email: str, password: str) -> Caller:
    """The person with this address and password. Raises Unauthorized, the same for both mistakes."""
    email = email.strip().lower()
    async with database.transaction(sign_in_email=email) as connection:
        known = await connection.fetchrow(query("find_credentials"), email)
    matches = await asyncio.to_thread(_verify, known["password_hash"] if known else None, password)
    if not known or not matches:
        raise Unauthorized("The address or the password is not right.", code="wrong_credentials")
    async with database.transaction(user_id=str(known["id"])) as connection:
        membership = await connection.fetchrow(query("find_membership"), known["id"])
    if not membership:
        raise Unauthorized("This account has been disabled. Ask an administrator.", code="disabled")
    return await current(database, Claims(known["id"], membership["workspace_id"], ""))


async def current(database: Database, claims: Claims) -> Caller:
    """Who a token stands for now. Raises Unauthorized when the membership ended or is disabled (X16)."""
    async with database.transaction(
        user_id=str(claims.user_id), workspace_id=str(claims.workspace_id)
    ) as connection:
        row = await connection.fetchrow(query("find_caller"), claims.user_id, claims.workspace_id)
    if row is None:
        raise Unauthorized("This account has been disabled. Ask an administrator.", code="disabled")
    return caller(row)


def caller(row: Row) -> Caller:
    """A Caller from a row of find_caller or find_member_by_email."""
    return Caller(
        user_id=row["id"],
        workspace_id=row["workspace_id"],
        role=row["role"],
        email=row["email"],
        name=row["name"],
        workspace_name=row["workspace_name"],
    )


def hash_password(password: str) -> str:
    """Argon2id. Slow by design: call it off the event loop."""
    return HASHER.hash(password)


def _verify(password_hash: str | None, password: str) -> bool:
    # An unknown address costs as much time as a known one.
    try:
        return HASHER.verify(password_hash or _decoy(), password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _decoy() -> str:
    return HASHER.hash("nobody has this password")
