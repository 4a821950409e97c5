"""Chunks: a document's blocks cut into passages that fit the embedding model (pure).

Structure comes first: a chunk lies within one section and on one page (on two where a paragraph runs over from
one to the next), begins with its heading, holds whole rows and, where they fit, whole code blocks. Inside a
section the text is cut by `ingestion.cuts` at 800 characters and each passage but the first repeats up to 200
before it, which is the 1000/200 baseline (F1).
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile

from ingestion.cuts import LEVELS, Cut, Span, cut_at, is_cluster_start, split
from ingestion.parse.blocks import BLOCK_SEPARATOR, Block, document_text

SIZE = 1000
OVERLAP = 200
PIECE = SIZE - OVERLAP
# MiniLM reads 256 tokens, about 1,000 characters: of a long path the inner headings are kept.
MAX_PATH_CHARACTERS = 300
MAX_HEADING_CHARACTERS = 120
MAX_HEADER_CHARACTERS = 400  # of a repeated table header
SMALLEST = 24  # what still does not fit at this length is given up on and embedded cut off

# A paragraph that goes on overleaf has a line or more before the break; a page number has not.
RUNNING_CHARACTERS = 40

_HEADS = ("heading", "title")
_ENDED = re.compile(r"[.!?…:;。！？｡][\"'”’»)\]]*$")
_RESTART = re.compile(r"\n+|(?<=[.!?…])(?<!\b[A-Z]\.)[\"'”’»)\]]*\s+(?=\S)|(?<=[。！？｡])")
_SPACE = re.compile(r"\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage. `block_start` and `block_end` are inclusive; `char_start` and `char_end` count in the
    document's text (`document_text`). `text` is that slice, after the header rows where a table goes on.
    """

    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_start: int | None
    page_end: int | None
    block_start: int
    block_end: int
    char_start: int
    char_end: int

    @property
    def embed_text(self) -> str:
        """What is embedded: the heading path, then the text."""
        return " > ".join(self.heading_path) + "\n" + self.text

    @property
    def content_hash(self) -> bytes:
        """SHA-256 of `embed_text`, 32 bytes."""
        return sha256(self.embed_text.encode("utf-8")).digest()


@dataclass(frozen=True, slots=True)
class _Section:
    """Consecutive blocks under one heading and on one page, or on pages that a paragraph joins."""

    path: tuple[str, ...]
    first: int
    last: int


def chunk(blocks: Sequence[Block], *, fits: Callable[[str], bool]) -> list[Chunk]:
    """Cut `blocks` into chunks whose `embed_text` passes `fits`. Linear in the length of the text."""
    cutter = _Cutter(blocks, fits)
    pieces = (piece for section in _sections(blocks) for piece in cutter.pieces(section))
    return [replace(piece, ordinal=ordinal) for ordinal, piece in enumerate(pieces)]


def _sections(blocks: Sequence[Block]) -> Iterator[_Section]:
    """Sections in order: a heading opens one unless only headings stand before it on the page.

    The path is that of the last heading; where no text follows, what the paths of the headings share.
    """
    path: list[tuple[int, str]] = []
    shared: list[tuple[int, str]] | None = None
    start = 0
    body = False
    for index, block in enumerate(blocks):
        heads = block.kind in _HEADS
        if index > start and (_turns(blocks[index - 1], block) or (heads and body)):
            yield _Section(_names(path if body else shared or path), start, index - 1)
            start, body, shared = index, False, None
        if block.kind == "heading":
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, _shortened(block.text)))
            shared = list(path) if shared is None else _common(shared, path)
        body = body or not heads
    if blocks:
        yield _Section(_names(path if body else shared or path), start, len(blocks) - 1)


def _turns(before: Block, block: Block) -> bool:
    """Whether a page ends between two blocks and no paragraph runs over it."""
    return block.page != before.page and not _runs_over(before, block)


def _runs_over(before: Block, block: Block) -> bool:
    """Whether a block is the rest of a paragraph that began on the page before.

    So it is at 77 of the 890 page breaks of 19 filings; of their 6,258 passages 6,078 stayed what they were.
    """
    return (
        before.kind == block.kind == "paragraph"
        and before.page is not None
        and block.page == before.page + 1
        and len(before.text) >= RUNNING_CHARACTERS
        and not _ENDED.search(before.text)
        and block.text[:1].islower()
    )


def _common(a: Sequence[tuple[int, str]], b: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    return [x for x, _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))]


def _shortened(heading: str) -> str:
    return heading if len(heading) <= MAX_HEADING_CHARACTERS else heading[: MAX_HEADING_CHARACTERS - 1] + "…"


