"""Outlook messages (.msg): properties in the streams of a compound file, by the tags of [MS-OXMSG]."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import olefile

from ingestion.errors import Corrupt, UnknownEncoding
from ingestion.parse.blocks import Parsed, Warning_
from ingestion.parse.characters import one_line
from ingestion.parse.decode import decode
from ingestion.parse.mail import Letter, ReadPart, letter_parsed

SUBJECT, SENDER, SENDER_ADDRESS, SENDER_SMTP = 0x0037, 0x0C1A, 0x0C1F, 0x5D01
TO, CC, BODY, HTML, RTF = 0x0E04, 0x0E03, 0x1000, 0x1013, 0x1009
SUBMITTED, DELIVERED = 0x0039, 0x0E06
FILE_NAME, LONG_FILE_NAME, DISPLAY_NAME, CONTENT = 0x3704, 0x3707, 0x3001, 0x3701
MAX_ATTACHMENTS = 1_000

_PROPERTIES = "__properties_version1.0"
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def read_msg(path: Path, read_part: ReadPart) -> Parsed:
    """Read a message; `read_part` gives the blocks of an attachment. Raises Corrupt and TooNested."""
    try:
        with olefile.OleFileIO(path) as store:
            message = _Message(store)
            if _PROPERTIES not in message.streams:
                raise Corrupt("This is no Outlook message.")
            parsed = letter_parsed(message.letter(), "msg", read_part)
            body = message.text(BODY) or message.markup()
            formatted_only = not body and bool(message.content(RTF))
    except (OSError, ValueError, IndexError) as error:  # olefile's own errors are OSErrors
        raise Corrupt(detail=repr(error)) from error
    if formatted_only:
        note = Warning_("body_unread", "The body of this message is kept as RTF only and was not read.")
        parsed.warnings.append(note)
    return parsed


class _Message:
    """Reads the properties of the outermost message."""

    def __init__(self, store: olefile.OleFileIO) -> None:
        self.store = store
        self.streams = {"/".join(entry): entry for entry in store.listdir()}

    def content(self, tag: int, folder: str = "") -> bytes:
        return self._stream(f"{folder}__substg1.0_{tag:04X}0102")

    def text(self, tag: int, folder: str = "") -> str:
        wide = self._stream(f"{folder}__substg1.0_{tag:04X}001F")
        if wide:
            return decode(wide.decode("utf-16-le", "replace").encode("utf-8", "replace")).text
        narrow = self._stream(f"{folder}__substg1.0_{tag:04X}001E")
        try:
            return decode(narrow).text if narrow else ""
        except UnknownEncoding:
            return narrow.decode("cp1252", "replace")

    def markup(self) -> str:
        data = self.content(HTML)
        return decode(data, markup=True).text if data else self.text(HTML)

    def letter(self) -> Letter:
        sender, address = self.text(SENDER), self.text(SENDER_SMTP) or self.text(SENDER_ADDRESS)
        named = f"{sender} <{address}>" if "@" in address and address != sender else sender or address
        headers = [
            ("Subject", self.text(SUBJECT)),
            ("From", named),
            ("To", self.text(TO)),
            ("Cc", self.text(CC)),
            ("Date", self._moment()),
        ]
        kept = [(name, one_line(value)) for name, value in headers if value.strip("\x00 ")]
        return Letter(kept, self.text(BODY), self.markup(), self._attachments())

    def _attachments(self) -> list[tuple[str, bytes]]:
        folders = {path.split("/")[0] for path in self.streams if path.startswith("__attach_version1.0_")}
        found = []
        for folder in sorted(folders)[:MAX_ATTACHMENTS]:
            within = f"{folder}/"
            names = (self.text(tag, within) for tag in (LONG_FILE_NAME, FILE_NAME, DISPLAY_NAME))
            name = next((one_line(name) for name in names if name.strip()), "attachment")
            found.append((name, self.content(CONTENT, within)))
        return found

    def _moment(self) -> str:
        """When it was sent or, failing that, arrived; times are counted in 100 ns from 1601."""
        data = self._stream(_PROPERTIES)
        entries = {data[at : at + 4]: data[at + 8 : at + 16] for at in range(32, len(data) - 15, 16)}
        for tag in (SUBMITTED, DELIVERED):
            value = int.from_bytes(entries.get(b"\x40\x00" + tag.to_bytes(2, "little"), b""), "little")
            if 0 < value < 1 << 60:
                moment = _EPOCH + timedelta(microseconds=value // 10)
                return moment.strftime("%Y-%m-%d %H:%M UTC")
        return ""

    def _stream(self, path: str) -> bytes:
        entry = self.streams.get(path)
        return bytes(self.store.openstream(entry).read()) if entry else b""
