"""What an arm finds, and what is known of a text once the arms' lists are one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from retrieval.passages import Evidence, Ranks
from sql.db import Row


@dataclass(frozen=True, slots=True)
class Candidate:
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


@dataclass(frozen=True, slots=True)
class Fused:
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
    """A driver's row in plain Python values (I15)."""
    return Candidate(
        chunk_id=UUID(int=row["id"].int),
        document_id=UUID(int=row["document_id"].int),
        content_hash=bytes(row["content_hash"]),
        priority=float(row["priority"]),
        similarity=similarity,
        coverage=coverage,
        exact=exact,
    )
