"""A real OpenAI-compatible server with scripted answers, for tests and `python -m providers.scripted`.

The model's name chooses what happens (see `scenarios`); raw streams and lists of answers can be queued.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from providers.scenarios import NEVER, Reply, answer, refuse, say, scenarios

DIMENSIONS = 64
EMBEDDINGS = "scripted-embed"  # also -limit-20, -no-dimensions, -shuffled, -zero, -short, -429-once, ...
RERANKERS = ("scripted-rerank", "scripted-rerank-odd", "scripted-rerank-500")


class Cut(Exception):
    """Ends the connection in the middle of an answer."""


def scripted_app() -> Starlette:
    """State: `requests` (bodies, in order), `headers` (of the same), `closed` (monotonic times at which a
    client hung up early), `queue` (Replies or functions of the body, in turn, the last one for ever).
    """
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/v1/embeddings", embeddings, methods=["POST"]),
            Route("/v1/rerank", rerank, methods=["POST"]),
            Route("/v1/models", models),
        ]
    )
    app.state.requests, app.state.headers, app.state.closed, app.state.queue = [], [], [], []
    app.state.seen = Counter()
    return app


def play(app: Starlette, entries: Iterable[Any]) -> None:
    """Queue a script: texts, {"status", "body"}, {"when": "KEY in request", "answer"}, or Replies."""
    app.state.queue = [entry if isinstance(entry, Reply) else scripted_entry(entry) for entry in entries]


def play_stream(app: Starlette, raw: bytes, splits: Sequence[int] = ()) -> None:
    """Answer with these bytes as they are, sent in pieces cut at these offsets."""
    app.state.queue = [Reply(raw=raw, splits=splits)]


def scripted_entry(entry: Any) -> Any:
    if isinstance(entry, str):
        return Reply(say(entry))
    if "when" not in entry:
        return Reply(status=entry["status"], error=entry.get("body", {}), headers=entry.get("headers", {}))
    key = entry["when"].removesuffix(" in request")
    return lambda body: Reply(say(entry["answer"])) if key in body else refuse(400, f"{key} is missing")


async def take(request: Request) -> tuple[dict[str, Any], Reply | None]:
    """Record the body; the queued reply to it, if there is one."""
    state, body = request.app.state, await request.json()
    state.requests.append(body)
    state.headers.append(dict(request.headers))
    if not state.queue:
        return body, None
    reply = state.queue.pop(0) if len(state.queue) > 1 else state.queue[0]
    return body, reply(body) if callable(reply) else reply


async def chat(request: Request) -> Response:
    body, reply = await take(request)
    seen = request.app.state.seen
    if reply is None:
        reply = answer(body, earlier=seen[body.get("model")])
    seen[body.get("model")] += 1
    if reply.error is not None:
        return JSONResponse(dict(reply.error), reply.status, dict(reply.headers))
    if reply.raw is None and not (body.get("stream") and reply.streams):
        await asyncio.sleep(reply.before_first)
        return JSONResponse(whole(body, reply))
    pieces = raw_pieces(reply) if reply.raw is not None else stream_pieces(body, reply)
    return StreamingResponse(noticing(request, pieces), media_type="text/event-stream")


async def noticing(request: Request, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Note the time when the client goes away before the end."""
    ended = False
    try:
        async for piece in pieces:
            yield piece
        ended = True
    except Cut:
        ended = True
        raise
    finally:
        if not ended:
            request.app.state.closed.append(time.monotonic())


async def raw_pieces(reply: Reply) -> AsyncIterator[bytes]:
    raw = reply.raw or b""
    for start, end in itertools.pairwise([0, *reply.splits, len(raw)]):
        yield raw[start:end]
        await asyncio.sleep(0.01)  # so that each piece is a packet of its own


async def stream_pieces(body: Mapping[str, Any], reply: Reply) -> AsyncIterator[bytes]:
    def frame(data: str) -> bytes:
        return f"data: {data}{reply.line_end * 2}".encode()

    def chunk(choices: list[Any], **more: Any) -> bytes:
        return frame(json.dumps({**envelope(body, "chat.completion.chunk"), "choices": choices, **more}))

    await asyncio.sleep(reply.before_first)
    start = asyncio.get_running_loop().time()
    for number, delta in enumerate(reply.deltas):
        if number == reply.cut_after:
            raise Cut
        await asyncio.sleep(NEVER if number == reply.stall_after else 0)
        if reply.pace:  # by the clock, so that late wake-ups do not add up
            await asyncio.sleep(max(0.0, start + number * reply.pace - asyncio.get_running_loop().time()))
        choices = [] if "empty" in delta else [{"index": 0, "delta": dict(delta), "finish_reason": None}]
        yield chunk(choices)
    if reply.finish:
        yield chunk([{"index": 0, "delta": {}, "finish_reason": reply.finish}])
    if reply.usage_chunk and (body.get("stream_options") or {}).get("include_usage"):
        yield chunk([], usage=usage(body, reply))
    if reply.done:
        yield frame("[DONE]")


