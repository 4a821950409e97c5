"""How a table is written as text: one Markdown-style line per row, whatever the source."""

from collections.abc import Iterable, Sequence

from ingestion.parse.characters import one_line


def markdown_row(cells: Iterable[str]) -> str:
    """`| a | b |`, each cell on one line with its bars escaped."""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def markdown_rows(rows: Iterable[Sequence[str]]) -> str:
    """Rows under each other; rows without any text are left out."""
    return "\n".join(markdown_row(row) for row in rows if any(cell.strip() for cell in row))
