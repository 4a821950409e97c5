"""Reading order of a page: words to segments, segments to columns, columns to rows of cells (pure)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingestion.parse.blocks import Box
from ingestion.parse.words import Font, Word

# Spaces in prose are .23 of the line height at the median and .50 at the 95th percentile (1,736 of 4 files);
# from .9 on a gap is a gutter or parts two cells.
CELL_GAP = 0.9
# Prose fills its column: median fill .95 to 1.0 on two-column pages, .04 to .06 on pages of NETFLIX_2017_10K's tables.
PROSE_FILL = 0.6
PROSE_CHARACTERS = 12
MAX_COLUMN_DEPTH = 3
MAX_GUTTERS = 12

_CURRENCY = re.compile(r"^[$€£¥]$")
_AMOUNT = re.compile(r"^[(\-–—]?[\d.,—–-]")
_TAIL = re.compile(r"^[)%]+$")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
BULLET = re.compile(r"^([•‣◦▪■●○∞·*►▶➤✓\-–—]|o|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))$")


@dataclass(frozen=True, slots=True)
class Segment:
    """Words in one line with no wide gap between them: a line of prose, or a cell of a table."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: Font

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def box(self) -> Box:
        return self.x0, self.y0, self.x1, self.y1


Row = list[Segment]


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of them, rounded to a tenth of a point."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return round(min(x0), 1), round(min(y0), 1), round(max(x1), 1), round(max(y1), 1)


def is_right_to_left(pages: Iterable[Sequence[Word]]) -> bool:
    """Whether a third of the words of a document are Arabic, Hebrew or another script from the right."""
    total = count = 0
    for words in pages:
        total += len(words)
        count += sum(1 for word in words if _RTL.search(word.text))
    return 3 * count > total > 0


def segments(words: Sequence[Word]) -> list[Segment]:
    """Join neighbouring words of one line, in the order of the content stream."""
    result: list[Segment] = []
    line: list[Word] = []
    for word in words:
        if line and not _continues(line[-1], word):
            result.append(_segment(line))
            line = []
        line.append(word)
    if line:
        result.append(_segment(line))
    return result


def _continues(before: Word, word: Word) -> bool:
    height = max(before.y1 - before.y0, word.y1 - word.y0, 1.0)
    level = abs((before.y0 + before.y1) - (word.y0 + word.y1)) < 0.7 * height
    if not level or (before.ends_line and word.y0 > before.y1):
        return False
    if -0.5 * height < word.x0 - before.x1 < CELL_GAP * height:
        return True
    leftwards = bool(_RTL.search(before.text) or _RTL.search(word.text))
    return leftwards and -0.5 * height < before.x0 - word.x1 < CELL_GAP * height


def _segment(line: list[Word]) -> Segment:
    fonts: Counter[Font] = Counter()
    for word in line:
        fonts[word.font] += len(word.text)
    return Segment(
        " ".join(word.text for word in line),
        min(word.x0 for word in line),
        min(word.y0 for word in line),
        max(word.x1 for word in line),
        max(word.y1 for word in line),
        fonts.most_common(1)[0][0],
    )


def regions(items: list[Segment], depth: int = 0) -> list[list[Segment]]:
    """Cut a page into regions in reading order: what spans the page, then each column whole."""
    if len(items) < 4 or depth >= MAX_COLUMN_DEPTH:
        return [items]
    best: list[tuple[bool, list[Segment]]] = []
    best_score, best_gutter = 0, 0.0
    for gutter in _gutters(items):
        zones = list(_zones(items, gutter, depth))
        score = sum(len(zone) for columns, zone in zones if columns)
        if score > best_score:
            best, best_score, best_gutter = zones, score, gutter
    if not best_score:
        return [items]
    result: list[list[Segment]] = []
    for columns, zone in best:
        if columns:
            left = [item for item in zone if item.x1 <= best_gutter + 1]
            right = [item for item in zone if item.x1 > best_gutter + 1]
            result += regions(left, depth + 1) + regions(right, depth + 1)
        else:
            result.append(zone)
    return result


def _gutters(items: list[Segment]) -> list[float]:
    """Left edges that several segments share and that have something to their left."""
    edges = Counter(round(item.x0 / 2) * 2 for item in items)
    start = min(item.x0 for item in items)
    common = [edge for edge, count in edges.most_common(MAX_GUTTERS) if count >= 2 and edge > start + 30]
    return [edge - 2.0 for edge in common]


