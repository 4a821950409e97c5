"""From the words of every page to blocks: columns, tables, running lines, headings (pure)."""

from collections.abc import Iterator, Sequence

from ingestion.parse.blocks import Block, Page
from ingestion.parse.columns import regions, rows, segments
from ingestion.parse.furniture import without_furniture
from ingestion.parse.grid import split_rows
from ingestion.parse.styles import Line, Outline, blocks, lines
from ingestion.parse.words import Word


def lay_out(content: Sequence[Sequence[Word]], pages: Sequence[Page], outline: Outline) -> list[Block]:
    """The blocks of a document whose page n holds the words `content[n - 1]`."""
    lines_of_pages = [
        list(_page_lines(page.number, words)) for page, words in zip(pages, content, strict=True)
    ]
    kept = without_furniture(lines_of_pages, {page.number: page.height for page in pages})
    return blocks(kept, outline)


def _page_lines(number: int, words: Sequence[Word]) -> Iterator[Line]:
    for region in regions(segments(words)) if words else ():
        yield from lines(number, list(split_rows(rows(region))))
