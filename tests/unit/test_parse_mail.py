"""Messages and books: headers, bodies, attachments and chapters in their order."""

import struct
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from ingestion.errors import Corrupt, Encrypted
from ingestion.parse.blocks import Block, document_text
from ingestion.parse.epub import read_epub
from ingestion.parse.filetype import identify
from ingestion.parse.limits import Limits
from ingestion.parse.mail import header_text, read_eml
from ingestion.parse.outlook import read_msg
from ingestion.parse.readers import read
from tests.compound import compound

LIMITS = Limits()


def unread(_name: str, _data: bytes) -> list[Block]:
    return []


def message(path: Path, data: bytes) -> list[tuple[str, str]]:
    path.write_bytes(data)
    return [(block.kind, block.text) for block in read(path, "eml", "eml", LIMITS, lambda *_: None).blocks]


def test_a_message_with_both_bodies_and_attachments(tmp_path: Path) -> None:  # E8
    letter = EmailMessage()
    letter["Subject"] = "Zzyzx pümp"
    letter["From"] = "Öde Quay <quay@orlith.example>"
    letter["To"] = "desk@orlith.example"
    letter["Date"] = "Tue, 05 Mar 2024 10:00:00 +0000"
    letter.set_content("The spare impeller is in bay 4.\n\nRegards")
    letter.add_alternative("<p>not the html</p>", subtype="html")
    letter.add_attachment("code;bay\n007;4\n", subtype="csv", filename="bays.csv")
    letter.add_attachment(b"\x89PNG\r\n\x1a\n" + bytes(90), "image", "png", filename="pump.png")
    inner = EmailMessage()
    inner["Subject"] = "Older"
    inner.set_content("Forwarded words")
    letter.add_attachment(inner)
    assert message(tmp_path / "zzyzx.eml", letter.as_bytes()) == [
        ("heading", "Zzyzx pümp"),
        (
            "paragraph",
            "Subject: Zzyzx pümp\nFrom: Öde Quay <quay@orlith.example>\nTo: desk@orlith.example\n"
            "Date: Tue, 05 Mar 2024 10:00:00 +0000",
        ),
        ("paragraph", "The spare impeller is in bay 4."),
        ("paragraph", "Regards"),
        ("heading", "bays.csv"),
        ("table", "| code | bay |\n| 007 | 4 |"),
        ("heading", "Older"),
        ("paragraph", "Subject: Older"),
        ("paragraph", "Forwarded words"),
    ]
    parsed = read(tmp_path / "zzyzx.eml", "eml", "eml", LIMITS, lambda *_: None)
    assert parsed.title == "Zzyzx pümp"
    assert [(note.code, "pump.png" in note.message) for note in parsed.warnings] == [
        ("attachments_unread", True)
    ]


def test_a_message_with_only_html_or_odd_bytes() -> None:  # E25
    head = b"Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n"
    parsed = read_eml(head + b"<h1>Caf\xe9</h1><p>ol\xe9</p>", unread)
    assert parsed.title == "Grüße"
    assert [block.text for block in parsed.blocks] == ["Grüße", "Subject: Grüße", "Café", "olé"]
    lying = b"Subject: x\r\nContent-Type: text/plain; charset=no-such\r\n\r\n" + "été très chaud".encode(
        "cp1252"
    )
    assert "été très chaud" in document_text(read_eml(lying, unread).blocks)
    assert header_text("=?no-such?B?AAAA?=") == "=?no-such?B?AAAA?="
    assert [block.text for block in read_eml(b"just words, no header\n", unread).blocks] == [
        "just words, no header"
    ]


