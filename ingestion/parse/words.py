"""Words of a PDF page with their boxes and fonts, read character by character from pdfium."""

import ctypes
import re
from dataclasses import dataclass
from functools import cache

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

# A page with more characters than this is a drawing made of glyphs or a bomb; real pages hold under 20,000.
MAX_CHARACTERS_A_PAGE = 200_000

_BOLD = re.compile(r"bold|black|heavy|demi|SFBX|CMBX|[-,]bd\b|-Medi\b", re.IGNORECASE)
_MONO = re.compile(r"courier|mono|consol|typewriter|SFTT|CMTT|menlo", re.IGNORECASE)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_LINE_ENDS = (0x0A, 0x0D)
_ENDS = (*_LINE_ENDS, 0x20, 0xA0)
_HYPHENS = (0x02, 0xFFFE)  # pdfium's marks for a hyphen at a line's end


@dataclass(frozen=True, slots=True)
class Font:
    """What the layout needs to know of a font."""

    name: str
    bold: bool
    mono: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a space; box in points from the top left of the page as it is shown."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: Font
    ends_line: bool = False


Matrix = tuple[float, float, float, float, float, float]


@cache
def font_named(name: str, heavy: bool) -> Font:
    """The style a font's name and weight tell."""
    plain = _SUBSET.sub("", name)
    return Font(plain, heavy or bool(_BOLD.search(plain)), bool(_MONO.search(plain)))


def page_words(page: pdfium.PdfPage, width: float, height: float) -> list[Word]:
    """All words of a page in the order of its content stream. Raises PdfiumError when it does not load."""
    textpage = page.get_textpage()
    try:
        reader = _Reader(textpage.raw, _to_screen(page, width, height))
        return reader.words()
    finally:
        textpage.close()


def _to_screen(page: pdfium.PdfPage, width: float, height: float) -> Matrix:
    """From page space to points with the origin top left, cropped and rotated as a viewer shows the page."""
    scale, reach = 100, 1000.0
    corners = []
    for x, y in ((0.0, 0.0), (reach, 0.0), (0.0, reach)):
        device_x, device_y = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(
            page.raw, 0, 0, round(width * scale), round(height * scale), 0, x, y, device_x, device_y
        )
        corners.append((device_x.value / scale, device_y.value / scale))
    (e, f), (ax, ay), (bx, by) = corners
    return (ax - e) / reach, (ay - f) / reach, (bx - e) / reach, (by - f) / reach, e, f


class _Reader:
    """One pass over the characters of a text page, with the buffers that pdfium fills."""

    def __init__(self, raw: pdfium_c.FPDF_TEXTPAGE, matrix: Matrix) -> None:
        self.raw = raw
        self.matrix = matrix
        self.box = pdfium_c.FS_RECTF()
        self.name = ctypes.create_string_buffer(128)
        self.flags = ctypes.c_int()

    def words(self) -> list[Word]:
        count = min(pdfium_c.FPDFText_CountChars(self.raw), MAX_CHARACTERS_A_PAGE)
        words: list[Word] = []
        characters: list[str] = []
        first = last = -1
        hyphen = False
        get_unicode, raw = pdfium_c.FPDFText_GetUnicode, self.raw
        for index in range(count + 1):
            code = get_unicode(raw, index) if index < count else 0x0A
            if code in _ENDS:
                if first >= 0:
                    words.append(self._word("".join(characters), first, last, code in _LINE_ENDS))
                    characters, first = [], -1
            elif code in _HYPHENS:
                characters.append("\u00ad")
                hyphen = first >= 0
            elif code:
                if hyphen and self._below(last, index):
                    words.append(self._word("".join(characters), first, last, True))
                    characters, first = [], -1
                hyphen = False
                characters.append(chr(code))
                first, last = (index if first < 0 else first), index
        return words

    def _below(self, before: int, index: int) -> bool:
        """Whether a character stands on a later line: pdfium glues the halves of a hyphenated word."""
        a, b = self._corners(before), self._corners(index)
        return b[1] + b[3] > a[1] + a[3] + 0.7 * (a[3] - a[1])

    def _word(self, text: str, first: int, last: int, ends_line: bool) -> Word:
        a0, b0, a1, b1 = self._corners(first)
        if last != first:
            c0, d0, c1, d1 = self._corners(last)
            a0, b0, a1, b1 = min(a0, c0), min(b0, d0), max(a1, c1), max(b1, d1)
        size = pdfium_c.FPDFText_GetFontInfo(self.raw, first, self.name, 128, self.flags)
        name = self.name.value.decode("utf-8", "replace") if size else ""
        heavy = pdfium_c.FPDFText_GetFontWeight(self.raw, first) >= 600
        return Word(text, a0, b0, a1, b1, font_named(name, heavy), ends_line)

    def _corners(self, index: int) -> tuple[float, float, float, float]:
        box = self.box
        if not pdfium_c.FPDFText_GetLooseCharBox(self.raw, index, box):
            return 0.0, 0.0, 0.0, 0.0
        a, b, c, d, e, f = self.matrix
        x0, y0 = a * box.left + c * box.top + e, b * box.left + d * box.top + f
        x1, y1 = a * box.right + c * box.bottom + e, b * box.right + d * box.bottom + f
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
