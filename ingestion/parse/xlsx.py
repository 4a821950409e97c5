"""Spreadsheets, straight from the XML of the workbook: only cells that exist cost anything, and none is guessed at.

openpyxl builds every cell of a merged range and pads rows to the last column used, so that a 10 KB file can ask
for 17 billion of them; and it refuses whole files for an odd style or picture. Here a sheet is a stream of cells.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from lxml import etree

from ingestion.errors import Corrupt, TooBig
from ingestion.parse.blocks import Parsed, Warning_
from ingestion.parse.cellformat import BUILT_IN, shown
from ingestion.parse.characters import clean
from ingestion.parse.limits import Limits, check_archive
from ingestion.parse.sheets import Cell, Range, Sheet, sheet_blocks

MAX_NAMED = 10  # of the sheets that a warning lists

_REFERENCE = re.compile(r"^\$?([A-Z]{1,3})\$?(\d{1,7})$")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TEXT_TYPES = ("s", "str", "inlineStr")


@dataclass(slots=True)
class _Book:
    """What the sheets refer to: shared texts, number formats by style, and the calendar."""

    texts: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    from_1904: bool = False
    characters: int = 0
    uncomputed: int = 0


def read_xlsx(path: Path, limits: Limits) -> Parsed:
    """Read every sheet, hidden ones too, in the order of the workbook.

    Raises Encrypted, TooBig, UnsafeContent or Corrupt.
    """
    check_archive(path)
    book = _Book()
    blocks = []
    hidden = []
    try:
        with zipfile.ZipFile(path) as archive:
            for name, part, is_hidden in _workbook(archive, book):
                with archive.open(part) as stream:
                    sheet = _sheet(name, stream, book, limits)
                found = sheet_blocks(sheet)
                blocks += found
                if found and is_hidden:
                    hidden.append(name)
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, IndexError) as error:
        raise Corrupt(detail=repr(error)) from error
    return Parsed(blocks, [], "xlsx", list(_warnings(hidden, book.uncomputed)), None)


def _warnings(hidden: list[str], uncomputed: int) -> Iterator[Warning_]:
    if hidden:
        names = ", ".join(hidden[:MAX_NAMED]) + (", ..." if len(hidden) > MAX_NAMED else "")
        yield Warning_("hidden_sheets", f"Sheets that are hidden in the file were read too: {names}.")
    if uncomputed:
        message = f"{uncomputed:,} formulas have no stored result and are shown as formulas."
        yield Warning_("formulas_uncomputed", message)


def _workbook(archive: zipfile.ZipFile, book: _Book) -> list[tuple[str, str, bool]]:
    """Name, member and whether it is hidden, of each sheet; fills the book."""
    targets = {}
    for relation in _elements(archive, "xl/_rels/workbook.xml.rels", "Relationship"):
        member = str(PurePosixPath("/xl") / relation.get("Target", ""))[1:]
        kind = relation.get("Type", "").rsplit("/", 1)[-1]
        targets[relation.get("Id")] = (kind, member)
        if kind == "sharedStrings":
            book.texts = [_text(item) for item in _elements(archive, member, "si")]
        elif kind == "styles":
            book.formats = _formats(archive, member)
    sheets = []
    for element in _elements(archive, "xl/workbook.xml", "sheet", "workbookPr"):
        if _name(element) == "workbookPr":
            book.from_1904 = element.get("date1904", "0") in ("1", "true")
            continue
        id_ = next((value for name, value in element.items() if name.endswith("}id")), None)
        kind, member = targets[id_]
        if kind == "worksheet":
            is_hidden = element.get("state", "visible") != "visible"
            sheets.append((clean(element.get("name", "")), member, is_hidden))
    return sheets


def _formats(archive: zipfile.ZipFile, member: str) -> list[str]:
    """The number format of each cell style."""
    codes = dict(BUILT_IN)
    styles = []
    for element in _elements(archive, member, "numFmt", "cellXfs"):
        if _name(element) == "numFmt":
            codes[int(element.get("numFmtId", 0))] = element.get("formatCode", "")
        else:
            styles = [int(style.get("numFmtId", 0)) for style in element if _name(style) == "xf"]
    return [codes.get(style, "") for style in styles]


def _sheet(name: str, stream: IO[bytes], book: _Book, limits: Limits) -> Sheet:
    sheet = Sheet(name)
    row = column = 0
    for event, element in _stream(stream, ("row", "c", "mergeCell"), ("start", "end")):
        tag = _name(element)
        if event == "start":
            if tag == "row":
                row, column = int(element.get("r", row + 1)), 0
            continue
        if tag == "c":
            at = _REFERENCE.match(element.get("r", ""))
            column = _column(at[1]) if at else column + 1
            cell = _cell(element, book)
            if cell.text:
                sheet.rows.setdefault(row, {})[column] = cell
                book.characters += len(cell.text)
        elif tag == "mergeCell":
            merged = _range(element.get("ref", ""))
            if merged:
                sheet.merged.append(merged)
        if book.characters > limits.max_characters:
            raise TooBig(f"This file holds more than {limits.max_characters:,} characters.")
        if tag != "c":
            element.clear()
    return sheet


def _cell(element: Any, book: _Book) -> Cell:
    """What a spreadsheet program would show in the cell."""
    kind = element.get("t", "n")
    value = formula = inline = None
    for child in element:
        tag = _name(child)
        value = child.text if tag == "v" else value
        formula = child.text if tag == "f" else formula
        inline = child if tag == "is" else inline
    if inline is not None:
        return Cell(_text(inline))
    if value is None:
        book.uncomputed += bool(formula)
        return Cell(f"={clean(formula)}" if formula else "")
    if kind == "s":
        return Cell(book.texts[int(value)])
    if kind == "b":
        return Cell("FALSE" if value == "0" else "TRUE", is_text=False)
    if kind == "n":
        style = int(element.get("s", 0))
        code = book.formats[style] if style < len(book.formats) else ""
        return Cell(shown(value, code, from_1904=book.from_1904), is_text=False)
    return Cell(_plain(value), is_text=kind in _TEXT_TYPES)


def _text(item: Any) -> str:
    """A string without its phonetic reading, whose runs carry formats of their own."""
    parts = [element for element in item.iter() if _name(element) == "t"]
    return _plain("".join(part.text or "" for part in parts if _name(part.getparent()) != "rPh"))


def _plain(text: str) -> str:
    return clean(_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)).strip()


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _range(reference: str) -> Range | None:
    first, _, last = reference.partition(":")
    start, end = _REFERENCE.match(first), _REFERENCE.match(last)
    if not (start and end):
        return None
    return Range(int(start[2]), _column(start[1]), int(end[2]), _column(end[1]))


def _elements(archive: zipfile.ZipFile, member: str, *tags: str) -> Iterator[Any]:
    """Elements with these local names, each cleared after use."""
    with archive.open(member) as stream:
        for _, element in _stream(stream, tags, ("end",)):
            yield element
            if _name(element) != "xf":
                element.clear()


def _stream(stream: IO[bytes], tags: tuple[str, ...], events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    names = [f"{{*}}{tag}" for tag in tags]
    yield from etree.iterparse(
        stream, events=events, tag=names, resolve_entities=False, no_network=True, load_dtd=False
    )


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
