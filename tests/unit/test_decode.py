"""The decode rule: bytes to text in the encoding they were written in, or an explanation."""

import random
import time
from pathlib import Path

import pytest

from ingestion.errors import UnknownEncoding
from ingestion.parse.characters import clean, one_line
from ingestion.parse.decode import decode

SENTENCES = {
    "German": "Die Größe der Tür beträgt für Ärzte fünf Meter.\n",
    "French": "Les élèves français étaient à la fête où ça gêne.\n",
    "Spanish": "El niño comió jamón. ¿Qué pasó mañana? Sí señor.\n",
    "mixed": "Café déjà vu – naïve “quotes” € 100 straße\n",
    "Swedish": "Räksmörgås på ön är gott, sa flickan från Åbo.\n",
    "Russian": "Привет, мир! Это проверка кодировки текста.\n",
    "Ukrainian": "Це український документ, що перевіряє кодування ї є ґ.\n",
    "Polish": "Zażółć gęślą jaźń. Łódź leży nad rzeką.\n",
    "Czech": "Příliš žluťoučký kůň úpěl ďábelské ódy.\n",
    "Hungarian": "Árvíztűrő tükörfúrógép, őszi eső.\n",
    "Turkish": "Bu belge Türkçe yazılmıştır, şişe ve ığdır.\n",
    "Greek": "Το έγγραφο είναι στα ελληνικά.\n",
    "Hebrew": "המסמך הזה כתוב בעברית.\n",
    "Arabic": "هذه وثيقة مكتوبة باللغة العربية.\n",
    "Thai": "เอกสารนี้เขียนเป็นภาษาไทย\n",
    "Lithuanian": "Šis dokumentas parašytas lietuviškai, ąžuolas ėjo į mišką.\n",
    "Japanese": "日本語のテキスト。これは試験です。見出しと本文があります。\n",
    "Chinese": "中文测试文本，编码检测。\n",
    "Taiwanese": "繁體中文測試文件，編碼檢測。\n",
    "Korean": "한국어 문서입니다. 인코딩을 확인합니다.\n",
}
WRITTEN_IN = [
    ("German", "cp1252"), ("German", "cp850"), ("French", "cp1252"), ("French", "mac_roman"), ("Spanish", "cp1252"),
    ("mixed", "cp1252"), ("Swedish", "cp1252"), ("Russian", "cp1251"), ("Russian", "koi8-r"), ("Russian", "cp866"),
    ("Ukrainian", "cp1251"), ("Polish", "cp1250"), ("Polish", "iso8859-2"), ("Czech", "cp1250"),
    ("Hungarian", "cp1250"), ("Turkish", "cp1254"), ("Greek", "iso8859-7"), ("Hebrew", "cp1255"),
    ("Arabic", "cp1256"), ("Thai", "cp874"), ("Lithuanian", "cp1257"), ("Japanese", "shift_jis"),
    ("Japanese", "euc_jp"), ("Chinese", "gb18030"), ("Taiwanese", "big5"), ("Korean", "euc_kr"),
    ("Japanese", "utf-16-le"), ("Japanese", "utf-16"), ("Japanese", "utf-8-sig"), ("Russian", "utf-16-be"),
    ("Russian", "utf-32-le"), ("Thai", "utf-16-le"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "encoding"), WRITTEN_IN)
def test_one_sentence_is_enough(language: str, encoding: str) -> None:  # E25
    sentence = SENTENCES[language]
    assert decode(sentence.encode(encoding)).text == sentence


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data/parse/fake-text-utf-16.txt", "Hamburgers are delicious"),
        ("data/parse/russian.cp866.txt", "Однажды, в студеную зимнюю пору"),
        ("data/parse/umlauts-non-utf8.md", "äöüß"),
        ("data/parse/fake-html-cp1252.html", "L'été était très chaud"),
        ("data/parse/fake-html-cp1252.html", "El niño comió"),
        ("data/parse/fake-html-cp1252.html", "15,50 €"),
        ("cases/files/S-PE-02/qzv-hallenplan.txt", "Der Prüfzyklus beträgt 14 Tage"),  # S-PE-02
        ("cases/files/S-PE-03/qzv-weihu.txt", "存放在三号仓库"),  # S-PE-03
        ("cases/files/S-PE-01/qzv-pump-log.txt", "the torque is 42 Nm"),  # S-PE-01
    ],
)
def test_files_of_the_corpus(shared: Path, name: str, text: str) -> None:  # E25
    decoded = decode((shared / name).read_bytes(), markup=name.endswith(".html")).text
    assert text in decoded
    assert "\x00" not in decoded


def test_declared_charset_of_a_page() -> None:
    page = '<html><head><meta charset="windows-1251"></head><p>Да</p></html>'
    assert "Да" in decode(page.encode("cp1251"), markup=True).text
    assert decode("<meta charset=shift_jis><p>日本</p>".encode("cp932"), markup=True).encoding == "cp932"
    assert decode(b"<meta charset=klingon><p>caf\xe9</p>", markup=True).text.endswith("café</p>")


def test_a_few_broken_bytes_in_utf8_do_not_change_the_encoding() -> None:
    data = ("Die Größe der Tür beträgt fünf Meter. " * 40).encode() + b"\xff\xfe broken"
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.warnings[0].code == "invalid_bytes"


def test_noise_is_refused() -> None:
    with pytest.raises(UnknownEncoding):
        decode(random.Random(7).randbytes(3000))


def test_a_doubtful_guess_says_so() -> None:
    decoded = decode(
        b"Preis \xa4 12 \xb6 und \xa7\xa7 \xfe\xfe\xde oder \xf0\xd0 caf\xe9 na\xefve d\xe9j\xe0 vu"
    )
    assert [warning.code for warning in decoded.warnings] == ["encoding_uncertain"]


def test_cleaning() -> None:  # E25, S-PE-04, S-PE-05
    assert clean("a\x00b\ud800c\x07\ufeffd") == "abcd"
    assert clean("Wert\u00adpapier\u00adindex") == "Wertpapierindex"
    assert clean("e\ufb03cient \ufb01lter") == "efficient filter"
    assert clean("R&D\u00a0budget: 4\u2009200") == "R&D budget: 4 200"
    assert clean("cafe\u0301") == "café"
    assert clean("\ud83d\ude00") == "😀"
    assert clean("one \r\ntwo\x0cthree\u2028four") == "one\ntwo\nthree\nfour"
    assert clean("abcd1234：") == "abcd1234："
    assert clean("👩\u200d🔬") == "👩\u200d🔬"
    assert clean("ab\u202ecd\U000e0041") == "abcd"
    assert one_line(" a \n\t b ") == "a b"


def test_half_a_megabyte_is_decoded_at_once() -> None:
    started = time.perf_counter()
    decode((SENTENCES["Russian"] * 8_000).encode("cp1251"))
    assert time.perf_counter() - started < 2
