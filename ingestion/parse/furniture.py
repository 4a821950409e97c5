"""Running headers, footers and page numbers: kept once, or not at all, when they repeat (pure)."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile

from ingestion.parse.styles import Line

BAND = 0.12  # of the page height, at the top and at the bottom
OUTER = 2  # lines at either end count wherever they are: filings put the page number under short pages
MIN_PAGES = 3  # two pages that begin alike are content
LEVEL = 4.0  # points that a running line may move between pages

_NUMBER = re.compile(
    r"^\W*(?:page|seite|p\.|pg\.?)?\s*(\d{1,4})(?:\s*(?:of|/|von|de)\s*\d{1,4})?\W*$", re.IGNORECASE
)
_EDGE = re.compile(
    r"^(\d{1,4})\b[\s|·–—-]*|[\s|·–—-]*(?:\b(?:page|seite)\s*)?\b(\d{1,4})(?:\s*(?:of|/|von|de)\s*\d{1,4})?$",
    re.IGNORECASE,
)


def without_furniture(pages: Sequence[Sequence[Line]], heights: Mapping[int, float]) -> list[Line]:
    """All lines in order without repetitions at the edges of pages; the first of a kind is kept.

    A page never loses its last line: a cover that says the same six times says it six times.
    """
    groups: defaultdict[tuple[str, int], list[Line]] = defaultdict(list)
    for lines in pages:
        downwards = sorted(lines, key=lambda line: line.cell.y0)
        outer = {id(line) for line in (*downwards[:OUTER], *downwards[-OUTER:])}
        for line in lines:
            template = _template(line.text)
            if line.grid is None and (_in_band(line, heights[line.page]) or id(line) in outer):
                groups[template, 0 if template == "#" else round(line.cell.y0 / LEVEL)].append(line)
    dropped: set[int] = set()
    for (template, _), group in groups.items():
        if len({line.page for line in group}) >= MIN_PAGES:
            dropped |= {id(line) for line in _repeated(template, group)}
    result: list[Line] = []
    for lines in pages:
        gone = _outermost(lines, dropped)
        result += [line for line in lines if id(line) not in gone] or lines
    return result


def _outermost(lines: Sequence[Line], dropped: set[int]) -> set[int]:
    """Those of the dropped that have nothing kept between them and the edge of the page."""
    downwards = sorted(lines, key=lambda line: line.cell.y0)
    top = takewhile(lambda line: id(line) in dropped, downwards)
    bottom = takewhile(lambda line: id(line) in dropped, reversed(downwards))
    return {id(line) for line in (*top, *bottom)}


def _in_band(line: Line, height: float) -> bool:
    return line.cell.y1 < BAND * height or line.cell.y0 > (1 - BAND) * height


def _template(text: str) -> str:
    """The line without the number at its edge; the same for every page when that is the page number."""
    if _NUMBER.match(text):
        return "#"
    return _EDGE.sub("#", text, count=1)


def _repeated(template: str, group: list[Line]) -> list[Line]:
    """Lines that say the same on MIN_PAGES pages, but for the first; and lines that differ by the page number."""
    texts = Counter(line.text for line in group)
    same = [line for line in group if texts[line.text] >= MIN_PAGES and template != "#"]
    firsts = {id(next(line for line in same if line.text == text)) for text in {line.text for line in same}}
    repeated = [line for line in same if id(line) not in firsts]
    rest = [line for line in group if texts[line.text] < MIN_PAGES or template == "#"]
    offsets = Counter(_number(line.text) - line.page for line in rest)
    offset, count = offsets.most_common(1)[0] if rest else (0, 0)
    if count < MIN_PAGES or count < 0.6 * len(rest):
        return repeated
    numbered = [line for line in rest if _number(line.text) - line.page == offset]
    return repeated + (numbered if template == "#" else numbered[1:])


def _number(text: str) -> int:
    match = _NUMBER.match(text)
    if match:
        return int(match[1])
    edge = _EDGE.search(text)
    return int(edge[1] or edge[2]) if edge else -10_000
