"""`ibid eval retrieval`: what the arms, their fusion and the search itself find of what is relevant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from providers.types import Embedder
from retrieval.arms import Arms, find
from retrieval.candidates import Candidate, Fused
from retrieval.passages import Filters, SearchRequest
from retrieval.rerank import Reranker
from retrieval.search import search
from server.evaluation.beir import EvaluationSet, Question, read_set
from server.evaluation.corpus import store
from server.evaluation.metrics import METRICS, interval, mean
from sql.db import Connection, Database, Identity
from sql.scratch import scratch, settle

ARMS = ("dense", "keyword", "graph", "fused", "default")
DOCUMENTS = 10  # of the default ranking; a document scores as its best passage
PASSAGES = 30  # the smallest k whose cap (3 of 8) leaves room for ten documents of three passages each
DEEP = 600  # candidates an arm for recall@100: six passages a document
AT_ONCE = 3  # queries: two cores and a Postgres of their own
MOST_VALUES = 20  # a metadata key with more values than this is a label, not a group

Rankings = dict[str, list[str]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """Means per arm and metric, for all queries and by metadata; the shape is interfaces.md's."""

    set: str
    documents: int
    queries: int
    arms: dict[str, dict[str, float]]
    ci95: dict[str, dict[str, tuple[float, float]]]
    by: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        return {
            "set": self.set,
            "documents": self.documents,
            "queries": self.queries,
            "by": self.by,
            "arms": self.arms,
            "ci95": self.ci95,
        }


async def evaluate(
    folder: Path,
    *,
    owner_url: str,
    app_url: str,
    embedder: Embedder,
    reranker: Reranker | None = None,
    arms: Iterable[str] | None = None,
    where: Mapping[str, str] | None = None,
    sample: int | None = None,
    on_progress: Progress = lambda _stage, _done, _total: None,
) -> Report:
    """Bring a BEIR-layout folder into a throw-away database, ask its queries, and score the answers.

    `sample`: so many queries at most, spread over the set.
    Raises BadSet for a folder that is none, ValueError for an unknown arm.
    """
    chosen = tuple(arms or ARMS)
    if unknown := set(chosen) - set(ARMS):
        raise ValueError(f"There is no arm {', '.join(sorted(unknown))}; there are {', '.join(ARMS)}.")
    judged = read_set(folder, where=where, sample=sample)
    async with scratch(owner_url, app_url) as place:
        names = await store(
            place.database,
            place.identity,
            embedder,
            judged.corpus,
            on_progress=lambda done, total: on_progress("documents", done, total),
        )
        await settle(place.owner_url)
        ask = Asker(place.database, place.identity, embedder, reranker, names)
        rankings = await ask.all(
            [question.text for question in judged.questions],
            on_progress=lambda done, total: on_progress("queries", done, total),
        )
    return score(judged, rankings, chosen)


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks a corpus whose documents have these names."""

    database: Database
    identity: Identity
    embedder: Embedder
    reranker: Reranker | None
    names: Mapping[UUID, str]

    async def all(self, texts: Sequence[str], *, on_progress: Callable[[int, int], None]) -> list[Rankings]:
        """The rankings of every query, in their order, a few queries at a time."""
        rankings: list[Rankings] = [{} for _ in texts]
        waiting = iter(enumerate(texts))
        done = 0

        async def ask() -> None:
            nonlocal done
            for number, text in waiting:
                rankings[number] = await self.rank(text)
                done += 1
                on_progress(done, len(texts))

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(ask())
        return rankings

    async def rank(self, text: str) -> Rankings:
        """Document ids per arm, best first: the default as people get it, the others with raised limits."""
        arms = await find(
            *(self.database, self.identity, self.embedder, text, Filters()),
            candidates=DEEP,
            then=_as_they_are,
        )
        result = await search(
            self.database,
            self.identity,
            self.embedder,
            SearchRequest(text, k=PASSAGES),
            reranker=self.reranker,
        )
        found: dict[str, Sequence[Candidate | Fused]] = {
            "dense": arms.dense,
            "keyword": arms.keyword,
            "graph": arms.graph,
            "fused": arms.fused,
        }
        rankings = {
            arm: self._documents(c.document_id for c in candidates) for arm, candidates in found.items()
        }
        return rankings | {"default": self._documents(p.document_id for p in result.passages)[:DOCUMENTS]}

    def _documents(self, ids: Iterable[UUID]) -> list[str]:
        """Each document once, at its best passage."""
        return list(dict.fromkeys(self.names[id_] for id_ in ids))


async def _as_they_are(_connection: Connection, arms: Arms) -> Arms:
    return arms


def score(judged: EvaluationSet, rankings: Sequence[Rankings], arms: Sequence[str]) -> Report:
    """Means, intervals and groups of queries. recall@100 of the default is that of its candidates."""
    rows = [
        _row(question, ranking, arms) for question, ranking in zip(judged.questions, rankings, strict=True)
    ]
    means, intervals = (
        _means(rows, arms),
        {arm: {metric: interval([row[arm][metric] for row in rows]) for metric in METRICS} for arm in arms},
    )
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for key, values in _groups(judged.questions).items():
        for value in values:
            some = [
                row
                for question, row in zip(judged.questions, rows, strict=True)
                if str(question.metadata.get(key)) == value
            ]
            groups.setdefault(key, {})[value] = {"queries": len(some), "arms": _means(some, arms)}
    return Report(judged.name, len(judged.corpus), len(judged.questions), means, intervals, groups)


def _row(question: Question, ranking: Rankings, arms: Sequence[str]) -> dict[str, dict[str, float]]:
    row = {
        arm: {name: metric(ranking[arm], question.relevant) for name, metric in METRICS.items()}
        for arm in arms
    }
    if "default" in row:
        row["default"]["recall@100"] = METRICS["recall@100"](ranking["fused"], question.relevant)
    return row


def _means(rows: Sequence[dict[str, dict[str, float]]], arms: Sequence[str]) -> dict[str, dict[str, float]]:
    return {arm: {metric: mean([row[arm][metric] for row in rows]) for metric in METRICS} for arm in arms}


def _groups(questions: Sequence[Question]) -> dict[str, list[str]]:
    """Metadata keys that sort the queries into a few kinds, with their values."""
    values: dict[str, set[str]] = {}
    for question in questions:
        for key, value in question.metadata.items():
            values.setdefault(key, set()).add(str(value))
    return {key: sorted(found) for key, found in values.items() if 1 < len(found) <= MOST_VALUES}
