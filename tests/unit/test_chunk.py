"""The chunker: structure first, whole rows, whole characters, everything fits."""

import random
import time
from itertools import pairwise
from pathlib import Path

from ingestion.chunk import SIZE, Chunk, chunk
from ingestion.cuts import is_cluster_start
from ingestion.parse.blocks import Block, document_text
from ingestion.parse.markdown import read_markdown
from ingestion.parse.text import read_text


def fits(text: str) -> bool:
    return len(text) <= 1400


def covered(blocks: list[Block], chunks: list[Chunk]) -> str:
    """The document's text with everything no chunk holds replaced by spaces."""
    text = document_text(blocks)
    kept = [" "] * len(text)
    for piece in chunks:
        kept[piece.char_start : piece.char_end] = text[piece.char_start : piece.char_end]
    return "".join(kept)


def check(blocks: list[Block], chunks: list[Chunk]) -> None:
    """What holds for every document."""
    text = document_text(blocks)
    assert "".join(covered(blocks, chunks).split()) == "".join(text.split())
    for number, piece in enumerate(chunks):
        assert piece.ordinal == number
        assert piece.text.endswith(text[piece.char_start : piece.char_end])
        assert piece.text == piece.text.strip() != ""
        assert fits(piece.embed_text)
        inside = blocks[piece.block_start : piece.block_end + 1]
        assert (piece.page_start, piece.page_end) == (inside[0].page, inside[-1].page)
        assert is_cluster_start(text, piece.char_start)
    assert chunks == sorted(chunks, key=lambda piece: piece.char_end)


def test_heading_paths_and_fences(shared: Path) -> None:  # S-CH-02, E11
    blocks = read_markdown((shared / "cases/files/S-CH-02/qzv-runbook.md").read_bytes()).blocks
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    wait = next(piece for piece in chunks if "wait ninety seconds" in piece.text)
    assert wait.heading_path == ("Runbook of station Orlith",)
    assert "qzvctl stop pump7" in wait.text
    assert "qzvctl drain --line 7" in wait.text
    desk = next(piece for piece in chunks if "channel 5" in piece.text)
    assert desk.heading_path == ("Runbook of station Orlith", "Contacts")
    assert desk.embed_text.startswith("Runbook of station Orlith > Contacts\n")
    assert len(desk.content_hash) == 32


def test_tables_repeat_their_header(shared: Path) -> None:  # S-CH-03, F6
    blocks = read_markdown((shared / "cases/files/S-CH-03/qzv-valves.md").read_bytes()).blocks
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    assert len(chunks) > 4
    rows = set(blocks[1].text.split("\n"))
    for piece in chunks:
        assert "rated pressure" in piece.text
        assert set(piece.text.split("\n")) - {"Valve list", ""} <= rows
    assert "311 bar" in next(piece.text for piece in chunks if "QZV-1083" in piece.text)


def test_a_run_without_separators(shared: Path) -> None:  # S-CH-01, F2
    blocks = read_text((shared / "cases/files/S-CH-01/qzv-blob.txt").read_bytes()).blocks
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    assert max(len(piece.text) for piece in chunks) <= SIZE
    assert any("marlinspike" in piece.text for piece in chunks)


def test_emoji_and_accents_stay_whole(shared: Path) -> None:  # S-CH-05, F2
    blocks = read_text((shared / "cases/files/S-CH-05/qzv-emoji.txt").read_bytes()).blocks
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    assert all(piece.text[0] not in "\u200d\u0301\ufe0f" for piece in chunks)
    assert any("code word" in piece.text for piece in chunks)
    flags = "🇳🇱🇩🇪"
    assert [is_cluster_start(flags, index) for index in range(5)] == [True, False, True, False, True]
    assert not is_cluster_start("👩🏽", 1)
    assert not is_cluster_start("e\u0301", 1)


def test_headings_without_text_give_chunks() -> None:
    slides = [Block("heading", f"Page {n}", 1, n) for n in (1, 2)]
    chunks = chunk(slides, fits=fits)
    assert [(piece.text, piece.page_start, piece.heading_path) for piece in chunks] == [
        ("Page 1", 1, ("Page 1",)),
        ("Page 2", 2, ("Page 2",)),
    ]
    skeleton = [Block("heading", "Book", 1), *(Block("heading", f"Chapter {n}", 2) for n in range(200))]
    chunks = chunk(skeleton, fits=fits)
    check(skeleton, chunks)
    assert len(chunks) > 1
    assert chunks[0].heading_path == ("Book",)
    assert chunk([], fits=fits) == []


