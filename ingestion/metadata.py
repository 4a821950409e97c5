"""What a document is about, by rules: title, summary, topics, type and date, to filter by (E17; pure)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from ingestion.kinds import type_of
from ingestion.language import stop_words
from ingestion.parse.blocks import Block

# 10 ms at the most. A beginning says more: over the whole of nine annual reports "other", "december" and
# "financial" took the places of "adobe", "products" and "customers".
SAMPLE_BLOCKS = 400
TITLE_CHARACTERS = 200
SUMMARY_CHARACTERS = 320  # two lines on a page
LEAD_CHARACTERS = 80  # shorter paragraphs at the start are names, addresses and dates
DATED_LINES = 40
MAX_TOPICS = 5
TOPIC_TIMES = 2  # a word that occurs once tells nothing
# Of a word in a title, in a heading, in the text.
WEIGHTS = {"title": 6, "heading": 3}

# Of no subject, though they are no stop words.
_DULL_WORDS = (
    "about above after also been before being below between both could each ended following however into made many "
    "month months more most must only other others over same shall should some such than their them then there these "
    "they those through time under upon used using very well were what when where which while will with within would "
    "year years your page table figure chapter section"
)
_DULL = frozenset(_DULL_WORDS.split())

_ABSTRACT = re.compile(
    r"^(abstract|summary|zusammenfassung|résumé|resumen|samenvatting|sommario)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|[。！？]")
_WORD = re.compile(r"[^\W\d_][\w'’-]{2,}")
_MONTHS = (
    "jan januar january janvier enero gennaio janeiro januari",
    "feb februar february février febrero febbraio fevereiro februari",
    "mar märz march mars marzo março maart",
    "apr april avril abril aprile",
    "may mai mayo maggio maio mei",
    "jun juni june juin junio giugno junho",
    "jul juli july juillet julio luglio julho",
    "aug august août agosto augustus",
    "sep sept september septembre septiembre settembre setembro",
    "oct okt oktober october octobre octubre ottobre outubro",
    "nov november novembre noviembre novembro",
    "dec dez dezember december décembre diciembre dicembre dezembro",
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_DATES = (
    re.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>(?:19|20)\d\d)\b"),
    re.compile(
        r"\b(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+)?(?P<n>[^\W\d_]{3,10})\.?,?\s+(?:de\s+)?(?P<y>(?:19|20)\d\d)\b"
    ),
    re.compile(r"\b(?P<n>[^\W\d_]{3,10})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,\s+(?P<y>(?:19|20)\d\d)\b"),
    re.compile(r"(?P<y>(?:19|20)\d\d)\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?日"),
)


@dataclass(frozen=True, slots=True)
class Metadata:
    """`topics` are lower-case words, most telling first; `type` is one of `kinds.KINDS`."""

    title: str | None
    summary: str | None
    topics: tuple[str, ...]
    type: str
    date: date | None


def describe(blocks: Sequence[Block], *, name: str, media_type: str, language: str | None) -> Metadata:
    """What the first SAMPLE_BLOCKS blocks of a file called `name` say about it."""
    blocks = blocks[:SAMPLE_BLOCKS]
    title = _title(blocks)
    stem = PurePath(name).stem.replace("_", " ").replace("-", " ")
    return Metadata(
        title=title,
        summary=_summary(blocks),
        topics=tuple(_topics(blocks, language)),
        type=type_of(f"{stem}\n{title or ''}", _lines(blocks), media_type=media_type),
        date=_first_date(_lines(blocks)[:DATED_LINES]),
    )


def _lines(blocks: Iterable[Block]) -> list[str]:
    return [line for block in blocks for line in block.text.splitlines()]


def _title(blocks: Sequence[Block]) -> str | None:
    named = (block.text for kind in ("title", "heading") for block in blocks if block.kind == kind)
    return next((text[:TITLE_CHARACTERS] for text in named if any(char.isalpha() for char in text)), None)


def _summary(blocks: Sequence[Block]) -> str | None:
    """The abstract if there is one, else the first paragraph that says something."""
    start = next((i for i, b in enumerate(blocks) if b.kind == "heading" and _ABSTRACT.match(b.text)), 0)
    paragraphs = [block.text for block in blocks[start:] if block.kind == "paragraph"]
    lead = next((text for text in paragraphs if len(text) >= LEAD_CHARACTERS), "")
    text = " ".join((lead or " ".join(paragraphs)).split())
    if len(text) <= SUMMARY_CHARACTERS:
        return text or None
    ends = [match.end() for match in _SENTENCE_END.finditer(text[:SUMMARY_CHARACTERS])]
    if ends and ends[-1] >= LEAD_CHARACTERS:
        return text[: ends[-1]]
    return text[: SUMMARY_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def _topics(blocks: Sequence[Block], language: str | None) -> Iterator[str]:
    """The words that titles and headings carry and the text repeats; none where words are not spaced."""
    dull = _DULL | _MONTH.keys() | stop_words(language) | stop_words("en")
    weights: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for block in blocks:
        if block.kind == "code":
            continue
        words = [word for word in _WORD.findall(block.text.lower()) if len(word) > 3 and word not in dull]
        times.update(words)
        for word in words:
            weights[word] += WEIGHTS.get(block.kind, 1)
    telling = (word for word, _ in weights.most_common() if times[word] >= TOPIC_TIMES)
    chosen: list[str] = []
    for word in telling:
        if len(chosen) < MAX_TOPICS and not any(_same(word, other) for other in chosen):
            chosen.append(word)
            yield word


def _same(word: str, other: str) -> bool:
    """One with an ending of the other: topic and topics."""
    shorter, longer = sorted((word, other), key=len)
    return longer.startswith(shorter) and len(longer) - len(shorter) <= 2


def _first_date(lines: Iterable[str]) -> date | None:
    """The first complete date; one like 03/04/2021, which two continents read differently, is none."""
    for line in lines:
        for pattern in _DATES:
            for match in pattern.finditer(line[:1000]):
                found = _date(match.groupdict())
                if found:
                    return found
    return None


def _date(parts: dict[str, str]) -> date | None:
    month = int(parts["m"]) if "m" in parts else _MONTH.get(parts["n"].lower())
    if month is None:
        return None
    try:
        return date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None
