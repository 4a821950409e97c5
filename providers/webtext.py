"""The words of a web page: no scripts, no pictures, no links, only text."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

PIECE = 16 * 1024  # bytes parsed between two looks at the clock
SECONDS = 1.0  # 2 MB of an ordinary page take 0.3; open elements without end take the square of their number
SILENT = frozenset(
    {"script", "style", "noscript", "template", "svg", "head", "nav", "footer", "form", "iframe"}
)
BREAKS = frozenset(
    {"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "td"}
)


def text_of_html(html: str, *, most: int = 1_000_000) -> tuple[str, str]:
    """(title, text) of a page as far as `most` characters and SECONDS reach.

    The standard library's parser took two minutes for 100 KB of `<a <a <a`.
    """
    from lxml import etree

    reader = Reader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8")
    data, until = html.replace("\0", " ").encode("utf-8", "replace") or b" ", monotonic() + SECONDS
    for start in range(0, len(data), PIECE):
        parser.feed(data[start : start + PIECE])
        if reader.size > most or monotonic() > until:
            break
    try:
        parser.close()
    except etree.ParserError:  # nothing in it but spaces and comments
        return "", ""
    lines = (" ".join(line.split()) for line in "".join(reader.words).splitlines())
    return " ".join("".join(reader.title).split())[:300], "\n".join(line for line in lines if line)


class Reader:
    """Collects what a reader of the page would see, as far as that can be told without drawing it."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.title: list[str] = []
        self.size = 0  # characters of the words
        self._silent = 0  # open elements, from the outermost silent one inwards
        self._in_title = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "title":
            self._in_title = not self.title  # a drawing has titles, too
        if self._silent or tag in SILENT or (tag in BREAKS and "hidden" in attributes):
            self._silent += 1
        elif tag in BREAKS:
            self.words.append("\n")

    def end(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if self._silent:
            self._silent -= 1
        elif tag in BREAKS:
            self.words.append("\n")

    def data(self, text: str) -> None:
        if self._in_title:
            self.title.append(text)
        elif not self._silent:
            self.words.append(text)
            self.size += len(text)

    def close(self) -> None:
        """The parser asks for it."""
