"""Every accepted type from its bytes to searchable passages, and every kind of bad file to a sentence."""

from pathlib import Path
from typing import Any

import pytest

from ingestion.errors import Empty, NotAllowed, TooLarge, UnsupportedType
from ingestion.parse.filetype import ACCEPTED
from ingestion.parse.optional import recognises
from sql.db import Identity
from tests.formats import PICTURES, samples


async def test_every_accepted_type_is_completed(desk: Any, owner: Identity, shared: Path) -> None:  # E8 E10
    good = {ending: sample for ending, sample in samples(shared).items() if ending not in PICTURES}
    assert {*good, *PICTURES} == set(ACCEPTED)
    uploads = {ending: await desk.upload(owner, data, f"zzyzx{ending}") for ending, (data, _) in good.items()}
    async with desk.worker():
        for ending, accepted in uploads.items():
            document = await desk.wait(owner, accepted.id)
            assert (document["status"], document["error"]) == ("completed", None), ending
            assert document["chunks"] > 0
            assert document["characters"] > 0
            assert document["parser"]
            assert document["stage"] == "done"
            assert {stage for stage, took in document["seconds"].items() if took is not None} == {
                "parsing", "chunking", "embedding"
            }  # fmt: skip
    async with desk.database.as_user(owner) as connection:
        for ending, (_, text) in good.items():
            found = await connection.fetch(
                "SELECT heading_path, text FROM chunks WHERE document_id = $1 ORDER BY ordinal",
                uploads[ending].id,
            )
            whole = " ".join(" ".join([*row["heading_path"], row["text"]]) for row in found)
            assert text in " ".join(whole.split()), ending
        missing = await connection.fetchval(
            "SELECT count(*) FROM chunks c WHERE NOT EXISTS (SELECT FROM vectors v"
            " WHERE v.workspace_id = c.workspace_id AND v.content_hash = c.content_hash)"
        )
        assert missing == 0
    assert not any((await desk.orphans()).values())


@pytest.mark.skipif(recognises(), reason="text recognition is installed")
async def test_bad_files_fail_alone_with_a_sentence(desk: Any, owner: Identity, shared: Path) -> None:  # E22
    parse = shared / "data/parse"
    bad = {
        "password.pdf": ("failed", "encrypted", (parse / "password.pdf").read_bytes()),
        "testOCR.png": ("needs_ocr", "needs_ocr", (parse / "testOCR.png").read_bytes()),
        "ocr_test.pdf": ("needs_ocr", "needs_ocr", (parse / "ocr_test.pdf").read_bytes()),
        "cut.docx": ("failed", "corrupt", (parse / "word_tables.docx").read_bytes()[:9000]),
        "blank.txt": ("failed", "empty", b"  \n \n\t\n"),
    }
    uploads = {name: await desk.upload(owner, data, name) for name, (_, _, data) in bad.items()}
    good = await desk.upload(owner, parse / "nested.md")
    async with desk.worker():
        for name, (status, code, _) in bad.items():
            document = await desk.wait(owner, uploads[name].id)
            assert (document["status"], document["error"]["class"]) == (status, code), name
            assert document["error"]["message"].endswith(".")
            assert document["error"]["hint"]
            assert not document["chunks"]
        assert (await desk.wait(owner, good.id))["status"] == "completed"
    assert (await desk.counts())["jobs"] == 0
    assert not any((await desk.orphans()).values())


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("zzyzx.txt", b"", Empty),  # E3
        ("zzyzx.pdf", b"MZ\x90\x00" + bytes(range(256)) * 8, UnsupportedType),  # E2 X8
        ("zzyzx.xyz", b"plain words", UnsupportedType),
        ("zzyzx.txt", b"x" * (25 * 1024 * 1024 + 1), TooLarge),
    ],
)
async def test_what_is_refused_leaves_nothing(
    desk: Any, owner: Identity, tmp_path: Path, name: str, data: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await desk.upload(owner, data, name)
    assert desk.stored() == []
    assert list((tmp_path / "spool").iterdir()) == []
    assert (await desk.counts())["documents"] == 0


async def test_a_reader_adds_nothing(desk: Any, owner: Identity) -> None:
    reader = Identity(owner.workspace_id, owner.user_id, "reader")
    with pytest.raises(NotAllowed):
        await desk.upload(reader, b"zzyzx words", "zzyzx.txt")
    assert desk.stored() == []


async def test_type_is_judged_by_content(desk: Any, owner: Identity, shared: Path) -> None:  # X8
    accepted = await desk.upload(owner, shared / "data/parse/fake-memo.pdf", "memo.txt")
    async with desk.worker():
        document = await desk.wait(owner, accepted.id)
    assert (document["media_type"], document["status"]) == ("application/pdf", "completed")
