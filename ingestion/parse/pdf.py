"""PDF: open and classify with pdfium, then read it page by page into blocks with their boxes.

pdfium's characters and a layout of our own: 890 pages of 19 filings at 78 pages/s of CPU and 53 MB in all
(NETFLIX_2017_10K 88, AMCOR_2023Q4_EARNINGS 84). docling-parse over the same two, on the same busy cores, gave
1.3 and 3.2 pages/s and 1.2 GB, so it reads only what pdfium gets wrong: right-to-left scripts.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from ingestion.errors import Corrupt, Empty, Encrypted, NeedsOcr, TooBig
from ingestion.parse.blocks import Block, Page, Parsed, Warning_
from ingestion.parse.characters import clean, one_line
from ingestion.parse.columns import is_right_to_left
from ingestion.parse.docling import right_to_left_words
from ingestion.parse.layout import lay_out
from ingestion.parse.limits import Limits
from ingestion.parse.ocr import RECOGNISED, Recogniser
from ingestion.parse.optional import recognises
from ingestion.parse.styles import fold
from ingestion.parse.text import paragraphs
from ingestion.parse.words import Word, page_words

# Pages of scans carry a stamp or a page number; invisible_text_layer.pdf holds 44 characters, a cover 22.
OCR_CHARACTERS_A_PAGE = 20
MAX_OUTLINE_ENTRIES = 5_000
MAX_NOTED_PAGES = 20
MAX_RIGHT_TO_LEFT_PAGES = 30  # at 1.3 pages/s on two busy cores: 23 s of the 90

_FILE_TITLE = re.compile(r"^(microsoft \w+ - |untitled|document\d*$|\S+\.\w{2,4}$)", re.IGNORECASE)

Progress = Callable[[int, int], None]


def read_pdf(
    path: Path,
    limits: Limits,
    progress: Progress,
    *,
    plain: bool = False,
    recogniser: Recogniser | None = None,
) -> Parsed:
    """Read a PDF with its text layer; `progress` is told (pages done, pages).

    `plain` takes each page's text as pdfium gives it, without boxes, headings or columns; `recogniser` reads
    the pages that are pictures. Raises Encrypted, Corrupt, Empty, TooBig, or NeedsOcr when its pages hold next
    to no text, or a page is a picture that could be recognised.
    """
    document = open_pdf(path)
    try:
        count = len(document)
        if count == 0:
            raise Empty("This PDF has no pages.")
        if count > limits.max_pages:
            raise TooBig(f"This PDF has {count:,} pages; at most {limits.max_pages:,} can be read.")
        if plain:
            return _read_plain(document, progress)
        return _read(path, document, limits, progress, recogniser)
    finally:
        document.close()


def open_pdf(path: Path) -> pdfium.PdfDocument:
    """Open a PDF. Raises Encrypted when it asks for a password, Corrupt when it does not open."""
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
            raise Encrypted(detail=str(error)) from error
        raise Corrupt(detail=str(error)) from error


def _read(
    path: Path,
    document: pdfium.PdfDocument,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser | None,
) -> Parsed:
    pages, content, failed = _pages(document, progress)
    if sum(page.characters for page in pages) > limits.max_characters:
        raise TooBig(f"This PDF holds more than {limits.max_characters:,} characters.")
    scanned = _scanned(document, pages)
    warnings: list[Warning_] = []
    if recogniser:
        warnings += _recognise(
            document, recogniser, scanned or [page.number for page in pages], pages, content
        )
    elif scanned and recognises():
        raise NeedsOcr(detail=f"{len(scanned)} of {len(pages)} pages are pictures")
    _require_text(pages, scanned, recogniser)
    parser = "pdfium and rapidocr" if recogniser and recogniser.pages else "pdfium"
    if len(pages) <= MAX_RIGHT_TO_LEFT_PAGES and not failed and not recogniser and is_right_to_left(content):
        parser, content = "docling-parse", list(right_to_left_words(path, len(pages)))
    warnings += [*_failed_pages(failed), *_pictures(pages, failed)]
    return Parsed(lay_out(content, pages, _outline(document)), pages, parser, warnings, _title(document))


def _pages(
    document: pdfium.PdfDocument, progress: Progress
) -> tuple[list[Page], list[list[Word]], list[int]]:
    """Every page, its words, and the numbers of the pages that cannot be read. Raises Corrupt when all are."""
    pages: list[Page] = []
    content: list[list[Word]] = []
    failed: list[int] = []
    for number in range(1, len(document) + 1):
        try:
            page, words = _page(document, number)
        except pdfium.PdfiumError:
            failed.append(number)
            page, words = Page(number, 0.0, 0.0, 0), []
        pages.append(page)
        content.append(words)
        progress(number, len(document))
    if len(failed) == len(pages):
        raise Corrupt("None of the pages of this PDF can be read.")
    return pages, content, failed


def _recognise(
    document: pdfium.PdfDocument,
    recogniser: Recogniser,
    numbers: list[int],
    pages: list[Page],
    content: list[list[Word]],
) -> Iterator[Warning_]:
    """Put the words of pictures in the place of what little text these pages have."""
    for number in numbers:
        handle = document[number - 1]
        words = recogniser.page(handle)
        handle.close()
        if words is None:
            message = f"There was no time left to recognise the text of page {number} and those after it."
            yield Warning_("page_unreadable", message, number)
            break
        if words:
            content[number - 1] = words
            pages[number - 1] = replace(pages[number - 1], characters=_characters(words))
    if recogniser.pages:
        yield RECOGNISED


def _read_plain(document: pdfium.PdfDocument, progress: Progress) -> Parsed:
    found: list[Block] = []
    pages: list[Page] = []
    for number in range(1, len(document) + 1):
        page = document[number - 1]
        width, height = page.get_size()
        text = page.get_textpage().get_text_range()
        pages.append(Page(number, round(width, 1), round(height, 1), len(text)))
        found += [replace(block, page=number) for block in paragraphs(clean(text.replace("\x02", "\u00ad")))]
        progress(number, len(document))
    _require_text(pages, _scanned(document, pages), None)
    warning = Warning_("plain_reading", "The layout could not be read: headings and tables are plain text.")
    return Parsed(found, pages, "pdfium plain", [warning], _title(document))


def _page(document: pdfium.PdfDocument, number: int) -> tuple[Page, list[Word]]:
    page = document[number - 1]
    try:
        width, height = page.get_size()
        words = page_words(page, width, height)
    finally:
        page.close()
    return Page(number, round(width, 1), round(height, 1), _characters(words)), words


def _characters(words: list[Word]) -> int:
    return sum(len(word.text) + 1 for word in words)


def _scanned(document: pdfium.PdfDocument, pages: list[Page]) -> list[int]:
    """The pages that are pictures with next to no text on them."""
    bare = [page for page in pages if page.width and page.characters < OCR_CHARACTERS_A_PAGE]
    return [page.number for page in bare if _is_picture(document, page)]


def _require_text(pages: list[Page], scanned: list[int], recogniser: Recogniser | None) -> None:
    """A few words are a short document, unless they are the stamp on a picture of a page."""
    readable = [page for page in pages if page.width]
    characters = sum(page.characters for page in readable)
    if characters >= OCR_CHARACTERS_A_PAGE * len(readable):
        return
    if recogniser:
        if not characters:
            raise Empty("No text was recognised on the pages of this file.")
    elif not characters or 2 * len(scanned) > len(readable):
        raise NeedsOcr(detail=f"{characters} characters on {len(readable)} pages, {len(scanned)} pictures")


def _is_picture(document: pdfium.PdfDocument, page: Page) -> bool:
    """Whether one image covers a third of the page."""
    handle = document[page.number - 1]
    try:
        for image in handle.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=3):
            x0, y0, x1, y1 = image.get_bounds()
            if (x1 - x0) * (y1 - y0) > page.width * page.height / 3:
                return True
        return False
    finally:
        handle.close()


def _outline(document: pdfium.PdfDocument) -> dict[str, tuple[int, int | None]]:
    entries: dict[str, tuple[int, int | None]] = {}
    for entry in document.get_toc(max_depth=8):
        title = fold(entry.get_title() or "")
        destination = entry.get_dest()
        index = destination.get_index() if destination else None
        if title:
            entries.setdefault(title, (min(6, entry.level + 1), None if index is None else index + 1))
        if len(entries) >= MAX_OUTLINE_ENTRIES:
            break
    return entries


def _title(document: pdfium.PdfDocument) -> str | None:
    title = one_line(document.get_metadata_dict().get("Title") or "")
    wordy = 3 * sum(char.isalpha() for char in title) > len(title) > 2
    return title if wordy and not _FILE_TITLE.match(title) else None


def _failed_pages(failed: list[int]) -> Iterator[Warning_]:
    for number in failed[:MAX_NOTED_PAGES]:
        yield Warning_("page_unreadable", f"Page {number} is damaged and was left out.", number)
    if len(failed) > MAX_NOTED_PAGES:
        yield Warning_("page_unreadable", f"{len(failed)} pages are damaged and were left out.")


def _pictures(pages: list[Page], failed: list[int]) -> Iterator[Warning_]:
    """Pages without a character in a document that has text elsewhere: blank, or pictures of text."""
    empty = [page.number for page in pages if not page.characters and page.number not in failed]
    if empty:
        named = ", ".join(map(str, empty[:MAX_NOTED_PAGES])) + (
            ", ..." if len(empty) > MAX_NOTED_PAGES else ""
        )
        plural = "Pages" if len(empty) > 1 else "Page"
        yield Warning_(
            "page_without_text", f"{plural} {named}: no text found (blank, or a picture).", empty[0]
        )
