"""What a search tells LangSmith: the four counts when it is configured, and nothing at all when it is not (O1)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from providers.local import LocalEmbedder
from providers.scripted import running
from providers.tracing import Tracer
from retrieval.passages import Filters, SearchRequest
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from server.searcher import Searcher
from sql.db import Database, Identity

COUNTS = ("dense_results", "sparse_results", "graph_results", "rrf_candidates")
QUERY = "what drives the zzyzx relay?"


@dataclass(slots=True)
class StandIn:
    """LangSmith as seen from here: whatever it was sent, answered with `status`."""

    url: str = ""
    status: int = 200
    bodies: list[bytes] = field(default_factory=list)

    @property
    def told(self) -> bytes:
        return b"".join(self.bodies)


@asynccontextmanager
async def langsmith(status: int = 200) -> AsyncIterator[StandIn]:
    stand_in = StandIn(status=status)

    async def take(request: Request) -> Response:
        stand_in.bodies.append(await request.body())
        return JSONResponse({}, status_code=stand_in.status)

    app = Starlette(routes=[Route("/{path:path}", take, methods=["GET", "POST", "PATCH"])])
    async with running(app) as url:
        stand_in.url = url.removesuffix("/v1")
        yield stand_in


async def searching(database: Database, owner: Identity, embedder: LocalEmbedder, tracer: Tracer) -> Searcher:
    await store(database, owner, embedder, [Entry("relay", "", "The zzyzx relay is driven by a magnet.")])
    return Searcher(database, embedder, None, tracer)


async def test_every_search_tells_its_four_counts(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # O1
    async with langsmith() as stand_in:
        tracer = Tracer(api_key="ls-zzyzx", project="zzyzx", api_url=stand_in.url)
        searcher = await searching(database, owner, embedder, tracer)
        result = await searcher.search(owner, SearchRequest(QUERY))
        relaxed = await searcher.search(owner, SearchRequest(QUERY, filters=Filters(languages=("fi",))))
        await tracer.close()
    assert relaxed.relaxed == ("languages",)
    for name in COUNTS:
        assert stand_in.told.count(f'"{name}"'.encode()) >= 3, name  # the relaxed one searched twice
        assert f'"{name}":{asdict(result.counts)[name]}'.encode() in stand_in.told.replace(b": ", b":")
    assert b"retriever" in stand_in.told
    assert QUERY.encode() in stand_in.told


async def test_without_a_key_nothing_leaves(
    database: Database, owner: Identity, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:  # O1: whatever else the environment says
    async with langsmith() as stand_in:
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", stand_in.url)
        tracer = Tracer(api_url=stand_in.url)
        searcher = await searching(database, owner, embedder, tracer)
        assert (await searcher.search(owner, SearchRequest(QUERY))).passages
        await tracer.close()
    assert stand_in.bodies == []


async def test_a_search_does_not_depend_on_who_watches(
    database: Database, owner: Identity, embedder: LocalEmbedder
) -> None:  # O4
    async with langsmith(status=422) as stand_in:
        tracer = Tracer(api_key="ls-zzyzx", project="zzyzx", api_url=stand_in.url)
        searcher = await searching(database, owner, embedder, tracer)
        assert (await searcher.search(owner, SearchRequest(QUERY))).passages
        await tracer.close()