def test_an_outlook_message(tmp_path: Path) -> None:  # E8, X8
    sent = datetime(2024, 3, 5, 10, 30, tzinfo=UTC)
    ticks = int((sent - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
    properties = bytes(32) + struct.pack("<IIQ", 0x0039_0040, 6, ticks)
    data = compound(
        {
            "__properties_version1.0": properties,
            "__substg1.0_0037001F": "Zzyzx pümp".encode("utf-16-le"),
            "__substg1.0_0C1A001F": "Öde Quay".encode("utf-16-le"),
            "__substg1.0_5D01001F": "quay@orlith.example".encode("utf-16-le"),
            "__substg1.0_0E04001E": b"Desk",
            "__substg1.0_1000001F": ("The spare impeller is in bay 4.\r\n\r\n" + "Regards. " * 900).encode("utf-16-le"),
            "__attach_version1.0_#00000000/__substg1.0_3707001F": "bays.csv".encode("utf-16-le"),
            "__attach_version1.0_#00000000/__substg1.0_37010102": b"code;bay\n007;4\n",
            "__attach_version1.0_#00000001/__substg1.0_3707001F": "p.png".encode("utf-16-le"),
            "__attach_version1.0_#00000001/__substg1.0_37010102": b"\x89PNG\r\n\x1a\n" + bytes(90),
        }
    )  # fmt: skip
    path = tmp_path / "zzyzx.msg"
    path.write_bytes(data)
    assert identify("renamed.docx", data[:8192], path).name == "msg"
    parsed = read(path, "msg", "msg", LIMITS, lambda *_: None)
    texts = [block.text for block in parsed.blocks]
    assert texts[1] == (
        "Subject: Zzyzx pümp\nFrom: Öde Quay <quay@orlith.example>\nTo: Desk\nDate: 2024-03-05 10:30 UTC"
    )
    assert texts[2] == "The spare impeller is in bay 4."
    assert texts[4:] == ["bays.csv", "| code | bay |\n| 007 | 4 |"]
    assert "p.png" in parsed.warnings[0].message
    path.write_bytes(data[:700])
    with pytest.raises(Corrupt):
        read_msg(path, unread)


def book(path: Path, **members: str) -> Path:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/p.opf"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The Zzyzx Pilot</dc:title><dc:creator>Q. Orlith</dc:creator></metadata><manifest>"
        '<item id="two" href="text/b%20two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="gone" href="text/gone.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
        '<spine toc="ncx"><itemref idref="one"/><itemref idref="two"/><itemref idref="gone"/></spine></package>'
    )
    contents = (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Second tide</text>'
        '</navLabel><content src="text/b%20two.xhtml#top"/></navPoint></navMap></ncx>'
    )
    chapter = "<?xml version='1.0'?><!DOCTYPE html><html><head><title>x</title></head><body>{}</body></html>"
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "OPS/p.opf": package,
        "OPS/toc.ncx": contents,
        "OPS/text/one.xhtml": chapter.format("<h1>First tide</h1><p>The tide turns at five.</p>"),
        "OPS/text/b two.xhtml": chapter.format("<p>The pilot boards at the outer mark.</p>"),
    } | members
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_book_in_the_order_of_its_spine(tmp_path: Path) -> None:  # E8
    path = book(tmp_path / "zzyzx.epub")
    assert identify("renamed.zip", path.read_bytes()[:8192], path).name == "epub"
    parsed = read_epub(path, LIMITS)
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("title", "The Zzyzx Pilot"),
        ("paragraph", "Q. Orlith"),
        ("heading", "First tide"),
        ("paragraph", "The tide turns at five."),
        ("heading", "Second tide"),
        ("paragraph", "The pilot boards at the outer mark."),
    ]
    assert [note.code for note in parsed.warnings] == ["chapter_missing"]


def test_a_protected_or_broken_book(tmp_path: Path) -> None:  # E22
    locked = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/></EncryptedData></encryption>'
    drm = locked.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(Encrypted):
        read_epub(book(tmp_path / "drm.epub", **{"META-INF/encryption.xml": drm}), LIMITS)
    fonts = locked.format("http://www.idpf.org/2008/embedding")
    assert read_epub(book(tmp_path / "fonts.epub", **{"META-INF/encryption.xml": fonts}), LIMITS).blocks
    with pytest.raises(Corrupt):
        read_epub(book(tmp_path / "broken.epub", **{"META-INF/container.xml": "<container/>"}), LIMITS)
