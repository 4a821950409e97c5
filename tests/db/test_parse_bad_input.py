"""What each kind of hostile or broken file ends as: a table of cases, read in the child as the worker reads it.

`text` is found in the document; an error is what the person is told. No case may take a neighbour down (E22).
"""

import asyncio
import base64
import random
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from PIL import Image

from ingestion.errors import (
    Corrupt,
    Empty,
    Encrypted,
    IngestionError,
    NeedsOcr,
    TooBig,
    TooNested,
    UnknownEncoding,
    UnsafeContent,
    UnsupportedType,
)
from ingestion.parse.blocks import Parsed, document_text
from ingestion.parse.child import Nursery, parse_in_child
from ingestion.parse.filetype import ACCEPTED, HEAD_BYTES, identify
from ingestion.parse.optional import recognises
from tests.compound import compound

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LOREM = "Zzyzx quay keeps the spare impeller in bay four. "


@dataclass(frozen=True, slots=True)
class Case:
    """A file by name and content, and the text it gives or the error it ends in."""

    name: str
    content: Callable[[], bytes]
    text: str = ""
    error: type[IngestionError] | None = None
    id: str = ""


def data(content: bytes) -> Callable[[], bytes]:
    return lambda: content


def docx(body: str | Callable[[], Iterator[bytes]], head: str = "") -> bytes:
    """A docx whose text part is written by hand."""
    empty, made = BytesIO(), BytesIO()
    Document().save(empty)
    with zipfile.ZipFile(empty) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for member in source.namelist():
            if member != "word/document.xml":
                target.writestr(member, source.read(member))
        with target.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(f'<?xml version="1.0"?>{head}<w:document xmlns:w="{WORD}"><w:body>'.encode())
            for piece in [body.encode()] if isinstance(body, str) else body():
                part.write(piece)
            part.write(b"</w:body></w:document>")
    return made.getvalue()


def xlsx(sheet: str, head: str = "", **members: str) -> bytes:
    made = BytesIO()
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{relations}"><sheets>'
        '<sheet name="Zzyzx" sheetId="1" r:id="a"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="a" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{head}<worksheet xmlns="{SHEET}">{sheet}</worksheet>',
    }
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (parts | members).items():
            archive.writestr(name, text)
    return made.getvalue()


