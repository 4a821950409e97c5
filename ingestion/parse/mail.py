"""E-mail messages (.eml): their headers, one body, and the attachments that are text."""

import email
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

from ingestion.parse.blocks import Block, Parsed, Warning_
from ingestion.parse.characters import one_line
from ingestion.parse.decode import decode
from ingestion.parse.html import read_fragment
from ingestion.parse.text import paragraphs

HEADERS = ("Subject", "From", "To", "Cc", "Date")
MAX_MESSAGES_DEEP = 5  # messages attached to messages
MAX_NAMED = 20

ReadPart = Callable[[str, bytes], list[Block]]  # the blocks of an attachment; none where it is not read


@dataclass(slots=True)
class Letter:
    """A message taken apart: header lines, both forms of its body, attachments by name."""

    headers: list[tuple[str, str]]
    plain: str = ""
    html: str = ""
    attachments: list[tuple[str, bytes]] = field(default_factory=list)
    messages: list["Letter"] = field(default_factory=list)

    @property
    def subject(self) -> str:
        return next((value for name, value in self.headers if name == "Subject"), "")


def read_eml(data: bytes, read_part: ReadPart) -> Parsed:
    """Read a message; `read_part` gives the blocks of an attachment. Raises TooNested."""
    return letter_parsed(_letter(email.message_from_bytes(data), 0), "eml", read_part)


def letter_parsed(letter: Letter, parser: str, read_part: ReadPart) -> Parsed:
    """Blocks of a message: subject as heading, headers, the plain body or else the HTML one, attachments."""
    unread: list[str] = []
    blocks = list(_blocks(letter, 1, read_part, unread))
    warnings = []
    if unread:
        names = ", ".join(unread[:MAX_NAMED]) + (", ..." if len(unread) > MAX_NAMED else "")
        warnings.append(
            Warning_("attachments_unread", f"Attachments were not read: {names}. Add them as files.")
        )
    return Parsed(blocks, [], parser, warnings, letter.subject or None)


def _blocks(letter: Letter, level: int, read_part: ReadPart, unread: list[str]) -> Iterator[Block]:
    if letter.subject:
        yield Block("heading", letter.subject, min(level, 6))
    if letter.headers:
        yield Block("paragraph", "\n".join(f"{name}: {value}" for name, value in letter.headers))
    yield from paragraphs(letter.plain) or read_fragment(letter.html).blocks
    for name, data in letter.attachments:
        found = read_part(name, data)
        if found:
            yield Block("heading", name, min(level + 1, 6))
            yield from (_deeper(block, level + 1) for block in found)
        else:
            unread.append(name)
    for message in letter.messages:
        yield from _blocks(message, level + 1, read_part, unread)


def _deeper(block: Block, level: int) -> Block:
    return replace(block, level=min(6, block.level + level)) if block.kind == "heading" else block


def _letter(message: Message, depth: int) -> Letter:
    raw: dict[str, Any] = {}
    for header, line in message.raw_items():
        raw.setdefault(header.title(), line)
    named = ((header, header_text(str(raw.get(header, "")))) for header in HEADERS)
    letter = Letter([(header, line) for header, line in named if line])
    for part in _leaves(message):
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload()
            if depth < MAX_MESSAGES_DEEP and isinstance(inner, list) and isinstance(inner[0], Message):
                letter.messages.append(_letter(inner[0], depth + 1))
        else:
            _add(letter, part)
    return letter


def _add(letter: Letter, part: Message) -> None:
    """Put one part where it belongs: pictures without a name belong nowhere."""
    data = part.get_payload(decode=True)
    name = part.get_filename()
    if not isinstance(data, bytes):
        return
    if name is not None or part.get_content_disposition() == "attachment":
        letter.attachments.append((one_line(header_text(name or "")) or "attachment", data))
    elif part.get_content_type() == "text/plain":
        letter.plain += _text(part, data) + "\n\n"
    elif part.get_content_type() == "text/html":
        letter.html += _text(part, data)


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold content, without looking into messages that are attached."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        children = part.get_payload()
        if part.is_multipart() and part.get_content_type() != "message/rfc822" and isinstance(children, list):
            waiting += [child for child in reversed(children) if isinstance(child, Message)]
        else:
            yield part


def _text(part: Message, data: bytes) -> str:
    """By the charset the part declares when that fits, else by our rule."""
    charset = part.get_content_charset() or ""
    if charset.replace("-", "") not in ("", "utf8", "usascii"):
        try:
            return decode(data.decode(charset).encode("utf-8", "replace")).text
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data, markup=part.get_content_type() == "text/html").text if data else ""


def header_text(raw: str) -> str:
    """A header line in words: encoded words decoded, raw bytes by our rule, folding undone."""
    if not raw.isascii():
        raw = decode(raw.encode("utf-8", "surrogateescape")).text
    try:
        text = str(make_header(decode_header(raw)))
    except (LookupError, UnicodeDecodeError, HeaderParseError, ValueError):
        text = raw
    return one_line(text)
