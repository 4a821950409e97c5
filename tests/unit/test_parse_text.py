"""Plain text, Markdown and plain HTML to blocks."""

from pathlib import Path

import pytest

from ingestion.errors import TooNested
from ingestion.parse.blocks import Block, Page, Parsed, Warning_, document_text, from_rows, to_rows
from ingestion.parse.html import read_html, read_plain
from ingestion.parse.limits import Limits
from ingestion.parse.markdown import parse_markdown, read_markdown
from ingestion.parse.text import paragraphs, read_text


def test_text_keeps_its_lines() -> None:
    found = paragraphs("# not a heading\n    indented\n\n\n1986. A year.\n<tag> *stars*\n")
    assert [block.text for block in found] == [
        "# not a heading\n    indented",
        "1986. A year.\n<tag> *stars*",
    ]
    assert {block.kind for block in found} == {"paragraph"}


def test_text_files_keep_every_word(shared: Path) -> None:  # S-CH-01, S-PE-01
    for name in ("S-CH-01/qzv-blob.txt", "S-CH-04/qzv-quay-v1.txt", "S-PE-01/qzv-pump-log.txt"):
        path = shared / "cases/files" / name
        text = path.read_bytes().replace(b"\x00", b"").decode()
        assert "".join(document_text(read_text(path.read_bytes()).blocks).split()) == "".join(text.split())


def test_markdown_fences_stay_whole(shared: Path) -> None:  # S-CH-02
    blocks = read_markdown((shared / "cases/files/S-CH-02/qzv-runbook.md").read_bytes()).blocks
    assert [(block.kind, block.level) for block in blocks if block.kind == "heading"] == [
        ("heading", 1),
        ("heading", 2),
    ]
    code = next(block for block in blocks if block.kind == "code")
    assert code.text.split("\n") == [
        "# stop the pump first",
        "qzvctl stop pump7",
        "# then drain",
        "qzvctl drain --line 7",
    ]


def test_markdown_nesting_and_html(shared: Path) -> None:
    blocks = read_markdown((shared / "data/parse/nested.md").read_bytes()).blocks
    assert (blocks[0].kind, blocks[0].level, blocks[0].text) == ("heading", 1, "Nesting")
    levels = {block.text: block.level for block in blocks if block.kind == "list_item"}
    assert levels["abc12345"] == 3
    assert "abcd1234：" in levels
    assert levels["Subitem 2"] == 1
    assert all("<" not in block.text for block in blocks)


def test_markdown_pieces() -> None:
    source = (
        "---\ntitle: Harbour book\n---\n\nSetext\n===\n\nSee [the *desk*](http://x) and `a_b`.\nNext line\n\n"
        "3. three\n4. four\n\n| a | b |\n|---|---|\n| x \\| y | **z** |\n\n![a pump](p.png)\n"
    )
    blocks, title = parse_markdown(source)
    assert title == "Harbour book"
    assert [(block.kind, block.text) for block in blocks] == [
        ("paragraph", "title: Harbour book"),
        ("heading", "Setext"),
        ("paragraph", "See the desk and a_b.\nNext line"),
        ("list_item", "3. three"),
        ("list_item", "4. four"),
        ("table", "| a | b |\n| x \\| y | z |"),
        ("paragraph", "a pump"),
    ]


def test_deep_nesting_is_refused() -> None:  # X9
    with pytest.raises(TooNested):
        parse_markdown(">" * 1000 + " deep\n")
    with pytest.raises(TooNested):
        read_html(b"<div>" * 300 + b"deep" + b"</div>" * 300, Limits(), plain=True)
    assert len(read_html(b"<p>not<p>nested" * 5000, Limits(), plain=True).blocks) == 10_000


def test_plain_html() -> None:
    source = (
        "<title>T</title><style>p{}</style><h2>Head &amp; tail</h2><p>One<br>two <b>bold</b></p><ul><li>a<ul><li>b"
        "</ul></ul><pre>x = 1\n  y</pre><table><tr><th>k<th>v<tr><td>a<td>1|2</table><script>alert(1)</script>end"
    )
    assert [(block.kind, block.level, block.text) for block in read_plain(source).blocks] == [
        ("heading", 2, "Head & tail"),
        ("paragraph", 0, "One\ntwo bold"),
        ("list_item", 0, "a"),
        ("list_item", 1, "b"),
        ("code", 0, "x = 1\n  y"),
        ("table", 1, "| k | v |\n| a | 1\\|2 |"),
        ("paragraph", 0, "end"),
    ]


def test_rows_of_the_pipe_are_the_document() -> None:
    parsed = Parsed(
        [Block("heading", "H", 2, 1, (0.0, 1.5, 2.0, 3.0)), Block("paragraph", "text")],
        [Page(1, 595.0, 842.0, 5)],
        "pdfium",
        [Warning_("code", "Message.", 1)],
        "Title",
    )
    assert from_rows(to_rows(parsed)) == parsed
