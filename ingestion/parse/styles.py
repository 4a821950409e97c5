"""Blocks from the lines of a whole PDF: headings by outline and style, paragraphs, lists, code (pure)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from ingestion.parse.blocks import Block
from ingestion.parse.characters import clean, one_line
from ingestion.parse.columns import BULLET, Row, Segment, union
from ingestion.parse.grid import Grid
from ingestion.parse.words import Font

MAX_HEADING_CHARACTERS = 140
MAX_HEADING_WORDS = 16
PARAGRAPH_GAP = 0.35  # of the line height, beyond the usual gap of the document or of a page set wider
# A press release bound into a filing is often set at 1.36 lines where the rest is tight tables.
WIDEST_GAP, ENOUGH_WRAPS = 0.9, 4

_NUMBERED = re.compile(
    r"^(\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z]\.\d*|[IVX]{1,5}\.|(chapter|appendix|section|part|item|note)\s+\w+\.?)[\s:]+\S",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"^(figure|fig\.|table|abb\.|abbildung|tabelle|exhibit)\s*\d", re.IGNORECASE)
_LEADERS = re.compile(r"(\. ?){5,}")
_GLYPH_BULLET = re.compile(r"^[•‣◦▪■●○∞·►▶➤✓]\s*")
_CJK = re.compile("[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")
_TOKEN = re.compile(r"[\w-]{4,}")
_UNFINISHED = re.compile(r"(?:,|\b(?:and|or|of|the|to|in|for|with|by|a|an))$")
_BREAK = re.compile("[\u00ad-]$")
# fmt: off
_PREFIXES = frozenset((
    "self", "non", "well", "high", "low", "long", "short", "half", "cross", "multi", "co", "ex", "all", "anti",
))
# fmt: on
_WORDLESS = re.compile(r"\W+")

Outline = Mapping[str, tuple[int, int | None]]  # folded title -> level from 1, page from 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in a column, or a whole table (`grid`); `right` is where its column ends."""

    page: int
    cell: Segment
    right: float
    starts_region: bool
    grid: Grid | None = None

    @property
    def text(self) -> str:
        return self.cell.text


@dataclass(frozen=True, slots=True)
class Style:
    """What is usual in a document: size and font of its body, and the gap between its lines."""

    size: float
    font: str
    bold: bool
    mono: bool
    gap: float
    page_gaps: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """The block being assembled."""

    kind: str
    lines: list[Line]
    rank: tuple[float, ...] = ()
    level: int = 0


def fold(text: str) -> str:
    """Letters and digits only, for comparing a line with an outline entry or with other pages."""
    return _WORDLESS.sub("", text.lower())


def lines(page: int, region: Sequence[Row | Grid]) -> list[Line]:
    """One region as lines: the cells of a row that is no table are joined by spaces."""
    right = max(
        (union(c.box for c in row)[2] if isinstance(row, list) else row.box[2] for row in region), default=0.0
    )
    result = []
    for number, row in enumerate(region):
        if isinstance(row, Grid):
            result.append(Line(page, Segment("", *row.box, Font("", False, False)), right, number == 0, row))
        else:
            font = max(row, key=lambda cell: len(cell.text)).font
            text = " ".join(cell.text for cell in row)
            result.append(
                Line(page, Segment(text, *union(cell.box for cell in row), font), right, number == 0)
            )
    return result