def _names(path: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    names = [name for _, name in path]
    while len(names) > 1 and sum(map(len, names)) > MAX_PATH_CHARACTERS:
        names.pop(0)
    return tuple(names)


class _Cutter:
    """Cuts sections; knows the document's text and where its blocks begin in it."""

    def __init__(self, blocks: Sequence[Block], fits: Callable[[str], bool]) -> None:
        self.blocks = blocks
        self.fits = fits
        self.text = document_text(blocks)
        self.starts: list[int] = []
        position = 0
        for block in blocks:
            self.starts.append(position)
            position += len(block.text) + len(BLOCK_SEPARATOR)

    def pieces(self, section: _Section) -> Iterator[Chunk]:
        start, end = self.starts[section.first], self._end(section.last)
        if end - start <= SIZE:
            spans: list[Span] = [(start, end)]
        else:
            spans = list(split(self.text, start, end, PIECE, self._block_cuts(section)))
        previous = None
        for span in spans:
            if self.text[span[0] : span[1]].strip():
                yield from self._fitting(section, span, previous)
                previous = span

    def _end(self, index: int) -> int:
        return self.starts[index] + len(self.blocks[index].text)

    def _block_cuts(self, section: _Section) -> list[Cut]:
        """Cuts between blocks, and between the rows of tables too long for one piece.

        Headings and captions stay with what follows them, unless the section is nothing but headings.
        """
        cuts: list[Cut] = []
        bare = all(block.kind in _HEADS for block in self.blocks[section.first : section.last + 1])
        for index in range(section.first, section.last + 1):
            block = self.blocks[index]
            before = self.blocks[index - 1] if index > section.first else None
            if before is not None and self._may_part(before, block, bare):
                introduced = before.text.endswith(":") or (before.kind == block.kind == "list_item")
                cuts.append(cut_at(self.text, self.starts[index], 2.0 if introduced else 3.0))
            if block.kind == "table" and len(block.text) > PIECE:
                cuts += self._row_cuts(index)
        return cuts

    def _may_part(self, before: Block, block: Block, bare: bool) -> bool:
        return (bare or before.kind not in (*_HEADS, "caption")) and not _runs_over(before, block)

    def _row_cuts(self, index: int) -> list[Cut]:
        """Cuts before every row but the header and the first below it."""
        block, start = self.blocks[index], self.starts[index]
        cuts = []
        position = 0
        for number, row in enumerate(block.text.split("\n")):
            if number > max(block.level, 0) and number > 0:
                cuts.append(cut_at(self.text, start + position, 1.0))
            position += len(row) + 1
        return cuts

    def _fitting(self, section: _Section, span: Span, previous: Span | None) -> Iterator[Chunk]:
        """The chunk of a span; without its overlap, or in halves, where it would not fit the model."""
        overlap = self._overlap(span, previous)
        for start in dict.fromkeys((overlap, span[0])):
            piece = self._chunk(section, start, span)
            if self.fits(piece.embed_text):
                yield piece
                return
        length = span[1] - span[0]
        if length <= SMALLEST:
            yield replace(piece, heading_path=piece.heading_path[-1:]) if piece.heading_path else piece
            return
        before: Span | None = None
        for half in self._halves(span, length):
            yield from self._fitting(section, half, before)
            before = half

    def _halves(self, span: Span, length: int) -> list[Span]:
        limit = max(SMALLEST, (length + 1) // 2)
        for level, cuts in enumerate(LEVELS):
            found = cuts(self.text, *span)
            if found:
                return list(split(self.text, *span, limit, found, level + 1))
        return [span]

    def _overlap(self, span: Span, previous: Span | None) -> int:
        """Where the repetition before a span begins: at a line or sentence, else a word; never mid-row."""
        start = span[0]
        index = self._block_at(start)
        if previous is None or (self.blocks[index].kind in ("table", "code") and start > self.starts[index]):
            return start
        if previous[0] >= start - OVERLAP:
            return previous[0]
        lowest = start - OVERLAP
        for pattern in (_RESTART, _SPACE):
            for match in pattern.finditer(self.text, lowest, start):
                if match.end() < start:
                    return match.end()
            if self.blocks[self._block_at(start - 1)].kind in ("table", "code"):
                return start
        while lowest < start and not is_cluster_start(self.text, lowest):
            lowest += 1
        return lowest

    def _block_at(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1

    def _chunk(self, section: _Section, start: int, span: Span) -> Chunk:
        end = span[1]
        raw = self.text[start:end]
        start += len(raw) - len(raw.lstrip())
        text = raw.strip()
        first, last = self._block_at(start), self._block_at(max(start, start + len(text) - 1))
        return Chunk(
            0,
            self._header(first, start) + text,
            section.path,
            self.blocks[first].page,
            self.blocks[last].page,
            first,
            last,
            start,
            start + len(text),
        )

    def _header(self, index: int, start: int) -> str:
        """The header rows of a table that this chunk continues."""
        block = self.blocks[index]
        if block.kind != "table" or start == self.starts[index] or not block.level:
            return ""
        rows = block.text.split("\n", block.level)[: block.level]
        header = "\n".join(rows) + "\n"
        return header if len(header) <= MAX_HEADER_CHARACTERS else ""
