"""The plans of the arms at size: small tenants are found, and nothing falls to a sequential scan."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import numpy as np
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from providers.types import SpaceKey
from retrieval import dense
from retrieval.dense import dense_arm
from retrieval.errors import SpaceMismatch
from retrieval.passages import Filters
from retrieval.within import unfiltered
from sql.db import Database, Identity
from sql.queries import query as named
from sql.queries import query_with

KEY = SpaceKey("zzyzx", "zzyzx-vectors", 384)
ROWS, FEW = 3_000, 1_000  # the owner's vectors, and how many are still searched exactly
FILL_DOCUMENTS = """
    INSERT INTO documents (workspace_id, owner_id, name, content_hash, blob_key, media_type, size_bytes,
                           status, stage, live_version, chunk_count)
    SELECT $1, $2::uuid, 'zzyzx ' || n, sha256(convert_to($2::uuid || 'd' || n, 'UTF8')), 'zzyzx', 'text/plain', 1,
           'completed', 'done', 1, $4
      FROM generate_series(0, $3::integer / $4 - 1) n
    RETURNING id"""
FILL_CHUNKS = """
    INSERT INTO chunks (workspace_id, document_id, version, owner_id, visibility, ordinal, content_hash, text,
                        block_start, block_end, char_start, char_end, tsv)
    SELECT $1, ($3::uuid[])[1 + n / $4], 1, $2::uuid, 'private', n % $4,
           sha256(convert_to($2::uuid || 'c' || n, 'UTF8')),
           'zzyzx passage ' || n, 0, 0, 0, 0, search_vector('zzyzx passage ' || n || ' word' || n % 100)
      FROM generate_series(0, $5::integer - 1) n"""
FILL_VECTORS = """
    INSERT INTO vectors (workspace_id, space_id, content_hash, dimensions, embedding)
    SELECT $1, $2, sha256(convert_to($3::uuid || 'c' || (n - 1), 'UTF8')), 384, v
      FROM unnest($4::text[]) WITH ORDINALITY AS t (text, n), LATERAL (SELECT text::halfvec AS v) cast_"""


def cloud(seed: int, rows: int, axis: int, spread: float) -> NDArray[np.float32]:
    """(rows, 384) unit vectors around one axis."""
    points = np.random.default_rng(seed).normal(0.0, spread, (rows, 384))
    points[:, axis] += 1.0
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), dtype=np.float32)


async def fill(
    connection: asyncpg.Connection,
    identity: Identity,
    space: UUID,
    vectors: NDArray[np.float32],
    per_document: int,
) -> None:
    rows = len(vectors)
    who = identity.workspace_id, identity.user_id
    found = await connection.fetch(FILL_DOCUMENTS, *who, rows, per_document)
    await connection.execute(FILL_CHUNKS, *who, [row["id"] for row in found], per_document, rows)
    texts = ["[" + ",".join(f"{x:.5f}" for x in vector) + "]" for vector in vectors]
    await connection.execute(FILL_VECTORS, who[0], space, who[1], texts)


@pytest_asyncio.fixture
async def crowd(urls: Any, people: Any, shared: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The owner holds many vectors near the query, the other 30 far from it, in one workspace and index."""
    monkeypatch.setattr(dense, "FLAT_VECTORS", 0)
    monkeypatch.setattr(dense, "exactly", lambda passages, **_: passages <= FEW)
    spec = json.loads((shared / "cases" / "files" / "S-RT-08" / "tenants.json").read_text())
    connection = await asyncpg.connect(urls.owner)
    try:
        await connection.execute("SET session_replication_role = replica")  # no notices, no look-up of keys
        await connection.execute("ALTER TABLE chunks ENABLE ALWAYS TRIGGER chunks_post_added")
        space = await connection.fetchval(
            "INSERT INTO spaces (workspace_id, provider, model, dimensions, status) "
            "VALUES ($1, $2, $3, 384, 'active') RETURNING id",
            people.workspace,
            KEY.provider,
            KEY.model,
        )
        # Built at once at the end: 3,000 rows one by one take ten times as long.
        index = await connection.fetchval("SELECT indexdef FROM pg_indexes WHERE indexname = 'vectors_384'")
        await connection.execute("DROP INDEX vectors_384")
        spread = spec["tenant_a"]["spread"]
        await fill(connection, people.owner, space, cloud(spec["seed"], ROWS, 1, spread), 12)
        await fill(
            connection, people.other, space, cloud(spec["seed"] + 1, spec["tenant_b"]["rows"], 2, spread), 1
        )
        await connection.execute(index)
        await connection.execute("ANALYZE")
    finally:
        await connection.close()
    return people


async def exact(database: Database, identity: Identity, vector: NDArray[np.float32], k: int) -> list[UUID]:
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(
            "SELECT c.id FROM chunks c JOIN vectors v USING (workspace_id, content_hash) "
            "ORDER BY v.embedding <=> $1::halfvec, c.id LIMIT $2",
            vector,
            k,
        )
    return [row["id"] for row in rows]


