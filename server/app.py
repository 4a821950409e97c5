"""READ FIRST: the whole service in one place: routes, middleware, errors, start and stop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount

from server import operations
from server.faults import KNOWN
from server.middleware import Envelope, on_known_error, on_routing_error, on_unexpected_error
from server.pages import Pages
from server.routes.table import OPERATIONS
from server.runtime import Runtime, running

STATIC = Path(__file__).parent / "static"


def create_app(runtime: Runtime) -> Envelope:
    """The ASGI application over a built runtime."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with running(runtime):
            yield

    routes: list[BaseRoute] = [*operations.routes(OPERATIONS, runtime), Mount("/", Pages(STATIC))]
    return Envelope(
        Starlette(
            routes=routes,
            exception_handlers={
                **dict.fromkeys(KNOWN, on_known_error),
                HTTPException: on_routing_error,
                Exception: on_unexpected_error,
            },
            lifespan=lifespan,
        )
    )