def cell(reference: str, text: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


def laughs() -> str:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE lolz [<!ENTITY l0 "lollollol">{levels}]>'


def megabytes(count: int) -> Callable[[], Iterator[bytes]]:
    paragraph = b"<w:p><w:r><w:t>" + b"A" * 1000 + b"</w:t></w:r></w:p>"
    return lambda: (paragraph * 1000 for _ in range(count))


def paragraphs(count: int) -> Callable[[], Iterator[bytes]]:
    return lambda: (f"<w:p><w:r><w:t>p{n}</w:t></w:r></w:p>".encode() for n in range(count))


def picture(width: int, height: int, kind: str) -> bytes:
    made = BytesIO()
    Image.new("1" if kind == "PNG" else "L", (width, height)).save(made, kind)
    return made.getvalue()


def noise(count: int) -> bytes:
    return random.Random(1).randbytes(count)


JP, CY = (
    "日本語のテキスト。これは試験です。見出しと本文があります。\n",
    "Привет мир! Это проверка кодировки текста.\n",
)
WE, ZH = "Café déjà vu naïve “quotes” € 100 straße\n", "中文测试文本，编码检测。备用阀门在三号仓库。\n"
ENCODINGS = [
    *((encoding, JP) for encoding in ("shift_jis", "euc_jp", "utf-16", "utf-16-le", "utf-8-sig", "utf-32")),
    *((encoding, CY) for encoding in ("koi8-r", "cp1251", "cp866", "utf-16-be")),
    *((encoding, WE) for encoding in ("cp1252", "utf-8")),
    ("gb18030", ZH),
    ("latin-1", "Café déjà vu naïve straße\n"),
]
LINE = base64.b64encode(noise(37_500))  # 50 KB without a space

CASES = [
    *(
        Case(f"zzyzx.{kind}", data((text * 20).encode(encoding)), text=text.strip(), id=f"{encoding} {kind}")
        for encoding, text in ENCODINGS
        for kind in ("txt", "md", "csv", "log")
    ),
    *(Case(f"zero{ending}", data(b""), error=Empty) for ending in ACCEPTED),
    *(Case(f"blank.{kind}", data(b" \n\t\n\n"), error=Empty) for kind in ("txt", "md", "csv", "json", "py", "eml")),
    Case("nul.txt", data(b"hello\x00world\n" * 100), text="helloworld"),
    Case("nul.csv", data(b"a,b\nx\x00y,2\n"), text="| xy | 2 |"),
    Case("surrogate.txt", data(b"before \xed\xa0\x80 after, a lone surrogate " * 20), text="after, a lone surrogate"),
    Case("surrogate.json", data(b'{"word": "\\ud800 kept"}'), text="kept"),
    Case("marks.txt", data("a\u202eb\u200bc \ufeffd".encode()), text="abc d"),
    Case("noise.txt", data(noise(200_000)), error=UnsupportedType),
    Case("noise.csv", data(noise(200_000)), error=UnsupportedType),
    Case("high.txt", data(bytes(random.Random(2).choices(range(0x20, 0x100), k=5_000))), error=UnknownEncoding),
    Case("line.txt", data(b"Intro.\n\n" + LINE + b"\n\nAfter the blob.\n"), text="After the blob."),
    Case("line.md", data(b"# T\n\n![x](data:image/png;base64," + LINE + b")\n\nAfter.\n"), text="After."),
    Case("line.html", data(b'<h1>T</h1><img src="data:image/png;base64,' + LINE + b'"><p>After</p>'), text="After"),
    Case("line.json", data(b'{"blob": "' + LINE + b'", "after": "kept"}'), text="kept"),
    Case("line.xml", data(b"<a><b>" + LINE + b"</b><c>kept</c></a>"), text="kept"),
    Case("line.js", data(b"const a = '" + LINE + b"';\nfunction kept() {}\n"), text="kept"),
    Case("words.txt", data(b"word " * 200_000), text="word word"),
    # Names that do not tell what is inside.
    Case("page.pdf", data(b"<html><body><h1>T</h1><p>hello</p></body></html>"), text="hello"),
    Case("page.txt", data(b"<!doctype html><p>hello <b>x</b></p><script>alert(1)</script>"), text="hello x"),
    Case("sheet.docx", lambda: xlsx(f"<sheetData><row r='1'>{cell('A1', 'hello')}</row></sheetData>"), text="hello"),
    Case("letter.xlsx", lambda: docx("<w:p><w:r><w:t>hello</w:t></w:r></w:p>"), text="hello"),
    Case("words.xlsx", data(b"just words"), error=UnsupportedType),
    Case("words.png", data(b"just words"), error=UnsupportedType),
    Case("vector.svg", data(f"<?xml version='1.0'?>{laughs()}<svg>&l9;</svg>".encode()), error=UnsupportedType),
    Case("archive.zip", lambda: xlsx("").replace(b"xl/", b"yl/"), error=UnsupportedType),
    Case("old.xls", lambda: compound({"Workbook": b"x" * 900}), error=UnsupportedType),
    Case("locked.docx", lambda: compound({"EncryptedPackage": b"x" * 900}), error=Encrypted),
    Case("locked.xlsx", lambda: compound({"EncryptedPackage": b"x" * 900}), error=Encrypted),
    # Damaged.
    Case("cut.docx", lambda: docx(f"<w:p><w:r><w:t>{LOREM}</w:t></w:r></w:p>")[:3_000], error=Corrupt),
    Case("cut.xlsx", lambda: xlsx(LOREM * 99)[:400], error=Corrupt),
    Case("cut.epub", lambda: xlsx(LOREM * 99)[:400], error=Corrupt),
    Case("cut.msg", lambda: compound({"__properties_version1.0": bytes(900)})[:1_600], error=Corrupt, id="cut msg"),
    Case("broken.xlsx", lambda: xlsx("<sheetData><row>"), error=Corrupt),
    Case("cut.png", lambda: picture(900, 900, "PNG")[:60], error=Corrupt),
    Case("cut.jpg", lambda: picture(900, 900, "JPEG")[:400], error=Corrupt),
    Case("zero.pdf", data(b"%PDF-1.7\n"), error=Corrupt, id="only a mark.pdf"),
    Case("empty.json", data(b"{}"), error=Empty, id="{}.json"),
    Case("empty.xlsx", lambda: xlsx("<sheetData/>"), error=Empty, id="no cell.xlsx"),
    Case("broken.json", data(b'{"a": [1, 2, {"b": "kept'), text="kept"),
    # Bombs.
    Case("bomb.docx", lambda: docx(megabytes(310)), error=TooBig),
    Case("bomb.xlsx", lambda: xlsx("<sheetData/>" + " " * 50_000_000), error=TooBig),
    Case("bomb.epub", lambda: xlsx("", **{"META-INF/container.xml": "<a/>", "big": "0" * 60_000_000}), error=TooBig),
    Case("wide.png", lambda: picture(30_000, 30_000, "PNG"), error=TooBig),
    Case("long.jpg", lambda: picture(16, 30_000, "JPEG"), error=TooBig),
    Case("laughs.docx", lambda: docx("<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>", laughs()), error=UnsafeContent),
    Case("laughs.xlsx", lambda: xlsx("<sheetData>&l9;</sheetData>", laughs()), error=UnsafeContent),
    Case("laughs.xml", data(f"<?xml version='1.0'?>{laughs()}<a>&l9; kept</a>".encode()), text="&l9; kept"),
    Case("laughs.html", data(f"<?xml version='1.0'?>{laughs()}<html><p>kept</p></html>".encode()), text="kept"),
    Case("laughs.yaml", data(b"a: &a [x]\n" + b"".join(b"b%d: [*a,*a]\n" % n for n in range(99))), text="[*a,*a]"),
    Case("entity.xml", data(b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x; kept</a>'), text="&x; kept"),
    Case(
        "merged.xlsx",
        lambda: xlsx(
            f"<sheetData><row r='1'>{cell('A1', 'kept')}</row><row r='1048576'>{cell('XFD1048576', 'far')}</row>"
            "</sheetData><mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"
        ),
        text="kept",
    ),
    Case("many.docx", lambda: docx(paragraphs(200_000)), text="p199999"),
    # Nesting.
    Case("deep.html", data(b"<div>" * 1_000 + b"deep" + b"</div>" * 1_000), error=TooNested),
    Case("deep.md", data(b">" * 1_000 + b" deep\n"), error=TooNested),
    Case("deep.json", data(b"[" * 100_000 + b"]" * 100_000), error=TooNested),
    Case("deep.xml", data(b"<a>" * 100_000 + b"kept" + b"</a>" * 100_000), text="kept"),
    Case("deep.py", data(b"(" * 100_000 + b"kept" + b")" * 100_000), text="kept"),
    Case("deep.eml", lambda: multipart(1_000), error=TooNested),
    Case("open.html", data(b"<p>not<p>nested" * 5_000), text="nested"),
    Case("brackets.md", data(b"[" * 20_000), text="[[[["),
    Case("stars.md", data(b"*a **b _c " * 5_000), text="b _c"),
]  # fmt: skip


def multipart(depth: int) -> bytes:
    head = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth))
    return f"Subject: x\n{head}Content-Type: text/plain\n\ndeep\n".encode()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


async def read(path: Path, nursery: Nursery) -> Parsed:
    return await parse_in_child(
        path, identify(path.name, path.read_bytes()[:HEAD_BYTES], path), nursery=nursery
    )


@pytest.mark.parametrize("case", CASES, ids=[case.id or case.name for case in CASES])
async def test_bad_input(tmp_path: Path, nursery: Nursery, case: Case) -> None:  # E22, E25, X8, X9
    path = tmp_path / case.name
    path.write_bytes(case.content())
    started = time.monotonic()
    if case.error:
        with pytest.raises(case.error) as caught:
            await read(path, nursery)
        assert caught.value.message.endswith(".")
        assert caught.value.hint
    else:
        found = document_text((await read(path, nursery)).blocks)
        assert " ".join(case.text.split()) in " ".join(found.split())
        assert not any(char in found for char in "\x00\ud800\ufffd")
    assert time.monotonic() - started < 90


async def test_others_go_on_beside_a_heavy_one(tmp_path: Path, nursery: Nursery) -> None:  # E22
    heavy, light = tmp_path / "long.docx", tmp_path / "light.txt"
    heavy.write_bytes(docx(paragraphs(29_000)))
    light.write_text(LOREM)
    parsing = asyncio.create_task(read(heavy, nursery))
    await asyncio.sleep(0.5)
    started = time.monotonic()
    assert (await read(light, nursery)).blocks[0].text == LOREM.strip()
    assert time.monotonic() - started < 10
    assert not parsing.done()
    parsing.cancel()


@pytest.mark.skipif(recognises(), reason="text recognition is installed")
@pytest.mark.parametrize("name", ["testOCR.png", "ocr_test.pdf"])
async def test_pictures_need_recognition(shared: Path, nursery: Nursery, name: str) -> None:  # E10
    with pytest.raises(NeedsOcr) as caught:
        await read(shared / "data/parse" / name, nursery)
    assert "make run WITH_OCR=1" in caught.value.hint


@pytest.mark.parametrize("keep", [0.5, 0.01])
async def test_truncated_pdfs(shared: Path, tmp_path: Path, nursery: Nursery, keep: float) -> None:  # E22
    whole = (shared / "data/parse/multi_page.pdf").read_bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole[: int(keep * len(whole))])
    with pytest.raises((Corrupt, NeedsOcr, Empty)):
        await read(path, nursery)
