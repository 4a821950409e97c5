"""The sources of a turn: numbered once, described from the database, never by the model (M1, M2)."""

from typing import Any
from uuid import UUID

from retrieval.passages import Passage
from server.chat.history import tokens


class Sources:
    """Passages in the order they were found; n counts from 1 and stays."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._numbers: dict[UUID, int] = {}

    def add(self, found: list[Passage]) -> list[int]:
        """Number new passages; one found before keeps its n. Returns the n of each."""
        numbers = []
        for passage in found:
            if passage.chunk_id not in self._numbers:
                self.passages.append(passage)
                self._numbers[passage.chunk_id] = len(self.passages)
            numbers.append(self._numbers[passage.chunk_id])
        return numbers

    def stored(self) -> list[dict[str, Any]]:
        """The items as kept with the answer: with the text, which a citation shows after a new version."""
        return [{**item, "text": p.text} for item, p in zip(self.items(), self.passages, strict=True)]

    def items(self) -> tuple[dict[str, Any], ...]:
        """The items of the `sources` event."""
        return tuple(
            {
                "n": n,
                "document_id": str(p.document_id),
                "chunk_id": str(p.chunk_id),
                "version": p.version,
                "name": p.name,
                "title": p.title,
                "page_start": p.page_start,
                "page_end": p.page_end,
                "heading_path": list(p.heading_path),
                "snippet": p.text[:240],
            }
            for n, p in enumerate(self.passages, 1)
        )

    def texts(self) -> dict[int, str]:
        """Whole passages by n, heading path included: what a sentence may rest on."""
        return {n: "\n".join((*p.heading_path, p.text)) for n, p in enumerate(self.passages, 1)}

    def numbers(self) -> set[int]:
        return set(range(1, len(self.passages) + 1))


def as_context(passages: list[Passage], numbers: list[int], *, budget: int) -> str:
    """Passages as the model reads them, whole, as many as fit `budget` tokens (J4)."""
    parts: list[str] = []
    for n, passage in zip(numbers, passages, strict=True):
        page = f", page {passage.page_start}" if passage.page_start else ""
        heading = f"\n{' > '.join(passage.heading_path)}" if passage.heading_path else ""
        part = f"[{n}] {passage.name}{page}{heading}\n{passage.text}"
        budget -= tokens(part)
        if budget < 0 and parts:
            break
        parts.append(part)
    return "\n\n".join(parts) or "No passage of the user's documents matches."
