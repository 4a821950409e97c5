"""E-books: the chapters of an .epub in the order of its spine, each through the plain HTML reader."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from lxml import etree

from ingestion.errors import Corrupt, Encrypted, TooBig
from ingestion.parse.blocks import Block, Parsed, Warning_
from ingestion.parse.characters import one_line
from ingestion.parse.decode import decode
from ingestion.parse.html import read_fragment
from ingestion.parse.limits import MIB, Limits, check_archive

MAX_CHAPTERS_BYTES = 40 * MIB  # the plain HTML reader takes 2.5 s of CPU a megabyte
# Fonts may be scrambled so that they are not taken out of a book; that is no protection of its text.
_SCRAMBLED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml")


@dataclass(frozen=True, slots=True)
class _Book:
    title: str
    authors: list[str]
    chapters: list[str]  # members of the archive, in reading order
    labels: dict[str, str]  # a chapter's name in the table of contents


def read_epub(path: Path, limits: Limits) -> Parsed:
    """Read a book. Raises Encrypted, TooBig, TooNested, UnsafeContent or Corrupt."""
    check_archive(path, doctypes=True)
    try:
        with zipfile.ZipFile(path) as archive:
            _require_open(archive)
            book = _book(archive)
            blocks, missing = _read_chapters(archive, book)
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, StopIteration) as error:
        raise Corrupt(detail=repr(error)) from error
    if sum(len(block.text) for block in blocks) > limits.max_characters:
        raise TooBig(f"This file holds more than {limits.max_characters:,} characters.")
    head = [Block("title", book.title)] if book.title else []
    head += [Block("paragraph", ", ".join(book.authors))] if book.authors else []
    warnings = [
        Warning_("chapter_missing", f"A chapter is missing from the file: {name}.") for name in missing
    ]
    return Parsed([*head, *blocks] if blocks else [], [], "epub", warnings[:20], book.title or None)


def _read_chapters(archive: zipfile.ZipFile, book: _Book) -> tuple[list[Block], list[str]]:
    members = set(archive.namelist())
    sizes = sum(archive.getinfo(name).file_size for name in book.chapters if name in members)
    if sizes > MAX_CHAPTERS_BYTES:
        raise TooBig(f"The chapters of this book are {sizes // MIB:,} MB; at most 40 can be read.")
    blocks: list[Block] = []
    missing = []
    for name in book.chapters:
        if name not in members:
            missing.append(PurePosixPath(name).name)
            continue
        found = read_fragment(decode(archive.read(name), markup=True).text).blocks
        label = book.labels.get(name, "")
        if found and label and not any(block.kind == "heading" for block in found):
            blocks.append(Block("heading", label, 1))
        blocks += found
    return blocks, missing


def _require_open(archive: zipfile.ZipFile) -> None:
    """Raise Encrypted when anything but fonts needs a key."""
    if "META-INF/encryption.xml" not in archive.namelist():
        return
    for element in _tree(archive, "META-INF/encryption.xml").iter("{*}EncryptedData"):
        method = next(element.iter("{*}EncryptionMethod"), None)
        if method is None or method.get("Algorithm") not in _SCRAMBLED_FONTS:
            raise Encrypted("This book is protected against copying (DRM).")


def _book(archive: zipfile.ZipFile) -> _Book:
    container = _tree(archive, "META-INF/container.xml")
    package = str(next(container.iter("{*}rootfile")).get("full-path"))
    tree = _tree(archive, package)
    items = {item.get("id"): item for item in tree.iter("{*}item")}
    spine = [items[ref.get("idref")] for ref in tree.iter("{*}itemref") if ref.get("idref") in items]
    chapters = [
        _member(package, item.get("href", ""))
        for item in spine
        if item.get("media-type", _CHAPTER_TYPES[0]) in _CHAPTER_TYPES
        and "nav" not in item.get("properties", "").split()
    ]
    labels: dict[str, str] = {}
    for item in items.values():
        contents = _member(package, item.get("href", ""))
        is_contents = (
            item.get("media-type") == "application/x-dtbncx+xml"
            or "nav" in item.get("properties", "").split()
        )
        if is_contents and contents in archive.namelist():
            for target, label in _contents(_tree(archive, contents)):
                labels.setdefault(_member(contents, target), label)
    titles = [one_line("".join(element.itertext())) for element in tree.iter("{*}title")]
    authors = [one_line("".join(element.itertext())) for element in tree.iter("{*}creator")]
    return _Book(next(filter(None, titles), ""), [name for name in authors if name], chapters, labels)


def _contents(tree: Any) -> Iterator[tuple[str, str]]:
    """Targets and labels of a table of contents, of version 2 (ncx) or 3 (nav)."""
    for point in tree.iter("{*}navPoint"):
        label, content = point.find("{*}navLabel"), point.find("{*}content")
        if label is not None and content is not None:
            yield content.get("src", ""), one_line("".join(label.itertext()))
    for link in tree.iter("{*}a"):
        yield link.get("href", ""), one_line("".join(link.itertext()))


def _member(base: str, href: str) -> str:
    """The archive member that a link in member `base` leads to."""
    parts: list[str] = []
    for part in (PurePosixPath(base).parent / unquote(href.partition("#")[0])).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _tree(archive: zipfile.ZipFile, member: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    tree = etree.fromstring(archive.read(member), parser)
    if tree is None:
        raise KeyError(member)
    return tree
