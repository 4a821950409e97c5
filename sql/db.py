"""The connection pool and the only way to a query: a transaction that knows who is asking."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self, TypeAlias, TypedDict
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import UUID

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from pgvector.asyncpg import register_vector

from sql.errors import Unavailable, UnsafeRole
from sql.queries import query

Connection: TypeAlias = asyncpg.Connection | PoolConnectionProxy
Row: TypeAlias = asyncpg.Record

UniqueViolation = asyncpg.UniqueViolationError
ForeignKeyViolation = asyncpg.ForeignKeyViolationError
InsufficientPrivilege = asyncpg.InsufficientPrivilegeError
BadExpression = asyncpg.InvalidRegularExpressionError
NotText = asyncpg.CharacterNotInRepertoireError  # a NUL, the one character that Postgres cannot store
# What an unreachable, restarting or overloaded server raises; callers try again or say so.
CONNECTION_LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection cut in the middle of a cancelled statement
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,  # too many connections
    asyncpg.TransactionRollbackError,  # a deadlock that the server ended
    asyncpg.OperatorInterventionError,  # shutting down, starting up, statement cancelled
)

CLOSE_SECONDS = 5.0  # no statement is waited for when a server stops
CLAIMS = ("user_id", "workspace_id", "role", "sign_in_email", "invitation")
SETTINGS = {**{name: f"ibid.{name}" for name in CLAIMS}, "plans": "plan_cache_mode"}
ROLES = frozenset({"", "owner", "admin", "member", "reader", "guest", "service"})


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a transaction acts for. `role` is the membership's, or `service` for our own processes."""

    workspace_id: UUID
    user_id: UUID | None
    role: str


class ServiceClaims(TypedDict, total=False):
    """What our own processes say of themselves."""

    role: Literal["service"]
    workspace_id: str


def service(workspace_id: UUID | None) -> ServiceClaims:
    """The claims of our own processes: the job queue of every workspace, the settings of one."""
    return {"role": "service", "workspace_id": str(workspace_id)} if workspace_id else {"role": "service"}


class Database:
    """A pool of connections as the application's role, which owns nothing and bypasses nothing."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool

    @classmethod
    async def connect(cls, url: str, *, size: int = 10, pooled: bool = False) -> Self:
        """Open a pool and refuse a login that row-level security does not bind (X3).

        Args:
            size: connections at most.
            pooled: true behind a transaction pooler, where prepared statements cannot be kept.
        """
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=size,
                init=_prepare,
                reset=_leave,
                command_timeout=60,
                max_inactive_connection_lifetime=120,
                statement_cache_size=0 if pooled else 100,
            )
        except (OSError, asyncpg.PostgresError, TimeoutError) as error:
            raise Unavailable(f"Cannot open the database: {error}") from error
        async with pool.acquire() as connection:
            unsafe = await connection.fetchval(query("role_is_unsafe"))
        if unsafe:
            await pool.close()
            raise UnsafeRole
        return cls(pool)

    @property
    def in_use(self) -> int:
        """Connections that somebody works on now."""
        return int(self.pool.get_size() - self.pool.get_idle_size())

    async def close(self) -> None:
        """Close the pool; connections that are still in use after a moment are cut."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.pool.close()  # cancelled, it terminates what is left

    @asynccontextmanager
    async def transaction(self, *, keep_plans: bool = False, **claims: str) -> AsyncIterator[Connection]:
        """A transaction with these claims and no others; no claims see no rows (A6).

        Args:
            keep_plans: statements are planned once a connection, not once a run: for the large ones of a search,
                which take longer to plan than to run. A kept plan is made anew after the next statistics only.
        """
        unknown = claims.keys() - set(CLAIMS)
        if unknown:
            raise ValueError(f"unknown claims: {unknown}")
        values = tuple(claims.get(name, "") for name in CLAIMS)
        plans = "force_generic_plan" if keep_plans else "auto"
        async with self.pool.acquire() as connection:
            try:
                await _begin(connection, values, plans)
                yield connection
            except BaseException:
                if not connection.is_closed():
                    await connection.execute("ROLLBACK")
                raise
            await connection.execute("COMMIT")

    @asynccontextmanager
    async def as_user(self, identity: Identity, *, keep_plans: bool = False) -> AsyncIterator[Connection]:
        """A transaction in which row-level security shows what this person may see."""
        claims = {"workspace_id": str(identity.workspace_id), "role": identity.role}
        if identity.user_id:
            claims["user_id"] = str(identity.user_id)
        async with self.transaction(keep_plans=keep_plans, **claims) as connection:
            yield connection


async def _begin(connection: Connection, values: tuple[str, ...], plans: str) -> None:
    """Begin a transaction with these claims: one round trip, where a driver's own transaction takes two.

    An address and an invitation are what somebody typed, so they go as parameters, after the beginning.
    """
    ids_and_role, typed = values[:3], values[3:]
    await connection.execute(_opening(*ids_and_role, plans))
    if any(typed):
        await connection.execute(query("set_claims"), *values, plans)


@lru_cache(maxsize=1024)
def _opening(user_id: str, workspace_id: str, role: str, plans: str) -> str:
    """What `set_claims` does, without a plan to make: the values can only be ids, and words of closed sets."""
    if role not in ROLES:
        raise ValueError("There is no such role.")
    ids = (str(UUID(id_)) if id_ else "" for id_ in (user_id, workspace_id))
    values = zip((*CLAIMS, "plans"), (*ids, role, "", "", plans), strict=True)
    # A guest leaves no trace, whatever the code above asks for (A9).
    begin = f"BEGIN{' READ ONLY' if role == 'guest' else ''}"
    return "; ".join([begin, *(f"SET LOCAL {SETTINGS[name]} = '{value}'" for name, value in values)])


async def _prepare(connection: asyncpg.Connection) -> None:
    await register_vector(connection)
    for kind in ("json", "jsonb"):
        await connection.set_type_codec(kind, schema="pg_catalog", encoder=json_text, decoder=json.loads)


async def _leave(_connection: asyncpg.Connection) -> None:
    """Our statements set nothing beyond their transaction, so RESET ALL would be a fourth round trip for nothing."""


def json_text(value: Any) -> str:
    """JSON that jsonb accepts: it refuses NUL and lone surrogates, so both become U+FFFD."""
    text = json.dumps(_clean(value), ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


def with_login(url: str, user: str, password: str) -> str:
    """The same database under another login."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{host}"))


def with_login_of(url: str, other: str) -> str:
    """The same database under the login that another address names."""
    login, _, _ = urlsplit(other).netloc.rpartition("@")
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{login}@{host}" if login else host))


def with_database(url: str, name: str) -> str:
    """The same server and login with another database."""
    return urlunsplit(urlsplit(url)._replace(path="/" + quote(name, safe="")))


async def open_connection(url: str) -> asyncpg.Connection:
    """One connection outside the pool, for the owner's work. Raises Unavailable.

    It keeps no prepared statement, so that its transactions also pass through a pooler.
    """
    try:
        return await asyncpg.connect(url, timeout=15, statement_cache_size=0)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
        raise Unavailable(f"Cannot open the database: {error}") from error


@asynccontextmanager
async def owner_transaction(url: str) -> AsyncIterator[Connection]:
    """A transaction of the owner's, for maintenance: first start, backup, the orphan scan."""
    connection = await open_connection(url)
    try:
        async with connection.transaction():
            await _prepare(connection)
            await connection.execute(query("become_owner"))
            await connection.execute(query("begin_maintenance"))
            yield connection
    finally:
        await connection.close()
