"""The cells of a sheet as blocks: its name as heading, titles as paragraphs, tables with their headers (pure)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ingestion.errors import TooBig
from ingestion.parse.blocks import Block
from ingestion.parse.tables import table_blocks

MAX_GRID = 4_000_000  # cells of a table with its empty ones; a full sheet of 20 MB of text has half of that
MAX_REPEATED = 500_000  # cells that take the value of the merged range they lie in
MAX_HEADER_ROWS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows. Numbers, dates and truth values are no text."""

    text: str
    is_text: bool = True
    merged: "Range | None" = None


@dataclass(frozen=True, slots=True)
class Range:
    """Merged cells: first and last row and column, from 1."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """Filled cells by row and column, from 1, and the merged ranges."""

    name: str
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)


Row = Mapping[int, Cell]


def sheet_blocks(sheet: Sheet) -> list[Block]:
    """Blocks of one sheet, none when it is empty. A blank row ends a table, unless figures go on below it."""
    _repeat(sheet)
    blocks = [block for run in _runs(sheet) for block in _run_blocks(run)]
    return [Block("heading", sheet.name, 1), *blocks] if blocks else []


def _repeat(sheet: Sheet) -> None:
    """Give the value of a merged range to each of its cells in rows and columns that are used (S-TS-03)."""
    rows = sorted(sheet.rows)
    columns = sorted({column for row in sheet.rows.values() for column in row})
    left = MAX_REPEATED
    for merged in sheet.merged:
        first = sheet.rows.get(merged.top, {}).get(merged.left)
        if first is None:
            continue
        cell = Cell(first.text, first.is_text, merged)
        across = columns[bisect_left(columns, merged.left) : bisect_right(columns, merged.right)]
        for row in rows[bisect_left(rows, merged.top) : bisect_right(rows, merged.bottom)]:
            left -= len(across)
            if left < 0:
                return
            for column in across:
                sheet.rows[row][column] = cell


def _runs(sheet: Sheet) -> Iterator[list[Row]]:
    run: list[Row] = []
    before = 0
    for number in sorted(sheet.rows):
        row = sheet.rows[number]
        if run and number > before + 1 and not _goes_on(run, row):
            yield run
            run = []
        run.append(row)
        before = number
    if run:
        yield run


def _goes_on(run: Sequence[Row], row: Row) -> bool:
    """Whether a row below a blank one belongs to the table above: figures, and in its columns only."""
    above = run[-1]
    return len(above) > 1 and set(row) <= set(above) and any(not cell.is_text for cell in row.values())


def _run_blocks(run: Sequence[Row]) -> Iterator[Block]:
    columns = sorted({column for row in run for column in row})
    if len(columns) == 1:
        for row in run:
            yield Block("paragraph", row[columns[0]].text)
        return
    title = 0
    while title < len(run) and _is_title(run[title]):
        yield Block("paragraph", next(iter(run[title].values())).text)
        title += 1
    body = run[title:]
    if len(body) * len(columns) > MAX_GRID:
        raise TooBig(f"A sheet of this file spans more than {MAX_GRID:,} cells.")
    rows = [[row[column].text if column in row else "" for column in columns] for row in body]
    yield from table_blocks(rows, header=_header_rows(body))


def _is_title(row: Row) -> bool:
    """One cell alone, or one merged across all others."""
    cells = list(row.values())
    return len(cells) == 1 or (
        cells[0].merged is not None and all(c.merged == cells[0].merged for c in cells)
    )


def _header_rows(body: Sequence[Row]) -> int:
    """One, or as many as the merged cells of the first row reach and group."""
    count = 1
    while count < min(MAX_HEADER_ROWS, len(body) - 1):
        above, row = body[count - 1], body[count]
        grouped = any(
            cell.merged and cell.merged.right > cell.merged.left and row.get(column) != cell
            for column, cell in above.items()
        )
        reaching = any(cell.merged and row.get(column) == cell for column, cell in above.items())
        figures = any(not cell.is_text and not cell.merged for cell in row.values())
        if figures or not (grouped or reaching):
            break
        count += 1
    return count
