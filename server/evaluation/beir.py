"""Reads an evaluation set in BEIR layout: corpus and queries as JSON lines, judgements as a table."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class BadSet(ValueError):
    """The folder is not an evaluation set in BEIR layout."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of the corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """One query with its judged documents."""

    id: str
    text: str
    relevant: Mapping[str, int]
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    name: str
    corpus: list[Entry]
    questions: list[Question]


def read_set(
    folder: Path, *, where: Mapping[str, str] | None = None, sample: int | None = None
) -> EvaluationSet:
    """Every document, and the judged queries whose metadata equal `where`, as text; of many, so many evenly spread.

    Raises BadSet.
    """
    corpus = [Entry(row["_id"], row.get("title") or "", row["text"]) for row in _rows(folder, "corpus")]
    judged = _judgements(folder)
    questions = [
        Question(row["_id"], row["text"], judged[row["_id"]], row.get("metadata") or {})
        for row in _rows(folder, "queries")
        if row["_id"] in judged
    ]
    for key, value in (where or {}).items():
        questions = [question for question in questions if str(question.metadata.get(key)) == value]
    if sample and len(questions) > sample:
        questions = [questions[place * len(questions) // sample] for place in range(sample)]
    if not corpus or not questions:
        raise BadSet(f"{folder} holds {len(corpus)} documents and {len(questions)} judged queries to ask.")
    return EvaluationSet(folder.name, corpus, questions)


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    packed, plain = folder / f"{name}.jsonl.gz", folder / f"{name}.jsonl"
    if not packed.exists() and not plain.exists():
        raise BadSet(f"{folder} has no {name}.jsonl or {name}.jsonl.gz.")
    with (
        gzip.open(packed, "rt", encoding="utf-8")
        if packed.exists()
        else plain.open(encoding="utf-8") as lines
    ):
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _judgements(folder: Path) -> dict[str, dict[str, int]]:
    """query id -> document id -> relevance; the table lies beside the corpus or in qrels/test.tsv."""
    path = next((p for p in (folder / "qrels.tsv", folder / "qrels" / "test.tsv") if p.exists()), None)
    if path is None:
        raise BadSet(f"{folder} has no qrels.tsv.")
    judged: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, relevance = line.split("\t")
        judged.setdefault(query, {})[document] = int(float(relevance))
    return judged