def envelope(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": body.get("model", "")}


def whole(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    """The answer as one object: contents joined, the pieces of tool calls merged by index."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "".join(d.get("content", "") for d in reply.deltas),
    }
    calls: dict[Any, dict[str, Any]] = {}
    for entry in (entry for delta in reply.deltas for entry in delta.get("tool_calls", ())):
        first = calls.setdefault(
            entry.get("index"), {**entry, "function": {"arguments": "", **entry["function"]}}
        )
        if first["function"] is not entry["function"] and "id" not in entry:
            first["function"]["arguments"] += entry["function"]["arguments"]
    if calls:
        message["tool_calls"] = list(calls.values())
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return {**envelope(body, "chat.completion"), "choices": [choice], "usage": usage(body, reply)}


def usage(body: Mapping[str, Any], reply: Reply) -> dict[str, int]:
    """Four characters to a token, one token to a delta."""
    prompt, completion = len(json.dumps(body.get("messages", ()))) // 4, len(reply.deltas)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


async def embeddings(request: Request) -> Response:
    body, reply = await take(request)
    if reply is not None and reply.error is not None:
        return JSONResponse(dict(reply.error), reply.status, dict(reply.headers))
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    model = str(body.get("model", ""))
    refusal = refused_embedding(model, body, texts, request.app.state.seen)
    if refusal:
        return JSONResponse(dict(refusal.error or {}), refusal.status, dict(refusal.headers))
    size = body.get("dimensions") or DIMENSIONS
    data = [
        {"object": "embedding", "index": i, "embedding": vector(t, size, model)} for i, t in enumerate(texts)
    ]
    if "-shuffled" in model:
        data.reverse()
    if "-short" in model:
        data = data[:-1]
    return JSONResponse(
        {"object": "list", "model": model, "data": data, "usage": {"prompt_tokens": len(texts)}}
    )


def refused_embedding(
    model: str, body: Mapping[str, Any], texts: Sequence[str], seen: Counter[str]
) -> Reply | None:
    seen[model] += 1
    limit = re.search(r"-limit-(\d+)", model)
    if not model.startswith(EMBEDDINGS):
        return refuse(404, f"The model `{model}` does not exist.", code="model_not_found")
    if limit and len(texts) > int(limit[1]):
        return refuse(400, f"batch size must be at most {limit[1]}")
    if "-no-dimensions" in model and "dimensions" in body:
        return refuse(400, "This model does not support specifying dimensions.", parameter="dimensions")
    if "-429-once" in model and seen[model] == 1:
        return Reply(status=429, error={"error": {"message": "busy"}}, headers={"retry-after": "0.1"})
    return refuse(500, "out of memory") if "-500" in model else None


def vector(text: str, size: int, model: str) -> list[float]:
    """The sum of a fixed random direction for each word: texts that share words are near."""
    if "-zero" in model:
        return [0.0] * size
    total = np.full(size, 1e-3)
    for word in re.findall(r"\w+", text.lower()):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(size)
    return [round(float(value), 6) for value in total * 2]  # not of unit length: that is the client's work


async def rerank(request: Request) -> Response:
    body, reply = await take(request)
    if reply is not None and reply.error is not None:
        return JSONResponse(dict(reply.error), reply.status, dict(reply.headers))
    if "-500" in body["model"]:
        return JSONResponse({"error": {"message": "out of memory"}}, 500)
    query = set(re.findall(r"\w+", body["query"].lower()))
    scores = [
        len(query & set(re.findall(r"\w+", text.lower()))) / (len(query) or 1) for text in body["documents"]
    ]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    results = [{"index": i, "relevance_score": scores[i]} for i in order]
    if "-odd" in body["model"]:  # repeats, invents and leaves out
        results = [results[0], results[0], {"index": 99, "relevance_score": 0.5}]
    return JSONResponse({"model": body["model"], "results": results})


async def models(request: Request) -> Response:
    names = [*scenarios, EMBEDDINGS, *RERANKERS]
    return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})


@asynccontextmanager
async def running(app: Starlette) -> AsyncIterator[str]:
    """Serve on a free port of 127.0.0.1; gives the base URL, which ends in /v1."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110, uvicorn offers no event to wait for
            await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            server.should_exit = server.force_exit = True
            await task


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m providers.scripted", description=__doc__)
    parser.add_argument("--port", type=int, default=8191)
    parser.add_argument("--quiet", action="store_true", help="log nothing")
    options = parser.parse_args()
    level = "critical" if options.quiet else "info"
    uvicorn.run(scripted_app(), host="127.0.0.1", port=options.port, lifespan="off", log_level=level)


if __name__ == "__main__":
    main()
