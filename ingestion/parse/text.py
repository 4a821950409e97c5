"""Plain text: paragraphs between blank lines, with the lines inside them kept as they were written."""

import re
from collections.abc import Sequence

from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.decode import decode
from ingestion.parse.pieces import pieces

_GAP = re.compile(r"\n[ \t]*\n\s*")
_RULE = re.compile(r"^([=\-`:.'\"~^_*+#<>])\1{2,}\s*$")


def read_text(data: bytes) -> Parsed:
    """Read a text file: no heading is guessed, so a line like `# stop` stays what it is."""
    decoded = decode(data)
    return Parsed(paragraphs(decoded.text), [], "text", list(decoded.warnings), None)


def read_log(data: bytes) -> Parsed:
    """Read a log: lines in runs of a passage or two, since a day of it has no blank line."""
    decoded = decode(data)
    runs = ("\n".join(run).strip("\n") for run in pieces(decoded.text.expandtabs(4).split("\n")))
    blocks = [Block("paragraph", run) for run in runs if run.strip()]
    return Parsed(blocks, [], "log", list(decoded.warnings), None)


def read_rst(data: bytes) -> Parsed:
    """Read reStructuredText: underlined lines are headings, the rest is text as it is written."""
    decoded = decode(data)
    lines = decoded.text.expandtabs(4).split("\n")
    blocks: list[Block] = []
    levels: dict[str, int] = {}
    start = 0
    for index in range(1, len(lines)):
        if index <= start or not _underlines(lines, index):
            continue
        above = index - 1 - (index > 1 and bool(_RULE.match(lines[index - 2])))
        blocks += paragraphs("\n".join(lines[start:above]))
        level = levels.setdefault(lines[index][0], len(levels) + 1)
        blocks.append(Block("heading", lines[index - 1].strip(), min(6, level)))
        start = index + 1
    blocks += paragraphs("\n".join(lines[start:]))
    return Parsed(blocks, [], "rst", list(decoded.warnings), None)


def _underlines(lines: Sequence[str], index: int) -> bool:
    title = lines[index - 1].rstrip()
    drawn = bool(_RULE.match(lines[index])) and not _RULE.match(title)
    return drawn and bool(title) and not title[0].isspace() and len(lines[index].rstrip()) >= len(title)


def paragraphs(text: str) -> list[Block]:
    """One block for each run of non-blank lines; indentation inside a block is kept."""
    runs = (run.strip("\n").rstrip() for run in _GAP.split(text.expandtabs(4)))
    return [Block("paragraph", run) for run in runs if run.strip()]
