"""The keyword arm: BM25 over the caller's passages, weighted by how rare each word of the query is among them.

Passages are collected by the rarest words, as few as keep the postings read bounded, and ranked by all of them:
one absent word silences nothing, a common one does not flood, and a passage with every word comes first (I18).
"""

from __future__ import annotations

from functools import cache

from retrieval.candidates import Candidate, candidate
from retrieval.dense import passages_within
from retrieval.passages import Filters
from retrieval.within import within
from sql.db import Connection, Row
from sql.queries import query as named

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
    few = narrow = bool(filters.json())
    if narrow:
        few = await passages_within(connection, filters) <= FEW

    async def ranked(text: str, best: int) -> list[Row]:
        limits = (MAX_TERMS, COUNTED, BUDGET * candidates, best, candidates, cap)
        return await within(connection, text, filters, query, *limits)

    found = await ranked(statement(few=few, narrow=narrow and not few), BEST * candidates)
    if not few and (not found or not found[0]["complete"]):
        found = await ranked(statement(narrow=True, capped=True), BEST_AGAIN * candidates)
    return [candidate(row, coverage=row["coverage"], exact=row["exact"]) for row in found]


@cache
def statement(*, few: bool = False, narrow: bool = False, capped: bool = False) -> str:
    """The arm's statement; what it is not is left out of the plan, which is half as large without."""
    text = named("keyword_arm").replace("$9::boolean", str(few)).replace("$10::boolean", str(narrow))
    return text.replace("FROM scored", "FROM capped") if capped else text
