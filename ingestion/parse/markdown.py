"""Markdown: decoded by our rule, then blocks from its syntax tree; code fences stay whole."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ingestion.errors import TooNested
from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.decode import decode
from ingestion.parse.html import read_plain
from ingestion.parse.tables import markdown_row

MAX_DEPTH = 200  # as for HTML; nested.md, six lists deep, needs 13

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_QUOTES = re.compile(r"^(?:[ \t]*>){200}", re.MULTILINE)


def read_markdown(data: bytes) -> Parsed:
    """Read a Markdown file. Raises TooNested and UnknownEncoding."""
    decoded = decode(data)
    blocks, title = parse_markdown(decoded.text)
    return Parsed(blocks, [], "markdown", list(decoded.warnings), title)


def parse_markdown(text: str) -> tuple[list[Block], str | None]:
    """Blocks of a Markdown text, and the title its front matter gives."""
    front = _FRONT_MATTER.match(text)
    blocks: list[Block] = []
    title = None
    if front:
        text = text[front.end() :]
        blocks.append(Block("paragraph", front[1].strip()))
        named = _TITLE.search(front[1])
        title = named[1] if named else None
    if _QUOTES.search(text):
        raise TooNested
    syntax = MarkdownIt("commonmark", {"maxNesting": MAX_DEPTH}).enable(["table", "strikethrough"])
    blocks += _Reader().blocks(syntax.parse(text))
    return [block for block in blocks if block.text.strip()], title


class _Reader:
    """Walks the flat list of syntax tokens."""

    def __init__(self) -> None:
        self.lists: list[int | None] = []  # of each open list the next number, None for bullets
        self.item_opens = False
        self.rows: list[list[str]] = []

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        for opener, token in pairwise([Token("", "", 0), *tokens]):
            if token.level > MAX_DEPTH:
                raise TooNested
            if token.type in ("fence", "code_block"):
                yield Block("code", token.content.rstrip("\n"))
            elif token.type == "html_block":
                yield from read_plain(token.content).blocks
            elif token.type == "table_close":
                yield Block("table", "\n".join(map(markdown_row, self.rows)), 1)
            elif token.type == "inline":
                yield from self._line(opener, _inline(token))
            else:
                self._follow(token)

    def _follow(self, token: Token) -> None:
        if token.type == "ordered_list_open":
            self.lists.append(int(token.attrs.get("start", 1)))
        elif token.type == "bullet_list_open":
            self.lists.append(None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()
        elif token.type == "list_item_open":
            self.item_opens = True
        elif token.type == "table_open":
            self.rows = []
        elif token.type == "tr_open":
            self.rows.append([])

    def _line(self, opener: Token, text: str) -> Iterator[Block]:
        if opener.type in ("th_open", "td_open"):
            self.rows[-1].append(text)
        elif opener.type == "heading_open":
            yield Block("heading", " ".join(text.split()), int(opener.tag[1]))
        elif self.lists:
            number = self.lists[-1]
            if self.item_opens and number is not None:
                self.lists[-1] = number + 1
                text = f"{number}. {text}"
            self.item_opens = False
            yield Block("list_item", text, len(self.lists) - 1)
        else:
            yield Block("paragraph", text)


def _inline(token: Token) -> str:
    """The words of a line: emphasis and links give their text, pictures their description."""
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(child.content)
        elif child.type == "html_inline":
            parts.append(_TAG.sub("\n" if child.content.startswith("<br") else "", child.content))
    return "".join(parts).strip()
