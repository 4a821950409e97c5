"""Whether a passage bears a sentence out: numbers, names and words first, meaning second (M7)."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.types import Embedder
from server.chat.contradiction import Compared, contradiction, prepare
from server.chat.events import Grounding
from server.chat.sentences import MARKER, content_words, numbers, sentences

# A sentence that says what its passage says shares about half of its content words with it, one about something
# else few. Set by hand, not measured: wrong marks are shown as doubt, never hidden.
CITED_COVERAGE = 0.34
# The server adds a citation that a model forgot only where it is nearly a quotation.
ATTRIBUTED_COVERAGE = 0.6
LEAST_WORDS = 4
# Cosine similarity of a sentence to the nearest one of its passage; only for models that were measured. Of 300
# claims of scifact, those that words do not bear out: .65 passes 25 % of them on their own abstract and 9 % on the
# most similar other one, .60 passes 33 % and 14 %, .70 passes 10 % and 3 %.
SIMILAR = {"all-MiniLM-L6-v2": 0.65}
MOST_COMPARED = 20  # sentences of an answer, and
MOST_PIECES = 30  # sentences of a passage; 1,000 characters have about ten


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage prepared for comparison."""

    n: int
    words: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """A cited sentence: borne_out | unsure (other words) | number | name | negation (the passage says otherwise)."""

    sentence: str
    cited: tuple[int, ...]
    verdict: str


def evidence(n: int, text: str) -> Evidence:
    return Evidence(n, frozenset(content_words(text)), frozenset(numbers(text)))


def coverage(sentence: str, passages: list[Evidence]) -> float:
    """The share of a sentence's content words found in these passages, 0 when a number is missing."""
    wanted = numbers(sentence)
    if wanted and not wanted <= frozenset().union(*(p.numbers for p in passages)):
        return 0.0
    words = content_words(sentence)
    if not words:
        return 1.0
    return len(words & frozenset().union(*(p.words for p in passages))) / len(words)


def attribute(sentence: str, passages: list[Evidence]) -> int | None:
    """The one passage that a sentence nearly quotes, if any."""
    if len(content_words(sentence)) < LEAST_WORDS or not passages:
        return None
    best = max(passages, key=lambda p: (coverage(sentence, [p]), -p.n))
    return best.n if coverage(sentence, [best]) >= ATTRIBUTED_COVERAGE else None


async def ground(
    answer: str,
    passages: Mapping[int, str],
    *,
    found: str,
    reasons: tuple[str, ...],
    embedder: Embedder | None = None,
) -> Grounding:
    """The grounding of a finished answer (M6, M7).

    Args:
        answer: the text as shown, markers included.
        passages: text by n, of every source of the turn.
        found: what the search found: grounded, partly or none.
        embedder: compares by meaning the sentences whose words are not enough; without one words alone count.
    """
    if not passages:
        return Grounding("none", reasons or ("no_evidence",))
    findings = await examine(answer, passages)
    if not findings:
        return Grounding("general", (*reasons, "no_citations"))
    findings = await _by_meaning(findings, passages, embedder)
    unsupported = tuple(f.sentence for f in findings if f.verdict != "borne_out")
    if not unsupported and found != "partly":
        return Grounding("grounded", reasons)
    why = dict.fromkeys(f.verdict for f in findings if f.verdict not in ("borne_out", "unsure"))
    marks = ("unsupported_sentences", *(f"other_{verdict}" for verdict in why)) if unsupported else ()
    return Grounding("partly", (*reasons, *marks), unsupported)


async def examine(answer: str, passages: Mapping[int, str]) -> list[Finding]:
    """What words, numbers and names say about each sentence that cites.

    Twenty sentences take 60 ms, so other streams get their turn after each.
    """
    prepared = {n: evidence(n, text) for n, text in passages.items()}
    findings = []
    compared: dict[int, Compared] = {}
    for sentence in sentences(_prose(answer)):
        cited = tuple(dict.fromkeys(int(n) for n in MARKER.findall(sentence) if int(n) in prepared))
        if cited:
            await asyncio.sleep(0)
            plain = MARKER.sub("", sentence).strip()
            compared |= {n: prepare(passages[n]) for n in cited if n not in compared}
            findings.append(Finding(plain, cited, _verdict(plain, cited, prepared, compared)))
    return findings


def _verdict(
    sentence: str, cited: tuple[int, ...], prepared: Mapping[int, Evidence], compared: Mapping[int, Compared]
) -> str:
    marks = [prepared[n] for n in cited]
    if not numbers(sentence) <= frozenset().union(*(p.numbers for p in marks)):
        return "number"
    other = contradiction(sentence, [compared[n] for n in cited])
    if other:
        return other
    return "borne_out" if coverage(sentence, marks) >= CITED_COVERAGE else "unsure"


async def _by_meaning(
    findings: list[Finding], passages: Mapping[int, str], embedder: Embedder | None
) -> list[Finding]:
    """Sentences in other words than their passage's, such as a translation or a paraphrase, compared by meaning."""
    floor = SIMILAR.get(embedder.key.model) if embedder else None
    unsure = [f for f in findings if f.verdict == "unsure"][:MOST_COMPARED]
    if embedder is None or floor is None or not unsure:
        return findings
    pieces = {n: sentences(passages[n])[:MOST_PIECES] for f in unsure for n in f.cited}
    flat = [piece for n in pieces for piece in pieces[n]]
    owner = [n for n in pieces for _ in pieces[n]]
    try:
        vectors = await embedder.embed_documents([f.sentence for f in unsure] + flat)
    except ProviderError as error:
        degraded("support by words only", error)
        return findings
    similar = vectors[: len(unsure)] @ vectors[len(unsure) :].T
    alike = {
        f.sentence
        for f, row in zip(unsure, similar, strict=True)
        if max((float(s) for s, n in zip(row, owner, strict=True) if n in f.cited), default=0.0) >= floor
    }
    return [replace(f, verdict="borne_out") if f.sentence in alike else f for f in findings]


def _prose(answer: str) -> str:
    """A marker that follows the stop belongs to the sentence before it: `… 2017. [1] Next`."""
    return re.sub(r"([.!?][\"'”’)]*)\s*((?:\[\d+\]\s*)+)", r" \2\1 ", answer)
