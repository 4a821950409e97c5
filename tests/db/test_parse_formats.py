"""Every accepted extension from bytes to blocks in the child, and what text recognition adds (E8, E10)."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from ingestion.chunk import chunk
from ingestion.errors import Empty, ParseTimeout
from ingestion.parse.blocks import Parsed, document_text
from ingestion.parse.child import Nursery, parse_in_child
from ingestion.parse.filetype import ACCEPTED, HEAD_BYTES, identify
from ingestion.parse.limits import Limits
from ingestion.parse.optional import recognises
from tests.formats import PICTURES, picture_of, samples

recognition = pytest.mark.skipif(
    not recognises(), reason="text recognition is not installed: make run WITH_OCR=1 installs it"
)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


async def read(path: Path, nursery: Nursery, limits: Limits | None = None) -> Parsed:
    kind = identify(path.name, path.read_bytes()[:HEAD_BYTES], path)
    return await parse_in_child(path, kind, limits=limits, nursery=nursery)


@pytest.mark.parametrize("extension", [ending for ending in ACCEPTED if ending not in PICTURES])
async def test_round_trip(shared: Path, tmp_path: Path, nursery: Nursery, extension: str) -> None:  # E8
    data, text = samples(shared)[extension]
    path = tmp_path / f"zzyzx{extension}"
    path.write_bytes(data)
    parsed = await read(path, nursery)
    assert text in " ".join(document_text(parsed.blocks).split())
    chunks = chunk(parsed.blocks, fits=lambda _: True)
    whole = " ".join(f"{' '.join(piece.heading_path)} {piece.text}" for piece in chunks)
    assert text in " ".join(whole.split())


async def test_rows_of_tables_stay_whole(
    shared: Path, nursery: Nursery
) -> None:  # S-TS-02, S-TS-03, S-TS-05, F6
    for name, rows in {
        "S-TS-02/qzv-codes.csv": ["| 02134 | 00042 | Corvane |"],
        "S-TS-03/qzv-crew.xlsx": ["| North | late | 9 |", "| North | night | 4 |"],
        "S-TS-05/qzv-preise.csv": ["| Tau | 12,25 | je Meter, weiß |"],
    }.items():
        chunks = chunk((await read(shared / "cases/files" / name, nursery)).blocks, fits=lambda _: True)
        lines = [line for piece in chunks for line in piece.text.split("\n")]
        assert set(rows) <= set(lines)


@recognition
@pytest.mark.parametrize("extension", PICTURES)
async def test_pictures_are_read(
    shared: Path, tmp_path: Path, nursery: Nursery, extension: str
) -> None:  # E10
    data, text = samples(shared)[extension]
    path = tmp_path / f"zzyzx{extension}"
    path.write_bytes(data)
    parsed = await read(path, nursery)
    assert text.replace(" ", "") in document_text(parsed.blocks).replace(" ", "")
    assert parsed.parser == "rapidocr"
    assert all(block.bbox and block.page == 1 for block in parsed.blocks)
    assert [note.code for note in parsed.warnings] == ["recognised"]


@recognition
async def test_a_scan_is_read_with_its_boxes(shared: Path, nursery: Nursery) -> None:  # E10
    parsed = await read(shared / "data/parse/ocr_test.pdf", nursery)
    text = " ".join(document_text(parsed.blocks).split())
    assert (
        text
        == "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
    )
    (page,) = parsed.pages
    assert (page.number, round(page.width)) == (1, 595)
    x0, y0, x1, y1 = parsed.blocks[0].bbox or (0, 0, 0, 0)
    assert 0 < x0 < x1 < page.width
    assert 0 < y0 < y1 < page.height / 3


@recognition
async def test_scanned_pages_among_others(tmp_path: Path, nursery: Nursery) -> None:  # E10
    path = tmp_path / "zzyzx.pdf"
    sheet = Canvas(str(path), pagesize=(600, 300))
    sheet.drawString(40, 200, "The tide turns at five on the first page of this file.")
    sheet.showPage()
    sheet.drawImage(ImageReader(BytesIO(picture_of("zzyzx pump runs at 42 Nm", "PNG"))), 0, 50, 600, 133)
    sheet.save()
    parsed = await read(path, nursery)
    assert [(block.page, block.text) for block in parsed.blocks] == [
        (1, "The tide turns at five on the first page of this file."),
        (2, "zzyzx pump runs at 42 Nm"),
    ]
    assert parsed.parser == "pdfium and rapidocr"
    assert [note.code for note in parsed.warnings] == ["recognised"]


@recognition
async def test_a_scan_without_words_is_not_completed(shared: Path, nursery: Nursery) -> None:  # S-PE-08
    with pytest.raises(Empty):
        await read(shared / "cases/files/S-PE-08/qzv-scan-a.pdf", nursery)


@recognition
async def test_recognition_has_its_time(tmp_path: Path, nursery: Nursery) -> None:  # E22
    path = tmp_path / "zzyzx.png"
    path.write_bytes(picture_of("zzyzx", "PNG"))
    with pytest.raises(ParseTimeout):
        await read(path, nursery, Limits(ocr_seconds=-1.0))
