"""Which function reads a file on which rung; runs in the child only."""

from collections.abc import Callable
from pathlib import Path

from ingestion.errors import Empty, UnsupportedType
from ingestion.parse.blocks import Parsed
from ingestion.parse.docling import read_office
from ingestion.parse.html import read_html
from ingestion.parse.limits import Limits
from ingestion.parse.markdown import read_markdown
from ingestion.parse.pdf import read_pdf
from ingestion.parse.text import read_text

DOCLING = frozenset(("docling", "html"))  # readers that a warm docling speeds up


def read(path: Path, kind: str, reader: str, limits: Limits, progress: Callable[[int, int], None]) -> Parsed:
    """Read one file of type `kind` with one reader. Raises the errors of `ingestion.errors`."""
    if reader in ("pdf", "pdf-plain"):
        parsed = read_pdf(path, limits, progress, plain=reader == "pdf-plain")
    elif reader == "docling":
        parsed = read_office(path, kind, limits)
    elif reader in ("html", "html-plain"):
        parsed = read_html(path, limits, plain=reader == "html-plain")
    elif reader == "markdown":
        parsed = read_markdown(path)
    elif reader == "text":
        parsed = read_text(path)
    else:
        raise UnsupportedType(detail=f"no reader named {reader}")
    if not any(block.text.strip() for block in parsed.blocks):
        raise Empty
    return parsed
