"""How much one document may cost, and the checks that need no parser to refuse a bomb (E22, X9)."""

import re
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

from ingestion.errors import Corrupt, Encrypted, TooBig, UnsafeContent

MIB = 1024 * 1024

# handbook-872p.docx (483 KB, 816,000 characters) unpacks to 5.6 MB, its document.xml at 1:13; the bomb of
# S-SI-08 is 1:1027.
MAX_UNPACKED = 300 * MIB
MAX_RATIO = 250
RATIO_FREE = 20 * MIB  # below this a high ratio is harmless
MAX_MEMBERS = 10_000
# docling took 102 MB for the 5.3 MB of that document.xml: 20 bytes a byte, so 0.8 GB here.
MAX_XML = 40 * MIB
# What is read of each XML part to find a DOCTYPE, which no Office program writes.
XML_HEAD = 4096

_OLE = b"\xd0\xcf\x11\xe0"
_DOCTYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_DOCTYPE_WIDE = re.compile(rb"<\x00?!\x00?D\x00?O\x00?C\x00?T\x00?Y\x00?P\x00?E", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one document: address space and CPU of the child, wall clock, pages and characters."""

    memory_bytes: int = 3 * 1024 * MIB
    cpu_seconds: int = 120
    wall_seconds: float = 90.0
    wall_seconds_per_mib: float = 6.0
    max_pages: int = 5_000
    max_characters: int = 20_000_000
    # Text recognition: 2.4 s a page with one thread on a busy core, at most 8 in other measurements.
    ocr_page_seconds: int = 90
    ocr_seconds: float = 1_800.0

    def for_ocr(self) -> "Limits":
        """The same memory, and time for some hundred pages; the reader stops by itself at `ocr_seconds`."""
        seconds = self.ocr_seconds + 2 * self.ocr_page_seconds
        return replace(self, cpu_seconds=int(seconds), wall_seconds=seconds)

    def wall_for(self, size_bytes: int) -> float:
        """Seconds of wall clock for a file of this size: 90, and 6 more for each MiB above five."""
        return self.wall_seconds + self.wall_seconds_per_mib * max(0.0, size_bytes / MIB - 5)


def check_archive(path: Path, *, doctypes: bool = False) -> None:
    """Refuse a zipped document that would unpack too far, escapes its archive or declares entities.

    With `doctypes` declarations pass: the pages of a book have them, and its reader expands nothing.
    Raises TooBig, UnsafeContent, Encrypted or Corrupt. Only heads of members are unpacked.
    """
    with path.open("rb") as stream:
        if stream.read(4) == _OLE:
            raise Encrypted
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_sizes(members)
            for member in members:
                if not doctypes and member.filename.lower().endswith((".xml", ".rels", ".vml")):
                    with archive.open(member) as part:
                        _check_xml(part.read(XML_HEAD))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise Corrupt(detail=repr(error)) from error
    except RuntimeError as error:  # zipfile's word for a password
        raise Encrypted(detail=str(error)) from error


def _check_sizes(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise TooBig(f"This file holds {len(members):,} parts; no document needs more than {MAX_MEMBERS:,}.")
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > MAX_UNPACKED or (unpacked > RATIO_FREE and unpacked > MAX_RATIO * packed):
        raise TooBig(f"This file unpacks to {unpacked // MIB:,} MB, which looks like a decompression bomb.")
    largest = max((m.file_size for m in members if m.filename.endswith(".xml")), default=0)
    if largest > MAX_XML:
        raise TooBig(
            f"The text part of this file is {largest // MIB:,} MB; at most {MAX_XML // MIB} can be read."
        )
    if any(m.filename.startswith(("/", "\\")) or ".." in m.filename.split("/") for m in members):
        raise UnsafeContent


def _check_xml(head: bytes) -> None:
    if _DOCTYPE.search(head) or _DOCTYPE_WIDE.search(head):
        raise UnsafeContent(detail="DOCTYPE in an Office part")
