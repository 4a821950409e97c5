"""`ibid bench search`: a whole search, its arms and its parts against one bare SQL statement on the same rows.

The query's vector is there already: what is measured is what Postgres and this program add to a model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from pydantic_core import to_json

from providers.local import LocalEmbedder
from providers.tokens import TokenEncoder
from providers.types import Embedder
from retrieval.dense import dense_arm
from retrieval.passages import Filters, SearchRequest, SearchResult
from retrieval.rerank import ByTokens, Reranker
from retrieval.search import search
from retrieval.shortlist import FUSED
from server.bootstrap import prepare
from server.config import Config
from server.evaluation.bench_bare import Bare, bare
from server.evaluation.bench_questions import questions
from server.evaluation.bench_rows import FEW, Material, Rows, fill, material
from server.workbench import database_urls
from sql.db import Database, Identity
from sql.queries import query
from sql.scratch import Scratch, scratch, settle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZES = (5_000, 100_000)
QUESTIONS = 60
CLIENTS = 8
WARM = 20
ROUNDS = 2
LOADED_ROUNDS = 10  # ours and the bare statement's by turns, each half a second at 5,000 passages
K = 8
NEAREST = 10
RECALLED = 20  # queries
RERANKED = 20  # candidates
LOOKS = 40  # reranked searches
CONNECTIONS = 2 * CLIENTS + 1  # each search has one connection an arm


# What a search shows, without the graph and with it.
Seen: TypeAlias = tuple[tuple[Any, ...], tuple[Any, ...]]


class Known:
    """Implements Embedder for queries whose vectors are there already."""

    def __init__(self, embedder: Embedder, vectors: dict[str, NDArray[np.float32]]) -> None:
        self.key, self._vectors = embedder.key, vectors

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vectors[text]

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise NotImplementedError("Nothing is ingested here.")


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that a size is measured with."""

    database: Database
    identity: Identity
    embedder: Known
    texts: Sequence[str]
    plain: Bare

    async def ours(self, text: str) -> SearchResult:
        """Dense and keyword arms, fusion, diversity, gates and evidence."""
        return await search(
            self.database, self.identity, self.embedder, SearchRequest(text, k=K), graph=False
        )

    async def whole(self, text: str) -> SearchResult:
        """With the graph."""
        return await search(self.database, self.identity, self.embedder, SearchRequest(text, k=K))

    async def theirs(self, text: str) -> object:
        return await self.plain.fused(text, await self.embedder.embed_query(text), K)

    async def by_index(self, text: str) -> object:
        return await self.plain.by_index(text, await self.embedder.embed_query(text), K)

    async def reranked(self, text: str, reranker: Reranker) -> SearchResult:
        """With the second look at RERANKED candidates."""
        request = SearchRequest(text, k=RERANKED // FUSED)
        return await search(self.database, self.identity, self.embedder, request, reranker=reranker)


async def bench(config: Config, *, sizes: Sequence[int] = SIZES, as_json: bool) -> int:
    """Measure in throw-away databases, which leave nothing."""
    embedder = LocalEmbedder(config.home / "models")
    tokens = TokenEncoder(config.home / "models", kept_bytes=0)
    try:
        await embedder.warm()
        texts, made = questions(QUESTIONS), await material(embedder)
        embed_ms, vectors = await _embedded(embedder, texts)
        found: dict[str, Any] = {}
        recall: dict[str, float] = {}
        async with database_urls(config) as urls:
            await prepare(config, urls.owner)
            for size in sizes:
                async with scratch(urls.owner, urls.app, size=CONNECTIONS) as place:
                    known = Known(embedder, vectors)
                    found[str(size)], recall = await _size(place, known, made, texts, size, tokens)
                    found[str(size)]["query_embed_ms"] = embed_ms
    finally:
        embedder.close()
        tokens.close()
    report = {"sizes": found, "recall_vs_exact": recall}
    print(to_json(report).decode() if as_json else sentences(report))
    return 0


def sentences(report: dict[str, Any]) -> str:
    """The report for people."""
    lines = []
    for size, found in report["sizes"].items():
        total, fused, ratio = found["total_ms"], found["bare_ms"]["fused"], found["ratio_over_bare"]
        qps = found["qps_8_clients"]
        lines.append(
            f"{int(size):,} passages: a search takes {total['p50']} ms (p95 {total['p95']}), the bare statement "
            f"{fused['p50']} ({fused['p95']}): {ratio['p50']} and {ratio['p95']} times as long. {CLIENTS} clients: "
            f"{qps['total']} searches a second against {qps['bare']}; {found['differing_under_load']} differ."
        )
    recall = ", ".join(f"{value} of {share} visible" for share, value in report["recall_vs_exact"].items())
    return "\n".join([*lines, f"Recall of the {NEAREST} nearest against exact: {recall}."])


async def _embedded(
    embedder: Embedder, texts: Sequence[str]
) -> tuple[dict[str, float], dict[str, NDArray[np.float32]]]:
    vectors, times = {}, []
    for text in texts:
        started = perf_counter()
        vectors[text] = await embedder.embed_query(text)
        times.append(_ms(started))
    return spans(times), vectors


async def _size(
    place: Scratch, known: Known, made: Material, texts: Sequence[str], size: int, tokens: TokenEncoder
) -> tuple[dict[str, Any], dict[str, float]]:
    key = known.key
    async with place.database.as_user(place.identity) as connection:
        fields = (key.provider, key.model, key.dimensions, key.query_prefix, key.document_prefix)
        space: UUID = (await connection.fetchrow(query("create_space"), *fields))["id"]
    rows = await fill(place, space, made, size)
    async with bare(place, space, key.dimensions, rows=size, size=CLIENTS) as plain:
        await settle(place.owner_url)
        contest = Contest(place.database, place.identity, known, texts, plain)
        found = await measure(contest)
        found["rerank_ms"] = await _looks(contest, ByTokens(tokens))
        return found, await recalls(contest, rows, space)


async def measure(contest: Contest) -> dict[str, Any]:
    """Times alone and under load, ours and the bare statement's by turns."""
    for text in contest.texts[:WARM]:
        for each in (contest.ours, contest.whole, contest.theirs, contest.by_index):
            await each(text)
    ours, arms = [], {name: list[float]() for name in ("dense", "keyword", "graph")}
    plain = {name: list[float]() for name in ("dense", "keyword", "fused", "by_index")}
    alone: dict[str, Seen] = {}
    for text in [*contest.texts] * ROUNDS:
        started = perf_counter()
        result = await contest.ours(text)
        ours.append(_ms(started))
        vector = await contest.embedder.embed_query(text)
        plain["fused"].append(await _timed(contest.theirs(text)))
        plain["by_index"].append(await _timed(contest.by_index(text)))
        plain["dense"].append(await _timed(contest.plain.dense(vector)))
        plain["keyword"].append(await _timed(contest.plain.keyword(text)))
        whole = await contest.whole(text)
        for name, times in arms.items():
            times.append(whole.timings_ms[name])
        alone[text] = _seen(result), _seen(whole)
    loaded = await _under_load(contest, alone)
    total, bare_ms = spans(ours), {name: spans(times) for name, times in plain.items()}
    return {
        "total_ms": total,
        "arms_ms": {name: spans(times) for name, times in arms.items()},
        "bare_ms": bare_ms,
        "ratio_over_bare": _ratio(total, bare_ms["fused"]),
        "ratio_over_bare_by_index": _ratio(total, bare_ms["by_index"]),
        **loaded,
    }


async def _looks(contest: Contest, reranker: Reranker) -> dict[str, float]:
    """How long the second look takes, at so many candidates whose vectors are not there yet."""
    times = []
    for text in contest.texts[:LOOKS]:
        result = await contest.reranked(text, reranker)
        if result.counts.rrf_candidates == RERANKED:
            times.append(result.timings_ms["rerank"])
    return spans(times or [0.0])


async def _under_load(contest: Contest, alone: dict[str, Seen]) -> dict[str, Any]:
    differing = 0

    async def ours(text: str) -> None:
        nonlocal differing
        differing += _seen(await contest.ours(text)) != alone[text][0]

    async def whole(text: str) -> None:
        nonlocal differing
        differing += _seen(await contest.whole(text)) != alone[text][1]

    for each in (whole, ours, contest.theirs):  # every connection has its plans
        await _load(each, contest.texts)
    total, bare_ = [], []
    for _ in range(LOADED_ROUNDS):
        total.append(await _load(ours, contest.texts))
        bare_.append(await _load(contest.theirs, contest.texts))
    count = len(contest.texts) * LOADED_ROUNDS
    times = {"total": [t for run, _ in total for t in run], "bare": [t for run, _ in bare_ for t in run]}
    return {
        "qps_8_clients": {
            "total": round(count / sum(seconds for _, seconds in total), 1),
            "bare": round(count / sum(seconds for _, seconds in bare_), 1),
        },
        "ms_8_clients": {name: spans(found) for name, found in times.items()},
        "differing_under_load": differing,
    }


async def _load(each: Callable[[str], Awaitable[object]], texts: Sequence[str]) -> tuple[list[float], float]:
    """Milliseconds of each query, asked by CLIENTS at once, and the seconds of all."""
    waiting, times = list(texts), []

    async def client() -> None:
        while waiting:
            text = waiting.pop()
            started = perf_counter()
            await each(text)
            times.append(_ms(started))

    started = perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return times, perf_counter() - started


async def recalls(contest: Contest, rows: Rows, space: UUID) -> dict[str, float]:
    """Of the NEAREST by comparing with each, the share that the dense arm finds, for whoever sees little."""
    found = {}
    for share, identity in zip(FEW, rows.others, strict=True):
        hits = wanted = 0
        for text in contest.texts[:RECALLED]:
            vector = await contest.embedder.embed_query(text)
            async with contest.database.as_user(identity) as connection:
                near = await connection.fetch(query("bench_nearest"), space, vector, NEAREST)
                arm = await dense_arm(
                    connection,
                    vector,
                    Filters(),
                    key=contest.embedder.key,
                    candidates=3 * NEAREST,
                    cap=NEAREST,
                )
            hits += len({row["id"] for row in near} & {c.chunk_id for c in arm[:NEAREST]})
            wanted += len(near)
        found[str(share)] = round(hits / wanted, 3) if wanted else 1.0
    return found


def _ratio(ours: dict[str, float], theirs: dict[str, float]) -> dict[str, float]:
    return {name: round(ours[name] / theirs[name], 2) for name in ours}


def _seen(result: SearchResult) -> tuple[Any, ...]:
    return (result.grounding, *((p.chunk_id, p.score, p.evidence) for p in result.passages))


def spans(times: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(times)
    return {name: round(ordered[int(len(ordered) * part)], 2) for name, part in (("p50", 0.5), ("p95", 0.95))}


async def _timed(call: Awaitable[object]) -> float:
    started = perf_counter()
    await call
    return _ms(started)


def _ms(since: float) -> float:
    return 1000 * (perf_counter() - since)
