"""The keyword arm: BM25 over the caller's passages, weighted by how rare each word of the query is among them.

Passages are collected by the rarest words, as few as keep the postings read bounded, and ranked by all of them:
one absent word silences nothing, a common one does not flood, and a passage with every word comes first (I18).
"""

from __future__ import annotations

from retrieval.candidates import Candidate, candidate
from retrieval.dense import passages_within
from retrieval.passages import Filters
from retrieval.within import within
from sql.db import Connection, Row
from sql.queries import query_with

MAX_TERMS = 64  # of a pasted page, the longest words; a question has about ten
COUNTED = 4_000  # rows of postings counted of one word; one in more is as common as that
# Times the candidates: rows of postings of the rarest words, at least. On cranfield, whose questions are long, all
# rows make nDCG@10 .361 in 24 ms, 40 times the candidates .359 in 7, and 10 times .362.
BUDGET = 10
BEST = 3  # times the candidates: ranked by all words of those that the rarest words put first
BEST_AGAIN = 20  # where that was too few: one long document had them all, or they are no evidence
FEW = 2_000  # passages inside the filters that are compared without a look at the postings


async def keyword_arm(
    connection: Connection, query: str, filters: Filters, *, candidates: int, cap: int
) -> list[Candidate]:
    """Passages that hold the query's words, best first; none when no word of it occurs.

    Args:
        cap: passages of one document that are found beyond the best `candidates`.
    """
    parts: tuple[str, ...] = ()
    if filters.json():
        parts = ("few",) if await passages_within(connection, filters) <= FEW else ("narrow",)

    async def ranked(best: int, *parts: str) -> list[Row]:
        limits = (MAX_TERMS, COUNTED, BUDGET * candidates, best, candidates, cap)
        return await within(connection, query_with("keyword_arm", *parts), filters, query, *limits)

    found = await ranked(BEST * candidates, *parts)
    if "few" not in parts and (not found or not found[0]["complete"]):
        found = await ranked(BEST_AGAIN * candidates, "narrow", "capped")
    return [candidate(row, coverage=row["coverage"], exact=row["exact"]) for row in found]
