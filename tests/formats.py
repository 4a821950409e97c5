"""One small file of every accepted extension, and words that must be found in it."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ingestion.parse.filetype import ACCEPTED
from tests.compound import compound

FILES = {
    ".pdf": ("fake-memo.pdf", "20,000 bottles of water"),
    ".docx": ("unit_test_headers.docx", "Paragraph 1.1.1"),
    ".pptx": ("powerpoint_sample.pptx", "Test Table Slide"),
    ".xlsx": ("stanley-cups.xlsx", "| Maple Leafs | TOR | 13 |"),
    ".html": ("fake-html-cp1252.html", "L'été était très chaud"),
    ".md": ("nested.md", "Nesting"),
    ".txt": ("fake-text-utf-16.txt", "Hamburgers are delicious"),
    ".csv": ("semicolon-delimited.csv", "| sed, do | eiusmod | tempor incididunt |"),
    ".eml": ("testRFC822_multipart_attachments.eml", "This is test email for EML1"),
    ".png": ("testOCR.png", "This file contains some words."),
}
PICTURES = (".png", ".jpg", ".jpeg")
WRITTEN = {
    ".htm": "<p>{}</p>",
    ".json": '{{"note": "{}"}}',
    ".jsonl": '{{"note": "{}"}}\n',
    ".ndjson": '{{"note": "{}"}}\n',
    ".xml": "<note>{}</note>",
    ".yaml": "note: {}\n",
    ".yml": "note: {}\n",
    ".toml": '[note]\ntext = "{}"\n',
    ".tsv": "note\tcode\n{}\t007\n",
    ".rst": "Note\n====\n\n{}\n",
}


def samples(shared: Path) -> dict[str, tuple[bytes, str]]:
    """Content and expected words by extension; no two are alike."""
    made: dict[str, Callable[[str], bytes]] = {".epub": _epub, ".msg": _msg, ".jpg": _jpeg, ".jpeg": _jpeg}
    found = {}
    for extension in ACCEPTED:
        text = f"zzyzx pump {extension[1:]} runs at 42 Nm"
        if extension in FILES:
            name, text = FILES[extension]
            found[extension] = ((shared / "data/parse" / name).read_bytes(), text)
        elif extension in made:
            found[extension] = (made[extension](text), text)
        else:
            found[extension] = (WRITTEN.get(extension, "# {}\n").format(text).encode(), text)
    return found


def picture_of(text: str, kind: str, size: tuple[int, int] = (900, 200)) -> bytes:
    """A picture with one line of large text."""
    image, stored = Image.new("RGB", size, "white"), BytesIO()
    ImageDraw.Draw(image).text((20, 60), text, fill="black", font=ImageFont.load_default(48))
    image.save(stored, kind)
    return stored.getvalue()


def _jpeg(text: str) -> bytes:
    return picture_of(text, "JPEG")


def _msg(text: str) -> bytes:
    wide = {"0037": "Pump", "1000": text}
    streams = {f"__substg1.0_{tag}001F": value.encode("utf-16-le") for tag, value in wide.items()}
    return compound({"__properties_version1.0": bytes(32), **streams})


def _epub(text: str) -> bytes:
    stored = BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="p.opf"/></container>')
        archive.writestr(
            "p.opf",
            '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
        )
        archive.writestr("a.xhtml", f"<html><body><h1>Pump</h1><p>{text}</p></body></html>")
    return stored.getvalue()
