"""Text recognition for pictures and scanned pages, where the extra `ocr` is installed (`make run WITH_OCR=1`).

rapidocr brings its PP-OCRv6 models in its wheel and runs them on onnxruntime: nothing is fetched. A page took
0.7 s at 1,260 pixels and 2.4 s at 2,100 on one busy core, and 870 MB in all.
"""

import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median_low
from typing import Any

from ingestion.errors import Empty, ParseTimeout
from ingestion.parse.blocks import Page, Parsed, Warning_
from ingestion.parse.image import open_image
from ingestion.parse.layout import lay_out
from ingestion.parse.limits import Limits
from ingestion.parse.words import Word, font_named

LONG_SIDE = 2_000  # pixels of a page as it is read: an A4 page at 170 dots an inch
MAX_SCALE = 4.0
CERTAIN = 0.6  # mean confidence of a line; below it is noise more often than text
# A line's box is as high as its tallest letter: within this of the page's median it counts as body text.
SAME_HEIGHT = 0.25
RECOGNISED = Warning_(
    "recognised", "Some of this text was recognised from pictures; names and figures may be wrong."
)


class Recogniser:
    """Reads pages from their pixels until `limits.ocr_seconds` are over.

    A page that takes longer than `limits.ocr_page_seconds` ends the process. `pages` counts those read.
    """

    def __init__(self, limits: Limits) -> None:
        from rapidocr import RapidOCR

        threads = {f"EngineConfig.onnxruntime.{name}_op_num_threads": 1 for name in ("intra", "inter")}
        self._engine: Callable[[Any], Any] = RapidOCR(params={"Global.log_level": "critical", **threads})
        self._limits = limits
        self._end = time.monotonic() + limits.ocr_seconds
        self.pages = 0

    def picture(self, pixels: Any, scale: float) -> list[Word] | None:
        """The lines of a page, each as one `Word` in points, from RGB pixels with `scale` of them a point.

        None when the time is over.
        """
        if time.monotonic() > self._end:
            return None
        signal.alarm(self._limits.ocr_page_seconds)
        words = _even(list(_words(self._engine(pixels[..., ::-1]), scale)))  # it expects blue first
        signal.alarm(0)
        self.pages += 1
        return words

    def page(self, page: Any) -> list[Word] | None:
        """The lines of a PDF page, drawn as a viewer shows it."""
        width, height = page.get_size()
        scale = min(MAX_SCALE, LONG_SIDE / max(width, height, 1.0))
        drawn = page.render(scale=scale, rev_byteorder=True).to_numpy()
        return self.picture(drawn[..., :3], scale)


def read_picture(path: Path, limits: Limits, progress: Callable[[int, int], None]) -> Parsed:
    """Read a png or jpg. Raises Empty when no text is found, ParseTimeout when there is no time."""
    import numpy as np  # here, as it costs every child 0.1 s

    image = open_image(path)
    words = Recogniser(limits).picture(np.asarray(image), 1.0)
    if words is None:
        raise ParseTimeout
    if not words:
        raise Empty("No text was recognised in this picture.")
    page = Page(1, float(image.width), float(image.height), sum(len(word.text) + 1 for word in words))
    progress(1, 1)
    return Parsed(lay_out([words], [page], {}), [page], "rapidocr", [RECOGNISED], None)


def _words(result: Any, scale: float) -> Iterator[Word]:
    font = font_named("recognised", heavy=False)
    if not result.txts:
        return
    for text, corners, score in zip(result.txts, result.boxes, result.scores, strict=True):
        x0, y0 = (float(value) / scale for value in corners.min(axis=0))
        x1, y1 = (float(value) / scale for value in corners.max(axis=0))
        if text.strip() and score >= CERTAIN:
            yield Word(text.strip(), x0, y0, x1, y1, font, ends_line=True)


def _even(words: list[Word]) -> list[Word]:
    """Lines of about the usual height made equally high, so that only larger ones look like headings."""
    usual = median_low([word.y1 - word.y0 for word in words]) if words else 0.0
    result = []
    for word in words:
        if abs(word.y1 - word.y0 - usual) <= SAME_HEIGHT * usual:
            middle = (word.y0 + word.y1) / 2
            word = replace(word, y0=middle - usual / 2, y1=middle + usual / 2)
        result.append(word)
    return result
