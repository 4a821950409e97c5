"""Embeddings, reranking and probes over real HTTP against the scripted server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette

from providers.degrade import count
from providers.embed import open_embedder
from providers.errors import (
    AddressForbidden,
    BadResponse,
    ModelNotFound,
    Refused,
    Unreachable,
    UnusableVector,
)
from providers.http import Http
from providers.probe import detect_local_servers, probe_chat, probe_embedding, probe_rerank
from providers.rerank import FALLBACK, Reranker
from providers.scenarios import Reply, refuse, say
from providers.scripted import play, running, scripted_app
from providers.types import Endpoint


@pytest.fixture
def app() -> Starlette:
    return scripted_app()


@pytest.fixture
async def base_url(app: Starlette) -> AsyncIterator[str]:
    async with running(app) as url:
        yield url


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    http = Http()
    yield http
    await http.close()


async def test_vectors_have_unit_length_and_one_space(base_url: str, http: Http) -> None:  # G1
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed-shuffled"), http=http)
    vectors = await embedder.embed_documents(["the heavy anchor", "bread and butter", "the heavy winch"])
    assert embedder.key.dimensions == vectors.shape[1] == 64
    assert embedder.key.model == "scripted-embed-shuffled"
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(vectors[2], await embedder.embed_query("the heavy winch"), atol=1e-6)
    assert (await embedder.embed_documents([])).shape == (0, 64)


async def test_s_pr_02_dimensions_are_stripped_and_remembered(
    app: Starlette, base_url: str, http: Http, shared: Path
) -> None:  # S-PR-02, G7
    refused = json.loads((shared / "cases/files/S-PR-02/script.json").read_text())[0]
    model = "scripted-embed-no-dimensions"
    embedder = await open_embedder(Endpoint(base_url, model), http=http, dimensions=32)
    await embedder.embed_documents(["short note"])
    assert [request.get("dimensions") for request in app.state.requests] == [32, None, None]
    assert embedder.key.dimensions == 64  # what came, not what was asked for
    assert refused["body"]["error"]["param"] == "dimensions"


async def test_dimensions_are_used_where_they_can_be(base_url: str, http: Http) -> None:
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed"), http=http, dimensions=32)
    assert (await embedder.embed_query("x")).shape == (32,)


async def test_s_pr_03_a_refused_batch_is_halved(
    app: Starlette, base_url: str, http: Http
) -> None:  # S-PR-03, G5
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed-limit-20"), http=http)
    app.state.requests.clear()
    texts = [f"chunk {i}" for i in range(50)]
    assert (await embedder.embed_documents(texts)).shape == (50, 64)
    sizes = [len(request["input"]) for request in app.state.requests]
    assert sizes == [50, 25, 12, 12, 12, 12, 2]
    failed = [json.dumps(r) for r in app.state.requests if len(r["input"]) > 20]
    assert len(set(failed)) == len(failed)
    app.state.requests.clear()
    await embedder.embed_documents(texts)  # the limit is known now
    assert len(app.state.requests[0]["input"]) == 12


async def test_a_text_that_is_refused_alone_is_an_error(app: Starlette, base_url: str, http: Http) -> None:
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed"), http=http)
    play(app, [refuse(400, "bad input")])
    with pytest.raises(Refused):
        await embedder.embed_documents(["x"] * 50)
    assert len(app.state.requests) == 1 + 6  # 50, 25, 12, 6, 3, 1


async def test_a_busy_server_delays_and_does_not_fail(
    app: Starlette, base_url: str, http: Http
) -> None:  # E26
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed-429-once"), http=http)
    assert (await embedder.embed_query("x")).shape == (64,)


async def test_prefixes_tell_queries_from_documents(app: Starlette, base_url: str, http: Http) -> None:  # G4
    endpoint = Endpoint(base_url, "scripted-embed")
    embedder = await open_embedder(endpoint, http=http, query_prefix="query: ", document_prefix="passage: ")
    await embedder.embed_query("x")
    await embedder.embed_documents(["y"])
    assert [request["input"] for request in app.state.requests[1:]] == [["query: x"], ["passage: y"]]
    assert (embedder.key.query_prefix, embedder.key.document_prefix) == ("query: ", "passage: ")


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("scripted-embed-zero", UnusableVector),
        ("scripted-embed-short", BadResponse),
        ("unheard-of", ModelNotFound),
    ],
)
async def test_what_cannot_be_searched_is_refused(
    base_url: str, http: Http, model: str, error: type[Exception]
) -> None:  # G9
    with pytest.raises(error):
        await open_embedder(Endpoint(base_url, model), http=http)


async def test_vectors_that_change_their_length_are_refused(
    app: Starlette, base_url: str, http: Http
) -> None:
    embedder = await open_embedder(Endpoint(base_url, "scripted-embed"), http=http, dimensions=32)
    embedder.compat.learnt["dimensions"] = None  # as if the model had been swapped behind the address
    with pytest.raises(UnusableVector, match="length"):
        await embedder.embed_query("x")


async def test_forbidden_and_dead_addresses(http: Http) -> None:  # X11
    with pytest.raises(AddressForbidden):
        await open_embedder(Endpoint("http://169.254.169.254/v1", "m"), http=http)
    result = await probe_embedding(Endpoint("http://127.0.0.1:9/v1", "m"), http=http)
    assert (result.ok, result.message) == (False, Unreachable().message)


PASSAGES = [
    "Bake the bread.",
    "The anchor weighs 940 kg.",
    "The winch is red.",
    "Dunholt has a harbour.",
    "Nothing.",
]


@pytest.mark.parametrize("model", ["scripted-rerank", "scripted-rerank-odd"])
async def test_a_model_called_rerank_is_asked_natively(
    app: Starlette, base_url: str, http: Http, model: str
) -> None:
    reranker = Reranker(Endpoint(base_url, model), http=http)  # J1, J6
    order = await reranker.rerank("the anchor weighs", PASSAGES)
    assert order[0] == 1
    assert sorted(order) == list(range(5))
    assert app.state.requests[0]["documents"] == PASSAGES  # J4
    await reranker.close()


async def test_s_pr_05_every_candidate_once_and_each_fallback_counted(
    app: Starlette, base_url: str, http: Http, shared: Path
) -> None:  # S-PR-05, J2, J3, J6
    answers = json.loads((shared / "cases/files/S-PR-05/answers.json").read_text())
    reranker = Reranker(Endpoint(base_url, "any"), http=http)
    counted = []
    for number, answer in enumerate(answers, 1):
        play(app, [answer])
        before = count(FALLBACK)
        order = await reranker.rerank("the anchor", PASSAGES)
        assert sorted(order) == list(range(5))
        if count(FALLBACK) > before:
            counted.append(number)
            assert order == list(range(5))
    await reranker.close()
    assert counted == [2, 3, 6]


async def test_a_failing_native_reranker_keeps_the_order(base_url: str, http: Http) -> None:  # J2, J3
    before = count(FALLBACK)
    reranker = Reranker(Endpoint(base_url, "scripted-rerank-500"), http=http)
    assert await reranker.rerank("the anchor", PASSAGES) == list(range(5))
    assert count(FALLBACK) == before + 1


async def test_one_candidate_needs_no_model(http: Http) -> None:
    assert await Reranker(Endpoint("http://127.0.0.1:9/v1", "rerank"), http=http).rerank("x", ["y"]) == [0]


async def test_probing_a_chat_model(base_url: str, http: Http) -> None:  # N6
    result = await probe_chat(Endpoint(base_url, "scripted-tool"), http=http)
    assert result.ok
    assert result.message == "Connected: scripted-tool answers."
    assert {fact.label: fact.value for fact in result.facts}["Calls tools"] == "yes"


async def test_probing_finds_out_what_a_model_refuses(base_url: str, http: Http) -> None:  # N6
    result = await probe_chat(Endpoint(base_url, "scripted-strict"), http=http)
    assert result.ok
    assert result.learnt == {"max_tokens": "max_completion_tokens", "temperature": None}


async def test_probing_a_wrong_name_says_what_is_there(base_url: str, http: Http) -> None:
    result = await probe_chat(Endpoint(base_url, "gpt-9"), http=http)
    assert not result.ok
    assert "scripted-cite" in result.facts[0].value


async def test_an_address_without_its_v1_is_put_right(base_url: str, http: Http) -> None:
    result = await probe_chat(Endpoint(base_url.removesuffix("/v1"), "scripted-cite"), http=http)
    assert not result.ok
    assert result.facts[0].value == base_url


@pytest.mark.parametrize("model", ["scripted-401", "scripted-html", "scripted-empty"])
async def test_probing_what_does_not_work(base_url: str, http: Http, model: str) -> None:  # X11
    result = await probe_chat(Endpoint(base_url, model), http=http)
    assert not result.ok
    assert result.message.endswith(".")
    assert "sk-qzv" not in repr(result)


async def test_probing_embeddings_and_rerankers(base_url: str, http: Http) -> None:
    result = await probe_embedding(Endpoint(base_url, "scripted-embed"), http=http)
    assert result.ok
    assert result.facts[0].value == "64"
    assert (await probe_rerank(Endpoint(base_url, "scripted-rerank"), http=http)).ok
    assert not (await probe_rerank(Endpoint(base_url, "scripted-rerank-500"), http=http)).ok


async def test_a_listwise_reranker_can_be_probed(app: Starlette, base_url: str, http: Http) -> None:
    app.state.queue = [Reply(say("[2, 1, 3]"))]
    assert (await probe_rerank(Endpoint(base_url, "any"), http=http)).ok


async def test_local_servers_are_found_and_we_are_not_among_them(base_url: str, http: Http) -> None:
    port = int(base_url.split(":")[2].removesuffix("/v1"))
    servers = (("Ollama", port), ("vLLM", 9))
    found = await detect_local_servers(http=http, own_port=8000, servers=servers)
    assert [(server.name, server.base_url) for server in found] == [("Ollama", base_url)]
    assert "scripted-cite" in found[0].models
    assert await detect_local_servers(http=http, own_port=port, servers=servers) == []
