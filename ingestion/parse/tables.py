"""How a table is written as text: one Markdown-style line per row, whatever the source."""

from collections.abc import Iterable, Sequence

from ingestion.parse.blocks import Block
from ingestion.parse.characters import one_line
from ingestion.parse.pieces import pieces

LEAST_TABLE = 8_000  # characters of a table before it may end and go on as another with the same header


def markdown_row(cells: Iterable[str]) -> str:
    """`| a | b |`, each cell on one line with its bars escaped."""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def markdown_rows(rows: Iterable[Sequence[str]]) -> str:
    """Rows under each other; rows without any text are left out."""
    return "\n".join(markdown_row(row) for row in rows if any(cell.strip() for cell in row))


def table_blocks(rows: Sequence[Sequence[str]], *, header: int) -> list[Block]:
    """A table of any length as blocks of some hundred rows, each under the same `header` rows."""
    lines = [markdown_row(row) for row in rows if any(cell.strip() for cell in row)]
    header = min(header, max(0, len(lines) - 1))
    heads, body = lines[:header], lines[header:]
    if not body:
        return [Block("table", "\n".join(heads), 1)] if heads else []
    return [Block("table", "\n".join([*heads, *run]), header) for run in pieces(body, least=LEAST_TABLE)]
