"""Names in text, by rule: one extractor for passages and questions, so that both are cut alike (K4, K5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from providers.lexicon import HONORIFICS, JOBS, JOINERS, LEGAL, ORGANISATIONS, PLACES, PLAIN, RANKS
from providers.spelling import key_of, keys_of_runs, short_for

Kind = Literal["person", "organisation", "place", "product", "code", "term", "name"]

MOST_NAMES = 40  # of one passage of 1,000 characters; a list of names has about that many
LONGEST_KIND = 80  # characters of the words between two names
UNSURE = 0.4  # the weight of a word that only the start of a sentence makes look like a name


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text. `key` is how it is told apart; `sense` keeps apart equal names of different things."""

    key: str
    text: str
    kind: Kind
    weight: float
    sense: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two names of one sentence and the words between them; `alias`, `narrower` where one stands for both."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class Names:
    """What a passage names."""

    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]


# Patterns ----------------------------------------------------------------------------------------

SPACE = r"[ \t\u00a0]"


@cache
def _upper() -> str:
    """Every capital letter of the scripts that have capitals, as the inside of a character class."""
    return "".join(chr(code) for code in range(0x41, 0x590) if chr(code).isupper())


@cache
def _span() -> re.Pattern[str]:
    """A run of capitalised words, small words between them allowed; or a code."""
    upper = _upper()
    short = r"(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Mt|Ft|Capt|Col|Gen|Lt|Sgt|Rev|Hon)\."
    word = rf"(?:{short}|[{upper}]\.(?={SPACE}?[{upper}])|[{upper}][\w+#]*(?:[-’'&/](?!s\b)\w+)*)"
    code = r"(?:[A-Za-z]+[-_.:/]?\d[\w.:/-]*\w|[a-z]\w*(?:[_.]\w+)+|[a-z]+[A-Z]\w+|`[^`\n]{2,60}`)"
    after = rf"(?:{SPACE}+(?:(?:{JOINERS}){SPACE}+){{0,2}}|{SPACE}?&{SPACE}?|(?<=\.))"
    return re.compile(
        rf"(?<![\w@])(?:(?P<name>{word}(?:{after}(?:{word}|\d{{1,4}}(?![\w%,.]\d|%)))*(?:{SPACE}plc\b)?)|(?P<code>{code}))"
    )


@cache
def _joiner() -> re.Pattern[str]:
    return re.compile(rf"{SPACE}+(?:(?:{JOINERS}){SPACE}+)+|{SPACE}*&{SPACE}*")


@cache
def _bracketed() -> re.Pattern[str]:
    """The (LN) of `Long Name (LN)`."""
    return re.compile(rf"{SPACE}[(\[]([{_upper()}][\w&.-]{{1,9}}?)s?[)\]]")


@cache
def _also() -> re.Pattern[str]:
    return re.compile(
        r"^[ \t]*[)(,]*[ \t]*((?:also|better|formerly|previously|commonly|originally|popularly|sometimes) "
        r"(?:known|called|named|styled)(?: as)?|known as|a\.?k\.?a\.?|formerly|f\.?k\.?a\.?|d/b/a|née|born|or simply|"
        r"abbreviated(?: as| to)?|in short)[ \t]+[\"“'‘]?$",
        re.IGNORECASE,
    )


@cache
def _day() -> re.Pattern[str]:
    months = "january|february|march|april|may|june|july|august|september|october|november|december"
    return re.compile(rf"[,;]?{SPACE}+(?:on{SPACE}+)?(?:\d{{1,2}}\b|\d{{4}}\b|{months})", re.IGNORECASE)


@cache
def _affiliation() -> re.Pattern[str]:
    """Between a person and an organisation: `is finance director of`, `, chief clerk at`."""
    return re.compile(
        rf"^(?:,|[ \t]+(?:is|was|became|works as|worked as|serves as|served as))[ \t]+(?:(?:a|an|the|its|our)[ \t]+)?"
        rf"((?:[\w-]+[ \t]+){{0,4}}?{JOBS}(?:[ \t]+[\w-]+){{0,2}}?)[ \t]+(?:of|at|for|with|in)[ \t]+(?:the[ \t]+)?$",
        re.IGNORECASE,
    )


