"""Pairs of entities that may be one, for people to decide: alike in meaning and of one kind. Nothing is merged here."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from providers.types import Embedder
from retrieval.entities import Entity, entity_groups
from sql.db import Database, Identity
from sql.queries import query as named

Json = dict[str, Any]

COMPARED = 150  # the best supported entities: embedding their names takes about half a second
# Cosines of names: University of Oslo and Oslo University .99, Alzheimer's and Alzheimer disease .97, Jon and John
# Smith .86; but North and South Dakota .90, Henry II and Henry III .86. So people decide.
ALIKE = 0.80
MOST = 50


async def candidates(database: Database, identity: Identity, embedder: Embedder) -> list[Json]:
    """Pairs with their similarity, the likeliest first; what people decided already is left out.

    Raises ProviderError. No connection is held while the model works (H6).
    """
    async with database.as_user(identity) as connection:
        groups = await entity_groups(connection, limit=COMPARED)
        rows = await connection.fetch(named("list_merges"), COMPARED)
    decided = {frozenset((row["source"], row["target"])) for row in rows if row["undone_at"] is None}
    if len(groups) < 2:
        return []
    vectors = await embedder.embed_documents([entity.json()["name"] for entity in groups])
    found = [
        (float(vectors[i] @ vectors[j]), groups[i], groups[j])
        for i, j in combinations(range(len(groups)), 2)
        if _comparable(groups[i], groups[j]) and frozenset((groups[i].name, groups[j].name)) not in decided
    ]
    likely = sorted((pair for pair in found if pair[0] >= ALIKE), key=lambda pair: -pair[0])[:MOST]
    return [
        {"source": one.json(), "target": other.json(), "similarity": round(cosine, 3)}
        for cosine, one, other in likely
    ]


def _comparable(one: Entity, other: Entity) -> bool:
    return one.name != other.name and one.kind == other.kind and one.kind != "code"
