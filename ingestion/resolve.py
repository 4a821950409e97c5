"""Whose names a document's passages hold: titles, abbreviations, surnames and equal names, settled within it (K4).

What one document says settles its own passages only. Between documents names meet by their key, aliases by the
passages that explain them, and equal names of different things are kept apart by their sense; so the order in
which documents arrive changes nothing, and nobody's document changes what another person's means. Pure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from providers.entities import UNSURE, Mention, Names
from providers.lexicon import PLAIN
from providers.spelling import LONGEST_NAME, MOST_WORDS, key_of

# recall@5 of the walk alone on 2wikimultihopqa by the weight of a title for its passage: 0 .783, 1 .811,
# 2 .830, 3 .838, 4 .837. Later passages of a long document are about its title, too, but not as much.
TITLE_WEIGHT = 3.0
TITLE_LATER = 0.5
HEADING_WEIGHT = 1.0
ALIAS_WEIGHT = 0.8
SURNAME_WEIGHT = 0.6

# The sense of a title without brackets, where others have them: Get Carter, Get Carter (2000 film).
BARE = "="

_BRACKETS = re.compile(r"\s*\(([^()]*)\)\s*$")


@dataclass(frozen=True, slots=True)
class Linked:
    """A passage with its place, its headings and what it names."""

    chunk_id: UUID
    ordinal: int
    headings: tuple[str, ...]
    names: Names


def resolve(passages: Sequence[Linked], *, title: str | None) -> list[Linked]:
    """The passages with their mentions settled over the whole document."""
    with_titles = [replace(one, names=_titled(one, title)) for one in passages]
    facts = _Facts.of(with_titles)
    return [
        replace(one, names=replace(one.names, mentions=_settled(one.names, facts))) for one in with_titles
    ]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the document says as a whole; names of which it says two things are left out."""

    senses: Mapping[str, str]
    long_forms: Mapping[str, Mention]
    surnames: Mapping[str, Mention]
    sure: frozenset[str]

    @classmethod
    def of(cls, passages: Sequence[Linked]) -> _Facts:
        mentions = {m.key: m for one in passages for m in one.names.mentions}
        senses: dict[str, set[str]] = defaultdict(set)
        longs: dict[str, set[str]] = defaultdict(set)
        surnames: dict[str, set[str]] = defaultdict(set)
        for one in passages:
            for m in one.names.mentions:
                if m.sense:
                    senses[m.key].add(m.sense)
                if m.kind == "person" and " " in m.key:
                    surnames[m.key.rpartition(" ")[2]].add(m.key)
            for r in one.names.relations:
                if r.kind == "alias":
                    longs[r.source].add(r.target)
        return cls(
            {key: next(iter(found)) for key, found in senses.items() if len(found) == 1},
            {key: mentions[target] for key, target in _single(longs) if target in mentions},
            {key: mentions[target] for key, target in _single(surnames)},
            frozenset(m.key for one in passages for m in one.names.mentions if m.weight >= 1),
        )


def _single(found: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    return ((key, next(iter(targets))) for key, targets in found.items() if len(targets) == 1)


def _settled(names: Names, facts: _Facts) -> tuple[Mention, ...]:
    settled: dict[str, Mention] = {}
    added: list[Mention] = []
    for m in names.mentions:
        sense = m.sense or facts.senses.get(m.key, "")
        weight = 1.0 if m.weight < 1 and m.key in facts.sure and m.weight == UNSURE else m.weight
        for known, share in ((facts.long_forms, ALIAS_WEIGHT), (facts.surnames, SURNAME_WEIGHT)):
            whole = known.get(m.key)
            if whole is not None and not sense:
                sense = whole.key
                added.append(replace(whole, weight=share, sense=facts.senses.get(whole.key, "")))
        settled[m.key] = replace(m, sense=sense, weight=weight)
    for m in added:
        settled.setdefault(m.key, m)
    return tuple(settled.values())


def _titled(one: Linked, title: str | None) -> Names:
    """The names of a passage with what its document and its section are about."""
    mentions = {m.key: m for m in one.names.mentions}
    about = [(title, TITLE_WEIGHT if one.ordinal == 0 else TITLE_LATER)] if title else []
    about += [(heading, HEADING_WEIGHT) for heading in one.headings[-1:] if heading != title]
    for text, weight in about:
        for m in _of_title(text, weight):
            known = mentions.get(m.key)
            mentions[m.key] = m if known is None else replace(
                known, weight=max(known.weight, m.weight), sense=known.sense or m.sense
            )  # fmt: skip
    return replace(one.names, mentions=tuple(mentions.values()))


def _of_title(text: str, weight: float) -> Iterator[Mention]:
    """`Blue Moon (song)` is about Blue Moon, in that sense; a title that is a sentence is about nothing."""
    text = " ".join(text.split())
    brackets = _BRACKETS.search(text)
    name = text[: brackets.start()] if brackets else text
    key = key_of(name)
    if text.endswith((".", "!", "?")) and not brackets:
        return
    if 1 < len(key) < LONGEST_NAME and key not in PLAIN and len(key.split()) <= MOST_WORDS:
        yield Mention(key, name[:LONGEST_NAME], "name", weight, key_of(brackets[1]) if brackets else BARE)
