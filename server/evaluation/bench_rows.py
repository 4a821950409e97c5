"""The rows of the search benchmark: passages recombined from real sentences, vectors around real ones.

A document has 1 to 32 passages. Two more members own a hundredth and a thousandth of the rows each, so that what
an index does for whoever sees little is measured on the same rows.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from providers.entities import Mention, extract
from providers.types import Embedder
from server.evaluation.bench_texts import texts
from sql.db import Identity, owner_transaction
from sql.queries import query
from sql.scratch import Scratch
from sql.vectors import halfvecs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARED = Path(os.environ.get("IBID_SHARED", Path(__file__).parents[3] / "shared"))
SETS = ("scifact",)  # one field, as in a house: its words are common, and so the postings of a question long
SEED = 17
TOPICS = 400  # passages that were embedded; every row lies around one of them
OTHERS = 2  # real vectors that are mixed in, with up to .6 of the topic's length each
NOISE = 0.2  # of the topic's length, in any direction
SENTENCES = 6  # a passage: 900 characters
LENGTHS = (1, 1, 2, 4, 8, 16, 32)  # passages a document
GROUP = 100  # documents a statement
BUILDING_SECONDS = 7200
FEW = (0.01, 0.001)  # the shares of the other two
# Passages that a name is linked to. As many as its sentence is drawn into would put every name of 100,000 passages
# beyond the fan-out, where nothing is walked; those of a house are spread so that most are below it.
LINKED = 60


@dataclass(frozen=True, slots=True)
class Passage:
    """One row: its text, the sentences and codes in it, and the topic whose vector it lies around."""

    text: str
    topic: int
    parts: Sequence[str]
    codes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Rows:
    """What was stored: who sees it all, and who sees the shares of FEW."""

    count: int
    owner: Identity
    others: tuple[Identity, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """Sentences by topic, (topics, dimensions) unit vectors, and the names in each sentence."""

    sentences: Sequence[Sequence[str]]
    vectors: NDArray[np.float32]
    names: Mapping[str, Sequence[Mention]]


async def material(embedder: Embedder) -> Material:
    """Real passages and their vectors; made-up ones where the shared corpora are absent."""
    passages = list(_passages())
    vectors = await _embedded(embedder, passages)
    sentences = [re.split(r"(?<=[.!?]) ", text) for text in passages]
    return Material(sentences, vectors, {one: extract(one).mentions for each in sentences for one in each})


async def _embedded(embedder: Embedder, passages: Sequence[str]) -> NDArray[np.float32]:
    import numpy as np

    batches = [await embedder.embed_documents(passages[n : n + 32]) for n in range(0, len(passages), 32)]
    return np.concatenate(batches)


def _passages() -> Iterator[str]:
    each = TOPICS // len(SETS) + 1
    for name in SETS:
        path = SHARED / "data" / "retrieval" / name / "corpus.jsonl.gz"
        if not path.exists():
            yield from texts(each, chunks=2 * each, seed=len(name))
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for _, line in zip(range(each), lines, strict=False):
                yield str(json.loads(line)["text"])[:1500]


async def fill(place: Scratch, space: UUID, made: Material, count: int) -> Rows:
    """Store so many passages. The index of vectors is built at the end, at once."""
    chance = random.Random(SEED + count)  # noqa: S311 a corpus, not a secret
    async with owner_transaction(place.owner_url) as connection:
        others = []
        workspace = place.identity.workspace_id
        for number, _ in enumerate(FEW):
            user = await connection.fetchval(query("bench_member"), workspace, f"bench{number}@localhost")
            others.append(Identity(workspace_id=workspace, user_id=user, role="member"))
        definition = await connection.fetchval(query("bench_index"))
        await connection.execute("DROP INDEX vectors_384")
    shares = [(place.identity, 1 - sum(FEW)), *zip(others, FEW, strict=True)]
    linked: Counter[str] = Counter()
    for identity, share in shares:
        await _store(place, identity, space, made, chance, round(count * share), linked)
    async with owner_transaction(place.owner_url) as connection:
        await connection.execute(query("bench_memory"), f"{memory_mb(count)}MB")
        await connection.execute(definition, timeout=BUILDING_SECONDS)
    return Rows(count, place.identity, tuple(others))


def memory_mb(count: int) -> int:
    """What building an index of vectors of 384 dimensions needs to stay in memory."""
    return max(256, count // 300)


async def _store(
    place: Scratch,
    identity: Identity,
    space: UUID,
    made: Material,
    chance: random.Random,
    count: int,
    linked: Counter[str],
) -> None:
    left = count
    while left:
        async with owner_transaction(place.owner_url) as connection:
            documents: list[list[Passage]] = []
            while left and len(documents) < GROUP:
                size = min(left, chance.choice(LENGTHS))
                documents.append(_document(made, chance, size))
                left -= size
            ids = [uuid4() for _ in documents]
            flat = [
                (id_, n, p)
                for id_, passages in zip(ids, documents, strict=True)
                for n, p in enumerate(passages)
            ]
            hashes = [hashlib.sha256(f"{id_}{n}{p.text}".encode()).digest() for id_, n, p in flat]
            who = identity.workspace_id, identity.user_id
            await connection.execute(query("bench_documents"), *who, ids, [len(d) for d in documents])
            columns = [f[0] for f in flat], [f[1] for f in flat], hashes, [f[2].text for f in flat]
            await connection.execute(query("bench_chunks"), *who, *columns)
            vectors = _around(made.vectors, [f[2].topic for f in flat], chance)
            await connection.execute(
                query("bench_vectors"), who[0], space, vectors.shape[1], hashes, halfvecs(vectors)
            )
            links = _links(made, flat, linked)
            await connection.execute(
                query("bench_mentions"), *who, *(list(column) for column in zip(*links, strict=True))
            )


def _links(
    made: Material, flat: Sequence[tuple[UUID, int, Passage]], linked: Counter[str]
) -> list[tuple[UUID, int, str, str, str, float]]:
    """Document, ordinal, name, kind, spelling and weight of every name of these passages that is not everywhere."""
    found: list[tuple[UUID, int, str, str, str, float]] = []
    for id_, ordinal, passage in flat:
        names = {m.key: m for part in passage.parts for m in made.names.get(part, ())}
        names |= {code.lower(): Mention(code.lower(), code, "code", 1.0) for code in passage.codes}
        for key, mention in names.items():
            if linked[key] < LINKED:
                linked[key] += 1
                found.append((id_, ordinal, key, mention.kind, mention.text, mention.weight))
    return found


def _document(made: Material, chance: random.Random, size: int) -> list[Passage]:
    """Passages of one topic: most sentences are its own, some of any other."""
    topic = chance.randrange(len(made.sentences))
    passages = []
    for _ in range(size):
        own = chance.choices(made.sentences[topic], k=SENTENCES - 2)
        other = [chance.choice(chance.choice(made.sentences)) for _ in range(2)]
        words = " ".join(own + other).split()
        codes = [f"{chance.choice('ABCDEFGH')}{chance.randrange(10_000)}" for _ in range(3)]
        for code in codes:  # no two texts are the same
            words.insert(chance.randrange(len(words)), code)
        passages.append(Passage(" ".join(words)[:1000], topic, own + other, codes))
    return passages


def _around(
    vectors: NDArray[np.float32], topics: Sequence[int], chance: random.Random
) -> NDArray[np.float32]:
    """Unit vectors between real ones: noise alone would put every row of a topic at the same distance."""
    import numpy as np

    dice = np.random.default_rng(chance.randrange(2**32))
    noise = dice.standard_normal((len(topics), vectors.shape[1]), np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    found: NDArray[np.float32] = vectors[list(topics)] + noise
    for _ in range(OTHERS):
        others = vectors[dice.integers(len(vectors), size=len(topics))]
        found += others * dice.uniform(0, 0.6, (len(topics), 1)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found
