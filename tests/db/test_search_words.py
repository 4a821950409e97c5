"""The words of the keyword arm: languages side by side, single letters, codes written apart, filters."""

from typing import Any
from uuid import UUID

import pytest_asyncio

from providers.local import LocalEmbedder
from retrieval.candidates import Candidate
from retrieval.keywords import keyword_arm
from retrieval.passages import Filters
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity

GERMAN = "Die Häuser der Stadt wurden in den Jahren nach dem Krieg für die Arbeiter gebaut."
ENGLISH = "The houses of the town were built for the workers in the years after the war."


class Words:
    """Documents by name, and what the keyword arm makes of a query."""

    def __init__(self, database: Database, owner: Identity, embedder: LocalEmbedder) -> None:
        self.database, self.owner, self.embedder = database, owner, embedder
        self.ids: dict[UUID, str] = {}

    async def add(self, **texts: str) -> None:
        entries = [Entry(name, "", text) for name, text in texts.items()]
        self.ids |= await store(self.database, self.owner, self.embedder, entries)

    async def arm(self, query: str, filters: Filters | None = None) -> list[Candidate]:
        async with self.database.as_user(self.owner, keep_plans=True) as connection:
            return await keyword_arm(connection, query, filters or Filters(), candidates=10, cap=3)

    async def found(self, query: str, filters: Filters | None = None) -> list[str]:
        return [self.ids[candidate.document_id] for candidate in await self.arm(query, filters)]


@pytest_asyncio.fixture
async def words(database: Database, owner: Identity, embedder: LocalEmbedder) -> Words:
    return Words(database, owner, embedder)


async def test_each_document_is_cut_in_its_own_language(words: Words) -> None:  # I17
    await words.add(german=GERMAN, english=ENGLISH)
    assert await words.found("Haus") == ["german"]
    assert await words.found("house") == ["english"]
    assert await words.found("wo ist das Haus") == ["german"]  # its stop words are nobody's words


async def test_the_forms_of_one_word_count_once(words: Words) -> None:  # D6, I17
    await words.add(german=GERMAN, english=ENGLISH)
    [whole] = await words.arm("houses for workers")
    assert whole.coverage == 1.0


async def test_a_single_chinese_character_is_found(words: Words) -> None:  # I17
    await words.add(water="净化水的设备放在三号仓库。", fire="火灾报警器在走廊尽头。")
    assert await words.found("水") == ["water"]
    assert await words.found("报警器") == ["fire"]


async def test_a_code_written_apart_is_the_code(words: Words) -> None:  # I5
    await words.add(
        part="The LM3480-5.0 is a regulator.", other="The LM3480-3.3 is a regulator of 5.0 amperes."
    )
    first, *_ = await words.arm("LM3480 5.0")
    assert words.ids[first.document_id] == "part"
    await words.add(rule="PLC1901 forbids empty comparisons.", page="See page 1901 of the PLC handbook.")
    exact = {words.ids[candidate.document_id]: candidate.exact for candidate in await words.arm("PLC 1901")}
    assert exact == {"rule": True, "page": False}


async def test_filters_hold_in_the_arm(words: Words) -> None:  # I13
    await words.add(german=GERMAN, english=ENGLISH, more="Houses of brick.")
    by_name = {name: id_ for id_, name in words.ids.items()}
    assert set(await words.found("houses")) == {"english", "more"}
    assert await words.found("houses", Filters(document_ids=(by_name["more"],))) == ["more"]
    assert await words.found("houses", Filters(languages=("de",))) == []


async def test_of_a_long_document_only_a_few_keep_the_others_out(
    words: Words, monkeypatch: Any
) -> None:  # I8, I9
    paragraphs = [f"The Orlith winch number {n} lifts the Orlith anchor. " * 9 for n in range(80)]
    await words.add(
        long="\n\n".join(paragraphs), short="An Orlith winch stands in the hall of the old harbour."
    )
    found = await words.arm("Orlith winch")
    assert "short" in [words.ids[candidate.document_id] for candidate in found]
