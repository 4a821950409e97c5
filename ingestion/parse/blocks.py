"""The neutral stream that every parser yields: blocks of text in reading order, and the pages they are on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

BLOCK_SEPARATOR = "\n\n"

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a document.

    `kind` is title, heading, paragraph, list_item, table, code, caption or note. `level` is 1 to 6 for a
    heading, the depth from 0 for a list item, the number of header rows for a table. `page` counts from 1
    and is None where the format has no pages. `bbox` is x0, y0, x1, y1 in points, origin top left.
    A table's text has one `| a | b |` line per row, header rows first.
    """

    kind: str
    text: str
    level: int = 0
    page: int | None = None
    bbox: Box | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page or slide: its number from 1, its size in points, and how many characters of text it holds."""

    number: int
    width: float
    height: float
    characters: int


@dataclass(frozen=True, slots=True)
class Warning_:
    """Something a person should know about a document that was read all the same."""

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole document: `parser` names the reader that produced it, `made_on` is what the file says of itself."""

    blocks: list[Block]
    pages: list[Page]
    parser: str
    warnings: list[Warning_]
    title: str | None
    made_on: date | None = None


def document_text(blocks: Sequence[Block]) -> str:
    """The text that the offsets of chunks count in."""
    return BLOCK_SEPARATOR.join(block.text for block in blocks)


def to_rows(parsed: Parsed) -> dict[str, Any]:
    """Plain lists for the pipe between child and parent; `from_rows` is the inverse."""
    return {
        "blocks": [[b.kind, b.text, b.level, b.page, b.bbox] for b in parsed.blocks],
        "pages": [[p.number, p.width, p.height, p.characters] for p in parsed.pages],
        "warnings": [[w.code, w.message, w.page] for w in parsed.warnings],
        "parser": parsed.parser,
        "title": parsed.title,
        "made_on": parsed.made_on.isoformat() if parsed.made_on else None,
    }


def from_rows(rows: dict[str, Any]) -> Parsed:
    """Rebuild a document from the lists made by `to_rows`."""
    return Parsed(
        blocks=[
            Block(kind, text, level, page, tuple(bbox) if bbox else None)
            for kind, text, level, page, bbox in rows["blocks"]
        ],
        pages=[Page(*row) for row in rows["pages"]],
        parser=rows["parser"],
        warnings=[Warning_(*row) for row in rows["warnings"]],
        title=rows["title"],
        made_on=date.fromisoformat(rows["made_on"]) if rows["made_on"] else None,
    )
