"""Documents, folders, pages and passages as people see them, in the shapes of the contract."""

from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingestion.documents import Filter, delete_document, get_document, list_documents, patch_document
from ingestion.errors import FolderExists, FolderInsideItself, FolderNotEmpty, NotFound
from ingestion.folders import create_folder, delete_folder, ensure_folder, list_folders, patch_folder
from ingestion.passages import BLOCKS_A_PAGE, list_chunks, page, passage
from sql.db import Identity

DOCUMENT = {
    "id", "name", "folder_id", "status", "stage", "media_type", "size_bytes", "pages", "chunks", "characters",
    "language", "parser", "visibility", "owner", "version", "progress", "warnings", "error", "seconds",
    "summary", "topics", "type", "date", "tables", "blank_pages", "created_at", "updated_at",
}  # fmt: skip


@pytest.fixture
async def memo(desk: Any, owner: Identity, shared: Path) -> UUID:
    accepted = await desk.upload(owner, shared / "data/parse/multi_page.pdf")
    async with desk.worker():
        await desk.wait(owner, accepted.id, ["completed"])
    return UUID(str(accepted.id))


async def test_a_document_has_the_shape_of_the_contract(desk: Any, owner: Identity, memo: UUID) -> None:
    document = await get_document(desk.database, owner, memo)
    assert set(document) >= DOCUMENT
    assert (document["pages"], document["language"], document["version"]) == (5, "en", 1)
    assert document["owner"] == {"id": str(owner.user_id), "name": "ada"}
    assert document["progress"] is None
    assert document["created_at"].endswith("Z")
    assert all(document["seconds"][stage] >= 0 for stage in ("parsing", "chunking", "embedding"))


async def test_a_document_reports_how_well_it_was_read(desk: Any, owner: Identity) -> None:  # E17
    made = BytesIO()
    canvas = Canvas(made, invariant=True)
    for text in ("The zzyxian ferry leaves the quay at noon and at midnight.", "", "It carries zebras.", ""):
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()
    sheet = b"name,knots\nzzyzx,12\nquay,0\n"
    async with desk.worker():
        pages = await desk.wait(owner, (await desk.upload(owner, made.getvalue(), "zzyzx.pdf")).id)
        table = await desk.wait(owner, (await desk.upload(owner, sheet, "zzyzx.csv")).id)
    assert (pages["pages"], pages["blank_pages"], pages["tables"]) == (4, [2, 4], 0)
    assert (table["pages"], table["blank_pages"], table["tables"], table["type"]) == (
        None,
        [],
        1,
        "spreadsheet",
    )
    for document in (pages, table):
        assert document["characters"] > 20
        assert document["chunks"] >= 1
        assert document["parser"]
        assert all(document["seconds"][stage] >= 0 for stage in ("parsing", "chunking", "embedding"))


async def test_passages_lead_to_their_pages_and_boxes(
    desk: Any, owner: Identity, memo: UUID
) -> None:  # E11 M7
    listed = await list_chunks(desk.database, owner, memo)
    assert [item["ordinal"] for item in listed["items"]] == list(range(len(listed["items"])))
    for item in listed["items"]:
        found = await passage(desk.database, owner, UUID(item["id"]))
        assert (found["state"], found["text"], found["document_id"]) == ("current", item["text"], str(memo))
        assert found["viewer_page"] == item["page_start"]
        shown = await page(desk.database, owner, memo, found["viewer_page"])
        ordinals = [block["ordinal"] for block in shown["blocks"]]
        assert found["block_start"] in ordinals
        assert found["boxes"]
        for box in found["boxes"]:
            x0, y0, x1, y1 = box["bbox"]
            assert 0 <= x0 < x1 <= shown["width"] + 1
            assert 0 <= y0 < y1 <= shown["height"] + 1
    with pytest.raises(NotFound):
        await page(desk.database, owner, memo, 6)
    with pytest.raises(NotFound):
        await passage(desk.database, owner, uuid4())


async def test_a_document_without_pages_is_shown_in_pieces(desk: Any, owner: Identity) -> None:
    text = "\n\n".join(f"Zzyzx paragraph {number}." for number in range(BLOCKS_A_PAGE + 120))
    accepted = await desk.upload(owner, text.encode(), "zzyzx.txt")
    async with desk.worker():
        await desk.wait(owner, accepted.id, ["completed"])
    first = await page(desk.database, owner, accepted.id, 1)
    last = await page(desk.database, owner, accepted.id, 2)
    assert (first["pages"], first["width"], first["height"]) == (2, None, None)
    assert (len(first["blocks"]), len(last["blocks"])) == (BLOCKS_A_PAGE, 120)
    cursor = None
    ids = []
    while True:
        listed = await list_chunks(desk.database, owner, accepted.id, cursor=cursor)
        ids += [item["id"] for item in listed["items"]]
        cursor = listed["next_cursor"]
        if not cursor:
            break
    found = await passage(desk.database, owner, UUID(ids[-1]))
    assert (found["viewer_page"], found["page_start"], found["boxes"]) == (2, None, [])


