"""Which function reads a file on which rung; runs in the child only."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ingestion.errors import Empty, IngestionError, UnsupportedType
from ingestion.parse import structured
from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.delimited import read_delimited
from ingestion.parse.docling import read_office
from ingestion.parse.epub import read_epub
from ingestion.parse.filetype import HEAD_BYTES, identify
from ingestion.parse.html import read_html
from ingestion.parse.image import read_image
from ingestion.parse.limits import MIB, Limits
from ingestion.parse.mail import read_eml
from ingestion.parse.markdown import read_markdown
from ingestion.parse.ocr import Recogniser, read_picture
from ingestion.parse.outlook import read_msg
from ingestion.parse.pdf import read_pdf
from ingestion.parse.properties import made_on
from ingestion.parse.source import read_source
from ingestion.parse.text import read_log, read_rst, read_text
from ingestion.parse.word import is_long, read_word
from ingestion.parse.xlsx import read_xlsx

MAX_ATTACHED = MIB  # bytes of a text attachment that is read with its message

Progress = Callable[[int, int], None]

# Readers of bytes: also for parts of other files. Arguments: the bytes, the type's name, the limits.
TEXTS: dict[str, Callable[[bytes, str, Limits], Parsed]] = {
    "html": lambda data, _kind, limits: read_html(data, limits),
    "html-plain": lambda data, _kind, limits: read_html(data, limits, plain=True),
    "markdown": lambda data, _kind, _limits: read_markdown(data),
    "text": lambda data, _kind, _limits: read_text(data),
    "rst": lambda data, _kind, _limits: read_rst(data),
    "log": lambda data, _kind, _limits: read_log(data),
    "delimited": read_delimited,
    "json": lambda data, _kind, _limits: structured.read_json(data),
    "jsonl": lambda data, _kind, _limits: structured.read_json_lines(data),
    "xml": lambda data, _kind, _limits: structured.read_xml(data),
    "source": lambda data, kind, _limits: read_source(data, kind),
    "eml": lambda data, _kind, limits: read_eml(data, _attached(limits)),
}
# Readers of files. Arguments: the path, the type's name, the limits, whom to tell of pages done.
FILES: dict[str, Callable[[Path, str, Limits, Progress], Parsed]] = {
    "pdf": lambda path, _kind, limits, progress: read_pdf(path, limits, progress),
    "pdf-plain": lambda path, _kind, limits, progress: read_pdf(path, limits, progress, plain=True),
    "docling": lambda path, kind, limits, _progress: (
        read_word(path, limits) if kind == "docx" and is_long(path) else read_office(path, kind, limits)
    ),
    "word": lambda path, _kind, limits, _progress: read_word(path, limits),
    "xlsx": lambda path, _kind, limits, _progress: read_xlsx(path, limits),
    "epub": lambda path, _kind, limits, _progress: read_epub(path, limits),
    "msg": lambda path, _kind, limits, _progress: read_msg(path, _attached(limits)),
    "image": lambda path, _kind, _limits, _progress: read_image(path),
    "ocr": lambda path, kind, limits, progress: (
        read_pdf(path, limits, progress, recogniser=Recogniser(limits))
        if kind == "pdf"
        else read_picture(path, limits, progress)
    ),
}


def read(path: Path, kind: str, reader: str, limits: Limits, progress: Progress) -> Parsed:
    """Read one file of type `kind` with one reader. Raises the errors of `ingestion.errors`."""
    if reader in TEXTS:
        parsed = TEXTS[reader](path.read_bytes(), kind, limits)
    elif reader in FILES:
        parsed = FILES[reader](path, kind, limits, progress)
    else:
        raise UnsupportedType(detail=f"no reader named {reader}")
    if not any(block.text.strip() for block in parsed.blocks):
        raise Empty
    return replace(parsed, made_on=made_on(path, kind))


def _attached(limits: Limits) -> Callable[[str, bytes], list[Block]]:
    """What reads the attachments of a message: short ones of a text type, and nothing else."""

    def blocks(name: str, data: bytes) -> list[Block]:
        try:
            kind = identify(name, data[:HEAD_BYTES])
            if not kind.is_text or kind.name == "eml" or len(data) > MAX_ATTACHED:
                return []
            reader = "html-plain" if kind.name == "html" else kind.readers[0]
            return TEXTS[reader](data, kind.name, limits).blocks
        except IngestionError:
            return []  # the message names it as unread

    return blocks
