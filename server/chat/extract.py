"""Answers without a chat model: the best sentences of the best passages, quoted with their numbers."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from math import log

from providers.types import Embedder
from providers.web import WebResult
from retrieval.passages import Passage
from server.chat.sentences import content_words, numbers, sentences

PASSAGES = 5  # the right page is among the first 5 for 12 of 14 questions, first for 9 (docs/evaluation.md)
CANDIDATES = 24  # sentences that are compared by meaning; 24 short ones embed in about 0.1 s
QUOTES = 3
SHORTEST, LONGEST = 20, 420  # characters of a quotation
YEAR = re.compile(r"\D*(?:19|20)\d\d\D*")
CLOSE = 0.72  # a further quotation must come this near to the best one's score

GREETING = (
    "Hello. Ask a question about your documents and I will quote the passages that answer it, "
    "each with the page it stands on."
)
NOTHING = "I found nothing in your documents that answers this. Try other words, or upload a document that covers it."


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence or a table's row; `overlap` is its share of the question's words, rare ones counting more."""

    n: int
    text: str
    terms: frozenset[str]
    rank: int
    overlap: float = 0.0


async def extract(question: str, passages: list[Passage], embedder: Embedder) -> list[tuple[int, str]]:
    """(n, quotation) pairs, best first, at most QUOTES, that do not repeat each other."""
    chosen = sorted(_candidates(question, passages), key=lambda c: (-c.overlap, c.rank))[:CANDIDATES]
    if not chosen:
        return []
    vectors = await embedder.embed_documents([c.text for c in chosen])
    similarity = vectors @ await embedder.embed_query(question)
    scored = sorted(
        ((_score(c, float(s)), index) for index, (s, c) in enumerate(zip(similarity, chosen, strict=True))),
        key=lambda pair: -pair[0],
    )
    kept: list[Candidate] = []
    for score, index in scored:
        if len(kept) == QUOTES or score < CLOSE * scored[0][0]:
            break
        if not any(_same(chosen[index], other) for other in kept):
            kept.append(chosen[index])
    return [(c.n, c.text) for c in kept]


def _score(candidate: Candidate, similarity: float) -> float:
    # Half meaning, half words; a passage further down needs a better sentence (docs/evaluation.md).
    return 0.5 * similarity + 0.5 * candidate.overlap - 0.03 * candidate.rank


def _candidates(question: str, passages: list[Passage]) -> list[Candidate]:
    found = [
        Candidate(n, text, frozenset(_terms(text)), n - 1)
        for n, passage in enumerate(passages[:PASSAGES], 1)
        for text in _pieces(passage.text)
    ]
    wanted = _terms(question)
    frequency = Counter(term for candidate in found for term in candidate.terms & wanted)
    weight = {term: log(1 + (len(found) + 1) / (frequency[term] + 0.5)) for term in wanted if frequency[term]}
    total = sum(weight.values()) or 1.0
    return [replace(c, overlap=sum(weight.get(t, 0.0) for t in c.terms) / total) for c in found]


def _terms(text: str) -> set[str]:
    return content_words(text) | numbers(text)


def web_results(pages: Mapping[int, WebResult]) -> str:
    """What the web search found, as Markdown: titles and addresses are the provider's (L9)."""
    lines = [f"- {page.title}: {_shortened(page.text)} [{n}]" for n, page in pages.items()]
    return "Your documents do not answer this. From the web:\n\n" + "\n".join(lines)


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


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
    """Sentences, and rows of tables with their empty cells left out; a row of headings alone says nothing."""
    pieces = []
    for sentence in sentences(text):
        plain = _row(sentence) if sentence.startswith("|") else sentence
        if len(plain) >= SHORTEST and any(c.isalpha() for c in plain):
            pieces.append(plain if len(plain) <= LONGEST else plain[: LONGEST - 1].rsplit(" ", 1)[0] + "…")
    return pieces or [text[:LONGEST]]


def _row(line: str) -> str:
    cells = [cell.strip() for cell in line.strip("| ").split("|")]
    return " · ".join(cell for cell in cells if cell.strip("-: ")) if any(map(_is_value, cells[1:])) else ""


def _is_value(cell: str) -> bool:
    return any(c.isdigit() for c in cell) and not YEAR.fullmatch(cell)


def _same(one: Candidate, other: Candidate) -> bool:
    smaller = min(len(one.terms), len(other.terms))
    return len(one.terms & other.terms) > 0.8 * smaller if smaller else one.text == other.text
