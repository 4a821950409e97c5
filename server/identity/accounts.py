"""Local accounts: sign-in, and who a verified token stands for right now."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.errors import Unauthorized
from server.identity.tokens import Claims
from sql.db import Database, Identity, Row
from sql.queries import query

# OWASP's profile for argon2id with 19 MiB and two passes: about 25 ms on one idle core here.
HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
PASSWORD_THREADS = 2
T = TypeVar("T")


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
    matches = await _apart(partial(_verify, known["password_hash"] if known else None, password))
    if not known or not matches:
        raise Unauthorized("The address or the password is not right.", code="wrong_credentials")
    async with database.transaction(user_id=str(known["id"])) as connection:
        membership = await connection.fetchrow(query("find_membership"), known["id"])
    if not membership:
        raise Unauthorized("This account has been disabled. Ask an administrator.", code="disabled")
    return await current(database, Claims(known["id"], membership["workspace_id"], ""))


async def current(database: Database, claims: Claims) -> Caller:
    """Who a token stands for now. Raises Unauthorized when the membership ended or is disabled (X16), or the
    password was changed after the token was issued."""
    async with database.transaction(
        user_id=str(claims.user_id), workspace_id=str(claims.workspace_id)
    ) as connection:
        row = await connection.fetchrow(query("find_caller"), claims.user_id, claims.workspace_id)
    if row is None:
        raise Unauthorized("This account has been disabled. Ask an administrator.", code="disabled")
    changed_at = row["password_changed_at"]
    if claims.issued_at is not None and changed_at and claims.issued_at < changed_at.timestamp():
        raise Unauthorized("The password has been changed since. Sign in with the new one.")
    return caller(row)


def caller(row: Row) -> Caller:
    """A Caller from a row of find_caller, find_member_by_email or find_acting_owner."""
    return Caller(
        user_id=row["id"],
        workspace_id=row["workspace_id"],
        role=row["role"],
        email=row["email"],
        name=row["name"],
        workspace_name=row["workspace_name"],
    )


def hash_password(password: str) -> str:
    """Argon2id. Slow by design: the event loop awaits `hashed` instead."""
    return HASHER.hash(password)


async def hashed(password: str) -> str:
    return await _apart(partial(hash_password, password))


async def _apart(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_threads(), work)


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads for passwords alone: a flood of sign-ins queues here, and uploads keep theirs."""
    return ThreadPoolExecutor(PASSWORD_THREADS, thread_name_prefix="passwords")


def _verify(password_hash: str | None, password: str) -> bool:
    # An unknown address costs as much time as a known one.
    try:
        return HASHER.verify(password_hash or _decoy(), password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _decoy() -> str:
    return HASHER.hash("nobody has this password")
