"""Tables on a page: runs of rows whose cells stand in columns, written one row a line (pure)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.parse.blocks import Box
from ingestion.parse.columns import Row, Segment, union

# Three rows with two cells, or two with three: fewer are captions, signatures or page feet.
MIN_ROWS = 3
MIN_WIDE_ROWS = 2
MAX_LABEL_ROWS = 4  # section names and wrapped labels between rows of figures
MAX_HEAD_ROWS = 3
ROW_GAP = 2.2  # line heights between two rows of one table
STACK_GAP = 0.4  # line heights beyond the widest gap of a table, between it and another under it

_YEARS = re.compile(r"^[^\d]*((19|20)\d\d\b[^\d]*)?$")
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its Markdown rows, how many of them are header, and where it stands."""

    text: str
    header_rows: int
    box: Box


def split_rows(rows: Sequence[Row]) -> list[Row | Grid]:
    """The rows of a region in order, with each run that forms a table replaced by one Grid."""
    result: list[Row | Grid] = []
    start = 0
    while start < len(rows):
        end = _run_end(rows, start)
        if end > start:
            heads = _heads(result, rows[start:end])
            del result[len(result) - len(heads) :]
            result.append(_grid([*heads, *rows[start:end]]))
            start = end
        else:
            result.append(rows[start])
            start += 1
    return result


def _run_end(rows: Sequence[Row], start: int) -> int:
    """One past the last row of the table that begins at `start`, or `start` when none does."""
    if len(rows[start]) < 2:
        return start
    end, labels, wide, tabular = start, 0, 0, 0
    edge = _figures_edge(rows[start])
    for index in range(start, len(rows)):
        row = rows[index]
        if index > start and (_apart(rows[index - 1], row) or _opens_another(rows, start, index)):
            break
        if len(row) > 1:
            end, labels = index + 1, 0
            tabular += 1
            wide += len(row) > 2
            edge = min(edge, _figures_edge(row))
        else:
            labels += 1
            if labels > MAX_LABEL_ROWS or row[0].x0 < edge < row[0].x1:
                break
    return end if tabular >= MIN_ROWS or wide >= MIN_WIDE_ROWS else start


def _opens_another(rows: Sequence[Row], start: int, index: int) -> bool:
    """Whether a second table begins under the first: a wider gap, and then a header instead of figures."""
    above = [row for row in rows[start:index] if len(row) > 1]
    if len(above) < MIN_ROWS or not any(_has_figures(row) for row in above):
        return False
    gaps = [below[0].y0 - row[0].y1 for row, below in pairwise(rows[start:index])]
    if rows[index][0].y0 - rows[index - 1][0].y1 < max(gaps) + STACK_GAP * rows[index][0].height:
        return False
    below = next((row for row in rows[index : index + MAX_LABEL_ROWS] if len(row) > 1), None)
    return below is not None and not _has_figures(below)


def _has_figures(row: Row) -> bool:
    return any(_FIGURE.search(cell.text) and not _YEARS.match(cell.text) for cell in row[1:])


def _heads(before: Sequence[Row | Grid], run: Sequence[Row]) -> list[Row]:
    """The rows above a table that stand over its figures only, like `Year ended December 31,`."""
    edge = min(_figures_edge(row) for row in run)
    heads: list[Row] = []
    below = run[0]
    for row in reversed(before):
        if isinstance(row, Grid) or len(row) > 1 or row[0].x0 < edge - row[0].height or _apart(row, below):
            break
        heads.insert(0, row)
        below = row
    return heads if len(heads) <= MAX_HEAD_ROWS else []


def _apart(row: Row, below: Row) -> bool:
    return below[0].y0 - row[0].y1 > ROW_GAP * max(below[0].height, 1.0)


def _figures_edge(row: Row) -> float:
    return row[1].x0 if len(row) > 1 else float("inf")


def _grid(rows: Sequence[Row]) -> Grid:
    columns = _columns(rows)
    table = [_cells(row, columns) for row in _unwrap(rows, columns)]
    header = _header_rows(table)
    text = "\n".join("| " + " | ".join(cells) + " |" for cells in table)
    return Grid(text, header, union(cell.box for row in rows for cell in row))


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Extents of the columns: overlapping cells of the fuller rows merged; spanning heads left out."""
    fullest = max(len(row) for row in rows)
    spans = sorted((cell.x0, cell.x1) for row in rows if len(row) >= max(2, 0.6 * fullest) for cell in row)
    columns = [spans[0]]
    for x0, x1 in spans[1:]:
        last0, last1 = columns[-1]
        if x0 < last1:
            columns[-1] = (last0, max(last1, x1))
        else:
            columns.append((x0, x1))
    return columns


def _unwrap(rows: Sequence[Row], columns: list[tuple[float, float]]) -> list[Row]:
    """Put a label that wrapped over several lines on the line of its figures."""
    result: list[Row] = []
    label_end = columns[1][0] if len(columns) > 1 else columns[0][1]
    for row in rows:
        before = result[-1] if result else None
        if before and len(before) == 1 and _wraps(before[0], row[0], columns[0][0], label_end):
            first = before[0]
            label = Segment(f"{first.text} {row[0].text}", *union((first.box, row[0].box)), first.font)
            result[-1] = [label, *row[1:]]
        else:
            result.append(row)
    return result


def _wraps(before: Segment, label: Segment, start: float, end: float) -> bool:
    """A label goes on when its line was full, or when the next begins in lower case further in."""
    if before.text.endswith(":") or label.x0 > end or before.x0 > end:
        return False
    full = before.x1 - start > 0.8 * (end - start)
    return full or (label.text[:1].islower() and label.x0 >= before.x0 - 1)


def _cells(row: Row, columns: list[tuple[float, float]]) -> list[str]:
    cells: list[list[str]] = [[] for _ in columns]
    for cell in row:
        touched = [n for n, (x0, x1) in enumerate(columns) if cell.x0 < x1 and cell.x1 > x0]
        if not touched:
            middle = (cell.x0 + cell.x1) / 2
            touched = [min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - middle))]
        if touched[0] == 0 and len(columns) > 1:
            touched = touched[:1]  # a long label is no head over the figures
        for column in touched:
            cells[column].append(cell.text.replace("|", "\\|"))
    return [" ".join(parts) for parts in cells]


def _header_rows(table: list[list[str]]) -> int:
    """Leading rows without figures but years; the label column of the first rows is often empty."""
    count = 0
    for cells in table[:4]:
        figures = [cell for cell in cells[1:] if _FIGURE.search(cell) and not _YEARS.match(cell)]
        if figures and (cells[0] or count):
            break
        count += 1
        if any(cells[1:]) and cells[0]:
            break
    return count if count < len(table) else 0
