"""HTML: decode first, measure its nesting, then docling; or, when that fails, a plain reader of our own."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from ingestion.errors import TooNested
from ingestion.parse import docling
from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.characters import clean, one_line
from ingestion.parse.decode import decode
from ingestion.parse.limits import Limits
from ingestion.parse.tables import markdown_rows

# 1,000 nested divs cost docling 10 s and a RecursionError; the deepest real pages reach 60.
MAX_DEPTH = 200
# With six jobs a core docling read 100 KB/s of prose, 30 of tables and 11 of short marked-up lines, slower
# as pages grow; the plain reader 400 KB/s, always. Beyond this the plain one keeps within the time limit.
MAX_DOCLING_CHARACTERS = 500_000

# fmt: off
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
))
_SILENT = frozenset((
    "script", "style", "noscript", "template", "title", "svg", "math", "iframe", "object", "select", "button",
))
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "nav", "ol", "p", "section",
    "summary", "ul", "pre", "h1", "h2", "h3", "h4", "h5", "h6",
))
_OPTIONAL = frozenset(("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "colgroup"))
# fmt: on
_HEADING = re.compile(r"^h[1-6]$")
_UNSEEN = re.compile(
    r"<(script|style|noscript|template|svg|iframe|nav)\b[^>]*>.*?</\1\s*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_DATA_URI = re.compile(r"\bdata:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]{64,}")


def read_html(data: bytes, limits: Limits, *, plain: bool = False) -> Parsed:
    """Read a web page. Raises TooNested, UnknownEncoding, and what docling raises unless `plain`."""
    decoded = decode(data, markup=True)
    text = _DATA_URI.sub("data:,", decoded.text)
    outline = _Outline()
    outline.feed(text)
    if plain or outline.most_open > MAX_DEPTH or len(text) > MAX_DOCLING_CHARACTERS:
        parsed = read_plain(text)
    else:
        parsed = docling.read_html(_UNSEEN.sub(" ", text), limits)
    title = one_line(outline.title) or parsed.title
    return Parsed(parsed.blocks, parsed.pages, parsed.parser, [*decoded.warnings, *parsed.warnings], title)


def read_fragment(text: str) -> Parsed:
    """HTML inside another document, already decoded, by the plain reader. Raises TooNested."""
    _Outline().feed(text)
    return read_plain(_DATA_URI.sub("data:,", text))


def read_plain(text: str) -> Parsed:
    """Headings, paragraphs, list items, preformatted text and table rows, in one linear pass."""
    reader = _Plain()
    reader.feed(text)
    reader.close()
    reader.flush()
    return Parsed(reader.blocks, [], "html", [], None)


class _Outline(HTMLParser):
    """Measures how deep elements nest, and keeps the title."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.depth = 0
        self.open = self.most_open = 0  # elements whose end tag may be left out: docling nests them all
        self.in_title = False
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _OPTIONAL:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        if tag in _VOID or tag in _OPTIONAL:
            return
        self.depth += 1
        self.in_title = tag == "title"
        if self.depth > MAX_DEPTH:
            raise TooNested(f"This page nests its elements more than {MAX_DEPTH} deep.")

    def handle_endtag(self, tag: str) -> None:
        if tag in _OPTIONAL:
            self.open = max(0, self.open - 1)
        elif tag not in _VOID:
            self.depth = max(0, self.depth - 1)
            self.in_title = False

    def handle_data(self, data: str) -> None:
        if self.in_title:
            self.title += data


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    header_rows: int = 0


class _Plain(HTMLParser):
    """Turns tags into blocks; unknown and unclosed tags do no harm."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        self.kind, self.level = "paragraph", 0
        self.silent = 0
        self.lists = 0
        self.tables: list[_Table] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self.silent += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag in ("table", "tr", "td", "th"):
            self._open_table_part(tag)
        elif tag in _BLOCKS:
            if self.tables:
                self.parts.append(" ")
                return
            self.flush()
            self.lists += tag in ("ul", "ol")
            if tag == "li":
                self.kind, self.level = "list_item", max(0, self.lists - 1)
            elif tag == "pre":
                self.kind = "code"
            elif _HEADING.match(tag):
                self.kind, self.level = "heading", int(tag[1])

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in ("td", "th"):
            self._close_cell()
        elif tag == "table":
            self._close_table()
        elif tag in _BLOCKS and not self.tables:
            self.flush()
            self.lists = max(0, self.lists - (tag in ("ul", "ol")))

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data if self.kind == "code" else " ".join(re.split(r"[ \t\r\n\f]+", data)))

    def flush(self) -> None:
        """End the open block."""
        text = clean("".join(self.parts))
        if self.kind == "code":
            text = text.strip("\n")
        else:
            text = "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()
        if text:
            self.blocks.append(Block(self.kind, text, self.level))
        self.parts, self.kind, self.level = [], "paragraph", 0

    def _open_table_part(self, tag: str) -> None:
        if tag == "table":
            if not self.tables:
                self.flush()
            self.tables.append(_Table())
        elif self.tables:
            self._close_cell()
            table = self.tables[-1]
            if tag == "tr" or not table.rows:
                table.rows.append([])
            if tag != "tr":
                table.rows[-1].append("")
                if tag == "th" and len(table.rows) == table.header_rows + 1:
                    table.header_rows += len(table.rows[-1]) == 1

    def _close_cell(self) -> None:
        if self.tables and self.tables[-1].rows and self.tables[-1].rows[-1]:
            row = self.tables[-1].rows[-1]
            row[-1] = one_line(f"{row[-1]} {''.join(self.parts)}")
            self.parts = []

    def _close_table(self) -> None:
        if not self.tables:
            return
        self._close_cell()
        table = self.tables.pop()
        text = markdown_rows(table.rows)
        if self.tables:
            self.parts.append(" " + text.replace("\n", " "))
        elif text:
            self.blocks.append(Block("table", text, table.header_rows or 1))
