"""Where a text may be cut: recursive over lines, sentences, words and characters, and anchored to content.

A cut is chosen by what stands beside it, never by its distance from the start, so an edit moves only the
cuts next to it. In a span that is too long the best cut wins, and the halves go on alone, as in a treap:
adding or removing one possible cut changes only the pieces on either side of it (F3).
"""

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

Span = tuple[int, int]

# Cuts closer than this to a better one are passed over: pieces with under 60 characters of their own fall from
# 7 to 3 % (40 texts of random paragraphs).
NEAR = 250
CONTEXT = 48  # characters before a cut that decide its strength
# Beyond this an unbroken run is cut at even distances: weighing a million characters takes 2.3 s of CPU.
MAX_WEIGHED_RUN = 1_000_000

_LINE = re.compile(r"\n+")
_SENTENCE = re.compile(r"(?<=[.!?…])(?<!\b[A-Z]\.)[\"'”’»)\]]*\s+(?=\S)|(?<=[。！？｡])[」』”’）]*")
_WORD = re.compile(r"\s+(?=\S)")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where a piece may begin. The stronger cut wins: first by rank, then by its surroundings."""

    position: int
    rank: float
    weight: int

    @property
    def strength(self) -> tuple[float, int]:
        return self.rank, self.weight


def cut_at(text: str, position: int, rank: float = 0.0) -> Cut:
    """A cut whose weight depends on the CONTEXT characters before it."""
    before = text[max(0, position - CONTEXT) : position]
    return Cut(position, rank, crc32(before.encode("utf-8", "surrogatepass")))


def is_cluster_start(text: str, position: int) -> bool:
    """Whether no accent, joined emoji, flag or variation is torn apart by a cut here."""
    if position <= 0 or position >= len(text):
        return True
    after, before = text[position], text[position - 1]
    if after.isascii() and before.isascii():
        return not (before == "\r" and after == "\n")
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after)[0] == "M":
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return False
    if _is_flag_letter(after) and _is_flag_letter(before):
        run = position
        while run > 0 and _is_flag_letter(text[run - 1]):
            run -= 1
        return (position - run) % 2 == 0
    return not ("\u1160" <= after <= "\u11ff")  # the vowel or tail of a Hangul syllable


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def line_cuts(text: str, start: int, end: int) -> list[Cut]:
    """Cuts after line feeds; a blank line is stronger."""
    found = _LINE.finditer(text, start, end)
    return [cut_at(text, m.end(), len(m[0]) > 1) for m in found if start < m.end() < end]


def sentence_cuts(text: str, start: int, end: int) -> list[Cut]:
    """Cuts after sentences, Latin or East Asian."""
    return [cut_at(text, m.end()) for m in _SENTENCE.finditer(text, start, end) if start < m.end() < end]


def word_cuts(text: str, start: int, end: int) -> list[Cut]:
    """Cuts before words."""
    return [cut_at(text, m.end()) for m in _WORD.finditer(text, start, end) if start < m.end() < end]


def character_cuts(text: str, start: int, end: int) -> list[Cut]:
    """The last resort: cuts between whole characters as a reader sees them."""
    step = 1 if end - start <= MAX_WEIGHED_RUN else NEAR
    return [cut_at(text, at) for at in range(start + 1, end, step) if is_cluster_start(text, at)]


LEVELS: tuple[Callable[[str, int, int], list[Cut]], ...] = (
    line_cuts,
    sentence_cuts,
    word_cuts,
    character_cuts,
)


def split(text: str, start: int, end: int, limit: int, cuts: Sequence[Cut], level: int = 0) -> Iterator[Span]:
    """Spans of at most `limit` characters from `start` to `end`: by `cuts`, then by the levels below them."""
    near = min(NEAR, limit // 3)
    for left, right in _by_cuts(start, end, limit, near, cuts):
        if right - left <= limit or level >= len(LEVELS):
            yield left, right
        else:
            finer = [
                cut for cut in LEVELS[level](text, left, right) if left + near <= cut.position <= right - near
            ]
            yield from split(text, left, right, limit, finer, level + 1)


def _by_cuts(start: int, end: int, limit: int, near: int, cuts: Sequence[Cut]) -> Iterator[Span]:
    if end - start <= limit or not cuts:
        yield start, end
        return
    leading = _leading(cuts, near)
    pending = [(start, end, 0, len(cuts))]  # a stack, so that the depth of the text is not Python's
    while pending:
        left, right, low, high = pending.pop()
        best = _best(cuts, leading, near, left, right, low, high) if right - left > limit else None
        if best is None:
            yield left, right
        else:
            position = cuts[best].position
            pending.append((position, right, best + 1, high))
            pending.append((left, position, low, best))


def _best(
    cuts: Sequence[Cut], leading: Sequence[bool], near: int, left: int, right: int, low: int, high: int
) -> int | None:
    """The strongest leading cut of a span; where none leads, the strongest with room on both sides."""
    leaders = [index for index in range(low, high) if leading[index]]
    if leaders:
        return max(leaders, key=lambda index: cuts[index].strength)
    middle = (left + right) / 2
    roomy = [index for index in range(low, high) if left + near <= cuts[index].position <= right - near]
    if not roomy:
        return None
    return max(roomy, key=lambda index: (cuts[index].strength, -abs(cuts[index].position - middle)))


def _leading(cuts: Sequence[Cut], near: int) -> list[bool]:
    """Whether each cut is stronger than all others within `near`; of equals none leads."""
    result = [True] * len(cuts)
    places = [cut.position for cut in cuts]
    strengths = [cut.strength for cut in cuts]
    for order in (range(len(cuts)), range(len(cuts) - 1, -1, -1)):
        window: deque[int] = deque()  # strengths fall from left to right
        for index in order:
            place, strength = places[index], strengths[index]
            while window and abs(places[window[0]] - place) >= near:
                window.popleft()
            while window and strengths[window[-1]] < strength:
                window.pop()
            if window:
                result[index] = False
            window.append(index)
    return result
