"""The dense arm: exact for a caller with few visible passages, the approximate index for one with many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from providers.types import SpaceKey
from retrieval.candidates import Candidate, candidate
from retrieval.errors import SpaceMismatch
from retrieval.passages import Filters
from retrieval.within import within
from sql.db import Connection, Row
from sql.queries import query as named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Recall@10 of the walk against comparing with all, and milliseconds, on identifiers (9,506 passages, thousands of
# them near-equal part numbers; two builds of the index) and on scifact (5,183 abstracts):
#                 ef_search 100        400               1,000             flat
#   identifiers   .61, .86; 2.4 ms     .79, .95; 3.4     .90, .98; 6.3     1; 6.5 in Postgres
#   scifact       .994; 2.7            .998; 6.6         1; 9.0            1; 3.5 in Postgres
FLAT_VECTORS = 12_000
EXACT_PASSAGES = 1_000  # by their documents: compared in 4 ms, and never one missed
COUNTED_DOCUMENTS = 10_000  # inside filters; each holds a passage
INDEXED = (384, 512, 768, 1024, 1536, 3072)  # vectors_N in the schema
MAX_SCAN_TUPLES = (
    "200000"  # 20,000 near rows of somebody else hid 30: 0 of 10 found at the default, 10 at this
)
EF_SEARCH = "400"
REACH = 4  # times the candidates that are looked up first
REACH_FAR = 20  # and where a few documents have them all: one of 400 passages does not keep the others out


async def passages_within(connection: Connection, filters: Filters) -> int:
    """How many passages are inside filters, counted over so many documents at most."""
    return int(await connection.fetchval(named("passages_within"), filters.json(), COUNTED_DOCUMENTS))


def same_space(row: Row, key: SpaceKey) -> bool:
    """Whether there is anything to compare with; raises SpaceMismatch for another space (G1, G3)."""
    if row["space_id"] is None:
        return False
    stored = SpaceKey(
        row["provider"], row["model"], row["dimensions"], row["query_prefix"], row["document_prefix"]
    )
    if stored != key:
        raise SpaceMismatch(f"The documents are indexed with {stored.model}, and queries use {key.model}.")
    return True


def exactly(passages: int, *, indexed: int, reach: int) -> bool:
    """Whether comparing with each visible passage costs less than walking the index to `reach` of them.

    The walk meets indexed / passages rows for each that is visible: the two cost the same where passages is the
    square root of reach x indexed (3,100 of 100,000 for 96), a row costing about 5 us in both.
    """
    return passages <= max(EXACT_PASSAGES, math.isqrt(reach * max(indexed, passages)))


async def dense_arm(
    connection: Connection,
    vector: NDArray[np.float32],
    filters: Filters,
    *,
    key: SpaceKey,
    candidates: int,
    cap: int,
) -> list[Candidate]:
    """The passages nearest to a query's vector, nearest first. Raises SpaceMismatch."""
    passages = await passages_within(connection, filters) if filters.json() else None

    async def flat(reach: int) -> list[Row]:
        limits = (reach, candidates, cap, FLAT_VECTORS, passages, MAX_SCAN_TUPLES, EF_SEARCH)
        return await within(connection, named("dense_arm_flat"), filters, vector, *limits)

    async def in_space(statement: str, reach: int) -> list[Row]:
        return await within(connection, statement, filters, space, vector, reach, candidates, cap)

    async def walk(reach: int) -> list[Row]:
        return await in_space(named("dense_arm_index").replace("384", str(key.dimensions)), reach)

    reach, far = REACH * candidates, REACH_FAR * candidates
    found = await flat(reach)
    scope = found[0]  # there is one whatever there is
    if not same_space(scope, key) or not scope["passages"]:
        return []
    space, seen, nearest = scope["space_id"], scope["passages"], flat
    one_by_one = scope["flat"] or exactly(seen, indexed=scope["indexed"], reach=reach)
    if not one_by_one and key.dimensions in INDEXED:
        nearest, found = walk, await walk(reach)
    if seen > reach and _crowded(found, candidates, cap):
        found = await nearest(far)
    found = [row for row in found if row["id"] is not None]
    if len(found) < candidates:  # also when there was not enough of the caller's among the nearest
        found = await in_space(named("dense_arm_exact"), far)
    return [candidate(row, similarity=float(row["similarity"])) for row in found]


def _crowded(rows: Sequence[Row], candidates: int, cap: int) -> bool:
    """Whether a few long documents have had the places of the others (I8)."""
    held = Counter(row["document_id"] for row in rows)
    return len(rows) >= candidates and sum(min(count, cap) for count in held.values()) < candidates
