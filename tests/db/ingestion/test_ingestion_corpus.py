"""Every file of the parse corpus through the worker to what its MANIFEST line says of it (E8, E10, E22, E25)."""

import asyncio
import csv
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from ingestion.parse.optional import recognises
from providers.local import LocalEmbedder
from server.evaluation.bench_pipeline import Fixed
from sql.db import Identity
from tests.db.ingestion.conftest import Desk

HOSTILE = ("issue19800.pdf", "operator_list_cycle.pdf")
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Read:
    """A document as it stands in the database."""

    document: dict[str, Any]
    blocks: list[Any]
    chunks: list[Any]

    @property
    def text(self) -> str:
        return " ".join(" ".join(block["text"].split()) for block in self.blocks)

    @property
    def headings(self) -> dict[str, int]:
        return {block["text"]: block["level"] for block in self.blocks if block["kind"] == "heading"}

    @property
    def tables(self) -> list[str]:
        return [block["text"] for block in self.blocks if block["kind"] == "table"]

    def chunk(self, words: str) -> Any:
        """The first passage that holds these words."""
        return next(chunk for chunk in self.chunks if words in chunk["text"])


@dataclass(frozen=True, slots=True)
class Claim:
    """What one line of the manifest says: words that must be found, and whatever else must hold."""

    words: tuple[str, ...] = ()
    pages: int | None = None
    holds: Callable[[Read], object] = field(default=lambda _: True)
    status: str = "completed"
    error: str | None = None


def order(*words: str) -> Callable[[Read], bool]:
    """Whether the words stand in this order."""
    return lambda read: sorted(words, key=read.text.index) == list(words)


def multi_page(read: Read) -> bool:
    pages = {block["text"]: block["page"] for block in read.blocks if block["kind"] == "heading"}
    return (
        11 <= len(pages) <= 13
        and pages["Pre-Digital Era (19th - Early 20th Century)"] == 1
        and pages["The Modern Era (1990s - Present)"] == 2
        and "Future of Word Processing" in pages
    )


def bookmarks(read: Read) -> bool:
    found = read.headings
    named = ("PART I - DEFINITIONS", "3. Payment Terms", "3.1 Payment Schedule")
    return [found[name] for name in named] == [1, 2, 3]


def handbook_page(read: Read) -> bool:
    # The heading between these two, in italics of the text's own size, is read into its paragraph.
    found = {"Boots Self-Locking Nut", "Elastic Stop Nut"} <= read.headings.keys()
    in_order = order("Figure 7-26", "the most common ranges in size", "Stainless Steel Self-Locking Nut")
    return found and in_order(read)


def headers(read: Read) -> bool:
    path = read.chunk("Paragraph 1.1.1")["heading_path"]
    return (
        read.document["title"] == "Test Document"
        and list(path) == ["Section 1", "Section 1.1"]
        and read.headings["Section 2.1.1"] == 3
        and {chunk["page_start"] for chunk in read.chunks} == {None}
    )


def sheets(read: Read) -> bool:
    first, second = read.chunk("| Maple Leafs | TOR | 13 |"), read.chunk("| Maple Leafs | TOR | 0 |")
    return [list(one["heading_path"]) for one in (first, second)] == [
        ["Stanley Cups"],
        ["Stanley Cups Since 67"],
    ]


def slides(read: Read) -> bool:
    header = "|  | Class1 | Class1 | Class1 | Class2 | Class2 | Class2 |"
    return read.tables[0].startswith(header) and read.blocks[0]["text"] == "Test Table Slide"


def code(read: Read) -> bool:
    [block] = [block for block in read.blocks if block["text"].startswith("from docling.document_converter")]
    return read.headings == {"Code snippets": 1} and block["kind"] == "code" and block["text"].count("\n") > 2


