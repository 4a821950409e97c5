"""The HTTP API as data: each operation says its path, who may call it and what goes in and out."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadRequest, Forbidden, NotFound, Unprocessable, UnsupportedType
from server.identity.accounts import Caller
from server.identity.guests import Guest
from server.identity.session import caller_of, claims_somebody, refuse_cross_site

if TYPE_CHECKING:
    from server.runtime import Runtime


class Who(IntEnum):
    """The least that a caller must be."""

    ANYBODY = 0
    READER = 1
    MEMBER = 2
    ADMIN = 3


RANK = {"reader": Who.READER, "member": Who.MEMBER, "admin": Who.ADMIN, "owner": Who.ADMIN}
MAX_JSON_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Call:
    """One request, already verified and parsed."""

    request: Request
    runtime: "Runtime"
    body: Any
    _caller: Caller | None
    _guest: Guest | None = None

    @property
    def base_url(self) -> str:
        """What links begin with: as configured, else the address that this request came to."""
        return self.runtime.config.public_url or str(self.request.base_url).rstrip("/")

    @property
    def caller(self) -> Caller:
        if self._caller is None:
            raise AssertionError("an operation for anybody asked for its caller")
        return self._caller

    @property
    def guest(self) -> Guest:
        if self._guest is None:
            raise AssertionError("an operation for members asked for its guest")
        return self._guest

    @property
    def address(self) -> str:
        """Where the request comes from, for limits."""
        return self.request.client.host if self.request.client else ""

    @property
    def time_zone(self) -> str:
        """Whose days the caller means: as the page says it, else UTC."""
        said = self.request.headers.get("x-time-zone", "")
        return said if known_zone(said) else "UTC"

    def id(self, name: str = "id") -> UUID:
        """A path parameter as an id; what is not one does not exist."""
        try:
            return UUID(self.request.path_params[name])
        except ValueError:
            raise NotFound from None

    def query_id(self, name: str) -> UUID | None:
        return id_of(self.request.query_params.get(name, ""), name)

    def query_int(self, name: str, default: int, *, most: int) -> int:
        value = self.request.query_params.get(name)
        if not value:
            return default
        if not value.isdecimal() or len(value) > 9 or not 1 <= int(value) <= most:
            raise BadRequest(f"{name} must be a number from 1 to {most}.")
        return int(value)


def known_zone(name: str) -> bool:
    """Whether this is the name of a time zone, such as Europe/Berlin."""
    try:
        return bool(name) and ZoneInfo(name) is not None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def id_of(value: str, name: str) -> UUID | None:
    """What a form or an address says as an id, nothing as none. Raises BadRequest."""
    try:
        return UUID(value) if value else None
    except ValueError:
        raise BadRequest(f"{name} must be an id.") from None


Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """`body` and `returns` are the models of schemas.py; OpenAPI and the web's types come from them.

    `files`: the body is a form with files instead. `guest`: who serves it to guests, where they are let in.
    """

    method: str
    path: str
    handler: Handler
    who: Who
    summary: str
    body: type[BaseModel] | None = None
    returns: Any = None
    status: int = 200
    stream: bool = False
    files: bool = False
    guest: Handler | None = None


def routes(operations: Sequence[Operation], runtime: "Runtime") -> list[Route]:
    """Starlette routes, one a path."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return [
        Route(path, _endpoint(by_method, runtime), methods=list(by_method))
        for path, by_method in paths.items()
    ]


def _endpoint(
    by_method: dict[str, Operation], runtime: "Runtime"
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" and "HEAD" not in by_method else request.method
        operation = by_method[method]
        guest = _guest(operation, request, runtime)
        caller = None if guest else await _admit(operation, request, runtime)
        body = await _parse(operation.body, request) if operation.body else None
        if guest and operation.guest:
            return await operation.guest(Call(request, runtime, body, None, guest))
        return await operation.handler(Call(request, runtime, body, caller))

    return endpoint


async def _admit(operation: Operation, request: Request, runtime: "Runtime") -> Caller | None:
    refuse_cross_site(request)
    if operation.who is Who.ANYBODY:
        return None
    caller = await caller_of(request, runtime.database, runtime.tokens)
    if RANK[caller.role] < operation.who:
        raise Forbidden
    return caller


def _guest(operation: Operation, request: Request, runtime: "Runtime") -> Guest | None:
    """Whoever claims to be nobody, where guests are let in and the operation is for them."""
    if operation.guest is None or claims_somebody(request) or not runtime.settings["guests.enabled"]:
        return None
    refuse_cross_site(request)
    return runtime.guests.of(request)


async def _parse(model: type[BaseModel], request: Request) -> BaseModel:
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_JSON_BYTES:
            raise BadRequest("The request is too large.")
        chunks.append(chunk)
    if size:
        _require_json(request)
    try:
        return model.model_validate_json(b"".join(chunks) or b"{}")
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        if any(p["type"] == "json_invalid" for p in problems):
            raise BadRequest("The request is not valid JSON.") from None
        fields = {".".join(str(part) for part in p["loc"]): p["msg"] for p in problems}
        raise Unprocessable("Some values cannot be used.", detail={"fields": fields}) from None


def _require_json(request: Request) -> None:
    """A form of another site's page can send text that reads as JSON, but not under its name (login CSRF)."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    from_program = not kind and "origin" not in request.headers
    if kind != "application/json" and not from_program:
        raise UnsupportedType(
            "Send the body as JSON, with the header Content-Type: application/json.", code="not_json"
        )


def reply(value: Any, *, status: int = 200) -> Response:
    """A JSON answer; ids, times and dataclasses become plain."""
    return Response(to_json(value, inf_nan_mode="null"), status_code=status, media_type="application/json")