def test_the_heading_tree() -> None:
    blocks = [
        Block("title", "Test Document"),
        Block("heading", "Section 1", 1),
        Block("paragraph", "Paragraph 1.1"),
        Block("heading", "Section 1.1", 2),
        Block("paragraph", "Paragraph 1.1.1"),
        Block("heading", "Section 2", 1),
        Block("heading", "Section 2.1.1", 3),
        Block("paragraph", "Paragraph 2.1.1.1"),
        Block("heading", "Section 2.1", 2),
        Block("paragraph", "Paragraph 2.1.1"),
    ]
    paths = {piece.text.split("\n")[-1]: piece.heading_path for piece in chunk(blocks, fits=fits)}
    assert paths == {
        "Paragraph 1.1": ("Section 1",),
        "Paragraph 1.1.1": ("Section 1", "Section 1.1"),
        "Paragraph 2.1.1.1": ("Section 2", "Section 2.1.1"),
        "Paragraph 2.1.1": ("Section 2", "Section 2.1"),
    }


def test_a_chunk_is_on_one_page() -> None:  # S-CI-02, M3
    blocks = [Block("paragraph", f"Berth {n} accepts ships.", page=n) for n in range(1, 8)]
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    assert [(piece.page_start, piece.page_end) for piece in chunks] == [(n, n) for n in range(1, 8)]


def test_what_does_not_fit_is_cut_further() -> None:  # F2
    def narrow(text: str) -> bool:
        return len(text) <= 240

    row = "| " + " | ".join(f"cell {n} of the row" for n in range(40)) + " |"
    blocks = [
        Block("heading", "A heading of middling length", 1),
        Block("paragraph", "Words without any end " * 200),
        Block("table", f"| a | b |\n{row}\n| x | y |", 1),
        Block("code", "x = 1\n" * 300),
        Block("paragraph", "字" * 2000),
    ]
    chunks = chunk(blocks, fits=narrow)
    assert all(narrow(piece.embed_text) for piece in chunks)
    assert "".join(covered(blocks, chunks).split()) == "".join(document_text(blocks).split())


def test_overlap_repeats_whole_sentences() -> None:  # F1
    text = " ".join(f"Sentence number {n} tells of crane {n * 7 % 13} and of pallet {n}." for n in range(80))
    blocks = [Block("paragraph", text)]
    chunks = chunk(blocks, fits=fits)
    check(blocks, chunks)
    for before, after in pairwise(chunks):
        assert after.text.startswith("Sentence")
        assert 0 < before.char_end - after.char_start <= 200
        assert len(after.text) <= SIZE


def test_any_document_is_covered() -> None:
    made = random.Random(11)
    for _ in range(15):
        blocks, page = [], 1
        for _ in range(made.randint(1, 40)):
            kind = made.choice(["heading", "paragraph", "paragraph", "list_item", "code", "table", "caption"])
            words = " ".join(
                "abcdefg"[: made.randint(1, 7)]
                for _ in range(made.randint(1, 8 if kind == "heading" else 300))
            )
            text = "\n".join([f"| {words[:40]} | x |"] * made.randint(2, 60)) if kind == "table" else words
            page += made.random() < 0.2
            blocks.append(Block(kind, text, made.randint(1, 4) if kind == "heading" else 1, page))
        check(blocks, chunk(blocks, fits=fits))


def test_ten_thousand_chunks_take_linear_time() -> None:
    words = " ".join(f"word{n * 31 % 977}" for n in range(60))
    blocks = [Block("paragraph", f"Block {n} {words}.", page=n // 9) for n in range(10_000)]
    started = time.perf_counter()
    chunks = chunk(blocks, fits=fits)
    assert len(chunks) >= 8_000
    assert time.perf_counter() - started < 2


def test_a_paragraph_that_runs_over_a_page_is_one_passage() -> None:  # F1
    first = "The zzyxian harbour master decides which of the ferries may leave, and"
    pages = [
        Block("heading", "Ferries", 1, 3),
        Block("paragraph", first, 0, 3),
        Block("paragraph", "when. " * 9, 0, 4),
    ]
    [piece] = chunk(pages, fits=lambda _: True)
    assert (piece.page_start, piece.page_end, piece.heading_path) == (3, 4, ("Ferries",))
    assert (piece.block_start, piece.block_end) == (0, 2)
    text = document_text(pages)
    assert text[piece.char_start : piece.char_end] == piece.text
    for before, after in (
        (first + " when.", "it rains"),  # a sentence that has ended
        (first, "When it rains"),  # another one begins
        ("17", "when it rains"),  # a page number
    ):
        apart = [Block("paragraph", before, 0, 3), Block("paragraph", after, 0, 4)]
        assert [(p.page_start, p.page_end) for p in chunk(apart, fits=lambda _: True)] == [(3, 3), (4, 4)]
    skipped = [Block("paragraph", first, 0, 3), Block("paragraph", "when", 0, 5)]
    assert len(chunk(skipped, fits=lambda _: True)) == 2


def test_the_break_is_not_where_a_long_section_is_cut() -> None:
    sentence = "The zzyxian ferry leaves the quay at noon and is back before the evening. "
    first, rest = (
        (sentence * 12).strip() + " The harbour master knows which of",
        "them leaves. " + sentence * 12,
    )
    pieces = chunk([Block("paragraph", first, 0, 1), Block("paragraph", rest, 0, 2)], fits=lambda _: True)
    assert any("which of\n\nthem leaves" in piece.text for piece in pieces)
    assert max(len(piece.text) for piece in pieces) <= 1000
