"""Word files without docling: the fallback when it fails, and the way through very long ones.

docling reads 3,000 paragraphs/s on busy cores and holds them all; this pass reads 100,000 and holds one. It
knows headings by style or outline level, and tables; numbering, pictures and text boxes are left out.
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from lxml import etree

from ingestion.errors import Corrupt, TooBig
from ingestion.parse.blocks import Block, Parsed, Warning_
from ingestion.parse.characters import clean, one_line
from ingestion.parse.limits import Limits, check_archive
from ingestion.parse.tables import table_blocks

MAX_DOCLING_PARAGRAPHS = 30_000  # 10 s of docling; handbook-872p.docx has 8,293
DOCUMENT, STYLES = "word/document.xml", "word/styles.xml"

_PARAGRAPH = re.compile(rb"<w:p[ >]")
_HEADING = re.compile(r"^heading (\d)$", re.IGNORECASE)
_SPACE = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_ASIDE = ("txbxContent", "Fallback", "del", "moveFrom")


def is_long(path: Path) -> bool:
    """Whether a Word file has more paragraphs than docling reads in its time. Raises what `check_archive` does."""
    check_archive(path)
    count = 0
    with zipfile.ZipFile(path) as archive:
        if DOCUMENT not in archive.namelist():
            return False
        with archive.open(DOCUMENT) as stream:
            rest = b""
            while part := stream.read(1 << 20):
                count += len(_PARAGRAPH.findall(rest + part))
                rest = part[-4:]  # shorter than what is looked for
    return count > MAX_DOCLING_PARAGRAPHS


def read_word(path: Path, limits: Limits) -> Parsed:
    """Read a docx file paragraph by paragraph. Raises Encrypted, TooBig, UnsafeContent or Corrupt."""
    check_archive(path)
    blocks: list[Block] = []
    characters = 0
    try:
        with zipfile.ZipFile(path) as archive:
            levels = _heading_styles(archive)
            with archive.open(DOCUMENT) as stream:
                for block in _blocks(stream, levels):
                    characters += len(block.text)
                    if characters > limits.max_characters:
                        raise TooBig(f"This file holds more than {limits.max_characters:,} characters.")
                    blocks.append(block)
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError) as error:
        raise Corrupt(detail=repr(error)) from error
    note = Warning_(
        "plain_reading", "Read without lists, pictures and text boxes: it is very long, or unusual."
    )
    title = next((block.text for block in blocks if block.kind == "title"), None)
    return Parsed(blocks, [], "docx", [note], title)


def _heading_styles(archive: zipfile.ZipFile) -> dict[str, int]:
    """The level of each heading style by its id; 0 is the title's."""
    levels: dict[str, int] = {}
    if STYLES not in archive.namelist():
        return levels
    with archive.open(STYLES) as stream:
        for _, style in _parse(stream, ("style",)):
            id_, name = _value(style, "styleId"), ""
            for child in style.iter("{*}name", "{*}outlineLvl"):
                if child.tag.endswith("}outlineLvl"):
                    levels.setdefault(id_, int(_value(child, "val") or 9) + 1)
                else:
                    name = _value(child, "val")
            heading = _HEADING.match(name)
            if heading or name.lower() == "title":
                levels[id_] = int(heading[1]) if heading else 0
    return {id_: level for id_, level in levels.items() if level <= 6}


def _blocks(stream: IO[bytes], levels: dict[str, int]) -> Iterator[Block]:
    tables = paragraphs = 0
    for event, element in _parse(stream, ("p", "tbl"), ("start", "end")):
        is_table = element.tag.endswith("}tbl")
        step = 1 if event == "start" else -1
        tables, paragraphs = tables + step * is_table, paragraphs + step * (not is_table)
        if event == "start" or tables or paragraphs:
            continue
        if is_table:
            rows = [
                [_text(cell) for cell in row.iterchildren("{*}tc")] for row in element.iterchildren("{*}tr")
            ]
            yield from table_blocks(rows, header=1)
        else:
            yield from _paragraph(element, levels)
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _paragraph(element: Any, levels: dict[str, int]) -> Iterator[Block]:
    text = _text(element).strip()
    if not text:
        return
    style = next((_value(found, "val") for found in element.iter("{*}pStyle")), "")
    level = levels.get(style)
    if level is None:
        yield Block("paragraph", text)
    else:
        yield Block("heading" if level else "title", one_line(text), level)


def _text(element: Any) -> str:
    """The words of an element as they are after its tracked changes, paragraphs on lines of their own."""
    parts: list[str] = []
    waiting = [element]
    while waiting:
        node = waiting.pop()
        name = etree.QName(node).localname if isinstance(node.tag, str) else ""
        if name == "t":
            parts.append(node.text or "")
        elif name in _SPACE:
            parts.append(_SPACE[name])
        elif name not in _ASIDE:
            parts.append("\n" if name == "p" and parts else "")
            waiting += reversed(node)
    return clean("".join(parts))


def _value(element: Any, attribute: str) -> str:
    return str(next((value for key, value in element.items() if key.endswith(f"}}{attribute}")), ""))


def _parse(
    stream: IO[bytes], tags: tuple[str, ...], events: tuple[str, ...] = ("end",)
) -> Iterator[tuple[str, Any]]:
    names = [f"{{*}}{tag}" for tag in tags]
    yield from etree.iterparse(
        stream, events=events, tag=names, resolve_entities=False, no_network=True, load_dtd=False
    )