@cache
def _narrower() -> re.Pattern[str]:
    """`type 2 diabetes` is a kind of diabetes."""
    return re.compile(
        r"\b((?:type|stage|grade|phase|class|level)[ \t-](?:\d{1,2}|[IVX]{1,4})[ \t]+([a-z]\w{3,}))",
        re.IGNORECASE,
    )


# Extraction --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    """A name at its place; `sure` unless only the start of a sentence made it look like one."""

    key: str
    text: str
    start: int
    end: int
    sure: bool
    code: bool = False


def extract(text: str) -> Names:
    """The names of a passage in order of appearance, and what it says of them. 0.1 ms for 1,000 characters."""
    found = list(_names(text))
    weights: dict[str, Mention] = {}
    for one in found:
        _add(weights, one.key, one.text, "code" if one.code else _kind(one.text), 1.0 if one.sure else UNSURE)
        if not one.code:
            for part, weight in _parts(one.text):
                _add(weights, key_of(part), part, _kind(part), weight)
    relations = [*_between(text, found, weights), *_abbreviations(text, weights), *_kinds_of(text, weights)]
    return Names(tuple(weights.values())[:MOST_NAMES], tuple(dict.fromkeys(relations)))


def _add(into: dict[str, Mention], key: str, text: str, kind: Kind, weight: float, sense: str = "") -> None:
    if len(key) < 2 or key in PLAIN or key.isdigit():
        return
    known = into.get(key)
    if known is None:
        into[key] = Mention(key, text, kind, weight, sense)
    elif weight > known.weight or (sense and not known.sense) or (known.kind == "name" != kind):
        into[key] = Mention(key, known.text, kind if known.kind == "name" else known.kind,
                            max(weight, known.weight), known.sense or sense)  # fmt: skip


def _names(text: str) -> Iterator[_Found]:
    small: frozenset[str] | None = None
    for match in _span().finditer(text):
        start, end = match.span()
        if match.lastgroup == "code":
            if key := key_of(match[0]):  # `--` names nothing
                yield _Found(key, match[0].strip("`"), start, end, sure=True, code=True)
            continue
        words = match[0].split()
        while words and words[0].casefold() in PLAIN:
            start += len(words.pop(0))
            start += len(text[start:end]) - len(text[start:end].lstrip())
        while words and (words[-1].casefold() in PLAIN or (words[-1].isdigit() and len(words) == 1)):
            words.pop()
        if not words:
            continue
        name = " ".join(words)
        sure = len(words) > 1 or start != match.start() or not _opens(text, start) or _looks(name)
        if not sure and small is None:
            small = frozenset(re.findall(r"\w+", text))
        key = key_of(name)
        if key and (sure or name.lower() not in (small or ())):
            yield _Found(key, name, start, end, sure)


def _opens(text: str, start: int) -> bool:
    """Whether a sentence, a line or an item begins here, where every word has a capital."""
    before = text[max(0, start - 3) : start].rstrip(" \t\u00a0\"'“‘(*#>-")
    return not before or before[-1] in ".!?:\n|…。"


def _looks(name: str) -> bool:
    """Whether a single word is a name by its looks: QVX, C++, McKay, B2."""
    return any(c.isupper() or c.isdigit() or c in "+#" for c in name[1:])


def _parts(name: str) -> Iterator[tuple[str, float]]:
    """Names within a name: what stands between small words, and a name without its rank."""
    pieces = _joiner().split(name)
    if len(pieces) > 1:
        for piece in pieces:
            yield piece, 0.6
        if " the " in name:  # Ask the Duke of Wexbury
            yield name.partition(" the ")[2], 0.6
    for piece in pieces:
        words = piece.split()
        if len(words) > 1 and words[0].casefold().rstrip(".") in RANKS:
            yield " ".join(words[1:]), 0.6


