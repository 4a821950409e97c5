"""The pure parts around an upload: names, languages, batches."""

import json
import unicodedata
from pathlib import Path

import pytest

from ingestion.chunk import Chunk
from ingestion.embed import BATCH_CHARACTERS, BATCH_ITEMS, Passage, batches, embed_text
from ingestion.language import language_of
from ingestion.names import MAX_BYTES, UNTITLED, clean_name


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("../../../etc/zzyzx.txt", "zzyzx.txt"),  # X6
        ("..\\..\\zzyzx.txt", "zzyzx.txt"),
        ("/abs/zzyzx.txt", "zzyzx.txt"),
        ("C:\\papers\\zzyzx.pdf", "zzyzx.pdf"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("", UNTITLED),
        ("   ", UNTITLED),
        ("..", UNTITLED),
        ("folder/", UNTITLED),
        (".txt", ".txt"),
        ("a\r\nX-Evil: 1.txt", "a X-Evil: 1.txt"),
        ("a\0.txt", "a .txt"),
        ("zzyzx\u202egpj.txt", "zzyzxgpj.txt"),  # a name that reads backwards
        ("zzyzx 🗂️👩‍🚀.txt", "zzyzx 🗂️👩‍🚀.txt"),
        ("übersicht 北京.txt", "übersicht 北京.txt"),
        (unicodedata.normalize("NFD", "prüfbericht.txt"), "prüfbericht.txt"),  # S-DV-07
        ("zzyzx\ud800.txt", "zzyzx.txt"),
    ],
)
def test_names_are_one_clean_line(sent: str, shown: str) -> None:  # S-SI-02
    assert clean_name(sent) == shown


@pytest.mark.parametrize("letter", ["q", "ü", "京", "🗂"])
def test_long_names_keep_their_extension(letter: str) -> None:
    name = clean_name(letter * 300 + ".docx")
    assert len(name.encode()) <= MAX_BYTES
    assert name.endswith(letter + ".docx")


def test_every_name_of_the_case_book_is_safe(shared: Path) -> None:  # S-SI-02
    for name in json.loads((shared / "cases/files/S-SI-02/names.json").read_text()):
        shown = clean_name(name)
        assert shown
        assert clean_name(shown) == shown
        assert not set(shown) & set("/\\\r\n\0")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The revenue of the company was higher than it had been in the year before.", "en"),
        ("Der Umsatz der Firma war höher als im Jahr zuvor, und das ist nicht alles.", "de"),
        ("Le chiffre d'affaires de la société est plus élevé que dans les années passées.", "fr"),
        ("Los ingresos de la empresa fueron más altos que en el año anterior.", "es"),
        ("I ricavi della società sono più alti di quelli del periodo precedente.", "it"),
        ("As receitas da empresa não são mais altas do que as do ano passado.", "pt"),
        ("De omzet van het bedrijf is hoger dan die van het jaar daarvoor en dat is niet alles.", "nl"),
        ("Однажды, в студеную зимнюю пору, я из лесу вышел", "ru"),
        ("Одного разу взимку я вийшов із лісу і був мороз", "uk"),
        ("会社の売上は前年より増えました。", "ja"),
        ("公司的收入比去年增加了。", "zh"),
        ("회사의 매출은 작년보다 늘었다.", "ko"),
        ("كانت إيرادات الشركة أعلى من العام السابق", "ar"),
        ("42 17 99", None),
        ("qwx zzyzx plugh xyzzy foo bar", None),
    ],
)
def test_language(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_batches_are_bounded_by_items_and_characters() -> None:  # G5
    short = [Passage(bytes([n]), "x" * 10) for n in range(120)]
    assert [len(batch) for batch in batches(short)] == [BATCH_ITEMS, BATCH_ITEMS, 20]
    long = [Passage(bytes([n]), "x" * (BATCH_CHARACTERS // 2)) for n in range(5)]
    assert [len(batch) for batch in batches(long)] == [2, 2, 1]
    huge = [Passage(b"1", "x" * BATCH_CHARACTERS * 2), Passage(b"2", "x")]
    assert [len(batch) for batch in batches(huge)] == [1, 1]
    assert list(batches([])) == []


def test_what_is_embedded_is_what_was_hashed() -> None:
    piece = Chunk(0, "Ferries leave at noon.", ("Travel", "By sea"), None, None, 0, 0, 0, 22)
    assert embed_text(piece.heading_path, piece.text) == piece.embed_text
