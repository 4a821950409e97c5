"""The table of accepted formats, and the type of a file by its content rather than by its name (E2, X8)."""

import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from ingestion.errors import Empty, UnsupportedType
from ingestion.parse.decode import BOMS, wide_encoding

HEAD_BYTES = 8192


@dataclass(frozen=True, slots=True)
class FileType:
    """One row of the table. `readers` are tried in order: the next one is the fallback of a crashed one."""

    name: str
    extensions: tuple[str, ...]
    media_type: str
    readers: tuple[str, ...]
    part: str | None = None  # the member that marks this kind of zip container


_OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES: tuple[FileType, ...] = (
    FileType("pdf", (".pdf",), "application/pdf", ("pdf", "pdf-plain")),
    FileType("docx", (".docx",), _OFFICE + "wordprocessingml.document", ("docling",), "word/document.xml"),
    FileType(
        "pptx", (".pptx",), _OFFICE + "presentationml.presentation", ("docling",), "ppt/presentation.xml"
    ),
    FileType("html", (".html", ".htm"), "text/html", ("html", "html-plain")),
    FileType("md", (".md", ".markdown"), "text/markdown", ("markdown", "text")),
    FileType("txt", (".txt",), "text/plain", ("text",)),
)
BY_NAME = {kind.name: kind for kind in TYPES}
BY_EXTENSION = {extension: kind for kind in TYPES for extension in kind.extensions}
ACCEPTED: tuple[str, ...] = tuple(BY_EXTENSION)
TEXT_NAMES = ("txt", "md", "html")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
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

    With `path` the members of a zip container are looked at; without it its extension is believed.
    Raises UnsupportedType, which lists the accepted extensions, and Empty.
    """
    if not head:
        raise Empty("This file has no content: it is 0 bytes long.")
    named = BY_EXTENSION.get(PurePath(name).suffix.lower())
    if b"%PDF-" in head[:1024]:
        return BY_NAME["pdf"]
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _container(named, path)
    if head.startswith(_OLE):
        if named is not None and named.part:
            return named  # how Office wraps an encrypted file: the reader says so
        raise _unsupported("an Office file of before 2007")
    for signature, description in _SIGNATURES:
        if head.startswith(signature) and (signature != b"MZ" or not is_text(head)):
            raise _unsupported(description)
    if not is_text(head):
        raise _unsupported("not text, and no other kind that is known")
    return _text(name, named, head)


def is_text(head: bytes) -> bool:
    """Whether the bytes can be text in some encoding: nearly no control characters."""
    if head.startswith(tuple(mark for mark, _ in BOMS)) or wide_encoding(head):
        return True
    controls = sum(1 for byte in head if byte < 0x20 and byte not in b"\t\n\x0b\x0c\r\x1b")
    return controls <= 2 + 0.05 * len(head)  # random bytes have 10 %, logs with stray NULs up to 4 %


def _container(named: FileType | None, path: Path | None) -> FileType:
    if path is None or not zipfile.is_zipfile(path):
        if named is not None and named.part:
            return named  # truncated: the reader says that it is damaged
        raise _unsupported("a zip archive")
    with zipfile.ZipFile(path) as archive:
        members = set(archive.namelist())
    for kind in TYPES:
        if kind.part in members and "[Content_Types].xml" in members:
            return kind
    raise _unsupported("a zip archive")


def _text(name: str, named: FileType | None, head: bytes) -> FileType:
    start = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    markup = start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))
    if named is None and not PurePath(name).suffix:
        return BY_NAME["html" if markup else "txt"]
    if named is None:
        raise _unsupported(f"a {PurePath(name).suffix} file")
    if named.name in TEXT_NAMES:
        return BY_NAME["html"] if markup and named.name == "txt" else named
    if markup:
        return BY_NAME["html"]
    raise _unsupported(f"text, not the {named.name.upper()} its name says")


def _unsupported(description: str) -> UnsupportedType:
    listed = ", ".join(ACCEPTED)
    return UnsupportedType(f"This file is {description}. Accepted are: {listed}.", accepted=ACCEPTED)
