"""Servers that a browser test looks into: a scripted model whose requests can be read, a web search of one result."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from providers.scripted import running, scripted_app

START_SECONDS = 10
PAGE = "https://zzyzx.example/winches"


@dataclass(frozen=True, slots=True)
class Model:
    """A scripted model in this process."""

    base_url: str
    app: Starlette

    def plays(self, reply: Callable[[dict[str, Any]], Any]) -> None:
        """Every request from now on is answered by this."""
        self.app.state.queue = [reply]

    def cites(self) -> None:
        """Every request from now on is answered as its model's name says, `scripted-cite` with citations."""
        self.app.state.queue = []

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies received, in order."""
        found: list[dict[str, Any]] = self.app.state.requests
        return found


@contextmanager
def open_model() -> Iterator[Model]:
    app = scripted_app()
    with served(app) as base_url:
        yield Model(base_url, app)


@contextmanager
def web_search(seen: list[str]) -> Iterator[str]:
    """Answers like SearXNG, with one page; what was searched for is added to `seen`. Gives its address."""

    async def search(request: Request) -> JSONResponse:
        seen.append(request.query_params["q"])
        result = {"url": PAGE, "title": "Winches of the world", "content": "The Zzyzx winch weighs 311 kg."}
        return JSONResponse({"results": [result]})

    with served(Starlette(routes=[Route("/search", search)])) as base_url:
        yield base_url.removesuffix("/v1")


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The app on a free port, in a thread of its own; gives its base URL, which ends in /v1."""
    addresses: list[str] = []
    started, stopping = threading.Event(), threading.Event()

    async def serve() -> None:
        async with running(app) as base_url:
            addresses.append(base_url)
            started.set()
            await asyncio.to_thread(stopping.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert started.wait(START_SECONDS), "the server did not start"
        yield addresses[0]
    finally:
        stopping.set()
        thread.join()
