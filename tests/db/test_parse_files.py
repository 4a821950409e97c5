"""What each file of the corpus must give, read in the child as the worker reads it (E8)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.chunk import chunk
from ingestion.parse.blocks import Parsed, document_text
from ingestion.parse.child import Nursery, parse_in_child
from ingestion.parse.filetype import identify

PARSE, CASES = "data/parse/", "cases/files/"


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


async def read(shared: Path, name: str, nursery: Nursery) -> Parsed:
    path = shared / name
    return await parse_in_child(path, identify(path.name, path.read_bytes()[:8192], path), nursery=nursery)


def headings(parsed: Parsed) -> list[tuple[str, int]]:
    return [(block.text, block.level) for block in parsed.blocks if block.kind == "heading"]


TEXTS = [
    ("multi_page.pdf", "IBM MT/ST (Magnetic Tape/Selectric Typewriter): Introduced in 1964"),
    ("amt_handbook_sample.pdf", "the elastic stop nut, representing the fiber insert type."),
    ("right_to_left_01.pdf", "البرمجة"),
    ("right_to_left_01.pdf", "الإنتاجية"),
    ("code_and_formula.pdf", "function add(a, b) { return a + b; }"),
    ("invisible_text_layer.pdf", "Invisible OCR text layer"),
    (
        "fake-memo.pdf",
        "There were 20,000 bottles of water, 10,000 blankets, and 200 laptops delivered on January 23, 2023.",
    ),
    ("testOptionalHyphen.pdf", "optionalhyphen"),
    ("testPDF_bookmarks.pdf", "This is a page about Denmark"),
    ("word_tables.docx", "| Cell 1.0 | Merged Cell 1.1 1.2 | Merged Cell 1.1 1.2 |"),
    ("html_code_snippets.html", "pip install docling"),
    ("fake-html-cp1252.html", "L'été était très chaud"),
    ("umlauts-non-utf8.md", "äöüß"),
    ("nested.md", "abcd1234："),
    ("fake-text-utf-16.txt", "Doylestown, PA 18901"),
    ("russian.cp866.txt", "Однажды, в студеную зимнюю пору"),
    ("powerpoint_sample.pptx", "| R1 | True | False |"),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
async def test_texts(shared: Path, nursery: Nursery, name: str, text: str) -> None:  # E8, E25
    parsed = await read(shared, PARSE + name, nursery)
    assert text in " ".join(document_text(parsed.blocks).split())


async def test_pdf_headings_and_outline(shared: Path, nursery: Nursery) -> None:
    found = await read(shared, PARSE + "multi_page.pdf", nursery)
    pages = {block.text: block.page for block in found.blocks if block.kind == "heading"}
    assert pages["Pre-Digital Era (19th - Early 20th Century)"] == 1
    assert pages["The Modern Era (1990s - Present)"] == 2
    assert "Future of Word Processing" in pages
    assert 11 <= len(pages) <= 13
    outline = await read(shared, PARSE + "bookmark_sample.pdf", nursery)
    assert headings(outline)[:6] == [
        ("PART I - DEFINITIONS", 1),
        ("1. Interpretation", 2),
        ("2. Construction of Terms", 2),
        ("PART II - OBLIGATIONS", 1),
        ("3. Payment Terms", 2),
        ("3.1 Payment Schedule", 3),
    ]
    handbook = await read(shared, PARSE + "amt_handbook_sample.pdf", nursery)
    text = document_text(handbook.blocks)
    assert text.index("Figure 7-26") < text.index("the most common ranges in size")
    assert {"Boots Self-Locking Nut", "Elastic Stop Nut"} <= {name for name, _ in headings(handbook)}


async def test_pdf_reading_order(shared: Path, nursery: Nursery) -> None:  # S-PE-06
    boxes = await read(shared, PARSE + "testPDFTwoTextBoxes.pdf", nursery)
    lines = "Left column line 1 Left column line 2 Right column line 1 Right column line 2"
    assert " ".join(document_text(boxes.blocks).split()) == lines
    bulletin = document_text((await read(shared, CASES + "S-PE-06/qzv-bulletin.pdf", nursery)).blocks)
    assert "must be cut by nineteen percent before winter" in bulletin
    assert "dredging of the north basin will begin only in the second week of October" in bulletin


async def test_running_lines_and_pages(shared: Path, nursery: Nursery) -> None:  # S-CH-06, S-CI-02
    manual = await read(shared, CASES + "S-CH-06/qzv-manual.pdf", nursery)
    assert document_text(manual.blocks).count("Confidential Operations Manual") == 1
    beacon = [
        piece for piece in chunk(manual.blocks, fits=lambda text: True) if "emergency beacon" in piece.text
    ]
    assert [(piece.page_start, piece.page_end) for piece in beacon] == [(9, 9)]
    ports = await read(shared, CASES + "S-CI-02/qzv-ports.pdf", nursery)
    assert [(block.page, block.text[:11]) for block in ports.blocks][-1] == (7, "Berth nine ")
    assert len(ports.blocks) == 7


async def test_spelling(shared: Path, nursery: Nursery) -> None:  # S-PE-04, S-PE-05, S-PE-07
    assert "efficient filter" in document_text(
        (await read(shared, CASES + "S-PE-04/qzv-filter.pdf", nursery)).blocks
    )
    fonds = document_text((await read(shared, CASES + "S-PE-05/qzv-fonds.html", nursery)).blocks)
    assert "Wertpapierindex" in fonds
    assert "R&D budget: 4 200 kEUR" in fonds
    lease = document_text((await read(shared, CASES + "S-PE-07/qzv-lease.docx", nursery)).blocks)
    assert "8,125 crowns" in lease
    assert "7,350 crowns" not in lease


async def test_word_headings(shared: Path, nursery: Nursery) -> None:
    parsed = await read(shared, PARSE + "unit_test_headers.docx", nursery)
    assert parsed.title == "Test Document"
    assert headings(parsed) == [
        ("Section 1", 1),
        ("Section 1.1", 2),
        ("Section 1.2", 2),
        ("Section 1.2.3", 3),
        ("Section 2", 1),
        ("Section 2.1.1", 3),
        ("Section 2.1", 2),
    ]
    assert {block.page for block in parsed.blocks} == {None}
    chunks = chunk(parsed.blocks, fits=lambda text: True)
    first = next(piece for piece in chunks if "Paragraph 1.1.1" in piece.text)
    assert first.heading_path == ("Section 1", "Section 1.1")
    tables = await read(shared, PARSE + "word_tables.docx", nursery)
    assert sum(block.kind == "table" for block in tables.blocks) == 7
    assert headings(tables) == [("Test with tables", 1)]


async def test_slides(shared: Path, nursery: Nursery) -> None:
    sample = await read(shared, PARSE + "powerpoint_sample.pptx", nursery)
    assert [page.number for page in sample.pages] == [1, 2, 3]
    assert sample.blocks[0].text == "Test Table Slide"
    table = next(block for block in sample.blocks if block.kind == "table")
    assert table.text.split("\n")[0] == "|  | Class1 | Class1 | Class1 | Class2 | Class2 | Class2 |"
    titles = await read(shared, PARSE + "fake-power-point-many-pages.pptx", nursery)
    chunks = chunk(titles.blocks, fits=lambda text: True)
    assert [(piece.text, piece.page_start) for piece in chunks] == [("Page 1", 1), ("Page 2", 2)]


async def test_html_code(shared: Path, nursery: Nursery) -> None:
    parsed = await read(shared, PARSE + "html_code_snippets.html", nursery)
    assert headings(parsed) == [("Code snippets", 1)]
    code = next(block for block in parsed.blocks if block.kind == "code")
    assert code.text.startswith("from docling.document_converter import DocumentConverter\n\nsource")


async def test_financial_tables(shared: Path, nursery: Nursery) -> None:  # F6
    parsed = await read(shared, "data/pages/pdfs/AMCOR_2023Q4_EARNINGS.pdf", nursery)
    rows = [row for block in parsed.blocks if block.kind == "table" for row in block.text.split("\n")]
    assert any(row.startswith("| Net income") and "1,224" in row and "1,089" in row for row in rows)
    chunks = chunk(parsed.blocks, fits=lambda text: True)
    whole = {row for piece in chunks for row in piece.text.split("\n")}
    assert set(rows) <= whole
