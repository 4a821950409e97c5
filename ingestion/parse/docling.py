"""docling's readers for Office files, HTML and right-to-left PDFs, and the way from its document to blocks.

docling is imported inside the functions and only ever runs in the child: its import takes 1 to 6 s and
140 MB, and its conversions hold the interpreter lock for up to 1.24 s at a time.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from ingestion.errors import Corrupt, TooBig
from ingestion.parse.blocks import Block, Box, Page, Parsed, Warning_
from ingestion.parse.characters import clean, one_line
from ingestion.parse.limits import Limits, check_archive
from ingestion.parse.tables import markdown_rows
from ingestion.parse.words import Word, font_named

# docling publishes no types that a strict check accepts.
Document = Any
Node = Any

EMU_PER_POINT = 12_700
MAX_TABLE_CELLS = 400_000  # docling takes 4 KB a cell: 1.6 GB of the 3 allowed

_SPACE_BEFORE = re.compile(r"\s+([,.;:!?)\]}»”’%])")


def warm() -> None:
    """Import what conversions need, so that processes forked afterwards have it."""
    import docling.backend.html_backend
    import docling.backend.mspowerpoint_backend
    import docling.backend.msword_backend  # noqa: F401


def read_office(path: Path, kind: str, limits: Limits) -> Parsed:
    """Read a docx or pptx file.

    Raises Encrypted, TooBig, UnsafeContent or Corrupt; whatever else docling raises ends the child.
    """
    from docling.backend.mspowerpoint_backend import MsPowerpointDocumentBackend
    from docling.backend.msword_backend import MsWordDocumentBackend
    from docling.datamodel.base_models import InputFormat

    check_archive(path)
    if kind == "docx":
        return _parsed(_convert(path, InputFormat.DOCX, MsWordDocumentBackend), "docling docx", limits)
    return _parsed(_convert(path, InputFormat.PPTX, MsPowerpointDocumentBackend), "docling pptx", limits)


def read_html(text: str, limits: Limits) -> Parsed:
    """Read HTML that is already decoded. Nothing is fetched, and no content is taken for furniture."""
    from docling.backend.html_backend import HTMLDocumentBackend
    from docling.datamodel.backend_options import HTMLBackendOptions
    from docling.datamodel.base_models import InputFormat

    options = HTMLBackendOptions.model_validate(
        {"infer_furniture": False, "fetch_images": False, "add_title": False}
    )
    source = BytesIO(text.encode("utf-8"))
    return _parsed(_convert(source, InputFormat.HTML, HTMLDocumentBackend, options), "docling html", limits)


def right_to_left_words(path: Path, count: int) -> Iterator[list[Word]]:
    """The words of each of the first `count` pages, by docling-parse, whose Arabic and Hebrew are right.

    pdfium turns the parts of ligatures round (recall .85 against .99), but reads 60 pages/s where
    docling-parse reads 1 to 3 and takes up to 1.2 GB for 73 pages. A `Word` here is a run in one direction.
    """
    from docling_parse.pdf_parser import DoclingPdfParser

    document = DoclingPdfParser(loglevel="fatal").load(path_or_stream=str(path))
    for number in range(1, count + 1):
        page = document.get_page(number)
        height = page.dimension.height
        words = []
        for cell in page.textline_cells:
            box = cell.rect.to_bounding_box().to_top_left_origin(height)
            font = font_named(str(getattr(cell, "font_name", "")).lstrip("/"), heavy=False)
            words.append(Word(cell.text.strip(), box.l, box.t, box.r, box.b, font))
        yield [word for word in words if word.text]


def _convert(source: Path | BytesIO, kind: Any, backend: Any, options: Any = None) -> Document:
    from docling.datamodel.document import InputDocument

    name = f"document.{kind.value}"
    opened = InputDocument(
        path_or_stream=source, format=kind, backend=backend, backend_options=options, filename=name
    )
    if not opened.valid:
        raise Corrupt(detail=f"docling does not open it as {kind.value}: {opened._rejection!r}")
    reader: Any = opened._backend  # the pipeline around it adds nothing but time
    document: Document = reader.convert()
    return document


def _parsed(document: Document, parser: str, limits: Limits) -> Parsed:
    walk = _Walk(document, slides=parser.endswith("pptx"), html=parser.endswith("html"))
    blocks = [block for block in walk.blocks(document.body, 0) if block.text.strip()]
    characters: dict[int, int] = {}
    for block in blocks:
        if block.page is not None:
            characters[block.page] = characters.get(block.page, 0) + len(block.text)
    if sum(len(block.text) for block in blocks) > limits.max_characters:
        raise TooBig(f"This file holds more than {limits.max_characters:,} characters.")
    pages = [
        Page(number, _points(page.size.width), _points(page.size.height), characters.get(number, 0))
        for number, page in sorted(document.pages.items())
    ]
    title = next((block.text for block in blocks if block.kind == "title"), None)
    return Parsed(blocks, pages, parser, list(walk.warnings), title)


def _points(length: float) -> float:
    return round(length / EMU_PER_POINT, 1)


class _Walk:
    """One pass over a docling document, in reading order."""

    def __init__(self, document: Document, *, slides: bool, html: bool) -> None:
        self.document = document
        self.slides = slides
        self.heading_shift = int(html)  # docling calls an h1 the title and an h2 level 1
        self.title_is_heading = slides or html
        self.warnings: list[Warning_] = []

    def blocks(self, node: Node, depth: int) -> Iterator[Block]:
        for reference in node.children:
            child = reference.resolve(self.document)
            layer = getattr(child, "content_layer", None)
            if layer is not None and layer.value not in ("body", "notes"):
                continue
            yield from self._block(
                child, depth, "note" if layer is not None and layer.value == "notes" else None
            )

    def _block(self, item: Any, depth: int, note: str | None) -> Iterator[Block]:
        label = item.label.value
        if label == "inline":
            yield Block(note or "paragraph", self._inline(item), page=self._page(item))
            return
        if label in ("table", "document_index"):
            yield from self._table(item)
            return
        text = item.text if hasattr(item, "text") else ""
        deeper = depth + (label == "list_item")
        if label == "list_item" and not text and item.children:
            first = item.children[0].resolve(self.document)
            if first.label.value == "inline":
                yield self._text(item, label, self._inline(first), depth)
                for reference in item.children[1:]:
                    yield from self._block(reference.resolve(self.document), deeper, note)
                return
        if text:
            yield self._text(item, note or label, text, depth)
        yield from self.blocks(item, deeper)

    def _text(self, item: Any, label: str, text: str, depth: int) -> Block:
        page, box = self._page(item), self._box(item)
        if label == "code":
            return Block("code", clean(text).strip("\n"), 0, page, box)
        if label == "list_item":
            marker = getattr(item, "marker", "") or ""
            numbered = f"{marker} {text}" if marker[:1].isalnum() else text
            return Block("list_item", _prose(numbered), depth, page, box)
        if label == "title" and not self.title_is_heading:
            return Block("title", one_line(text), 0, page, box)
        if label in ("title", "section_header"):
            level = 1 if label == "title" else min(6, item.level + self.heading_shift)
            return Block("heading", one_line(text), level, page, box)
        kind = label if label in ("caption", "note") else "paragraph"
        return Block(kind, _prose(text), 0, page, box)

    def _table(self, table: Node) -> Iterator[Block]:
        cells = table.data.num_rows * table.data.num_cols
        if cells > MAX_TABLE_CELLS:
            raise TooBig(
                f"A table of this file has {cells:,} cells; at most {MAX_TABLE_CELLS:,} can be read."
            )
        grid = table.data.grid
        rows = [[self._cell(cell) for cell in row] for row in grid]
        header = 0
        while header < len(grid) and any(cell.column_header and cell.text for cell in grid[header]):
            header += 1
        for caption in table.captions:
            yield Block("caption", _prose(getattr(caption.resolve(self.document), "text", "")))
        if any(any(row) for row in rows):
            text = markdown_rows(rows)
            yield Block("table", text, min(header, len(rows) - 1) or 1, self._page(table), self._box(table))

    def _cell(self, cell: Any) -> str:
        reference = getattr(cell, "ref", None)
        return one_line(cell.text or (self._inline(reference.resolve(self.document)) if reference else ""))

    def _inline(self, node: Node) -> str:
        parts = [getattr(node, "text", "") or ""]
        parts += [self._inline(reference.resolve(self.document)) for reference in node.children]
        return _SPACE_BEFORE.sub(r"\1", " ".join(part for part in parts if part))

    def _page(self, item: Any) -> int | None:
        origins = getattr(item, "prov", None)
        return origins[0].page_no if origins else None

    def _box(self, item: Any) -> Box | None:
        origins = getattr(item, "prov", None)
        if not origins or not self.slides:
            return None
        box = origins[0].bbox
        return _points(box.l), _points(box.t), _points(box.r), _points(box.b)


def _prose(text: str) -> str:
    """Clean text whose own line breaks stay."""
    return "\n".join(" ".join(line.split()) for line in clean(text).split("\n")).strip()
