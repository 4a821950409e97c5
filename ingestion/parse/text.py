"""Plain text: paragraphs between blank lines, with the lines inside them kept as they were written."""

import re
from pathlib import Path

from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.decode import decode

_GAP = re.compile(r"\n[ \t]*\n\s*")


def read_text(path: Path) -> Parsed:
    """Read a .txt file: no heading is guessed, so a line like `# stop` stays what it is."""
    decoded = decode(path.read_bytes())
    return Parsed(paragraphs(decoded.text), [], "text", list(decoded.warnings), None)


def paragraphs(text: str) -> list[Block]:
    """One block for each run of non-blank lines; indentation inside a block is kept."""
    pieces = (piece.strip("\n").rstrip() for piece in _GAP.split(text.expandtabs(4)))
    return [Block("paragraph", piece) for piece in pieces if piece.strip()]
