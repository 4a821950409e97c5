"""The day that a file says it was made on, from its own properties; runs in the child only."""

import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from pathlib import Path

import pypdfium2 as pdfium

PART_BYTES = 256 * 1024  # of the part or the head that holds the properties; real ones are under 4 KB
FIRST_YEAR = 1900
# What a common library writes into every file that it makes, whenever that is.
_TEMPLATE = date(2013, 12, 23)

_ISO = rb"((?:19|20)\d\d)-?(\d\d)-?(\d\d)"
_CREATED = re.compile(rb"<dcterms:created[^>]*>\s*" + _ISO)
_PUBLISHED = re.compile(rb"<dc:date[^>]*>\s*" + _ISO)
_META = re.compile(
    rb"<meta\s[^>]*(?:name|property|itemprop)=[\"']?"
    rb"(?:date|dc\.date|dcterms\.(?:created|date)|article:published_time|datePublished)[\"']?[^>]*>",
    re.IGNORECASE,
)
_CONTENT = re.compile(rb"content=[\"']?\s*" + _ISO)
_FRONT_MATTER = re.compile(rb"\A\xef?\xbb?\xbf?---\r?\n(?:(?!---).*\n)*?date:\s*[\"']?" + _ISO)


def made_on(path: Path, kind: str) -> date | None:
    """The day in the file's properties, or None: where there is none, or nothing that can be read."""
    find = _FINDERS.get(kind)
    found = None
    if find:
        # Properties are the least of a file: whatever is wrong with them, its text has been read.
        with suppress(OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, NotImplementedError):
            found = find(path)
    return found if found and FIRST_YEAR <= found.year <= datetime.now(UTC).year + 1 else None


def _pdf(path: Path) -> date | None:
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        return None
    try:
        properties = document.get_metadata_dict()
    finally:
        document.close()
    stamp = properties.get("CreationDate") or properties.get("ModDate") or ""
    return _day(re.match(rb"(?:D:)?\s*" + _ISO, stamp.encode()))


def _office(path: Path) -> date | None:
    found = _day(_CREATED.search(_member(path, "docProps/core.xml")))
    return None if found == _TEMPLATE else found


def _book(path: Path) -> date | None:
    with zipfile.ZipFile(path) as archive:
        package = next(name for name in [*archive.namelist(), ""] if name.endswith(".opf") or not name)
    return _day(_PUBLISHED.search(_member(path, package)))


def _letter(path: Path) -> date | None:
    sent = message_from_bytes(_head(path)).get("Date")
    return parsedate_to_datetime(str(sent)).date() if sent else None


def _page(path: Path) -> date | None:
    tag = _META.search(_head(path))
    return _day(_CONTENT.search(tag[0])) if tag else None


def _markdown(path: Path) -> date | None:
    return _day(_FRONT_MATTER.match(_head(path)))


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(PART_BYTES)


def _member(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as archive, archive.open(name) as stream:
        return stream.read(PART_BYTES)


def _day(match: re.Match[bytes] | None) -> date | None:
    return date(*(int(part) for part in match.groups())) if match else None


_FINDERS: dict[str, Callable[[Path], date | None]] = {
    "pdf": _pdf,
    "docx": _office,
    "pptx": _office,
    "xlsx": _office,
    "epub": _book,
    "eml": _letter,
    "html": _page,
    "md": _markdown,
}
