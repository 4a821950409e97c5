"""`ibid bench stream`: what passing a model's stream through costs, against the same stream read directly.

The scripted server paces, in a process of its own; the service runs as `ibid serve` and `ibid worker` beside it.
Small talk is asked, so that nothing is searched: retrieval has its own benchmark.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from pydantic_core import to_json

from providers.local import LocalEmbedder
from server.bootstrap import Urls, prepare
from server.config import Config
from server.evaluation.bench_client import Arrivals, stream
from server.evaluation.bench_house import House, NotReady, free_port, house, rss_mb
from server.evaluation.bench_texts import texts
from server.workbench import database_urls
from sql.scratch import Scratch, scratch

RATE, TOKENS = 100, 200  # of the streams whose latency is measured, one at a time
ROUNDS = 8  # direct and through by turns: what else the machine does falls on both
LOAD_RATE = 5.0
RAMP_SECONDS = 8.0  # in which the streams of the load begin
DOCUMENTS, CHUNKS = 3, 240  # ingested meanwhile, in all
HELLO = "hello there"
OURS = {"token": b"event: text", "last": b"event: done"}
DIRECT = {"token": b'"content"', "last": b"[DONE]"}


@dataclass(frozen=True, slots=True)
class Load:
    """`gap_ms`: what comes on top of the pace between two tokens. None where the machine does not tell."""

    streams: int
    gap_ms: dict[str, float]
    kb_per_stream: float | None
    loop_lag_ms: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Latency:
    """Over the upstream's own; `throughput_ratio` is tokens a second through against direct."""

    added_first_event_ms: dict[str, float]
    added_first_token_ms: dict[str, float]
    throughput_ratio: float


async def bench(
    config: Config, *, streams: int, seconds: float, as_json: bool, rounds: int = ROUNDS, chunks: int = CHUNKS
) -> int:
    """Measure with throw-away processes and a throw-away database, which leave nothing."""
    embedder = LocalEmbedder(config.home / "models")
    try:
        await embedder.warm()
    finally:
        embedder.close()
    async with database_urls(config) as urls:
        await prepare(config, urls.owner)
        async with scratch(urls.owner, urls.app) as place:
            latency, load = await _measure(
                place, urls, config.home / "models", streams, seconds, rounds=rounds, chunks=chunks
            )
    report = asdict(latency) | asdict(load)
    print(to_json(report).decode() if as_json else _sentences(latency, load))
    return 0


async def _measure(
    place: Scratch, urls: Urls, models: Path, streams: int, seconds: float, *, rounds: int, chunks: int
) -> tuple[Latency, Load]:
    with tempfile.TemporaryDirectory(prefix="ibid-bench-") as folder:
        async with upstream() as port, house(place, urls, Path(folder), models) as opened:
            await opened.use_model(f"http://127.0.0.1:{port}/v1", f"scripted-pace-{RATE}-{TOKENS}")
            latency = await _latency(opened, port, rounds)
            tokens = int(LOAD_RATE * seconds)
            await opened.use_model(f"http://127.0.0.1:{port}/v1", f"scripted-pace-{LOAD_RATE:g}-{tokens}")
            return latency, await _load(opened, streams, chunks)


@asynccontextmanager
async def upstream() -> AsyncIterator[int]:
    """The scripted model server's paced streams as a process; gives its port."""
    port = free_port()
    process = _start(port)
    try:
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        else:
            raise NotReady("The scripted model server did not start.")
        yield port
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait, 10)


def _start(port: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "providers.paced", "--port", str(port)]
    return subprocess.Popen(words, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL)


async def _latency(opened: House, port: int, rounds: int) -> Latency:
    body = json.dumps({"model": f"scripted-pace-{RATE}-{TOKENS}", "stream": True, "messages": []}).encode()
    direct = partial(stream, port, "/v1/chat/completions", body, headers={}, **DIRECT)
    await direct()
    await _ask(opened, await opened.thread())  # both are warm
    bare: list[Arrivals] = []
    through: list[Arrivals] = []
    for _ in range(rounds):
        bare.append(await direct())
        through.append(await _ask(opened, await opened.thread()))
    own_event = statistics.median(a.first_event for a in bare)
    own_token = statistics.median(a.tokens[0] for a in bare)
    return Latency(
        _spread([(a.first_event - own_event) * 1000 for a in through]),
        _spread([(a.tokens[0] - own_token) * 1000 for a in through]),
        round(statistics.median(map(_speed, through)) / statistics.median(map(_speed, bare)), 3),
    )


async def _load(opened: House, streams: int, chunks: int) -> Load:
    threads = [await opened.thread() for _ in range(streams)]
    before = rss_mb(opened.server)
    tasks = []
    for thread in threads:
        tasks.append(asyncio.create_task(_ask(opened, thread)))
        await asyncio.sleep(RAMP_SECONDS / streams)
    per_document = [(f"load-{n}.txt", text) for n, text in enumerate(texts(DOCUMENTS, chunks=chunks))]
    ingesting = asyncio.create_task(opened.ingest(per_document))
    peak = before
    while not all(task.done() for task in tasks):
        await asyncio.wait(tasks, timeout=2, return_when=asyncio.ALL_COMPLETED)
        now = rss_mb(opened.server)
        peak = max(peak, now) if peak is not None and now is not None else None
        health = await opened.health()
    arrivals = [task.result() for task in tasks]
    await ingesting
    gaps = sorted(max(0.0, gap) for a in arrivals for gap in _gaps(a))
    return Load(
        streams,
        {"p50": _at(gaps, 0.5), "p99": _at(gaps, 0.99)},
        round((peak - before) * 1024 / streams, 1) if peak is not None and before is not None else None,
        {"p50": health["loop_lag_ms"]["p50"], "p99": health["loop_lag_ms"]["p99"]},
    )


async def _ask(opened: House, thread: str) -> Arrivals:
    path = f"/api/threads/{thread}/messages"
    body = json.dumps({"content": HELLO}).encode()
    return await stream(opened.port, path, body, headers={"Authorization": f"Bearer {opened.token}"}, **OURS)


def _gaps(arrivals: Arrivals) -> list[float]:
    """Milliseconds over the pace, between each token and the one before."""
    pace = 1000 / LOAD_RATE
    return [(b - a) * 1000 - pace for a, b in zip(arrivals.tokens, arrivals.tokens[1:], strict=False)]


def _speed(arrivals: Arrivals) -> float:
    return (len(arrivals.tokens) - 1) / (arrivals.tokens[-1] - arrivals.tokens[0])


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p50": _at(ordered, 0.5), "p95": _at(ordered, 0.95)}


def _at(ordered: Sequence[float], share: float) -> float:
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 2)


def _sentences(latency: Latency, load: Load) -> str:
    event, first = latency.added_first_event_ms, latency.added_first_token_ms
    return (
        f"Added to the upstream's own: first event {event['p50']:.1f} ms (p95 {event['p95']:.1f}), first token "
        f"{first['p50']:.1f} ms (p95 {first['p95']:.1f}); tokens a second {latency.throughput_ratio:.2f} of direct.\n"
        f"{load.streams} streams at once while documents are ingested: gap over the pace p99 "
        f"{load.gap_ms['p99']:.0f} ms, {load.kb_per_stream} KB a stream, loop lag p99 {load.loop_lag_ms['p99']} ms."
    )