def _kind(name: str) -> Kind:
    words = name.casefold().replace(".", "").split() or [""]
    if words[0] in HONORIFICS or words[0] in RANKS:
        return "person"
    if words[-1] in LEGAL or words[-1] in ORGANISATIONS:
        return "organisation"
    if words[-1] in PLACES or (words[0] in PLACES and len(words) > 1):
        return "place"
    return "name"


def _between(text: str, found: Sequence[_Found], into: dict[str, Mention]) -> Iterator[Relation]:
    """Relations of neighbours in a sentence, by the words between them."""
    for left, right in pairwise(found):
        words = text[left.end : right.start]
        if left.key == right.key or len(words) > 60 or re.search(r"[.!?;]\s|\n", words):
            continue
        if _one_under_two_names(left, right, words, text[right.end : right.end + 20]):
            yield Relation(right.key, left.key, "alias")
            continue
        job = _affiliation().search(words)
        if job and " " in left.key:
            _add(into, left.key, left.text, "person", 1.0, right.key)
            _add(into, right.key, right.text, "organisation", 1.0)
        kind = " ".join(words.split()).strip(" ,()'’\"")
        if re.match(r"^,? ?(?:\d+(?:st|nd|rd|th) )?$", words):
            joined = f"{left.text}, {words.strip(', ')} {right.text}"
            _add(into, key_of(joined), joined, "name", 0.6)
        if kind and len(kind) <= 40:
            yield Relation(left.key, right.key, kind.casefold()[:LONGEST_KIND])  # casefolding lengthens


def _one_under_two_names(left: _Found, right: _Found, words: str, after: str) -> bool:
    """`Lenny Montana, also known as Leo Passafaro`; born as Leo Passafaro on a day, but not born in Santa Fe."""
    also = _also().search(words)
    if not also or any(c.isdigit() for c in right.key) or " " not in left.key or " " not in right.key:
        return False
    return also[1].casefold() != "born" or bool(
        _day().match(after) or {*left.key.split()} & {*right.key.split()}
    )


def _abbreviations(text: str, into: dict[str, Mention]) -> Iterator[Relation]:
    for match in _bracketed().finditer(text):
        short = match[1].rstrip(".")
        if sum(c.isupper() for c in short) < 2 or key_of(short) in PLAIN:
            continue
        words = text[max(0, match.start() - 120) : match.start()].split()[-len(short) - 5 :]
        start = short_for(short, words) if words else None
        if start is None:
            continue
        name = " ".join(words[start:])
        if key_of(name) != key_of(short):
            _add(into, key_of(name), name, _kind(name), 1.0)
            _add(into, key_of(short), short, "name", 1.0)
            yield Relation(key_of(short), key_of(name), "alias")


def _kinds_of(text: str, into: dict[str, Mention]) -> Iterator[Relation]:
    for match in _narrower().finditer(text):
        whole, head = key_of(match[1]), key_of(match[2])
        _add(into, whole, match[1], "term", 1.0)
        _add(into, head, match[2], "term", 0.3)
        yield Relation(whole, head, "narrower")


# Questions ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """A name that a question may mean; not `sure`: its words are written small, or it is part of a run."""

    key: str
    weight: float
    sure: bool


LONGEST_RUN = 7  # words of a name in a question
MOST_ASKED_WORDS = 120  # of a pasted page


def asked_names(query: str) -> list[Asked]:
    """Every name that a question may mention, to be looked up: those by the rules, and every run of words.

    People write names small in questions and begin them with one, so each run of up to seven words is a
    candidate; the graph knows which are names.
    """
    found = {mention.key: Asked(mention.key, 1.0, True) for mention in extract(query).mentions}
    words = re.findall(r"[\w+#](?:[\w.&’'+#-]*[\w+#])?", query)[:MOST_ASKED_WORDS]
    for run, key in keys_of_runs(words, longest=LONGEST_RUN):
        if len(key) > 2 and key not in found and key not in PLAIN:
            capital = run[0][0].isupper() and run[-1][0] not in "abcdefghijklmnopqrstuvwxyz"
            found[key] = Asked(key, 1.0, capital and (len(run) > 1 or len(key) > 3))
    return list(found.values())
