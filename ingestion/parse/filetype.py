"""The table of accepted formats, and the type of a file by its content rather than by its name (E2, X8)."""

import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from ingestion.errors import Empty, UnsupportedType
from ingestion.parse.decode import BOMS, wide_encoding

HEAD_BYTES = 8192
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class FileType:
    """One row of the table. `readers` are tried in order: the next one is the fallback of a crashed one."""

    name: str
    extensions: tuple[str, ...]
    media_type: str
    readers: tuple[str, ...]
    part: str | None = None  # the member that marks this kind of zip container
    signature: bytes | None = None  # how a binary file that is no zip begins

    @property
    def is_text(self) -> bool:
        return self.part is None and self.signature is None


def _source(name: str, *extensions: str) -> FileType:
    return FileType(name, extensions, f"text/x-{name}", ("source", "text"))


_OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES: tuple[FileType, ...] = (
    FileType("pdf", (".pdf",), "application/pdf", ("pdf", "pdf-plain"), signature=b"%PDF-"),
    FileType(
        "docx", (".docx",), _OFFICE + "wordprocessingml.document", ("docling", "word"), "word/document.xml"
    ),
    FileType(
        "pptx", (".pptx",), _OFFICE + "presentationml.presentation", ("docling",), "ppt/presentation.xml"
    ),
    FileType("xlsx", (".xlsx",), _OFFICE + "spreadsheetml.sheet", ("xlsx",), "xl/workbook.xml"),
    FileType("epub", (".epub",), "application/epub+zip", ("epub",), "META-INF/container.xml"),
    FileType("msg", (".msg",), "application/vnd.ms-outlook", ("msg",), signature=OLE),
    FileType("png", (".png",), "image/png", ("image",), signature=b"\x89PNG\r\n\x1a\n"),
    FileType("jpeg", (".jpg", ".jpeg"), "image/jpeg", ("image",), signature=b"\xff\xd8\xff"),
    FileType("html", (".html", ".htm"), "text/html", ("html", "html-plain")),
    FileType("md", (".md", ".markdown"), "text/markdown", ("markdown", "text")),
    FileType("txt", (".txt",), "text/plain", ("text",)),
    FileType("rst", (".rst",), "text/x-rst", ("rst", "text")),
    FileType("log", (".log",), "text/x-log", ("log", "text")),
    FileType("eml", (".eml",), "message/rfc822", ("eml",)),
    FileType("csv", (".csv",), "text/csv", ("delimited", "text")),
    FileType("tsv", (".tsv",), "text/tab-separated-values", ("delimited", "text")),
    FileType("json", (".json",), "application/json", ("json", "text")),
    FileType("jsonl", (".jsonl", ".ndjson"), "application/jsonl", ("jsonl", "text")),
    FileType("xml", (".xml",), "application/xml", ("xml", "text")),
    FileType("yaml", (".yaml", ".yml"), "application/yaml", ("source", "text")),
    FileType("toml", (".toml",), "application/toml", ("source", "text")),
    _source("ini", ".ini", ".cfg", ".conf", ".properties"),
    _source("python", ".py", ".pyi"),
    _source("javascript", ".js", ".mjs", ".cjs", ".jsx"),
    _source("typescript", ".ts", ".mts", ".tsx"),
    _source("java", ".java"),
    _source("kotlin", ".kt"),
    _source("swift", ".swift"),
    _source("csharp", ".cs"),
    _source("go", ".go"),
    _source("rust", ".rs"),
    _source("c", ".c", ".h"),
    _source("cpp", ".cpp", ".cc", ".hpp"),
    _source("ruby", ".rb"),
    _source("php", ".php"),
    _source("shell", ".sh", ".bash"),
    _source("sql", ".sql"),
    _source("css", ".css", ".scss"),
)
BY_NAME = {kind.name: kind for kind in TYPES}
BY_EXTENSION = {extension: kind for kind in TYPES for extension in kind.extensions}
# For people; the list of endings goes with the error as data.
KINDS = "PDF, Word, PowerPoint, Excel, CSV, web pages, Markdown, text, e-mail, EPUB, pictures, data and source code"
ACCEPTED: tuple[str, ...] = tuple(BY_EXTENSION)
# Names that say nothing against a web page inside; a .php or .eml file may well begin with a tag.
MARKUP_NAMES = ("txt", "csv", "tsv", "json")

