"""Tries an endpoint out and says in words how it went; finds the model servers of this machine."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace

from providers.chat import ChatClient, Patience
from providers.embed import open_embedder
from providers.errors import BadResponse, ModelNotFound, ProviderError
from providers.events import Text, Thinking, ToolCalls
from providers.http import Http
from providers.rejection import Rejected
from providers.rerank import Reranker
from providers.types import Endpoint

PATIENCE = Patience(first=45.0, between=20.0, total=60.0)  # a local model may have to be loaded first
DETECT_SECONDS = 1.0
MOST_MODELS = 200

LOCAL_SERVERS = (("Ollama", 11434), ("llama.cpp", 8080), ("vLLM", 8000), ("LM Studio", 1234))
TOOL = {
    "type": "function",
    "function": {
        "name": "search_documents",
        "description": "Search the documents.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


@dataclass(frozen=True, slots=True)
class Fact:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """`message` is a sentence; `learnt` is what Compat found out, to be kept with the endpoint (N6)."""

    ok: bool
    message: str
    latency_ms: int
    model: str
    facts: tuple[Fact, ...] = ()
    learnt: dict[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LocalServer:
    name: str
    base_url: str
    models: tuple[str, ...]


async def probe_chat(endpoint: Endpoint, *, http: Http) -> ProbeResult:
    """One short answer and one tool call."""
    chat = ChatClient(endpoint)
    start = time.perf_counter()
    try:
        first = await first_piece(chat, "Answer with one word: ready", start)
        calls = await calls_tool(chat)
    except ProviderError as error:
        return await failed(endpoint, error, start, http)
    finally:
        await chat.close()
    facts = (
        Fact("First piece after", f"{first} ms"),
        Fact("Calls tools", "yes" if calls else "no: documents are searched for every question all the same"),
        Fact("Does without", ", ".join(sorted(chat.compat.learnt)) or "nothing"),
    )
    return ProbeResult(
        True, f"Connected: {endpoint.model} answers.", first, endpoint.model, facts, chat.compat.learnt
    )


async def first_piece(chat: ChatClient, question: str, start: float) -> int:
    """Milliseconds to the first text or thought; raises BadResponse when there is neither."""
    stream = chat.stream(
        [{"role": "user", "content": question}], max_tokens=64, temperature=0.0, patience=PATIENCE
    )
    try:
        async for event in stream:
            if isinstance(event, (Text, Thinking)):
                return milliseconds(start)
    finally:
        await stream.aclose()
    raise BadResponse("The model answered with nothing. Choose another model, or look at its server's log.")


async def calls_tool(chat: ChatClient) -> bool:
    """Whether the model calls a tool that it is told to call."""
    question = "Use search_documents to find out how heavy the winch is."
    stream = chat.stream(
        [{"role": "user", "content": question}],
        tools=[TOOL],
        max_tokens=256,
        temperature=0.0,
        patience=PATIENCE,
    )
    called = False
    async for event in stream:
        called = called or isinstance(event, ToolCalls)
    return called


async def probe_embedding(endpoint: Endpoint, *, http: Http, dimensions: int | None = None) -> ProbeResult:
    """Two texts that mean the same and one that does not."""
    start = time.perf_counter()
    try:
        embedder = await open_embedder(endpoint, http=http, dimensions=dimensions)
        start = time.perf_counter()
        one, other, far = await embedder.embed_documents(
            ["How heavy is the anchor?", "What does the anchor weigh?", "Bake the bread for forty minutes."]
        )
    except ProviderError as error:
        return await failed(endpoint, error, start, http)
    elapsed, near = milliseconds(start), float(one @ other)
    facts = (
        Fact("Dimensions", str(embedder.key.dimensions)),
        Fact("Similar texts", f"{near:.2f}"),
        Fact("Unlike texts", f"{float(one @ far):.2f}"),
    )
    if near <= float(one @ far):
        message = "The server answers, but similar texts are not nearer to each other than unlike ones."
        return ProbeResult(False, message, elapsed, endpoint.model, facts)
    learnt = embedder.compat.learnt
    return ProbeResult(True, f"Connected: {endpoint.model} embeds.", elapsed, endpoint.model, facts, learnt)


async def probe_rerank(endpoint: Endpoint, *, http: Http) -> ProbeResult:
    """Three passages of which one holds the answer."""
    reranker = Reranker(endpoint, http=http)
    passages = [
        "Bake the bread for forty minutes.",
        "The anchor weighs 940 kg.",
        "The harbour is in Dunholt.",
    ]
    start = time.perf_counter()
    try:
        ranking = await reranker.ranking("How heavy is the anchor?", passages)
    except ProviderError as error:
        return await failed(endpoint, error, start, http)
    finally:
        await reranker.close()
    facts = (Fact("Asked by", "the /rerank endpoint" if reranker.native else "a chat prompt"),)
    ok = ranking[:1] == [1]
    message = (
        f"Connected: {endpoint.model} ranks."
        if ok
        else "The server answers, but it ranks the wrong passage first."
    )
    return ProbeResult(ok, message, milliseconds(start), endpoint.model, facts)


async def failed(endpoint: Endpoint, error: ProviderError, start: float, http: Http) -> ProbeResult:
    """The error as a result; for an unknown model also what the server offers, there or below /v1."""
    elapsed = milliseconds(start)
    facts: tuple[Fact, ...] = ()
    if isinstance(error, ModelNotFound):
        longer = f"{endpoint.base_url.rstrip('/')}/v1"
        if offered := await list_models(endpoint, http=http):
            facts = (Fact("Models there", ", ".join(offered[:12])),)
        elif await list_models(replace(endpoint, base_url=longer), http=http):
            facts = (Fact("Try the address", longer),)
    return ProbeResult(False, error.message, elapsed, endpoint.model, facts)


async def list_models(endpoint: Endpoint, *, http: Http, seconds: float = 10.0) -> tuple[str, ...]:
    """The names of the models at an address, none when it cannot say."""
    try:
        answer = await http.get(endpoint, "/models", seconds=seconds)
    except (ProviderError, Rejected):
        return ()
    data = answer.get("data") if isinstance(answer, dict) else None
    names = [item.get("id") for item in data if isinstance(item, dict)] if isinstance(data, list) else []
    return tuple(name[:200] for name in names[:MOST_MODELS] if isinstance(name, str) and name)


async def detect_local_servers(
    *, http: Http, own_port: int | None, servers: tuple[tuple[str, int], ...] = LOCAL_SERVERS
) -> list[LocalServer]:
    """Model servers on this machine, asked all at once; `own_port`, where we listen, is never asked."""

    async def look(name: str, port: int) -> LocalServer | None:
        base_url = f"http://127.0.0.1:{port}/v1"
        models = await list_models(Endpoint(base_url, ""), http=http, seconds=DETECT_SECONDS)
        return LocalServer(name, base_url, models) if models else None

    found = await asyncio.gather(*(look(name, port) for name, port in servers if port != own_port))
    return [server for server in found if server]


def milliseconds(start: float) -> int:
    return round((time.perf_counter() - start) * 1000)
