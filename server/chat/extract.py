"""Answers without a chat model: the best sentences of the best passages, quoted with their numbers."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from providers.types import Embedder
from retrieval.passages import Passage
from server.chat.sentences import content_words, numbers, sentences

PASSAGES = (
    5  # the answer is in the first five passages of nine out of ten answerable questions of the page set
)
CANDIDATES = 24  # sentences that are compared by meaning; 24 short ones embed in about 0.1 s
QUOTES = 3
LONGEST = 420  # characters of a quotation
CLOSE = 0.72  # a further quotation must come this near to the best one's score

GREETING = (
    "Hello. Ask a question about your documents and I will quote the passages that answer it, "
    "each with the page it stands on."
)
NOTHING = "I found nothing in your documents that answers this. Try other words, or upload a document that covers it."


@dataclass(frozen=True, slots=True)
class Candidate:
    n: int
    text: str
    overlap: float
    rank: int


async def extract(question: str, passages: list[Passage], embedder: Embedder) -> list[tuple[int, str]]:
    """(n, quotation) pairs, best first, at most QUOTES, from different places."""
    wanted = content_words(question) | numbers(question)
    candidates = [
        Candidate(n, text, _overlap(wanted, text), rank)
        for rank, (n, passage) in enumerate(list(enumerate(passages, 1))[:PASSAGES])
        for text in _pieces(passage.text)
    ]
    candidates.sort(key=lambda c: (-c.overlap, c.rank))
    chosen = candidates[:CANDIDATES]
    if not chosen:
        return []
    vectors = await embedder.embed_documents([c.text for c in chosen])
    similarity = vectors @ await embedder.embed_query(question)
    scored = sorted(
        (
            (0.55 * float(s) + 0.35 * c.overlap - 0.03 * c.rank, c)
            for s, c in zip(similarity, chosen, strict=True)
        ),
        key=lambda pair: -pair[0],
    )
    best = scored[0][0]
    kept: list[Candidate] = []
    for score, candidate in scored:
        if len(kept) == QUOTES or score < CLOSE * best:
            break
        if not any(_same(candidate.text, other.text) for other in kept):
            kept.append(candidate)
    return [(c.n, c.text) for c in kept]


async def quotations(question: str, passages: list[Passage], embedder: Embedder) -> AsyncIterator[str]:
    """The answer as Markdown, in pieces."""
    found = await extract(question, passages, embedder)
    if not found:
        yield NOTHING
        return
    yield "Your documents say:\n\n"
    for n, text in found:
        yield "> " + text.replace("\n", "\n> ") + f" [{n}]\n\n"


def _pieces(text: str) -> list[str]:
    pieces = []
    for sentence in sentences(text):
        plain = sentence.strip("| ").replace(" | ", " · ") if sentence.startswith("|") else sentence
        if len(plain) >= 20 and any(c.isalpha() for c in plain):
            pieces.append(plain if len(plain) <= LONGEST else plain[: LONGEST - 1].rsplit(" ", 1)[0] + "…")
    return pieces or [text[:LONGEST]]


def _overlap(wanted: set[str], text: str) -> float:
    return len(wanted & (content_words(text) | numbers(text))) / len(wanted) if wanted else 0.0


def _same(one: str, other: str) -> bool:
    a, b = content_words(one), content_words(other)
    return len(a & b) > 0.8 * min(len(a), len(b)) if a and b else one == other