RECOGNISED = recognises()
PICTURE = {} if RECOGNISED else {"status": "needs_ocr", "error": "needs_ocr"}
VERSE = "Однажды, в студеную зимнюю пору"
CLAIMS: dict[str, Claim] = {
    "multi_page.pdf": Claim(("IBM MT/ST (Magnetic Tape/Selectric Typewriter): Introduced in 1964",), 5, multi_page),
    "bookmark_sample.pdf": Claim((), 3, bookmarks),
    "amt_handbook_sample.pdf": Claim((), 1, handbook_page),
    "right_to_left_01.pdf": Claim(("البرمجة", "Python"), 1, lambda read: read.document["parser"] == "docling-parse"),
    "code_and_formula.pdf": Claim(("function add(a, b) {",), None, lambda read: len(read.headings) >= 2),
    "invisible_text_layer.pdf": Claim(("Invisible OCR text layer",), 1),
    "ocr_test.pdf": Claim(("Docling bundles PDF document conversion",) if RECOGNISED else (), **PICTURE),
    "password.pdf": Claim(status="failed", error="encrypted"),
    "fake-memo.pdf": Claim(
        ("20,000 bottles of water, 10,000 blankets, and 200 laptops delivered on January 23, 2023.",), 1
    ),
    "testPDFTwoTextBoxes.pdf": Claim((), None, lambda read: read.text == (
        "Left column line 1 Left column line 2 Right column line 1 Right column line 2"
    )),
    "testPDF_bookmarks.pdf": Claim(("This is a page about France", "This is a page about Denmark"), 2),
    "testOptionalHyphen.pdf": Claim(("optionalhyphen",)),
    "issue19800.pdf": Claim(("Hello world",), 1),
    "operator_list_cycle.pdf": Claim(status="failed" if RECOGNISED else "needs_ocr"),
    "unit_test_headers.docx": Claim((), None, headers),
    "word_tables.docx": Claim(
        ("| Cell 1.0 | Merged Cell 1.1 1.2 |",), None,
        lambda read: read.document["tables"] == 7 and "Test with tables" in read.headings,
    ),
    "handbook-872p.docx": Claim((), None, lambda read: read.document["characters"] > 700_000),
    "html_code_snippets.html": Claim(("pip install docling",), None, code),
    "fake-html-cp1252.html": Claim(("L'été était très chaud", "El niño comió", "15,50 €")),
    "umlauts-non-utf8.md": Claim(("äöüß",), None, lambda read: read.headings == {"können": 2}),
    "nested.md": Claim(("abcd1234：",), None, lambda read: read.headings["Nesting"] == 1),
    "fake-text-utf-16.txt": Claim(
        ("Doylestown, PA 18901", "Hamburgers are delicious"), None, lambda read: read.tables == []
    ),
    "russian.cp866.txt": Claim((VERSE,), None, lambda read: read.document["language"] == "ru"),
    "powerpoint_sample.pptx": Claim((), 3, slides),
    "fake-power-point-many-pages.pptx": Claim((), 2, lambda read: (
        [(chunk["text"], chunk["page_start"]) for chunk in read.chunks] == [("Page 1", 1), ("Page 2", 2)]
    )),
    "stanley-cups.xlsx": Claim((), None, sheets),
    "semicolon-delimited.csv": Claim(("| Lorem, ipsum | dolor sit | amet |",)),
    "testRFC822_multipart_attachments.eml": Claim(
        ("EML 1", "Bugs Bunny <Bugs.Bunny@acme.com>", "This is test email for EML1")
    ),
    "testOCR.png": Claim(("This file contains some words.",) if RECOGNISED else (), **PICTURE),
}  # fmt: skip


@pytest.fixture
def parse(shared: Path) -> Path:
    return shared / "data" / "parse"


@asynccontextmanager
async def watched() -> AsyncIterator[list[int]]:
    """The memory of this process and all below it, twenty times a second."""
    seen: list[int] = []

    def look() -> int:
        here = psutil.Process()
        total = 0
        for process in [here, *here.children(recursive=True)]:
            try:
                total += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return total

    async def watch() -> None:
        while True:
            seen.append(await asyncio.to_thread(look))
            await asyncio.sleep(0.05)

    task = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        task.cancel()


async def read(desk: Desk, owner: Identity, document: dict[str, Any]) -> Read:
    async with desk.database.as_user(owner) as connection:
        blocks, chunks = [
            await connection.fetch(
                f"SELECT * FROM {table} WHERE document_id = $1 ORDER BY ordinal", document["id"]
            )
            for table in ("blocks", "chunks")
        ]
    return Read(document, blocks, chunks)


async def test_the_corpus_gives_what_its_manifest_says(
    desk: Desk, owner: Identity, parse: Path, embedder: LocalEmbedder
) -> None:
    with (parse / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        listed = [row["file"] for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert set(listed) == set(CLAIMS)
    uploads = {name: await desk.upload(owner, parse / name) for name in listed}
    wrong = []
    async with desk.worker(Fixed(embedder)):
        for name, accepted in uploads.items():
            document, claim = await desk.wait(owner, accepted.id, seconds=120), CLAIMS[name]
            found = await read(desk, owner, document)
            error = document["error"] and document["error"]["class"]
            wrong += [f"{name}: {document['status']} {error}"] * (document["status"] != claim.status)
            wrong += [f"{name}: {error}"] * (claim.error not in (None, error))
            wrong += [f"{name}: {document['pages']} pages"] * (claim.pages not in (None, document["pages"]))
            wrong += [f"{name}: without {words}" for words in claim.words if words not in found.text]
            wrong += [f"{name}: {found.text[:300]}"] * (
                claim.status == "completed" and not claim.holds(found)
            )
    assert wrong == []
    assert not any((await desk.orphans()).values())


async def test_hostile_files_cost_little_and_hold_nobody_up(
    desk: Desk, owner: Identity, parse: Path, embedder: LocalEmbedder
) -> None:  # E22 X9
    async with watched() as memory, desk.worker(Fixed(embedder)):
        started = time.monotonic()
        hostile = [await desk.upload(owner, parse / name) for name in HOSTILE]
        good = await desk.upload(owner, parse / "fake-memo.pdf")
        assert (await desk.wait(owner, good.id))["status"] == "completed"
        for accepted in hostile:
            assert (await desk.wait(owner, accepted.id))["stage"] in ("done", "parsing")
        assert time.monotonic() - started < 90
    assert max(memory) < 4 * GIB