def usual(items: Sequence[Line]) -> Style:
    """The document's own body style, weighted by characters."""
    sizes: Counter[float] = Counter()
    fonts: Counter[Font] = Counter()
    for line in items:
        sizes[_half(line.cell.height)] += len(line.text)
        fonts[line.cell.font] += len(line.text)
    size = sizes.most_common(1)[0][0] or 10.0
    font = fonts.most_common(1)[0][0]
    bold = sum(count for kind, count in fonts.items() if kind.bold) > 0.5 * fonts.total()
    gaps = [
        (after.cell.y0 - before.cell.y1) / size
        for before, after in pairwise(items)
        if after.page == before.page and not after.starts_region and _half(after.cell.height) == size
    ]
    close = sorted(gap for gap in gaps if -0.5 < gap < 1.5)
    usual_gap = close[len(close) // 4] if close else 0.2
    return Style(size, font.name, bold, font.mono, usual_gap, _page_gaps(items, usual_gap))


def _page_gaps(items: Sequence[Line], usual_gap: float) -> dict[int, float]:
    """Pages set wider than the rest of the document, by the gap under lines that run on to the column's edge."""
    wraps: dict[int, list[float]] = {}
    for before, after in pairwise(items):
        if after.page == before.page and not after.starts_region and _runs_to_edge(before):
            wraps.setdefault(after.page, []).append(_gap(before, after) / max(after.cell.height, 1.0))
    return {
        page: min(median(gaps), WIDEST_GAP)
        for page, gaps in wraps.items()
        if len(gaps) >= ENOUGH_WRAPS and median(gaps) > usual_gap
    }


def _runs_to_edge(line: Line) -> bool:
    width = line.right - line.cell.x0
    return line.cell.x1 > line.right - 0.15 * width and not line.text.endswith((".", "!", "?", ":", ";"))


def _half(value: float) -> float:
    return round(value * 2) / 2


def blocks(items: Sequence[Line], outline: Outline) -> list[Block]:
    """Assemble lines into blocks and give every heading its level."""
    if not items:
        return []
    style = usual(items)
    assembled = list(_assemble(items, outline, style))
    levels = _levels(assembled)
    words = frozenset(token for line in items for token in _TOKEN.findall(line.text.lower()))
    result = []
    depth = 0
    for part in assembled:
        if part.kind == "heading":
            level = part.level or (min(6, depth + 1) if outline and depth else levels[part.rank])
            depth = part.level or depth
            result.append(_block(part, level, words))
        else:
            result.append(_block(part, 0, words))
    return [block for block in result if block.text]


def _levels(parts: Sequence[_Open]) -> dict[tuple[float, ...], int]:
    ranks = sorted({part.rank for part in parts if part.kind == "heading" and not part.level})
    return {rank: min(6, position) for position, rank in enumerate(ranks, 1)}


def _assemble(items: Sequence[Line], outline: Outline, style: Style) -> Iterator[_Open]:
    current: _Open | None = None
    before: Line | None = None
    for index, line in enumerate(items):
        if line.grid:
            if current:
                yield current
            yield _Open("table", [line])
            current, before = None, line
            continue
        following = items[index + 1] if index + 1 < len(items) else None
        part = _start(line, before, following, outline, style)
        if current and _joins(current, part, line, style):
            current.lines.append(line)
        else:
            if current:
                yield current
            current = part
        before = line
    if current:
        yield current


def _start(line: Line, before: Line | None, following: Line | None, outline: Outline, style: Style) -> _Open:
    """The block this line would open."""
    level = _outlined(line, following, outline)
    if level:
        return _Open("heading", [line], level=level)
    if _CAPTION.match(line.text) and len(line.text) < 200:
        return _Open("caption", [line])
    if line.cell.font.mono and not style.mono:
        return _Open("code", [line])
    if (
        _looks_like_heading(line, before, style)
        and not _runs_on(line, following)
        and not _wraps(before, line)
    ):
        numbered = _NUMBERED.match(line.text)
        depth = numbered[1].strip(".").count(".") if numbered else 0
        return _Open("heading", [line], rank=(-_half(line.cell.height), -line.cell.font.bold, depth))
    marker = BULLET.match(line.text.split(" ", 1)[0]) and " " in line.text
    if marker or _GLYPH_BULLET.match(line.text):
        return _Open("list_item", [line])
    return _Open("paragraph", [line])


def _outlined(line: Line, following: Line | None, outline: Outline) -> int:
    both = line.text + (following.text if following else "")
    for text in (line.text, both):
        level, page = outline.get(fold(text), (0, None))
        if level and (page is None or abs(page - line.page) <= 1):
            return level
    return 0


def _looks_like_heading(line: Line, before: Line | None, style: Style) -> bool:
    text, cell = line.text, line.cell
    words = len(text.split())
    if not _may_be_heading(text, words):
        return False
    stop = text.endswith(".")
    if cell.height >= 1.3 * style.size:
        return not (stop and words > 8)
    if stop:
        return False
    other = cell.font.name != style.font
    if cell.height >= 1.12 * style.size and other:
        return True
    apart = (
        before is None
        or line.starts_region
        or _gap(before, line) > style.gap * style.size + 0.1 * cell.height
    )
    if cell.height < 0.93 * style.size or not apart:
        return False
    bold = cell.font.bold and not style.bold and words <= 12
    alone = other and before is not None and not before.text.endswith(("-", ","))
    return bold or (alone and words <= 9 and not cell.font.mono and _is_short(line))


def _runs_on(line: Line, following: Line | None) -> bool:
    """Whether the line is the first of a paragraph in its own style."""
    if following is None or following.page != line.page or following.grid or _is_short(line):
        return False
    return following.cell.font == line.cell.font and following.text[:1].islower()


def _wraps(before: Line | None, line: Line) -> bool:
    """Whether the line before breaks off in a sentence that only this line can end: `…, and`."""
    if before is None or line.starts_region or _gap(before, line) > 0.9 * max(line.cell.height, 1.0):
        return False
    return before.cell.font == line.cell.font and bool(_UNFINISHED.search(before.text))


def _may_be_heading(text: str, words: int) -> bool:
    if len(text) > MAX_HEADING_CHARACTERS or words > MAX_HEADING_WORDS or text[0].islower():
        return False
    if (
        text[0] in "*<>=({[&|$"
        or text[-1] in ",;:\u00ad"
        or _LEADERS.search(text)
        or _GLYPH_BULLET.match(text)
    ):
        return False
    return sum(char.isalpha() for char in text) >= max(2, 0.4 * len(text))


def _is_short(line: Line) -> bool:
    return line.cell.x1 - line.cell.x0 < 0.75 * max(1.0, line.right - line.cell.x0)


def _gap(before: Line, line: Line) -> float:
    return line.cell.y0 - before.cell.y1 if before.page == line.page else float("inf")


def _joins(current: _Open, part: _Open, line: Line, style: Style) -> bool:
    """Whether a line continues the open block."""
    before = current.lines[-1]
    if before.page != line.page or line.starts_region:
        return False
    gap, height = _gap(before, line), max(line.cell.height, 1.0)
    if current.kind == "heading":
        whole = fold(" ".join(item.text for item in current.lines))
        if current.level and part.kind != "heading":
            return part.kind == "paragraph" and line.text[0].islower() and gap < 0.5 * height and bool(whole)
        return part.kind == "heading" and part.rank == current.rank and not part.level and gap < 0.8 * height
    if current.kind == "code" or part.kind == "code":
        return current.kind == part.kind
    if (
        part.kind != "paragraph"
        or gap > (style.page_gaps.get(line.page, style.gap) + PARAGRAPH_GAP) * height
        or gap < -2 * height
    ):
        return False
    if abs(before.cell.height - height) > 0.15 * height:
        return False
    return current.kind == "list_item" or not _ends_paragraph(before, line)


def _ends_paragraph(before: Line, line: Line) -> bool:
    short = before.cell.x1 < line.right - 0.25 * (line.right - before.cell.x0)
    ended = before.text.endswith((".", "!", "?", ":", ";"))
    indented = line.cell.x0 > before.cell.x0 + line.cell.height
    return ended and (short or indented)


def _block(part: _Open, level: int, words: frozenset[str]) -> Block:
    first = part.lines[0]
    box = union(line.cell.box for line in part.lines)
    if first.grid:
        return Block("table", clean(first.grid.text), first.grid.header_rows, first.page, first.grid.box)
    if part.kind == "code":
        return Block("code", clean(_code(part.lines)), 0, first.page, box)
    text = one_line(_joined([line.text for line in part.lines], words))
    if part.kind == "list_item":
        text = _GLYPH_BULLET.sub("", text)
    return Block(part.kind, text, level, first.page, box)


def _code(items: Sequence[Line]) -> str:
    left = min(line.cell.x0 for line in items)
    widths = [(line.cell.x1 - line.cell.x0) / len(line.text) for line in items if line.text]
    width = median(widths) or 1.0
    return "\n".join(" " * min(40, round((line.cell.x0 - left) / width)) + line.text for line in items)


def _joined(parts: Sequence[str], words: frozenset[str]) -> str:
    """Lines as one text: a hyphen at a line's end stays when the document writes the word with it."""
    text = parts[0]
    for part in parts[1:]:
        if _BREAK.search(text) and text[-2:-1].isalpha() and part[:1].islower():
            head, tail = text[:-1].rsplit(" ", 1)[-1], part.split(" ", 1)[0].rstrip(".,;:)")
            whole = f"{head}{tail}".lower()
            keep = whole not in words and (f"{head}-{tail}".lower() in words or head.lower() in _PREFIXES)
            text = text[:-1] + ("-" if keep else "") + part
        elif _CJK.match(text[-1:]) and _CJK.match(part[:1]):
            text += part
        else:
            text += " " + part
    return text
