"""The keyword arm: the query's terms weighted by how rare they are among the caller's passages.

Passages are found by the rarest terms, as few as keep the matches bounded, and ranked by all of them: one
absent word silences nothing, a common one does not flood, and a passage with every term comes first (I18).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.candidates import Candidate, candidate
from retrieval.passages import Filters
from sql.db import Connection
from sql.queries import query as named

MAX_TERMS = 64  # of a pasted page, the longest words; a question has about ten
COUNTED = 4_000  # a term in more passages than this weighs almost nothing, so it is not counted further
MATCHES = 4_000  # ranking 4,800 passages by 8 terms takes 11 ms


@dataclass(frozen=True, slots=True)
class Term:
    """One lexeme of the query; `frequency` is the number of visible passages that hold it."""

    text: str
    code: bool
    frequency: int


def weight(frequency: int, passages: int) -> float:
    """Inverse document frequency as in BM25 (Robertson and Zaragoza 2009), never negative."""
    return math.log(1 + (max(passages, frequency) - frequency + 0.5) / (frequency + 0.5))


def drivers(terms: Sequence[Term], *, matches: int = MATCHES) -> list[str]:
    """The rarest terms that occur, until together they match too much; one at least, if any occurs."""
    chosen: list[str] = []
    total = 0
    for term in sorted((t for t in terms if t.frequency), key=lambda t: t.frequency):
        total += term.frequency
        if chosen and total > matches:
            break
        chosen.append(term.text)
    return chosen


async def keyword_arm(
    connection: Connection, query: str, filters: Filters, *, passages: int, candidates: int, cap: int
) -> list[Candidate]:
    """Passages that hold the query's words, best first; none when no word of it occurs.

    Args:
        passages: how many the caller can see, for the terms' weights.
        cap: passages of one document that are found beyond the best `candidates`.
    """
    rows = await connection.fetch(named("query_terms"), query, MAX_TERMS, COUNTED)
    terms = [Term(row["term"], row["code"], row["frequency"]) for row in rows]
    chosen = drivers(terms)
    if not chosen:
        return []
    weights = [weight(term.frequency, passages) for term in terms]
    rows = await connection.fetch(
        named("keyword_arm"),
        chosen,
        [term.text for term in terms],
        weights,
        [term.code for term in terms],
        filters.document_ids,
        filters.folder_id,
        filters.media_types,
        candidates,
        cap,
    )
    return [candidate(row, coverage=row["weight"] / sum(weights), exact=row["exact"]) for row in rows]