_MESSAGE = "__properties_version1.0".encode("utf-16-le")  # a stream that every Outlook message has
_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"RIFF", "an audio, video or WebP file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xfe\xed\xfa", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x1f\x8b", "a compressed archive"),
    (b"Rar!", "a compressed archive"),
    (b"7z\xbc\xaf", "a compressed archive"),
    (b"BZh", "a compressed archive"),
    (b"{\\rtf", "a rich text (RTF) file"),
    (b"%!PS", "a PostScript file"),
    (b"SQLite format 3", "a database"),
)


def identify(name: str, head: bytes, path: Path | None = None) -> FileType:
    """The type of the file called `name` whose first bytes are `head` (HEAD_BYTES of them, or all).

    With `path` the members of a container are looked at; without it its extension is believed.
    Raises UnsupportedType, which lists the accepted extensions, and Empty.
    """
    if not head:
        raise Empty("This file has no content: it is 0 bytes long.")
    named = BY_EXTENSION.get(PurePath(name).suffix.lower())
    if _is_pdf(named, head):
        return BY_NAME["pdf"]
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(named, path)
    if head.startswith(OLE):
        return _ole(named, path)
    for kind in (BY_NAME["png"], BY_NAME["jpeg"]):
        if kind.signature and head.startswith(kind.signature):
            return kind
    for signature, description in _REFUSED:
        if head.startswith(signature) and not (signature.isalnum() and is_text(head)):
            raise _unsupported(description)
    if not is_text(head):
        raise _unsupported("not text, and no other kind that is known")
    return _text(name, named, head)


def is_text(head: bytes) -> bool:
    """Whether the bytes can be text in some encoding: nearly no control characters."""
    if head.startswith(tuple(mark for mark, _ in BOMS)) or wide_encoding(head):
        return True
    controls = sum(1 for byte in head if 0 < byte < 0x20 and byte not in b"\t\n\x0b\x0c\r\x1b")
    # Random bytes have 10 % controls. NULs come in logs that were cut or padded, one after a word.
    return controls <= 2 + 0.05 * len(head) and head.count(0) <= 2 + 0.12 * len(head)


def _is_pdf(named: FileType | None, head: bytes) -> bool:
    """The mark may stand within the first kilobyte, but source and prose that speak of it are text."""
    start = head[:1024]
    if named is not None and named.is_text:
        return start.lstrip(b"\xef\xbb\xbf \t\r\n\x00").startswith(b"%PDF-")
    return b"%PDF-" in start


def _zip(named: FileType | None, path: Path | None) -> FileType:
    if path is None or not zipfile.is_zipfile(path):
        if named is not None and named.part:
            return named  # truncated: the reader says that it is damaged
        raise _unsupported("a zip archive")
    with zipfile.ZipFile(path) as archive:
        members = set(archive.namelist())
    for kind in TYPES:
        if kind.part in members and (kind.name == "epub" or "[Content_Types].xml" in members):
            return kind
    raise _unsupported("a zip archive")


def _ole(named: FileType | None, path: Path | None) -> FileType:
    """The container of old Office files, of encrypted new ones, and of Outlook messages."""
    if named is not None and named.name == "msg":
        return named
    if path is not None and _holds(path, _MESSAGE):
        return BY_NAME["msg"]
    if named is not None and named.part:
        return named  # how Office wraps an encrypted file: the reader says so
    raise _unsupported("an Office file of before 2007")


def _holds(path: Path, needle: bytes) -> bool:
    """Whether the bytes occur in the file; 25 MB take 15 ms."""
    with path.open("rb") as stream:
        before = b""
        while part := stream.read(1 << 20):
            if needle in before + part:
                return True
            before = part[-len(needle) :]
    return False


def _text(name: str, named: FileType | None, head: bytes) -> FileType:
    start = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    markup = start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))
    if named is None and not PurePath(name).suffix:
        return BY_NAME["html" if markup else "txt"]
    if named is None:
        raise _unsupported(f"a {PurePath(name).suffix} file")
    if markup and (named.name in MARKUP_NAMES or not named.is_text):
        return BY_NAME["html"]
    if named.is_text:
        return named
    raise _unsupported(f"text, not the {named.name.upper()} its name says")


def _unsupported(description: str) -> UnsupportedType:
    return UnsupportedType(f"This file is {description}. Accepted are {KINDS}.", accepted=ACCEPTED)
