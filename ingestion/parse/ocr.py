"""Text recognition for pictures and scanned pages, where the extra `ocr` is installed (`make run WITH_OCR=1`).

rapidocr brings its PP-OCRv6 models in its wheel and runs them on onnxruntime: nothing is fetched. A page took
0.7 s at 1,260 pixels and 2.4 s at 2,100 on one busy core, and 870 MB in all.
"""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ingestion.errors import Empty
from ingestion.parse.blocks import Page, Parsed, Warning_
from ingestion.parse.image import open_image
from ingestion.parse.layout import lay_out
from ingestion.parse.limits import Limits
from ingestion.parse.pdf import open_pdf
from ingestion.parse.words import Word, font_named

LONG_SIDE = 2_000  # pixels of a page as it is read: an A4 page at 170 dots an inch
MAX_SCALE = 4.0
CERTAIN = 0.6  # mean confidence of a line; below it is noise more often than text
# A line's box is as high as its tallest letter: within this of the page's median it counts as body text.
SAME_HEIGHT = 0.25
MAX_NOTED_PAGES = 20

Progress = Callable[[int, int], None]


def read_scanned(path: Path, kind: str, limits: Limits, progress: Progress) -> Parsed:
    """Read a PDF or picture by its looks; pages beyond `limits.ocr_seconds` are left out, with a warning.

    A page that takes longer than `limits.ocr_page_seconds` ends the child. Raises Empty when no text is found.
    """
    engine = _engine()
    started = time.monotonic()
    pages: list[Page] = []
    content: list[list[Word]] = []
    skipped: list[int] = []
    for number, count, width, height, draw in _pages(path, kind):
        words: list[Word] = []
        if time.monotonic() - started < limits.ocr_seconds:
            signal.alarm(limits.ocr_page_seconds)
            words = _even(list(_words(engine, *draw())))
            signal.alarm(0)
        else:
            skipped.append(number)
        pages.append(Page(number, width, height, sum(len(word.text) + 1 for word in words)))
        content.append(words)
        progress(number, count)
    if not any(content):
        raise Empty("No text was recognised in this file.")
    return Parsed(lay_out(content, pages, {}), pages, "rapidocr", list(_warnings(skipped)), None)


def _engine() -> Callable[[Any], Any]:
    from rapidocr import RapidOCR

    threads = {f"EngineConfig.onnxruntime.{name}_op_num_threads": 1 for name in ("intra", "inter")}
    engine: Callable[[Any], Any] = RapidOCR(params={"Global.log_level": "critical", **threads})
    return engine


Drawn = tuple[Any, float]  # RGB pixels as an array, and how many of them make a point


def _pages(path: Path, kind: str) -> Iterator[tuple[int, int, float, float, Callable[[], Drawn]]]:
    """Number, count, width and height in points of each page, and what draws it."""
    if kind != "pdf":
        image = open_image(path)
        yield 1, 1, float(image.width), float(image.height), lambda: (np.asarray(image), 1.0)
        return
    document = open_pdf(path)
    for number in range(1, len(document) + 1):
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(MAX_SCALE, LONG_SIDE / max(width, height, 1.0))

        def draw(page: Any = page, scale: float = scale) -> Drawn:
            return page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_numpy()[..., :3], scale

        yield number, len(document), round(width, 1), round(height, 1), draw
        page.close()


def _words(engine: Callable[[Any], Any], pixels: Any, scale: float) -> Iterator[Word]:
    """The lines of a page; a `Word` here is a whole line."""
    result = engine(pixels[..., ::-1])  # it expects blue first
    font = font_named("recognised", heavy=False)
    for text, corners, score in zip(
        result.txts or (), result.boxes if result.txts else (), result.scores or (), strict=True
    ):
        x0, y0 = (float(value) / scale for value in corners.min(axis=0))
        x1, y1 = (float(value) / scale for value in corners.max(axis=0))
        if text.strip() and score >= CERTAIN:
            yield Word(text.strip(), x0, y0, x1, y1, font, ends_line=True)


def _even(words: list[Word]) -> list[Word]:
    """Lines of about the usual height made equally high, so that only larger ones look like headings."""
    if not words:
        return words
    usual = sorted(word.y1 - word.y0 for word in words)[len(words) // 2]
    result = []
    for word in words:
        height = word.y1 - word.y0
        if abs(height - usual) <= SAME_HEIGHT * usual:
            middle = (word.y0 + word.y1) / 2
            word = Word(word.text, word.x0, middle - usual / 2, word.x1, middle + usual / 2, word.font, True)
        result.append(word)
    return result


def _warnings(skipped: list[int]) -> Iterator[Warning_]:
    yield Warning_("recognised", "This text was recognised from pictures; names and figures may be wrong.")
    for number in skipped[:MAX_NOTED_PAGES]:
        yield Warning_("page_unreadable", f"There was no time left to recognise page {number}.", number)
    if len(skipped) > MAX_NOTED_PAGES:
        yield Warning_("page_unreadable", f"There was no time left for {len(skipped)} pages.")