def _zones(items: list[Segment], gutter: float, depth: int) -> Iterator[tuple[bool, list[Segment]]]:
    """Bands from top to bottom between the segments that cross the gutter; True where a band is columns."""
    crossing = sorted((i for i in items if i.x0 < gutter - 1 and i.x1 > gutter + 1), key=lambda i: i.y0)
    sides = sorted((i for i in items if not (i.x0 < gutter - 1 and i.x1 > gutter + 1)), key=lambda i: i.y0)
    plain: list[Segment] = []
    position = 0
    for bar in (*crossing, None):
        zone: list[Segment] = []
        limit = (bar.y0 + bar.y1) / 2 if bar else float("inf")
        while position < len(sides) and (sides[position].y0 + sides[position].y1) / 2 < limit:
            zone.append(sides[position])
            position += 1
        if _is_columns(zone, gutter, depth):
            if plain:
                yield False, plain
            yield True, zone
            plain = []
        else:
            plain += zone
        if bar:
            plain.append(bar)
    if plain:
        yield False, plain


def _is_columns(zone: list[Segment], gutter: float, depth: int) -> bool:
    left = [item for item in zone if item.x1 <= gutter + 1]
    right = [item for item in zone if item.x1 > gutter + 1]
    if len(left) < 2 or len(right) < 2:
        return False
    top = max(min(i.y0 for i in left), min(i.y0 for i in right))
    bottom = min(max(i.y1 for i in left), max(i.y1 for i in right))
    beside = bottom - top > 0.3 * (max(i.y1 for i in zone) - min(i.y0 for i in zone))
    return beside and _is_prose(left, depth) and _is_prose(right, depth)


def _is_prose(side: list[Segment], depth: int) -> bool:
    """Long lines of letters that fill their width and follow each other closely, or columns again."""
    text = "".join(item.text for item in side)
    letters = sum(char.isalpha() for char in text)
    if letters < 0.6 * len(text) or len(text) < PROSE_CHARACTERS * len(side):
        return False
    width = max(i.x1 for i in side) - min(i.x0 for i in side)
    extent = max(i.y1 for i in side) - min(i.y0 for i in side)
    filled = median(i.x1 - i.x0 for i in side) >= PROSE_FILL * width
    dense = sum(i.height for i in side) >= 0.5 * extent
    return (filled and dense) or (len(side) >= 8 and len(regions(side, depth + 1)) > 1)


def rows(items: list[Segment]) -> list[Row]:
    """Rows of cells from top to bottom, each from left to right, with signs joined to their amounts."""
    result: list[Row] = []
    for item in sorted(items, key=lambda i: (i.y0 + i.y1, i.x0)):
        if result and _level(result[-1][0], item):
            result[-1].append(item)
        else:
            result.append([item])
    return [_in_order(row) for row in result]


def _in_order(row: Row) -> Row:
    if 2 * sum(bool(_RTL.search(item.text)) for item in row) > len(row):
        return sorted(row, key=lambda i: -i.x1)
    return _join_signs(sorted(row, key=lambda i: i.x0))


def _level(first: Segment, item: Segment) -> bool:
    overlap = min(first.y1, item.y1) - max(first.y0, item.y0)
    return overlap > 0.5 * min(first.height, item.height)


def _join_signs(row: Row) -> Row:
    joined = [row[0]]
    for before, item in pairwise(row):
        last = joined[-1]
        sign = bool(_CURRENCY.match(before.text)) and bool(_AMOUNT.match(item.text))
        mark = len(joined) == 1 and bool(BULLET.match(last.text)) and item.x0 - last.x1 < 4 * item.height
        tail = bool(_TAIL.match(item.text)) and item.x0 - last.x1 < 2 * item.height
        if sign or mark or tail or item.x0 - last.x1 < 0.5 * item.height:
            joined[-1] = _merge(last, item, "" if tail else " ")
        else:
            joined.append(item)
    return joined


def _merge(a: Segment, b: Segment, space: str) -> Segment:
    font = a.font if len(a.text) > len(b.text) else b.font
    return Segment(a.text + space + b.text, *union((a.box, b.box)), font)
