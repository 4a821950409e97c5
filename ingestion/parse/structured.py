"""JSON, JSON lines and XML as text: laid out over lines without being loaded, so nothing in them is expanded."""

import html
import json
import re
from collections.abc import Iterator

from ingestion.errors import TooNested
from ingestion.parse.blocks import Parsed
from ingestion.parse.characters import clean
from ingestion.parse.decode import decode
from ingestion.parse.pieces import code, sections, starts

MAX_DEPTH = 200  # as for HTML and Markdown
LONG_LINE = 400  # XML with longer lines was written by a program, for programs
SHORT_VALUE = 80  # an array or object of plain values that fits stays on one line

OPENING, CLOSING, COLON, COMMA = ("[", "{"), ("]", "}"), (":",), (",",)
SPACED = COLON + COMMA

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+|"', re.DOTALL)
_KEY = re.compile(r'  "((?:[^"\\]|\\.)*)": ')
_BETWEEN_TAGS = re.compile(r">\s*(?=<)")


def read_json(data: bytes) -> Parsed:
    """Read a .json file, well formed or not. Raises TooNested and UnknownEncoding."""
    decoded = decode(data)
    lines = _lines(decoded.text)
    return Parsed(sections(lines, starts(lines, _KEY)), [], "json", list(decoded.warnings), None)


def read_json_lines(data: bytes) -> Parsed:
    """Read one JSON value a line. Raises TooNested and UnknownEncoding."""
    decoded = decode(data)
    lines = [line for record in decoded.text.split("\n") if record for line in _lines(record)]
    return Parsed(code(lines), [], "json lines", list(decoded.warnings), None)


def read_xml(data: bytes) -> Parsed:
    """Read an .xml file with its tags; entities of its own stay as they are written."""
    decoded = decode(data, markup=True)
    text = decoded.text
    if max(map(len, text.split("\n")), default=0) > LONG_LINE:
        text = _BETWEEN_TAGS.sub(">\n", text)
    lines = clean(html.unescape(text)).expandtabs(2).split("\n")
    return Parsed(code(lines), [], "xml", list(decoded.warnings), None)


def _lines(text: str) -> list[str]:
    return clean("\n".join(layout(text))).expandtabs(4).split("\n")


def layout(text: str) -> Iterator[str]:
    """JSON over lines with two spaces a level; numbers and broken syntax stay exactly as written."""
    line: list[str] = []
    depth = 0
    for part in _values(text):
        if part in CLOSING:
            if line:
                yield _indented(depth, line)
                line = []
            depth = max(0, depth - 1)
        line.append(f"{part} " if part in COLON else part)
        if part in OPENING or part in COMMA:
            yield _indented(depth, line)
            line = []
            depth += part in OPENING
        if depth > MAX_DEPTH:
            raise TooNested
    if line:
        yield _indented(depth, line)


def _indented(depth: int, parts: list[str]) -> str:
    return "  " * depth + "".join(parts)


def _values(text: str) -> Iterator[str]:
    """Tokens; an innermost array or object of a few plain values is one of them."""
    held: list[str] = []
    size = 0
    for match in _TOKEN.finditer(text):
        part = _readable(match[0]) if "\\" in match[0] else match[0]
        if held and (part in OPENING or size > SHORT_VALUE):
            yield from held
            held, size = [], 0
        if not held and part not in OPENING:
            yield part
            continue
        held.append(part)
        size += len(part)
        if part in CLOSING:
            yield "".join(f"{one} " if one in SPACED else one for one in held)
            held, size = [], 0
    yield from held


def _readable(part: str) -> str:
    """A string without its escapes, so that its words are found: the line breaks in it become real ones."""
    if not part.startswith('"'):
        return part
    try:
        return f'"{json.loads(part, strict=False)}"'
    except json.JSONDecodeError:
        return part
