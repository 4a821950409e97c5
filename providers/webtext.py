"""The words of a web page: no scripts, no pictures, no links, only text."""

from __future__ import annotations

from html.parser import HTMLParser

SILENT = frozenset(
    {"script", "style", "noscript", "template", "svg", "head", "nav", "footer", "form", "iframe"}
)
BREAKS = frozenset(
    {"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "td"}
)


def text_of_html(html: str) -> tuple[str, str]:
    """(title, text) of a page."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.words).splitlines())
    return " ".join("".join(reader.title).split())[:300], "\n".join(line for line in lines if line)


class Reader(HTMLParser):
    """Collects what a reader of the page would see, as far as that can be told without drawing it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.title: list[str] = []
        self._open: list[str] = []  # silent elements we are inside of
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag in SILENT or (tag in BREAKS and any(name == "hidden" for name, _ in attrs)):
            self._open.append(tag)
        elif tag == "body":
            self._open.clear()  # a head that was never closed
        elif tag in BREAKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in self._open:
            del self._open[self._open.index(tag) :]
        elif tag in BREAKS:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not self._open:
            self.words.append(data)
