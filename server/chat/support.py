"""Whether a passage bears a sentence out: its numbers must be there, and most of its words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from server.chat.events import Grounding
from server.chat.sentences import MARKER, content_words, numbers, sentences

# A sentence that says what its passage says shares about half of its content words with it, one about something
# else few. Set by hand, not measured: wrong marks are shown as doubt, never hidden.
CITED_COVERAGE = 0.34
# The server adds a citation that a model forgot only where it is nearly a quotation.
ATTRIBUTED_COVERAGE = 0.6
LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage prepared for comparison."""

    n: int
    words: frozenset[str]
    numbers: frozenset[str]


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


def ground(answer: str, passages: Mapping[int, str], *, found: str, reasons: tuple[str, ...]) -> Grounding:
    """The grounding of a finished answer (M6, M7).

    Args:
        answer: the text as shown, markers included.
        passages: text by n, of every source of the turn.
        found: what the search found: grounded, partly or none.
    """
    if not passages:
        return Grounding("none", reasons or ("no_evidence",))
    prepared = {n: evidence(n, text) for n, text in passages.items()}
    unsupported, cited = [], 0
    for sentence in sentences(_prose(answer)):
        marks = [prepared[int(n)] for n in MARKER.findall(sentence) if int(n) in prepared]
        if not marks:
            continue
        cited += 1
        if coverage(sentence, marks) < CITED_COVERAGE:
            unsupported.append(MARKER.sub("", sentence).strip())
    if not cited:
        return Grounding("general", (*reasons, "no_citations"))
    if unsupported or found == "partly":
        return Grounding(
            "partly", (*reasons, *(["unsupported_sentences"] if unsupported else [])), tuple(unsupported)
        )
    return Grounding("grounded", reasons)


def _prose(answer: str) -> str:
    """A marker that follows the stop belongs to the sentence before it: `… 2017. [1] Next`."""
    return re.sub(r"([.!?][\"'”’)]*)\s*((?:\[\d+\]\s*)+)", r" \2\1 ", answer)
