"""Long files in blocks of a readable size, ended at places that an edit elsewhere does not move (pure)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

from ingestion.parse.blocks import Block

LEAST = 1_000  # characters of a piece, before it may end: about one passage
MOST = 8 * LEAST
ONE_IN = 8  # lines that end a piece once it is long enough; blank ones always do
MAX_NAME = 120
MAX_JOINED = 800  # characters of one-line definitions under a common heading
MAX_MATCHED_LINE = 400  # a longer line defines nothing, and would cost the pattern time

_ATTACHED = re.compile(r"^\s*(?:#|//|/\*|\*|--|@|\[\w+\b)")  # comments and decorators above a definition
_WORD = re.compile(r"\w")

Start = tuple[int, str]  # a line's index, and the name of what begins there


def pieces(lines: Iterable[str], *, least: int = LEAST) -> Iterator[list[str]]:
    """Runs of `least` to 8 * `least` characters, ended by content and not by count (F3)."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line) + 1
        ends = not line.strip() or crc32(line.encode("utf-8", "surrogatepass")) % ONE_IN == 0
        if (size >= least and ends) or size >= 8 * least:
            yield held
            held, size = [], 0
    if held:
        yield held


def code(lines: Sequence[str]) -> list[Block]:
    """Code blocks of the lines; one block where they are short enough."""
    if sum(len(line) + 1 for line in lines) <= MOST:
        runs: Iterable[Sequence[str]] = [lines]
    else:
        runs = pieces(lines)
    texts = ("\n".join(line.rstrip() for line in run).strip("\n") for run in runs)
    return [Block("code", text) for text in texts if _WORD.search(text)]


def starts(lines: Sequence[str], pattern: re.Pattern[str]) -> list[Start]:
    """The lines on which `pattern` sees a definition begin, and its name: the first group that matched."""
    found = []
    for index, line in enumerate(lines):
        match = pattern.match(line) if len(line) <= MAX_MATCHED_LINE else None
        if match:
            name = next((group for group in match.groups() if group), match[0])
            found.append((index, name.strip().strip("\"'`")[:MAX_NAME]))
    return found


def sections(lines: Sequence[str], found: Sequence[Start]) -> list[Block]:
    """A heading and code for each definition; comments above it belong to it, one-liners share a heading."""
    bounds: list[int] = []
    for index, _ in found:
        bounds.append(_with_comments(lines, index, bounds[-1] + 1 if bounds else 0))
    parts = [
        (name, lines[start:end])
        for (_, name), start, end in zip(found, bounds, [*bounds, len(lines)][1:], strict=True)
    ]
    blocks = code(lines[: bounds[0] if bounds else len(lines)])
    for names, body in _joined(parts):
        heading = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
        blocks += [Block("heading", heading, 1), *code(body)]
    return blocks


def _joined(parts: Sequence[tuple[str, Sequence[str]]]) -> Iterator[tuple[list[str], list[str]]]:
    """Names and lines of each part; neighbours of one line each together, up to MAX_JOINED characters."""
    names: list[str] = []
    held: list[str] = []
    room = 0
    for name, body in parts:
        size = sum(len(line) + 1 for line in body)
        short = sum(1 for line in body if line.strip()) <= 1
        if names and (not short or size > room):
            yield names, held
            names, held = [], []
        room = (MAX_JOINED if not names else room) - size if short else 0
        names, held = [*names, name], [*held, *body]
    if names:
        yield names, held


def _with_comments(lines: Sequence[str], index: int, lowest: int) -> int:
    while index > lowest and _ATTACHED.match(lines[index - 1]):
        index -= 1
    return index
