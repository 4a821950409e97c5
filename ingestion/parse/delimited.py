"""CSV and its relatives: decoded by our rule, the delimiter by a vote, every cell kept as text."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ingestion.errors import TooBig
from ingestion.parse.blocks import Block, Parsed, Warning_
from ingestion.parse.decode import decode
from ingestion.parse.limits import Limits
from ingestion.parse.tables import table_blocks

# Tried in this order, a tie goes to the earlier: text holds commas, seldom tabs.
DELIMITERS = ("\t", ";", "|", ",")
SAMPLE_CHARACTERS = 64_000
SAMPLE_ROWS = 200
AGREEMENT = 0.4  # share of rows that must have equally many cells; metadata above a table costs some
NO_DELIMITER = "\x1f"
MAX_CELL_LINES = 200  # a quote that swallows more than this was never closed
MAX_CELL_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Delimited:
    """The rows of a file without its blank ones, and how they were told apart."""

    rows: list[list[str]]
    delimiter: str
    warnings: tuple[Warning_, ...] = ()


def read_delimited(data: bytes, kind: str, limits: Limits) -> Parsed:
    """Read a file of type csv, or of type tsv, whose name settles the delimiter if it has tabs at all.

    Raises TooBig and UnknownEncoding.
    """
    decoded = decode(data)
    tabs = kind == "tsv" and "\t" in decoded.text
    found = split_delimited(decoded.text, "\t" if tabs else "")
    blocks = _blocks(found.rows)
    if sum(len(block.text) for block in blocks) > limits.max_characters:
        raise TooBig(f"This file holds more than {limits.max_characters:,} characters.")
    return Parsed(blocks, [], "delimited", [*decoded.warnings, *found.warnings], None)


def split_delimited(text: str, delimiter: str = "") -> Delimited:
    """Rows of cells as they are written: `00501`, `NA`, `1E10` and `1,50` stay text.

    Line breaks inside quotes stay in their cell; a doubled quote is one. Rows of another width than most
    are kept, with a warning.
    """
    text, declared = _declared(text)
    delimiter = declared or delimiter or vote(text)
    warnings: tuple[Warning_, ...] = ()
    rows = _parse(text, delimiter)
    if rows is None:
        rows = _parse(text, delimiter, quoted=False) or []
        warnings = (
            Warning_("quote_unclosed", "A quotation mark is never closed; quotes were read as text."),
        )
    widths = Counter(len(row) for row in rows)
    usual = max(widths, key=lambda width: (widths[width], width), default=0)
    odd = sum(count for width, count in widths.items() if width > usual)
    if odd and delimiter != NO_DELIMITER:
        warnings += (Warning_("rows_uneven", f"{odd:,} rows have more than the usual {usual} cells."),)
    return Delimited(rows, delimiter, warnings)


def vote(text: str) -> str:
    """The delimiter that gives most rows the same number of cells, two or more; NO_DELIMITER if none does."""
    sample = text[:SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, best_share = NO_DELIMITER, AGREEMENT
    for delimiter in DELIMITERS:
        rows = (_parse(sample, delimiter) or _parse(sample, delimiter, quoted=False) or [])[:SAMPLE_ROWS]
        width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width > 1 and count / len(rows) > best_share:
            best, best_share = delimiter, count / len(rows)
    return best


def _declared(text: str) -> tuple[str, str]:
    """Excel's own first line, `sep=;`."""
    first, _, rest = text.partition("\n")
    first = first.strip().strip('"')
    if first.lower().startswith("sep=") and len(first) == 5:
        return rest, first[4]
    return text, ""


def _parse(text: str, delimiter: str, *, quoted: bool = True) -> list[list[str]] | None:
    """Rows with any text in them; None when a quoted cell runs on and on."""
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    options: dict[str, Any] = {"delimiter": delimiter, "skipinitialspace": True}
    if not quoted:
        options["quoting"] = csv.QUOTE_NONE
    reader = csv.reader(StringIO(text, newline=""), **options)
    rows = []
    line = 0
    try:
        for row in reader:
            if quoted and reader.line_num - line > MAX_CELL_LINES:
                return None
            line = reader.line_num
            if any(cell.strip() for cell in row):
                rows.append(row)
    except csv.Error as error:
        if quoted:
            return None
        raise TooBig(f"A cell of this file has more than {MAX_CELL_CHARACTERS:,} characters.") from error
    return rows


def _blocks(rows: Sequence[Sequence[str]]) -> list[Block]:
    """Rows of one cell above a wider table are its title; the first row of more is the header."""
    width = max(map(len, rows), default=0)
    titles = list(_titles(rows)) if width > 1 else []
    body = [[*row, *[""] * (width - len(row))] for row in rows[len(titles) :]]
    return [Block("paragraph", title) for title in titles] + table_blocks(body, header=1)


def _titles(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1:
            return
        yield filled[0].strip()