async def test_lists_page_through_every_order(desk: Any, owner: Identity, other: Identity) -> None:
    names = ["zzyzx é.txt", "Zzyzx b.txt", "zzyzx A.txt", "100%.txt", "a_b.txt"]
    for number, name in enumerate(names):
        await desk.upload(owner, b"zzyzx" * (number + 1), name)
    for sort in (
        "name",
        "-name",
        "created_at",
        "-created_at",
        "pages",
        "size_bytes",
        "-size_bytes",
        "status",
    ):
        seen: list[str] = []
        cursor = None
        while True:
            listed = await list_documents(desk.database, owner, sort=sort, cursor=cursor, limit=2)
            seen += [item["name"] for item in listed["items"]]
            cursor = listed["next_cursor"]
            if not cursor:
                break
        assert sorted(seen) == sorted(names), sort
    by_size = await list_documents(desk.database, owner, sort="-size_bytes")
    assert [item["name"] for item in by_size["items"]] == names[::-1]
    assert by_size["counts"] == {"pending": 5}
    for text, expected in (("zzyzx e", ["zzyzx é.txt"]), ("%", ["100%.txt"]), ("a_", ["a_b.txt"])):
        listed = await list_documents(desk.database, owner, where=Filter(text=text))
        assert [item["name"] for item in listed["items"]] == expected
    none = await list_documents(desk.database, owner, where=Filter(statuses=("failed",)))
    assert (none["items"], none["counts"]) == ([], {"pending": 5})
    assert (await list_documents(desk.database, owner, cursor="zzyzx"))["items"]
    assert (await list_documents(desk.database, other))["items"] == []


async def test_folders_hold_documents(desk: Any, owner: Identity, other: Identity) -> None:  # E14
    shelf = UUID((await create_folder(desk.database, owner, name="zzyzx shelf"))["id"])
    inner = UUID((await create_folder(desk.database, owner, name="inner", parent_id=shelf))["id"])
    accepted = await desk.upload(owner, b"zzyzx words", "zzyzx.txt", shelf)
    assert await ensure_folder(desk.database, owner, name="zzyzx shelf") == shelf
    listed = (await list_folders(desk.database, owner))["items"]
    assert {item["name"]: item["documents"] for item in listed} == {"zzyzx shelf": 1, "inner": 0}
    with pytest.raises(FolderExists):
        await create_folder(desk.database, owner, name="zzyzx shelf")
    with pytest.raises(FolderInsideItself):
        await patch_folder(desk.database, owner, shelf, {"parent_id": inner})
    with pytest.raises(FolderNotEmpty):
        await delete_folder(desk.database, owner, shelf)
    for foreign in (
        create_folder(desk.database, other, name="x", parent_id=shelf),
        patch_folder(desk.database, other, shelf, {"name": "x"}),
        delete_folder(desk.database, other, shelf),
        desk.upload(other, b"zzyzx", "zzyzx.txt", shelf),
    ):
        with pytest.raises(NotFound):  # X2
            await foreign
    moved = await patch_folder(desk.database, owner, inner, {"parent_id": None, "name": "outer"})
    assert (moved["parent_id"], moved["name"]) == (None, "outer")
    document = await patch_document(
        desk.database, owner, accepted.id, {"folder_id": inner, "name": "../zzyzx two.txt"}
    )
    assert (document["folder_id"], document["name"]) == (str(inner), "zzyzx two.txt")
    await delete_folder(desk.database, owner, shelf)
    unfiled = await list_documents(desk.database, owner, where=Filter(unfiled=True))
    inside = await list_documents(desk.database, owner, where=Filter(folder_id=inner))
    assert (len(unfiled["items"]), len(inside["items"])) == (0, 1)


async def test_a_shared_document_is_read_and_not_changed_by_others(
    desk: Any, owner: Identity, other: Identity, memo: UUID
) -> None:  # D15 D18
    shelf = UUID((await create_folder(desk.database, owner, name="zzyzx shelf"))["id"])
    await patch_document(desk.database, owner, memo, {"visibility": "workspace", "folder_id": shelf})
    seen = await get_document(desk.database, other, memo)
    assert (seen["owner"]["name"], seen["folder_id"]) == ("ada", None)
    listed = await list_chunks(desk.database, other, memo)
    assert listed["items"]
    for attempt in (
        patch_document(desk.database, other, memo, {"name": "mine"}),
        delete_document(desk.database, desk.blobs, other, memo),
    ):
        with pytest.raises(NotFound):
            await attempt
    await patch_document(desk.database, owner, memo, {"visibility": "private"})
    with pytest.raises(NotFound):
        await passage(desk.database, other, UUID(listed["items"][0]["id"]))


async def test_the_receipt_counts_what_went(desk: Any, owner: Identity, memo: UUID) -> None:  # E12
    before = await desk.counts()
    receipt = await delete_document(desk.database, desk.blobs, owner, memo)
    assert receipt == {
        "document_id": str(memo),
        "name": "multi_page.pdf",
        "deleted": {
            "chunks": before["chunks"],
            "vectors": before["vectors"],
            "blocks": before["blocks"],
            **dict.fromkeys(("entities", "mentions", "edges", "jobs"), 0),
            "blobs": 1,
        },
    }
    assert set((await desk.counts()).values()) == {0}
    assert desk.stored() == []