async def recall(database: Database, identity: Identity, queries: NDArray[np.float32], k: int = 10) -> float:
    shares = []
    for vector in queries:
        async with database.as_user(identity) as connection:
            found = await dense_arm(connection, vector, Filters(), key=KEY, candidates=k, cap=k)
        nearest = await exact(database, identity, vector, k)
        assert len(found) >= k
        shares.append(len({c.chunk_id for c in found[:k]} & set(nearest)) / k)
    return float(np.mean(shares))


async def test_both_tenants_find_their_nearest(database: Database, crowd: Any) -> None:  # S-RT-08, I16
    queries = cloud(9, 20, 1, 0.15)
    assert await recall(database, crowd.other, queries) >= 0.95
    assert await recall(database, crowd.owner, queries) >= 0.9


async def test_a_walk_of_the_index_that_finds_too_little_is_made_exact(
    database: Database, crowd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:  # I16
    monkeypatch.setattr(dense, "exactly", lambda *_, **__: False)
    monkeypatch.setattr(dense, "MAX_SCAN_TUPLES", "100")
    monkeypatch.setattr(dense, "EF_SEARCH", "40")
    assert await recall(database, crowd.other, cloud(9, 5, 1, 0.15)) == 1.0


async def test_a_small_collection_is_compared_whole(
    database: Database, crowd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:  # I16
    monkeypatch.setattr(dense, "FLAT_VECTORS", 2 * ROWS)
    monkeypatch.setattr(dense, "EF_SEARCH", "1")  # a walk would lose some
    assert await recall(database, crowd.owner, cloud(9, 5, 1, 0.15)) == 1.0


async def explain(connection: Any, statement: str, *arguments: str, options: str = "") -> str:
    """The plan as a search has it: kept, or made for these arguments, as the transaction says."""
    await connection.execute(f"PREPARE zzyzx AS {statement}")
    rows = await connection.fetch(f"EXPLAIN {options} EXECUTE zzyzx ({', '.join(arguments)})")
    await connection.execute("DEALLOCATE zzyzx")
    return "\n".join(row[0] for row in rows)


@pytest.mark.parametrize("filters", ["{}", '{"media_types": ["text/plain"]}'])
async def test_no_arm_reads_everything(database: Database, crowd: Any, filters: str) -> None:  # I16
    vector = ",".join(str(x) for x in cloud(9, 1, 1, 0.15)[0])
    narrow = filters != "{}"
    async with database.as_user(crowd.owner, keep_plans=not narrow) as connection:
        space = await connection.fetchval("SELECT id FROM spaces")
        await dense_arm(connection, cloud(9, 1, 1, 0.15)[0], Filters(), key=KEY, candidates=24, cap=3)
        where = f"'{space}'", f"'[{vector}]'", "96", "24", "3"
        asked = "'passage word7'", "64", "4000", "240", "72", "24", "3"
        given = (f"'{filters}'",) if narrow else ()
        statements = [
            (named("dense_arm_index"), where),
            (query_with("keyword_arm", *(["narrow"] if narrow else [])), asked),
            (query_with("keyword_arm", "narrow", "capped"), asked),
        ]
        walk, words, again = [
            await explain(
                connection, text if narrow else unfiltered(text, len(arguments) + 1), *arguments, *given
            )
            for text, arguments in statements
        ]
    assert "vectors_384" in walk
    assert "postings_term" in words
    for table in ("chunks", "vectors", "postings"):
        assert f"Seq Scan on {table} " not in walk + words + again


@pytest.mark.parametrize(
    ("most", "who", "flat"), [(0, "owner", False), (6_000, "owner", True), (6_000, "other", False)]
)
async def test_all_vectors_are_compared_where_that_is_the_shorter_way(
    database: Database, crowd: Any, most: int, who: str, flat: bool
) -> None:  # I16
    vector = ",".join(str(x) for x in cloud(9, 1, 1, 0.15)[0])
    limits = "96", "24", "3", str(most), "NULL", f"'{dense.MAX_SCAN_TUPLES}'", f"'{dense.EF_SEARCH}'"
    async with database.as_user(getattr(crowd, who), keep_plans=True) as connection:
        statement = unfiltered(named("dense_arm_flat"), 9)
        plan = await explain(connection, statement, f"'[{vector}]'", *limits, options="(ANALYZE)")
    [scan] = [line for line in plan.splitlines() if " on vectors v" in line]
    assert ("never executed" not in scan) == flat, plan


async def test_a_vector_of_another_length_is_another_space(
    database: Database, crowd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:  # G1, G3
    monkeypatch.setattr(dense, "FLAT_VECTORS", 2 * ROWS)
    longer = SpaceKey(KEY.provider, KEY.model, 512)
    async with database.as_user(crowd.owner) as connection:
        with pytest.raises(SpaceMismatch):
            await dense_arm(connection, np.ones(512, np.float32), Filters(), key=longer, candidates=24, cap=3)
