"""The yardstick of the search benchmark: the same rows in plain tables, asked in one SQL statement.

Dense, BM25 over a table of postings and their fusion by rank, with no row-level security, no filters, no gates.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from retrieval.dense import EF_SEARCH, FLAT_VECTORS
from server.evaluation.bench_rows import BUILDING_SECONDS, memory_mb
from sql.db import Database, Row, open_connection, owner_transaction
from sql.queries import query, read
from sql.scratch import Scratch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATEMENTS = Path(__file__).with_name("bare.sql")


@dataclass(frozen=True, slots=True)
class Bare:
    """The statements of the plain tables, on a pool of their own."""

    database: Database
    statements: dict[str, str]

    async def dense(self, vector: NDArray[np.float32]) -> list[Row]:
        return await self._fetch("dense", vector)

    async def keyword(self, query: str) -> list[Row]:
        return await self._fetch("keyword", query)

    async def fused(self, query: str, vector: NDArray[np.float32], k: int) -> list[Row]:
        return await self._fetch("fused", vector, query, k)

    async def by_index(self, query: str, vector: NDArray[np.float32], k: int) -> list[Row]:
        """The same with the approximate index at every size, which misses what a comparison with each finds."""
        return await self._fetch("by_index", vector, query, k)

    async def _fetch(self, name: str, *arguments: object) -> list[Row]:
        async with self.database.pool.acquire() as connection:
            rows: list[Row] = await connection.fetch(self.statements[name], *arguments)
        return rows


@asynccontextmanager
async def bare(place: Scratch, space: UUID, dimensions: int, *, rows: int, size: int) -> AsyncIterator[Bare]:
    """Copies the owner's rows into plain tables and indexes them."""
    statements = read(STATEMENTS)
    login = await open_connection(place.owner_url)
    try:
        await login.execute(statements["make_schema"].format(ef_search=EF_SEARCH))
    finally:
        await login.close()
    make = statements["make_tables"].format(dimensions=dimensions, space=space, owner=place.identity.user_id)
    async with owner_transaction(place.owner_url) as connection:
        await connection.execute(query("bench_memory"), f"{memory_mb(rows)}MB")
        await connection.execute(make, timeout=BUILDING_SECONDS)
    async with opened(place, statements, size=size) as found:
        yield found


@asynccontextmanager
async def opened(place: Scratch, statements: dict[str, str], *, size: int) -> AsyncIterator[Bare]:
    """The tables that are there already."""
    async with owner_transaction(place.owner_url) as connection:
        average = await connection.fetchval(statements["average_length"])
        rows = await connection.fetchval(statements["count_rows"])
    dense = statements["dense_flat" if rows <= FLAT_VECTORS else "dense"]
    keyword = statements["keyword"].format(average=average)
    by_word = keyword.replace("$1", "$2")
    fused = statements["fused"].format(dense=dense, keyword=by_word)
    by_index = statements["fused"].format(dense=statements["dense"], keyword=by_word)
    database = await Database.connect(place.app_url, size=size)
    try:
        yield Bare(database, {"dense": dense, "keyword": keyword, "fused": fused, "by_index": by_index})
    finally:
        await database.close()
