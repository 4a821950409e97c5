"""Spans reach LangSmith when there is a key, and nothing is imported or sent when there is none."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from providers.scripted import running
from providers.tracing import Tracer


async def test_spans_are_sent_with_inputs_and_outputs() -> None:  # O1
    received: list[bytes] = []

    async def take(request: Request) -> Response:
        received.append(await request.body())
        return JSONResponse({})

    app = Starlette(routes=[Route("/{path:path}", take, methods=["GET", "POST", "PATCH"])])
    async with running(app) as url:
        tracer = Tracer(api_key="ls-qzv", project="qzv", api_url=url.removesuffix("/v1"))
        async with tracer.span("search", {"query": "winch"}) as outer:
            async with tracer.span("dense", {}, kind="retriever"):
                await asyncio.sleep(0)
            outer.set({"dense_results": 7})
            outer.set({"rrf_candidates": 3})
        await tracer.close()
    body = b"".join(received)
    for expected in (b"search", b"dense", b"winch", b"dense_results", b"rrf_candidates"):
        assert expected in body


async def test_an_error_goes_through_and_only_its_name_is_sent() -> None:
    tracer = Tracer()
    with pytest.raises(ZeroDivisionError):
        async with tracer.span("search", {}):
            raise ZeroDivisionError


def test_without_a_key_langsmith_is_not_imported() -> None:
    code = (
        "import asyncio, sys; from providers.tracing import Tracer\n"
        "async def main():\n"
        "    async with Tracer().span('search', {}) as span: span.set({'n': 1})\n"
        "    assert span.outputs == {'n': 1}\n"
        "asyncio.run(main()); print('langsmith' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"
