"""The same bytes are one document, other bytes under the same name its next version, names are only text."""

import asyncio
import json
import unicodedata
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from ingestion.documents import (
    Filter,
    delete_document,
    get_document,
    list_documents,
    original,
    retry_document,
)
from ingestion.errors import NotFound
from ingestion.folders import create_folder
from ingestion.passages import list_chunks, passage
from providers.errors import Unauthorized
from sql.db import Identity


async def searchable(desk: Any, identity: Identity) -> list[str]:
    """The texts that a search may find, as every search joins them."""
    async with desk.database.as_user(identity) as connection:
        rows = await connection.fetch(
            "SELECT c.text FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id"
            " AND d.id = c.document_id AND c.version = d.live_version"
        )
    return [row["text"] for row in rows]


async def test_ten_identical_uploads_at_once_make_one_document(
    desk: Any, owner: Identity, cases: Path
) -> None:  # S-DV-01 E20 E4
    tide = cases / "S-DV-01/qzv-tide.txt"
    answers = await asyncio.gather(*(desk.upload(owner, tide) for _ in range(10)))
    assert len({answer.id for answer in answers}) == 1
    assert sorted(answer.duplicate for answer in answers) == [False] + [True] * 9
    assert {answer.duplicate_of.id for answer in answers if answer.duplicate} == {answers[0].id}
    counts = await desk.counts()
    assert (counts["documents"], counts["jobs"]) == (1, 1)
    assert len(desk.stored()) == 1


