"""The case book's retrieval cases, through the real cutter, model, statements and search."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import pytest

from providers.local import LocalEmbedder
from retrieval.errors import BadQuery
from retrieval.passages import Passage, SearchRequest, SearchResult
from retrieval.search import search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity

Ask = Callable[..., Awaitable[list[str]]]


class Library:
    """Documents by label, searched as their owner."""

    def __init__(self, database: Database, owner: Identity, embedder: LocalEmbedder) -> None:
        self.database, self.owner, self.embedder = database, owner, embedder
        self.labels: dict[UUID, str] = {}

    async def add(self, **texts: str) -> None:
        entries = [Entry(label, "", text) for label, text in texts.items()]
        self.labels |= await store(self.database, self.owner, self.embedder, entries)

    async def search(self, query: str, **options: int) -> SearchResult:
        return await search(self.database, self.owner, self.embedder, SearchRequest(query, **options))

    async def found(self, query: str, **options: int) -> list[str]:
        return [self.label(passage) for passage in (await self.search(query, **options)).passages]

    async def by_keyword(self, query: str) -> list[str]:
        """What the keyword arm found, in its own order."""
        request = SearchRequest(query, explain=True)
        trace = (await search(self.database, self.owner, self.embedder, request)).trace
        hits = sorted(
            (c.ranks.keyword, self.labels[c.document_id]) for c in trace if c.ranks.keyword is not None
        )
        return [label for _, label in hits]

    def label(self, passage: Passage) -> str:
        return self.labels[passage.document_id]


@pytest.fixture
def library(database: Database, owner: Identity, embedder: LocalEmbedder) -> Library:
    return Library(database, owner, embedder)


def read(shared: Path, case: str, **files: str) -> dict[str, str]:
    folder = shared / "cases" / "files" / case
    return {label: (folder / name).read_text(encoding="utf-8") for label, name in files.items()}


async def test_the_exact_code_is_first_among_lookalikes(
    library: Library, shared: Path
) -> None:  # S-RT-01, I5
    await library.add(**read(shared, "S-RT-01", **{f"e{n}": f"qzv-e{n}.md" for n in range(6)}))
    assert (await library.found("what does ERR_QZV_4417 mean?"))[0] == "e0"
    assert (await library.found("what does err-qzv-4471 mean?"))[0] == "e1"


async def test_an_absent_word_does_not_silence_the_keyword_arm(
    library: Library, shared: Path
) -> None:  # S-RT-02, I18
    files = {"warranty": "qzv-warranty.md", "winch": "qzv-winch.md", "other": "qzv-other.md"}
    await library.add(**read(shared, "S-RT-02", **files))
    query = "warranty Orlith winch Zanzibar branch"
    hits = await library.by_keyword(query)
    assert hits[0] == "warranty"
    assert "other" not in hits
    assert (await library.found(query))[0] == "warranty"


async def test_a_whole_sentence_finds_by_its_words(library: Library, shared: Path) -> None:  # S-RT-03, I2
    files = {"returns": "qzv-returns.md", "ship": "qzv-ship.md", "pay": "qzv-pay.md"}
    await library.add(**read(shared, "S-RT-03", **files))
    query = "how long do customers in the northern zone have to ask for a refund?"
    assert "returns" in await library.by_keyword(query)
    assert (await library.found(query))[0] == "returns"


async def test_japanese_is_found_inside_a_run_of_letters(
    library: Library, shared: Path
) -> None:  # S-RT-04, I17
    files = {"east": "qzv-jp1.txt", "west": "qzv-jp2.txt", "food": "qzv-jp3.txt"}
    await library.add(**read(shared, "S-RT-04", **files))
    assert (await library.by_keyword("予備バルブ"))[0] == "east"
    assert (await library.found("予備バルブ"))[0] == "east"


async def test_a_long_document_leaves_room_for_the_others(
    library: Library, shared: Path
) -> None:  # S-RT-05, I8, I9
    small = {f"s{n}": f"qzv-s{n}.txt" for n in range(5)}
    await library.add(**read(shared, "S-RT-05", big="qzv-big.txt", **small))
    found = await library.found("corrosion", k=8)
    assert len(found) == 8
    fourth = [place for place, label in enumerate(found) if label == "big"][3:4] or [8]
    assert set(small) <= set(found[: fourth[0]])


async def test_one_long_document_alone_fills_the_result(library: Library, shared: Path) -> None:  # I8
    await library.add(**read(shared, "S-RT-05", big="qzv-big.txt"))
    assert await library.found("corrosion", k=8) == ["big"] * 8


async def test_accents_fold_on_both_sides(library: Library, shared: Path) -> None:  # S-RT-06, I17
    await library.add(**read(shared, "S-RT-06", cafe="qzv-cafe.md", tea="qzv-tea.md"))
    assert (await library.by_keyword("cafe brule zurich"))[0] == "cafe"
    assert (await library.by_keyword("angstrom"))[0] == "cafe"


async def test_dotted_numbers_stay_whole(library: Library, shared: Path) -> None:  # S-RT-07, I5
    await library.add(**read(shared, "S-RT-07", gauge="qzv-h1.md", horn="qzv-h2.md", camera="qzv-h3.md"))
    assert (await library.found("which device is on 10.0.4.17?"))[0] == "gauge"
    assert (await library.found("firmware 3.1.21"))[0] == "horn"
    assert (await library.found("3.12.10"))[0] == "camera"


async def test_punctuation_never_raises(library: Library, shared: Path) -> None:  # S-RT-09, I18
    await library.add(n="The captain's log: 100% of a_b was sold.")
    queries = json.loads((shared / "cases" / "files" / "S-RT-09" / "queries.json").read_text())
    refused = []
    for query in queries:
        try:
            result = await library.search(query)
        except BadQuery:
            refused.append(query)
        else:
            assert result.grounding in ("grounded", "partly", "none")
    assert all(not query.strip() or "\0" in query or len(query) > 1000 for query in refused)
    assert await library.by_keyword("it's the captain's \"log\"") == ["n"]


async def test_codes_rank_first_against_near_synonyms(library: Library) -> None:  # I5
    await library.add(
        refused="ECONNREFUSED: the peer said no. Check that the port is open.",
        reset="The connection was refused by the server, which actively denied the network connection request.",
        timeout="A connection error occurs when the remote host refuses or drops connections.",
        advice="AIS-2026 asks carriers to report outages.",
        older="AIS-2025 asks carriers to report outages within a day, as the AIS rules of 2026 will.",
    )
    assert (await library.found("connection error ECONNREFUSED"))[0] == "refused"
    assert (await library.found("what does AIS-2026 ask of carriers?"))[0] == "advice"


async def test_a_language_named_c_is_found(library: Library) -> None:  # I6
    await library.add(
        kernel="zzyzx-kernel. Language: C. A small scheduler.",
        engine="zzyzx-engine. Language: C++. A game engine.",
        portal="zzyzx-portal. Language: C#. A web site on .NET.",
    )
    assert await library.by_keyword("have you written anything in C?") == ["kernel"]
    assert await library.by_keyword("C++") == ["engine"]
    assert await library.by_keyword("anything in C#") == ["portal"]
    assert (await library.by_keyword(".NET"))[0] == "portal"


async def test_what_the_corpus_does_not_know_has_no_evidence(library: Library) -> None:  # I12, D5
    await library.add(
        winch="The warranty of the Orlith winch lasts 26 months.",
        cafe="Cafeteria hours are from seven to two.",
    )
    result = await library.search("who won the chess olympiad in 1972?")
    assert (result.grounding, result.passages) == ("none", ())
    assert (await library.search("how long is the winch under warranty?")).grounding == "grounded"
