"""A search engine, its pages and a webhook on this machine, all of which write down what they are sent."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

PAGE = """<!doctype html><html><head><title>Zorbal prices</title><script>alert(1)</script></head>
<body><nav>menu</nav><p>A zorbal costs <b>77 crowns</b> in Dunholt.</p><img src="http://evil.example/x.png"></body></html>"""


@dataclass(slots=True)
class WebServer:
    """`queries` of the search, `pages` opened, `messages` posted to the webhook; everything else in `strays`."""

    base_url: str = ""
    queries: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def everything(self) -> str:
        """All that was ever sent here."""
        return " ".join([*self.queries, *self.pages, *(json.dumps(m) for m in self.messages)])

    def clear(self) -> None:
        for seen in (self.queries, self.pages, self.messages, self.keys):
            seen.clear()


def _seen(request: Request) -> WebServer:
    found: WebServer = request.app.state.seen
    return found


async def _search(request: Request) -> Response:
    seen = _seen(request)
    query = (await request.json())["query"] if request.method == "POST" else request.query_params["q"]
    seen.queries.append(query)
    seen.keys.append(request.headers.get("authorization", ""))
    results = [
        {
            "url": f"{seen.base_url}/page",
            "title": "Zorbal prices",
            "content": "A zorbal costs 77 crowns in Dunholt.",
        },
        {"url": "javascript:alert(1)", "title": "bad", "content": "bad"},
        {
            "url": f"{seen.base_url}/inwards",
            "title": "Elsewhere",
            "content": "Nothing of interest stands on this page.",
        },
    ]
    return JSONResponse({"results": results})


async def _page(request: Request) -> Response:
    _seen(request).pages.append(str(request.url))
    return HTMLResponse(PAGE)


async def _inwards(request: Request) -> Response:
    _seen(request).pages.append(str(request.url))
    return RedirectResponse("http://169.254.169.254/latest/meta-data")


async def _large(_request: Request) -> Response:
    return HTMLResponse("x" * 3_000_000)


async def _odd(_request: Request) -> Response:
    return Response(PAGE, headers={"content-type": "text/html; charset=idna"})


async def _astray(request: Request) -> Response:
    return Response(status_code=302, headers={"location": f"http://{request.path_params['to']}"})


async def _picture(_request: Request) -> Response:
    return Response(b"\x89PNG", media_type="image/png")


async def _hook(request: Request) -> Response:
    _seen(request).messages.append(await request.json())
    return Response("ok")


ROUTES = (
    Route("/search", _search, methods=["GET", "POST"]),
    Route("/page", _page),
    Route("/inwards", _inwards),
    Route("/large", _large),
    Route("/odd", _odd),
    Route("/astray/{to}", _astray),
    Route("/picture", _picture),
    Route("/round", lambda request: RedirectResponse("/round")),
    Route("/hook", _hook, methods=["POST"]),
)


@asynccontextmanager
async def web_server() -> AsyncIterator[WebServer]:
    app = Starlette(routes=ROUTES)
    app.state.seen = seen = WebServer()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.005)
        seen.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            yield seen
        finally:
            server.should_exit = server.force_exit = True
            await task