async def test_failed_then_again(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:  # S-DV-02 E19
    retry = cases / "S-DV-02/qzv-retry.txt"
    counting.error = Unauthorized()
    async with desk.worker():
        first = await desk.upload(owner, retry)
        failed = await desk.wait(owner, first.id)
        assert (failed["status"], failed["error"]["class"]) == ("failed", "model_unauthorized")
        counting.error = None
        second = await desk.upload(owner, retry)
        assert (second.id, second.duplicate) == (first.id, False)
        done = await desk.wait(owner, second.id, ["completed"])
    assert done["error"] is None
    assert [w["code"] for w in done["warnings"]] == ["earlier_failure"]
    assert failed["error"]["message"] in done["warnings"][0]["message"]
    assert (await desk.counts())["documents"] == 1
    assert any("gate code" in text for text in await searchable(desk, owner))


async def test_same_bytes_under_another_name(desk: Any, owner: Identity, cases: Path) -> None:  # S-DV-03 E4
    original = cases / "S-DV-03/qzv-original.txt"
    folder = await create_folder(desk.database, owner, name="zzyzx shelf")
    first = await desk.upload(owner, original, folder_id=UUID(folder["id"]))
    async with desk.worker():
        await desk.wait(owner, first.id)
        copy = (await desk.upload(owner, original, "qzv-copy-of-it.txt")).json()
    assert copy["duplicate"] is True
    assert copy["duplicate_of"] == {
        "id": str(first.id),
        "name": "qzv-original.txt",
        "folder_id": folder["id"],
    }
    assert (await desk.counts())["documents"] == 1


async def test_two_scans_are_not_duplicates(desk: Any, owner: Identity, cases: Path) -> None:  # S-DV-04 E10
    first = await desk.upload(owner, cases / "S-DV-04/qzv-scan-b.pdf")
    second = await desk.upload(owner, cases / "S-DV-04/qzv-scan-c.pdf")
    assert not second.duplicate
    assert first.id != second.id
    async with desk.worker():
        for accepted in (first, second):
            assert (await desk.wait(owner, accepted.id))["status"] == "needs_ocr"
    assert (await desk.counts())["documents"] == 2


async def test_a_changed_file_replaces_the_old_text(
    desk: Any, owner: Identity, cases: Path
) -> None:  # S-DV-06 E18
    folder = UUID((await create_folder(desk.database, owner, name="rules"))["id"])
    async with desk.worker():
        first = await desk.upload(owner, cases / "S-DV-06/qzv-refund-v1.md", "qzv-refund.md", folder)
        await desk.wait(owner, first.id)
        old = (await list_chunks(desk.database, owner, first.id))["items"][0]["id"]
    second = await desk.upload(owner, cases / "S-DV-06/qzv-refund-v2.md", "qzv-refund.md", folder)
    assert (second.id, second.version, second.duplicate) == (first.id, 2, False)
    before = " ".join(await searchable(desk, owner))
    assert "within 90 days" in before  # the old text answers until the new one is in
    async with desk.worker():
        document = await desk.wait(owner, second.id)
        await desk.until_stored(1)
    after = " ".join(await searchable(desk, owner))
    assert "within 30 days" in after
    assert "within 90 days" not in after
    assert (document["status"], document["version"]) == ("completed", 2)
    counts = await desk.counts()
    assert counts["documents"] == 1
    assert counts["chunks"] == counts["vectors"] == document["chunks"]
    assert not any((await desk.orphans()).values())
    with pytest.raises(NotFound):
        await passage(desk.database, owner, UUID(old))


async def test_a_version_that_fails_leaves_the_old_one(
    desk: Any, owner: Identity, cases: Path
) -> None:  # E18
    async with desk.worker():
        first = await desk.upload(owner, cases / "S-DV-06/qzv-refund-v1.md", "qzv-refund.md")
        await desk.wait(owner, first.id)
        await desk.upload(owner, b" \n ", "qzv-refund.md")
        document = await desk.wait(owner, first.id)
        assert (document["status"], document["error"]["class"]) == ("failed", "empty")
        assert any("within 90 days" in text for text in await searchable(desk, owner))
        await desk.upload(owner, b" \n\n ", "qzv-refund.md")
        await desk.wait(owner, first.id)
        assert len(desk.stored()) == 2  # what is searched, and the newest failure
    receipt = await delete_document(desk.database, desk.blobs, owner, first.id)
    assert receipt["deleted"]["blobs"] == 2
    assert desk.stored() == []


async def test_the_original_is_the_file_that_is_searched(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:  # E11 E18 E19
    old, new = (cases / f"S-DV-06/qzv-refund-v{n}.md" for n in (1, 2))

    async def served() -> bytes:
        row = await original(desk.database, owner, first.id)
        content = b"".join([piece async for piece in desk.blobs.read(row["blob_key"])])
        assert len(content) == row["size_bytes"]
        return content

    async with desk.worker():
        first = await desk.upload(owner, old, "qzv-refund.md")
        await desk.wait(owner, first.id)
    await desk.upload(owner, new, "qzv-refund.md")
    assert await served() == old.read_bytes()
    counting.error = Unauthorized()
    async with desk.worker():
        assert (await desk.wait(owner, first.id))["status"] == "failed"
        assert await served() == old.read_bytes()
        counting.error = None
        await retry_document(desk.database, owner, first.id)
        assert (await desk.wait(owner, first.id))["status"] == "completed"
        assert await served() == new.read_bytes()
        await desk.until_stored(1)
    assert not any((await desk.orphans()).values())


async def test_a_failed_version_uploaded_elsewhere_leaves_the_live_document_in_its_place(
    desk: Any, owner: Identity, counting: Any
) -> None:  # E18 E19
    shelf = UUID((await create_folder(desk.database, owner, name="zzyzx shelf"))["id"])
    async with desk.worker():
        first = await desk.upload(owner, b"The zzyzx gate opens at nine.", "zzyzx.txt")
        await desk.wait(owner, first.id)
        counting.error = Unauthorized()
        await desk.upload(owner, b"The zzyzx gate opens at ten.", "zzyzx.txt")
        await desk.wait(owner, first.id, ["failed"])
        counting.error = None
        again = await desk.upload(owner, b"The zzyzx gate opens at ten.", "elsewhere.txt", shelf)
        assert (again.id, again.name, again.duplicate) == (first.id, "zzyzx.txt", False)
        assert again.duplicate_of.name == "zzyzx.txt"
        document = await desk.wait(owner, first.id)
    assert (document["name"], document["folder_id"], document["status"]) == ("zzyzx.txt", None, "completed")
    assert await searchable(desk, owner) == ["The zzyzx gate opens at ten."]


async def test_composed_and_decomposed_names_are_one(
    desk: Any, owner: Identity, cases: Path
) -> None:  # S-DV-07 X6
    name = "qzv-prüfbericht-übersicht.txt"
    nfc, nfd = unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)
    async with desk.worker():
        one = await desk.upload(owner, cases / "S-DV-07/qzv-nfc.txt", nfc)
        await desk.wait(owner, one.id)
        two = await desk.upload(owner, cases / "S-DV-07/qzv-nfd.txt", nfd)
        document = await desk.wait(owner, two.id)
    assert (two.id, document["name"], document["version"]) == (one.id, nfc, 2)
    listed = await list_documents(desk.database, owner, where=Filter(text=nfd))
    assert [item["id"] for item in listed["items"]] == [str(one.id)]
    texts = " ".join(await searchable(desk, owner))
    assert "6 bar" in texts
    assert "5 bar" not in texts


async def test_names_never_become_paths(desk: Any, owner: Identity, cases: Path) -> None:  # S-SI-02 X6
    names = json.loads((cases / "S-SI-02/names.json").read_text())
    body = (cases / "S-SI-02/qzv-body.txt").read_bytes()
    for number, name in enumerate([*names, "zzyzx 🗂️.txt"]):
        accepted = await desk.upload(owner, body + str(number).encode(), name)
        document = await get_document(desk.database, owner, accepted.id)
        shown = document["name"]
        assert shown
        assert len(shown.encode()) <= 255
        assert not set(shown) & set("/\\\r\n\0")
    assert "<img src=x onerror=alert(1)>.txt" in {
        item["name"] for item in (await list_documents(desk.database, owner))["items"]
    }
    for path in desk.stored():
        workspace, user, digest = path.split("/")
        assert (UUID(workspace), UUID(user)) == (owner.workspace_id, owner.user_id)
        assert len(digest) == 64


async def test_an_identical_upload_embeds_nothing(
    desk: Any, owner: Identity, shared: Path, counting: Any
) -> None:  # F3 G6
    memo = shared / "data/parse/unit_test_headers.docx"
    async with desk.worker():
        first = await desk.upload(owner, memo)
        await desk.wait(owner, first.id)
        embedded = counting.texts
        assert embedded > 0
        assert (await desk.upload(owner, memo)).duplicate
        await delete_document(desk.database, desk.blobs, owner, first.id)
        again = await desk.upload(owner, memo)
        await desk.wait(owner, again.id)
        assert counting.texts == 2 * embedded  # deletion took the vectors too
        other_bytes = memo.read_bytes() + b"\0"  # another file with the same words
        copy = await desk.upload(owner, other_bytes, "zzyzx copy.docx")
        assert not copy.duplicate
        assert (await desk.wait(owner, copy.id))["status"] == "completed"
    assert counting.texts == 2 * embedded


async def test_vectors_are_shared_in_a_workspace_and_outlive_one_owner(
    desk: Any, owner: Identity, other: Identity, people: Any, counting: Any
) -> None:  # E12 A6
    words = b"The zzyzx gate opens at nine.\n\nThe zzyzx gate closes at five."
    async with desk.worker():
        mine = await desk.upload(owner, words, "zzyzx.txt")
        await desk.wait(owner, mine.id)
        embedded = counting.texts
        theirs = await desk.upload(other, words, "zzyzx.txt")
        assert not theirs.duplicate  # nobody learns what another person has
        await desk.wait(other, theirs.id)
        assert counting.texts == embedded
        foreign = await desk.upload(people.stranger, words, "zzyzx.txt")
        await desk.wait(people.stranger, foreign.id)
        assert counting.texts == 2 * embedded  # another workspace shares nothing
    vectors = (await desk.counts())["vectors"]
    await delete_document(desk.database, desk.blobs, owner, mine.id)
    assert (await desk.counts())["vectors"] == vectors
    await delete_document(desk.database, desk.blobs, other, theirs.id)
    assert (await desk.counts())["vectors"] == vectors // 2
    assert not any((await desk.orphans()).values())
