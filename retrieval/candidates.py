"""What an arm finds, and what is known of a text once the arms' lists are one: 60 of each in every search."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from retrieval.passages import Evidence, Ranks
from sql.db import Row


class Candidate(NamedTuple):
    """A passage found by one arm; texts are told apart by `content_hash`, so that equal ones meet.

    `similarity` is the dense arm's cosine; `coverage` (0 to 1) and `exact` (every code of the query
    occurs) are the keyword arm's.
    """

    chunk_id: UUID
    document_id: UUID
    content_hash: bytes
    priority: float
    similarity: float | None = None
    coverage: float | None = None
    exact: bool = False


class Fused(NamedTuple):
    """A text that some arm found, with its place in each arm's list; no evidence: not to be shown."""

    chunk_id: UUID
    document_id: UUID
    score: float
    ranks: Ranks
    similarity: float | None
    coverage: float | None
    evidence: Evidence | None
    priority: float = 1.0


def candidate(
    row: Row, *, similarity: float | None = None, coverage: float | None = None, exact: bool = False
) -> Candidate:
    """A row of an arm. Its ids stay the driver's own UUIDs, as most are never shown; results have plain ones (I15)."""
    return Candidate(
        row["id"], row["document_id"], row["content_hash"], row["priority"], similarity, coverage, exact
    )
