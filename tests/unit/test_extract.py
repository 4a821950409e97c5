"""Answers without a chat model: quotations, numbered."""

from collections.abc import Sequence
from uuid import uuid4

import numpy as np

from providers.types import SpaceKey
from retrieval.passages import Passage, Ranks
from server.chat.extract import LONGEST, NOTHING, extract, quotations
from server.chat.sentences import content_words


class WordVectors:
    """Texts that share words are near: an embedder as small as this file needs."""

    key = SpaceKey("zzyzx", "words", 64)

    def fits(self, text: str) -> bool:
        return True

    async def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([await self.embed_query(text) for text in texts])

    async def embed_query(self, text: str) -> np.ndarray:
        vector = np.full(64, 1e-3, dtype=np.float32)
        for word in content_words(text):
            vector[sum(word.encode()) % 64] += 1
        return vector / np.linalg.norm(vector)


def passage(text: str) -> Passage:
    return Passage(
        chunk_id=uuid4(), document_id=uuid4(), version=1, name="zzyzx.md", title=None, page_start=None,
        page_end=None, heading_path=(), text=text, block_start=0, block_end=0, score=1.0,
        ranks=Ranks(1, 1, None), similarity=0.8, evidence="likely",
    )  # fmt: skip


PASSAGES = [
    passage("The harbour opens at nine. The anchor of the Bittern weighs 940 kg. Bread is sold in the yard."),
    passage("The winch was built in Dunholt. The anchor chain of the Bittern is 80 metres long."),
]


async def test_the_best_sentence_comes_first_with_its_number() -> None:
    found = await extract("How heavy is the anchor of the Bittern?", PASSAGES, WordVectors())
    assert found[0] == (1, "The anchor of the Bittern weighs 940 kg.")
    assert all("Bread" not in text for _, text in found)
    assert {n for n, _ in found} <= {1, 2}


async def test_the_answer_is_quotations_with_markers() -> None:
    text = "".join([piece async for piece in quotations("anchor of the Bittern", PASSAGES, WordVectors())])
    assert text.startswith("Your documents say:\n\n> ")
    assert "> The anchor of the Bittern weighs 940 kg. [1]\n\n" in text


async def test_the_same_sentence_is_quoted_once() -> None:
    twice = [
        passage("The anchor of the Bittern weighs 940 kg."),
        passage("The anchor of the Bittern weighs 940 kg!"),
    ]
    assert len(await extract("anchor of the Bittern", twice, WordVectors())) == 1


async def test_a_row_of_a_table_reads_as_one_line_and_long_ones_end_at_a_word() -> None:
    table = [passage("| Berth nine | 88 metres | Bittern |")]
    assert (await extract("berth nine", table, WordVectors()))[0] == (1, "Berth nine · 88 metres · Bittern")
    [(_, long)] = await extract("berth", [passage("berth nine " * 90)], WordVectors())
    assert len(long) <= LONGEST
    assert long.endswith(("berth…", "nine…"))


async def test_nothing_found_is_said() -> None:  # D4
    assert [piece async for piece in quotations("anchor", [], WordVectors())] == [NOTHING]
