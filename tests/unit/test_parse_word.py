"""Word files by our own reader, and pictures before anything reads their text."""

from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from PIL import Image

from ingestion.errors import Corrupt, NeedsOcr, TooBig
from ingestion.parse.blocks import document_text
from ingestion.parse.image import open_image, read_image
from ingestion.parse.limits import Limits
from ingestion.parse.word import MAX_DOCLING_PARAGRAPHS, is_long, read_word

LIMITS = Limits()


def test_headings_and_tables(shared: Path) -> None:
    parsed = read_word(shared / "data/parse/unit_test_headers.docx", LIMITS)
    assert parsed.title == "Test Document"
    assert [(block.text, block.level) for block in parsed.blocks if block.kind == "heading"][:3] == [
        ("Section 1", 1),
        ("Section 1.1", 2),
        ("Section 1.2", 2),
    ]
    tables = read_word(shared / "data/parse/word_tables.docx", LIMITS)
    assert sum(block.kind == "table" for block in tables.blocks) == 7
    assert "Merged Cell 1.1 1.2" in document_text(tables.blocks)
    assert [note.code for note in tables.warnings] == ["plain_reading"]


def test_tracked_changes(shared: Path) -> None:  # S-PE-07
    text = document_text(read_word(shared / "cases/files/S-PE-07/qzv-lease.docx", LIMITS).blocks)
    assert "8,125 crowns" in text
    assert "7,350 crowns" not in text


def test_a_long_file(shared: Path) -> None:
    parsed = read_word(shared / "data/parse/handbook-872p.docx", LIMITS)
    assert len(document_text(parsed.blocks)) > 780_000
    with pytest.raises(TooBig):
        read_word(shared / "data/parse/handbook-872p.docx", Limits(max_characters=1_000))


def test_what_is_long(tmp_path: Path, shared: Path) -> None:
    assert not is_long(shared / "data/parse/handbook-872p.docx")
    document = Document()
    body = document.element.body
    paragraph = document.add_paragraph("x")._p
    for _ in range(MAX_DOCLING_PARAGRAPHS):
        body.append(paragraph.__copy__())
    document.save(str(tmp_path / "zzyzx.docx"))
    assert is_long(tmp_path / "zzyzx.docx")


def test_pictures_are_measured_before_they_are_unpacked(tmp_path: Path) -> None:  # X9
    path = tmp_path / "zzyzx.png"

    def saved(width: int, height: int, kind: str = "PNG") -> bytes:
        stored = BytesIO()
        Image.new("1", (width, height)).save(stored, kind)
        return stored.getvalue()

    path.write_bytes(saved(40, 30))
    assert (open_image(path).size, open_image(path).mode) == ((40, 30), "RGB")
    with pytest.raises(NeedsOcr) as caught:
        read_image(path)
    assert caught.value.detail == "40 x 30 pixels"
    for size in ((20_001, 1), (9_000, 9_000)):
        path.write_bytes(saved(*size))
        with pytest.raises(TooBig):
            open_image(path)
    path.write_bytes(saved(40, 30, "GIF"))
    with pytest.raises(Corrupt):
        open_image(path)
