"""Markdown: decoded by our rule, then blocks from its syntax tree; code fences stay whole."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

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


def read_markdown(path: Path) -> Parsed:
    """Read a .md file. Raises TooNested and UnknownEncoding."""
    decoded = decode(path.read_bytes())
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
    blocks += _blocks(syntax.parse(text))
    return [block for block in blocks if block.text.strip()], title


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    lists: list[tuple[str, int]] = []  # the marker of each open list and its next number
    item_open = False
    rows: list[list[str]] = []
    for index, token in enumerate(tokens):
        if token.level > MAX_DEPTH:
            raise TooNested
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append((token.type, int(token.attrs.get("start", 1))))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            item_open = True
        elif token.type in ("fence", "code_block"):
            yield Block("code", token.content.rstrip("\n"))
        elif token.type == "html_block":
            yield from read_plain(token.content).blocks
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            yield Block("table", "\n".join(map(markdown_row, rows)), 1)
        elif token.type == "inline":
            opener = tokens[index - 1]
            if opener.type in ("th_open", "td_open"):
                rows[-1].append(_inline(token))
            elif opener.type == "heading_open":
                yield Block("heading", " ".join(_inline(token).split()), int(opener.tag[1]))
            elif lists:
                yield _item(_inline(token), lists, first=item_open)
                item_open = False
            else:
                yield Block("paragraph", _inline(token))


def _item(text: str, lists: list[tuple[str, int]], *, first: bool) -> Block:
    kind, number = lists[-1]
    if first and kind == "ordered_list_open":
        lists[-1] = kind, number + 1
        text = f"{number}. {text}"
    return Block("list_item", text, len(lists) - 1)


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
