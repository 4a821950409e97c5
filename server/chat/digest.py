"""Whole-document work without a chat model: the sentences that say most of each section, quoted with their numbers."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log

from providers.types import Embedder
from retrieval.passages import Passage
from server.chat.extract import extract
from server.chat.sentences import content_words, sentences
from server.chat.wishes import Task

SECTIONS = 10
MOST_READ = (
    4000  # passages, about 4 MB of text: 3.6 s in a thread beside the loop; more are read at even distances
)
LEAST, MOST = 40, 320  # characters of a quotation
SIDE = 4  # quotations of each document in a comparison
LABELS = re.compile(r"\s*(?:,|;|\bor\b|\boder\b|\bou\b|/|\n)\s*")
FOUND = 6


async def digest(task: Task, instruction: str, passages: Sequence[Passage], embedder: Embedder) -> str:
    """Markdown whose [k] are numbers of `passages`, counted from 1."""
    step = max(1, -(-len(passages) // MOST_READ))
    numbered = list(enumerate(passages, 1))[::step]
    if task == "compare":
        return "\n\n".join(await asyncio.to_thread(lambda: list(_comparison(numbered))))
    if task == "extract" and instruction:
        return "\n\n".join(await _extracted(instruction, passages, embedder))
    labels = [label for label in LABELS.split(instruction) if label.strip()] if task == "classify" else []
    if len(labels) > 1:
        return await _classified(labels, passages, embedder)
    return "\n\n".join(await asyncio.to_thread(lambda: list(_summary(numbered))))


def _summary(numbered: list[tuple[int, Passage]]) -> Iterator[str]:
    """The most telling sentence of each section; the longest sections when there are too many."""
    sections: dict[str, list[tuple[int, Passage]]] = defaultdict(list)
    for n, passage in numbered:
        sections[passage.heading_path[0] if passage.heading_path else ""].append((n, passage))
    weights = _weights([p for _, p in numbered])
    if len(sections) < 3:  # no chapters to speak of: equal stretches of the text instead
        size = max(1, -(-len(numbered) // SECTIONS))
        sections = {str(i): numbered[i : i + size] for i in range(0, len(numbered), size)}
        titled = False
    else:
        titled = True
    longest = sorted(sections, key=lambda name: -sum(len(p.text) for _, p in sections[name]))[:SECTIONS]
    yield f"{numbered[0][1].name}, in sentences of its own:" if numbered else "This document has no text."
    for name, part in sections.items():
        best = _best(part, weights) if name in longest else None
        if best:
            title = f"**{name.strip('#* ')}** " if titled and name else ""
            yield f"- {title}{best[1]} [{best[0]}]"


def _comparison(numbered: list[tuple[int, Passage]]) -> Iterator[str]:
    """What each document says that the other does not."""
    sides: dict[str, list[tuple[int, Passage]]] = defaultdict(list)
    for n, passage in numbered:
        sides[str(passage.document_id)].append((n, passage))
    words = {side: set().union(*(content_words(p.text) for _, p in part)) for side, part in sides.items()}
    shared = set.intersection(*words.values()) if len(words) > 1 else set()
    for side, part in sides.items():
        weights = {w: v for w, v in _weights([p for _, p in part]).items() if w in words[side] - shared}
        ranked = sorted(
            ((_score(text, weights), n, text) for n, p in part for text in _candidates(p)), reverse=True
        )
        quoted = "\n".join(f"- {text} [{n}]" for score, n, text in ranked[:SIDE] if score > 0)
        yield f"Only in **{part[0][1].name}**:\n\n{quoted or '- nothing that stands out'}"


async def _extracted(wanted: str, passages: Sequence[Passage], embedder: Embedder) -> list[str]:
    """The passages that share most words with what is wanted, and their best sentences."""
    words = content_words(wanted)

    def nearest() -> list[int]:
        return sorted(range(len(passages)), key=lambda i: (-len(words & content_words(passages[i].text)), i))

    order = (await asyncio.to_thread(nearest))[:FOUND]
    found = await extract(wanted, [passages[i] for i in order], embedder)
    return [f"- {text} [{order[k - 1] + 1}]" for k, text in found] or ["Nothing of this kind was found."]


async def _classified(labels: list[str], passages: Sequence[Passage], embedder: Embedder) -> str:
    """The label nearest in meaning to the passages, with the passage that is nearest to it."""
    sample = (
        [passages[round(i * (len(passages) - 1) / 15)] for i in range(16)] if len(passages) > 16 else passages
    )
    texts = await embedder.embed_documents([p.text for p in sample])
    named = await embedder.embed_documents([label.strip(" .\"'") for label in labels])
    similar = texts @ named.T  # (passages, labels)
    label = int(similar.mean(axis=0).argmax())
    nearest = passages.index(sample[int(similar[:, label].argmax())])
    quoted = next(_candidates(passages[nearest]), "")
    return f"Nearest to **{labels[label].strip()}**, judged by meaning alone.\n\n> {quoted} [{nearest + 1}]"


def _weights(passages: Sequence[Passage]) -> dict[str, float]:
    """How much a word says: frequent in the document, and not in every passage of it."""
    seen = Counter(word for p in passages for word in content_words(p.text))
    total = len(passages)
    return {word: count * log(1 + total / count) for word, count in seen.items()}


def _best(part: Sequence[tuple[int, Passage]], weights: dict[str, float]) -> tuple[int, str] | None:
    scored = ((_score(text, weights), -n, text) for n, p in part for text in _candidates(p))
    best = max(scored, default=None)
    return (-best[1], best[2]) if best else None


def _candidates(passage: Passage) -> Iterator[str]:
    for text in sentences(passage.text):
        plain = " ".join(text.strip("|#*> ").split())
        if LEAST <= len(plain) <= MOST and not text.startswith(("|", "#")):
            yield plain


def _score(text: str, weights: dict[str, float]) -> float:
    words = content_words(text)
    return sum(weights.get(word, 0.0) for word in words) / (len(words) ** 0.5) if words else 0.0
