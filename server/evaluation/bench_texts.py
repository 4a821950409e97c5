"""The texts of the ingest benchmark: common words, the same in every run, and the ways in which people change them."""

import random

CHARACTERS_PER_CHUNK = 460  # of new text: what these paragraphs come to
PAGE_CHARACTERS = 3_000
SEED = 11
MARK = "Zzyzx"  # stands once in a text, where a word will be changed
TEXT = """
time year people way day man thing woman life child world school state family student group country problem hand
part place case week company system program question work government number night point home water room mother
area money story fact month lot right study book eye job word business issue side kind head house service friend
father power hour game line end member law car city community name president team minute idea body information
back parent face others level office door health person art war history party result change morning reason
research girl guy moment air teacher force education foot boy age policy process music market sense nation plan
college interest death experience effect use class control care field development role effort rate heart drug
show leader light voice wife
"""
WORDS = TEXT.split()


def texts(count: int, *, chunks: int, seed: int = SEED) -> list[str]:
    """So many texts that make about so many chunks together."""
    chance = random.Random(seed)  # noqa: S311 - a corpus, not a secret
    size = chunks * CHARACTERS_PER_CHUNK // count
    return [_text(chance, f"Document {number}", size) for number in range(count)]


def pages(count: int) -> str:
    """One text as long as so many pages, with MARK in the middle."""
    text = _text(random.Random(SEED + 1), "Handbook", count * PAGE_CHARACTERS)  # noqa: S311
    middle = text.index(" ", len(text) // 2)
    return f"{text[:middle]} {MARK}{text[middle:]}"


def appended(text: str) -> str:
    """With one more paragraph at the end."""
    return text + "\n\n" + _paragraph(random.Random(SEED + 2))  # noqa: S311


def edited(text: str) -> str:
    """With another word in the place of MARK."""
    return text.replace(MARK, MARK[::-1])


def _text(chance: random.Random, title: str, size: int) -> str:
    paragraphs = [title]
    while sum(map(len, paragraphs)) < size:
        paragraphs.append(_paragraph(chance))
    return "\n\n".join(paragraphs)


def _paragraph(chance: random.Random) -> str:
    sentences = (" ".join(chance.choices(WORDS, k=chance.randint(8, 20))) for _ in range(5))
    return " ".join(sentence.capitalize() + "." for sentence in sentences)
