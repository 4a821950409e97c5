"""The one spelling of a name under which it is looked up, and what an abbreviation stands for. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from providers.lexicon import HONORIFICS, LEGAL

LONGEST_NAME = 80  # characters of a key; what is longer is a sentence in capitals
MOST_WORDS = 9

_STRAIGHT = str.maketrans(
    {"’": "'", "‘": "'", "‐": "-", "–": "-", "—": "-", "\u00a0": " ", "ø": "o", "ł": "l", "đ": "d",
     "ı": "i", "æ": "ae", "œ": "oe"}
)  # fmt: skip
_PLURAL = re.compile(r"\b([A-Z]{2,}\d?)s\b")  # SNPs
_POSSESSIVE = re.compile(r"'s\b")
_MARKS = re.compile(r"[^\w+#]+")
_LETTERS = re.compile(r"(?<!\S)\w(?: \w)+(?!\S)")


def key_of(text: str) -> str:
    """A name in the one spelling under which it is looked up; empty when nothing of it is left.

    Case, accents, punctuation, a leading article, honorifics and legal forms are no part of a name:
    `The Café Müller GmbH` and `cafe muller` are one.
    """
    return _key(_words(text))


def keys_of_runs(words: Sequence[str], *, longest: int) -> Iterator[tuple[Sequence[str], str]]:
    """Every run of up to so many neighbouring words with its key; each word is spelled once."""
    spelled = [_words(word) for word in words]
    lettered = [
        "." in word or any(len(part) == 1 for part in parts)
        for word, parts in zip(words, spelled, strict=True)
    ]
    for first in range(len(words)):
        parts: list[str] = []
        letters = False
        for end in range(first, min(first + longest, len(words))):
            letters = letters or (end > first and lettered[end] and lettered[end - 1])
            parts += spelled[end]
            run = words[first : end + 1]
            yield run, key_of(" ".join(run)) if letters else _key(parts.copy())  # U S A is one word, USA


def _key(words: list[str]) -> str:
    while len(words) > 1 and words[0] in ("the", "a", "an"):
        del words[0]
    while len(words) > 1 and words[0] in HONORIFICS:
        del words[0]
    while len(words) > 1 and words[-1] in LEGAL:
        del words[-1]
    return " ".join(words)[:LONGEST_NAME].rstrip()


def folded_text(text: str) -> str:
    """A whole text in the spelling of keys, to look keys up in it."""
    return " ".join(_words(text))


def short_for(short: str, words: list[str]) -> int | None:
    """Where in `words` the long form of an abbreviation begins; None when they do not spell it.

    Its letters begin the words, small ones aside; or else they occur in them from the right, the first at the
    start of a word (Schwartz and Hearst, 2003), most of them beginning one and the last in the last.
    """
    letters = [c for c in short.casefold() if c.isalnum()]
    lowered = [word.casefold() for word in words]
    while lowered and lowered[-1].strip(".,") in LEGAL:
        lowered.pop()
    if not letters or not lowered:
        return None
    where = _by_initials(letters, lowered)
    if where is None:
        where = _by_letters(letters, lowered)
    if where is None or lowered[where] in _SMALL or short.casefold() in lowered[where:]:
        return None
    spelled = " ".join(lowered[where:])
    return None if len(spelled) <= len(letters) or any(mark in spelled for mark in ",;()[]") else where


_SMALL = frozenset(("of", "the", "and", "for", "in", "on", "at", "a", "an", "to", "de", "&"))


def _by_initials(letters: list[str], words: list[str]) -> int | None:
    """The last words whose initials, also after a hyphen, are the letters."""
    initials = [[piece[0] for piece in re.split(r"[-–/]", word) if piece] for word in words]
    at = len(letters)
    for where in range(len(words) - 1, -1, -1):
        own = initials[where]
        if own and letters[max(0, at - len(own)) : at] == own:
            at -= len(own)
        elif own and letters[at - 1] == own[0]:
            at -= 1
        elif words[where] not in _SMALL:
            return None
        if at <= 0:
            return where
    return None


def _by_letters(letters: list[str], words: list[str]) -> int | None:
    where, at = len(words) - 1, len(words[-1])
    begins = 0
    for index in range(len(letters) - 1, -1, -1):
        while True:
            at -= 1
            while at < 0:
                where -= 1
                if where < 0 or index == len(letters) - 1:
                    return None
                at = len(words[where]) - 1
            if words[where][at] == letters[index] and (index or at == 0):
                break
        begins += at == 0 or not words[where][at - 1].isalnum()
    single = where == len(words) - 1
    enough = len(letters) > 2 if single else begins * 2 >= len(letters)
    return where if enough else None


def _words(text: str) -> list[str]:
    text = _PLURAL.sub(r"\1", text)
    text = text.casefold() if text.isascii() else _folded(text)
    if "'s" in text:
        text = _POSSESSIVE.sub("", text)
    text = _MARKS.sub(" ", text.replace("&", " and ").replace("'", ""))
    return _LETTERS.sub(lambda found: found[0].replace(" ", ""), text).split()


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold().translate(_STRAIGHT))
    return unicodedata.normalize("NFC", "".join(c for c in folded if not unicodedata.combining(c)))
