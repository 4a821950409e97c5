"""Edits move only the chunks beside them, so that little is embedded again (F3)."""

import random
from pathlib import Path

import pytest

from ingestion.chunk import Chunk, chunk
from ingestion.parse.text import paragraphs

# fmt: off
WORDS = (
    "harbour", "crane", "pallet", "clerk", "slip", "tide", "turns", "mole", "lamp", "storm", "winter", "quay",
    "vessel", "anchor", "ledger", "brass", "valve", "pump", "gauge", "nine", "fourteen", "north", "south", "basin",
)
# fmt: on


def cut(text: str) -> list[Chunk]:
    return chunk(paragraphs(text), fits=lambda text: True)


def sentence(made: random.Random) -> str:
    return " ".join(made.choice(WORDS) for _ in range(made.randint(5, 18))).capitalize() + "."


def document(made: random.Random, kind: str) -> str:
    many = [" ".join(sentence(made) for _ in range(made.randint(1, 6))) for _ in range(made.randint(10, 30))]
    if kind == "paragraphs":
        return "\n\n".join(many)
    text = " ".join(many)
    return (
        text
        if kind == "one paragraph"
        else text.replace(".", "")
        if kind == "no sentences"
        else "".join(text.split())
    )


def edit(made: random.Random, text: str) -> tuple[str, int, int]:
    """The edited text, and from where to where it differs in the new one."""
    at = made.randrange(len(text))
    put = made.choice(["", "X", " ".join(made.choices(WORDS, k=6)), f"\n\n{sentence(made)}\n\n"])
    gone = made.randint(1, 80) if not put else made.choice([0, 1])
    return text[:at] + put + text[at + gone :], at, at + len(put)


@pytest.mark.parametrize("kind", ["paragraphs", "one paragraph", "no sentences", "no separators"])
def test_an_edit_embeds_at_most_three_beyond_those_it_touches(kind: str) -> None:  # F3
    made = random.Random(kind)
    for _ in range(4 if kind == "no separators" else 15):
        text = document(made, kind)
        changed, start, end = edit(made, text)
        before, after = cut(text), cut(changed)
        known = {piece.content_hash for piece in before}
        new = [piece for piece in after if piece.content_hash not in known]
        touched = [piece for piece in after if piece.char_start <= end and piece.char_end >= start]
        assert len(new) <= len(touched) + 3, (kind, start)


def test_an_identical_text_embeds_nothing_and_an_append_its_tail(shared: Path) -> None:  # F3, S-CH-04
    first = (shared / "cases/files/S-CH-04/qzv-quay-v1.txt").read_text()
    second = (shared / "cases/files/S-CH-04/qzv-quay-v2.txt").read_text()
    known = [piece.content_hash for piece in cut(first)]
    assert [piece.content_hash for piece in cut(first)] == known
    assert sum(piece.content_hash not in known for piece in cut(second)) <= 2
    made = random.Random(5)
    for _ in range(15):
        text = document(made, "paragraphs")
        known = [piece.content_hash for piece in cut(text)]
        assert sum(piece.content_hash not in known for piece in cut(f"{text}\n\n{sentence(made)}")) <= 3
