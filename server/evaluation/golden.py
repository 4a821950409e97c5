"""A workspace's golden questions: whether its searches find the documents that people said they must (P8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from retrieval.passages import SearchRequest, SearchResult
from server.evaluation.metrics import METRICS, interval, mean
from sql.db import Database, Identity
from sql.queries import query

MOST_QUESTIONS = 500  # 40 ms each with the embedded models: 20 s
PASSAGES = 24  # of ten documents and more; as many as an evaluation of a public set asks for
FOUND = 10
SCORED = ("success@1", "recall@5")

Search = Callable[[SearchRequest], Awaitable[SearchResult]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Named:
    """A document."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Golden:
    """A question with the documents that must be found; `hidden` counts those its reader may not see."""

    id: UUID
    question: str
    documents: tuple[Named, ...]
    hidden: int
    own: bool
    created_at: Any

    def json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question came to; `rank` of the best expected document, from 1."""

    golden: Golden
    found: tuple[Named, ...]
    rank: int | None
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class Report:
    """All questions. `skipped` have no expected document that the reader may see."""

    outcomes: tuple[Outcome, ...]
    skipped: int

    def json(self) -> dict[str, Any]:
        values = {name: [outcome.metrics[name] for outcome in self.outcomes] for name in SCORED}
        return {
            "questions": len(self.outcomes),
            "skipped": self.skipped,
            "metrics": {name: mean(scores) for name, scores in values.items()},
            "ci95": {name: interval(scores) for name, scores in values.items()},
            "results": [
                {
                    "id": outcome.golden.id,
                    "question": outcome.golden.question,
                    "expected": [asdict(document) for document in outcome.golden.documents],
                    "found": [asdict(document) for document in outcome.found],
                    "rank": outcome.rank,
                    "metrics": outcome.metrics,
                }
                for outcome in self.outcomes
            ],
        }


async def add_golden(
    database: Database, identity: Identity, question: str, document_ids: Sequence[UUID]
) -> UUID | None:
    """Keep a question and the documents that answer it; the same question again replaces them.

    None, and nothing kept, where the caller does not see one of the documents.
    """
    wanted = list(dict.fromkeys(document_ids))
    async with database.as_user(identity) as connection:
        if await connection.fetchval(query("count_seen"), wanted) != len(wanted):
            return None
        id_: Any = await connection.fetchval(query("insert_golden"), question.strip())
        await connection.fetchval(query("replace_golden_documents"), id_, wanted)
    return UUID(int=id_.int)


async def list_golden(database: Database, identity: Identity) -> list[Golden]:
    """The caller's questions, an administrator's also those of others, oldest first."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("list_golden"), MOST_QUESTIONS)
    return [
        Golden(
            id=UUID(int=row["id"].int),
            question=row["question"],
            documents=tuple(Named(item["id"], item["name"]) for item in row["documents"]),
            hidden=row["hidden"],
            own=row["own"],
            created_at=row["created_at"],
        )
        for row in rows
    ]


async def delete_golden(database: Database, identity: Identity, id_: UUID) -> bool:
    """False where there is no such question of the caller's."""
    async with database.as_user(identity) as connection:
        return await connection.fetchval(query("delete_golden"), id_) is not None


async def run_golden(
    questions: Sequence[Golden], search: Search, *, on_progress: Progress = lambda _done, _total: None
) -> Report:
    """Ask every question as its reader and score the documents that come back, in order of their passages."""
    asked = [golden for golden in questions if golden.documents]
    outcomes = []
    for number, golden in enumerate(asked, 1):
        result = await search(SearchRequest(golden.question, k=PASSAGES))
        outcomes.append(_outcome(golden, result))
        on_progress(number, len(asked))
    return Report(tuple(outcomes), len(questions) - len(asked))


def _outcome(golden: Golden, result: SearchResult) -> Outcome:
    names = {str(passage.document_id): passage.name for passage in result.passages}
    ranking = list(names)[:FOUND]
    judged = {document.id: 1 for document in golden.documents}
    ranks = [place for place, id_ in enumerate(ranking, 1) if id_ in judged]
    return Outcome(
        golden=golden,
        found=tuple(Named(id_, names[id_]) for id_ in ranking),
        rank=min(ranks, default=None),
        metrics={name: METRICS[name](ranking, judged) for name in SCORED},
    )
