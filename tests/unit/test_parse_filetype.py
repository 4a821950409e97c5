"""The type of a file comes from its content, and bombs are refused before anything opens them."""

import zipfile
from pathlib import Path

import pytest

from ingestion.errors import BY_CODE, Corrupt, Empty, Encrypted, TooBig, UnsafeContent, UnsupportedType
from ingestion.parse.filetype import ACCEPTED, KINDS, TYPES, identify
from ingestion.parse.limits import Limits, check_archive
from ingestion.parse.readers import FILES, TEXTS

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(64)
GIF = b"GIF89a" + bytes(64)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"


def office(path: Path, **parts: bytes) -> Path:
    """A zip container that looks like a docx, with the given members besides."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b"<Types/>")
        archive.writestr("word/document.xml", parts.pop("document", b"<w:document/>"))
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", data)
    return path


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("report.pdf", PDF, "pdf"),
        ("report.txt", PDF, "pdf"),  # a wrong name does not hide a PDF
        ("report", PDF, "pdf"),
        ("notes.TXT", b"plain words", "txt"),
        ("notes", b"plain words", "txt"),
        ("notes.md", b"# Heading", "md"),
        ("page.htm", b"<p>hello</p>", "html"),
        ("page.txt", b"\xef\xbb\xbf <!DOCTYPE html><html>", "html"),
        ("page.pdf", b"<html><body>", "html"),
        ("wide.txt", "Grüße aus der Halle".encode("utf-16-le"), "txt"),
        ("log.txt", b"a line\x00 with a stray NUL\n" * 9, "txt"),
        ("cut.docx", b"PK\x03\x04 truncated", "docx"),
        ("locked.docx", OLE, "docx"),  # the reader says: encrypted
        ("letter.msg", OLE, "msg"),
        ("picture.pdf", PNG, "png"),
        ("picture.txt", JPEG, "jpeg"),
        ("table.csv", b"a;b\n1;2\n", "csv"),
        ("page.csv", b"<!DOCTYPE html><html>", "html"),
        ("page.php", b"<html><?php", "php"),
        ("test.py", b'PDF = b"%PDF-1.7"\n', "python"),
        ("letter.eml", b"From: a\n\n%PDF-1.4 is a mark", "eml"),
        ("scan.pdf", b"a few stray bytes " + PDF, "pdf"),
        ("words.txt", b"RIFF and MZ are marks of files", "txt"),
        ("movie.ts", b"export type A = string", "typescript"),
    ],
)
def test_identify(name: str, head: bytes, kind: str) -> None:  # X8
    assert identify(name, head).name == kind


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("picture.pdf", GIF),
        ("picture.txt", GIF),
        ("movie.ts", b"G@\x00\x10\x00" + bytes(180)),
        ("setup.txt", b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" + bytes(200)),
        ("a.out.md", b"\x7fELF\x02\x01\x01" + bytes(64)),
        ("old.doc", OLE),
        ("old.xls", OLE),
        ("vector.svg", b"<svg xmlns='x'/>"),
        ("noise.txt", bytes(range(256)) * 8),
        ("words.pdf", b"just words"),
        ("archive.zip", b"PK\x03\x04 whatever"),
    ],
)
def test_refusals_list_what_is_accepted(name: str, head: bytes) -> None:  # E2, X8
    with pytest.raises(UnsupportedType) as refusal:
        identify(name, head)
    assert refusal.value.accepted == ACCEPTED
    assert refusal.value.message.endswith(f"Accepted are {KINDS}.")


def test_nothing_is_empty() -> None:  # E3
    with pytest.raises(Empty):
        identify("zero.pdf", b"")


def test_cases(shared: Path) -> None:  # S-SI-03
    folder = shared / "cases/files/S-SI-03"
    kinds = {}
    for path in sorted(folder.iterdir()):
        try:
            kinds[path.name] = identify(path.name, path.read_bytes(), path).name
        except UnsupportedType as refusal:
            kinds[path.name] = refusal.code
    assert kinds == {
        "qzv-exe.txt": "unsupported_type",
        "qzv-notpdf.pdf": "unsupported_type",
        "qzv-page.txt": "html",
        "qzv-pic.pdf": "png",
    }


def test_containers_are_told_apart_by_their_members(shared: Path, tmp_path: Path) -> None:  # X8
    parse = shared / "data/parse"
    for name, kind in (("word_tables.docx", "docx"), ("powerpoint_sample.pptx", "pptx")):
        path = parse / name
        assert identify("renamed.pdf", path.read_bytes()[:8192], path).name == kind
    sheet = parse / "stanley-cups.xlsx"
    assert identify("sheet.docx", sheet.read_bytes()[:8192], sheet).name == "xlsx"
    archive = tmp_path / "archive.docx"
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("word/document.xml", "no content types")
    with pytest.raises(UnsupportedType):
        identify(archive.name, archive.read_bytes(), archive)


def test_archives_that_are_no_documents(shared: Path, tmp_path: Path) -> None:  # X9
    with pytest.raises(TooBig):
        check_archive(shared / "cases/files/S-SI-08/qzv-bomb.docx")  # S-SI-08
    with pytest.raises(Corrupt):
        check_archive(shared / "data/parse/nested.md")
    ole = tmp_path / "locked.docx"
    ole.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    with pytest.raises(Encrypted):
        check_archive(ole)
    laughs = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><w:document>&lol;</w:document>'
    with pytest.raises(UnsafeContent):
        check_archive(office(tmp_path / "laughs.docx", document=laughs))
    with pytest.raises(UnsafeContent):
        check_archive(office(tmp_path / "wide.docx", document=laughs.decode().encode("utf-16")))
    with pytest.raises(UnsafeContent):
        check_archive(office(tmp_path / "escape.docx", **{"..__..__etc": b"<x/>"}))
    check_archive(office(tmp_path / "fine.docx"))
    check_archive(shared / "data/parse/word_tables.docx")


def test_limits_and_words() -> None:
    limits = Limits(wall_seconds=90, wall_seconds_per_mib=6)
    assert limits.wall_for(1000) == 90
    assert limits.wall_for(25 * 1024 * 1024) == 210
    for code, kind in BY_CODE.items():
        error = kind()
        assert (error.code, error.message[-1], error.hint[-1]) == (code, ".", ".")
    for key in ("name", "media_type"):  # a stored media type leads back to its row
        assert len({getattr(kind, key) for kind in TYPES}) == len(TYPES)
    assert len(ACCEPTED) == sum(len(kind.extensions) for kind in TYPES)
    assert {reader for kind in TYPES for reader in kind.readers} <= set(TEXTS) | set(FILES)
