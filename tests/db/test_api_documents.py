"""Documents over HTTP: lists, folders, sharing, notices, deletion, search."""

import asyncio
import base64
import json
from typing import Any

import httpx
import pytest

from tests.db.conftest import Service
from tests.db.conversation import Asker, error_of, listed

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Lists ------------------------------------------------------------------------------------------


async def test_lists_are_filtered_sorted_and_paged(asker: Asker) -> None:
    folder = (await asker.client.post("/api/folders", json={"name": "shelf"})).json()["id"]
    titles = ["Anker", "berth", "Café 100%", "dock_1", "dockX1", "Éclair"]
    for number, title in enumerate(titles):
        file = (f"{title}.txt", f"{title} {'x' * number}".encode())
        form = {"folder_id": folder} if number < 2 else {}
        answer = await asker.client.post("/api/documents", files={"file": file}, data=form)
        await asker.finished(answer.json()[0]["id"])
    everything = [f"{title}.txt" for title in titles]
    assert await listed(asker, sort="name") == everything
    assert await listed(asker, sort="-name") == everything[::-1]
    assert await listed(asker) == await listed(asker, sort="nonsense") == everything[::-1]  # newest first
    assert await listed(asker, sort="size_bytes") != await listed(asker, sort="-size_bytes")
    assert await listed(asker, q="dock_", sort="name") == ["dock_1.txt"]
    assert await listed(asker, q="100%") == ["Café 100%.txt"]
    assert await listed(asker, q="eclair") == ["Éclair.txt"]  # accents fold
    assert await listed(asker, q="\\") == []
    assert await listed(asker, folder_id=folder, sort="name") == everything[:2]
    assert await listed(asker, status="failed") == []
    assert await listed(asker, status="completed,failed", sort="name") == everything
    failed = await asker.client.get("/api/documents", params={"status": "failed"})
    assert failed.json()["counts"] == {"completed": 6}  # counts disregard the status filter
    for sort in ("name", "-name", "created_at", "-status", "chunks"):
        found: list[str] = []
        cursor: str | None = ""
        for _ in range(3):
            params: dict[str, Any] = {"sort": sort, "limit": 2, "cursor": cursor}
            page = (await asker.client.get("/api/documents", params=params)).json()
            assert len(page["items"]) == 2
            found += [item["name"] for item in page["items"]]
            cursor = page["next_cursor"]
        assert not cursor
        assert found == await listed(asker, sort=sort)


@pytest.mark.parametrize(
    "params",
    [
        {"limit": "0"}, {"limit": "201"}, {"limit": "-1"}, {"limit": "x"}, {"limit": "9" * 5000},
        {"folder_id": "x"}, {"folder_id": "0" * 31},
    ],
)  # fmt: skip
async def test_bad_parameters_are_400(asker: Asker, params: dict[str, str]) -> None:  # E13
    assert error_of(await asker.client.get("/api/documents", params=params), 400)["code"] == "bad_request"


@pytest.mark.parametrize(
    "params",
    [
        {"cursor": "x"}, {"cursor": "W10="}, {"cursor": "WyJhIiwgMV0="}, {"cursor": "é"}, {"q": "\0"}, {"q": "%"},
        {"status": "a\0b"}, {"sort": "\0"},
        {"cursor": base64.b64encode(b'["a\\u0000b", "01a22d5f-d4a0-71a1-84a1-453367c38a4b"]').decode()},
    ],
)  # fmt: skip
async def test_odd_parameters_are_no_error(asker: Asker, params: dict[str, str]) -> None:  # E13
    assert (await asker.client.get("/api/documents", params=params)).status_code in (200, 400)


# Changing and deleting --------------------------------------------------------------------------


async def test_a_document_is_renamed_moved_and_shared(house: Service, asker: Asker) -> None:  # E14, D18
    item = await asker.upload("old.txt", b"The mooring fee is 1,250 crowns.")
    url = f"/api/documents/{item['id']}"
    folder = (await asker.client.post("/api/folders", json={"name": "shelf"})).json()["id"]
    changed = await asker.client.patch(url, json={"name": "../new\n.txt", "folder_id": folder})
    assert (changed.json()["name"], changed.json()["folder_id"]) == ("new .txt", folder)
    assert (await asker.client.patch(url, json={"folder_id": None})).json()["folder_id"] is None
    identity = await house.newcomer("reader")
    colleague = house.client(identity)
    assert (await colleague.get(url)).status_code == 404
    await asker.client.patch(url, json={"visibility": "workspace"})
    assert (await colleague.get(url)).json()["owner"]["id"] == str(asker.identity.user_id)
    assert "1,250 crowns" in (await colleague.post("/api/search", json={"query": "mooring fee"})).text
    for refused in (await colleague.patch(url, json={"name": "x"}), await colleague.delete(url)):
        assert refused.status_code == 403  # a reader reads
    other = house.client(await house.newcomer())
    for refused in (await other.patch(url, json={"name": "x"}), await other.delete(url)):
        assert refused.status_code == 404  # seen is not owned
    await asker.client.patch(url, json={"visibility": "private"})
    assert (await colleague.get(url)).status_code == 404
    bodies: list[Any] = [{"visibility": "shared"}, {"name": ""}, {"owner_id": str(identity.user_id)}, []]
    for body in bodies:
        assert (await asker.client.patch(url, json=body)).status_code in (400, 422)


async def test_a_reader_uploads_nothing(house: Service) -> None:
    reader = house.client(await house.newcomer("reader"))
    assert (await reader.post("/api/documents", files={"file": ("a.txt", b"x")})).status_code == 403
    assert (await reader.post("/api/folders", json={"name": "x"})).status_code == 403


async def test_deletion_gives_a_receipt_and_leaves_nothing(house: Service, asker: Asker) -> None:  # E12
    item = await asker.upload("gone.md", b"# Gone\n\nThe quillfeather lamp is lit at nine.")
    [chunk] = (await asker.client.get(f"/api/documents/{item['id']}/chunks")).json()["items"]
    receipt = await asker.client.delete(f"/api/documents/{item['id']}")
    assert receipt.json() == {
        "document_id": item["id"],
        "name": "gone.md",
        "deleted": {
            "chunks": 1,
            "vectors": 1,
            "blocks": 2,
            "blobs": 1,
            "jobs": 0,
            "entities": 1,
            "mentions": 1,
            "edges": 0,
        },
    }
    for path in ("", "/original", "/chunks", "/pages/1"):
        assert (await asker.client.get(f"/api/documents/{item['id']}{path}")).status_code == 404
    assert (await asker.client.get(f"/api/passages/{chunk['id']}")).status_code == 404
    assert (await asker.client.delete(f"/api/documents/{item['id']}")).status_code == 404
    assert (
        "quillfeather"
        not in (await asker.client.post("/api/search", json={"query": "quillfeather lamp"})).text
    )
    blobs = (
        house.runtime.config.home / "blobs" / str(asker.identity.workspace_id) / str(asker.identity.user_id)
    )
    assert not blobs.exists() or not list(blobs.iterdir())


async def test_a_failed_document_says_why_and_can_be_tried_again(asker: Asker) -> None:  # E6, E19
    failed = await asker.upload("blank.txt", b" \n \n")
    assert failed["status"] == "failed"
    assert failed["error"]["class"] == "empty"
    assert failed["error"]["message"].endswith(".")
    assert failed["error"]["hint"].endswith(".")
    again = await asker.client.post(f"/api/documents/{failed['id']}/retry")
    assert again.json()["status"] in ("pending", "processing", "failed")
    assert (await asker.finished(failed["id"]))["status"] == "failed"
    assert (await asker.client.post(f"/api/documents/{failed['id']}/cancel")).json()["status"] == "failed"


async def test_folders(asker: Asker) -> None:  # E14
    client = asker.client
    outer = (await client.post("/api/folders", json={"name": "outer"})).json()
    inner = (await client.post("/api/folders", json={"name": "inner", "parent_id": outer["id"]})).json()
    assert (outer["parent_id"], inner["parent_id"], inner["documents"]) == (None, outer["id"], 0)
    assert error_of(await client.post("/api/folders", json={"name": "outer"}), 409)["code"] == "folder_exists"
    full = await client.delete(f"/api/folders/{outer['id']}")
    assert error_of(full, 409)["code"] == "folder_not_empty"
    circle = await client.patch(f"/api/folders/{outer['id']}", json={"parent_id": inner["id"]})
    assert error_of(circle, 409)["code"] == "folder_inside_itself"
    renamed = await client.patch(f"/api/folders/{inner['id']}", json={"name": "renamed", "parent_id": None})
    assert (renamed.json()["name"], renamed.json()["parent_id"]) == ("renamed", None)
    await client.post("/api/documents", data={"folder_id": inner["id"]}, files={"file": ("a.txt", b"in it")})
    folders = (await client.get("/api/folders")).json()["items"]
    assert [(f["name"], f["documents"]) for f in folders] == [("outer", 0), ("renamed", 1)]
    assert (await client.delete(f"/api/folders/{outer['id']}")).status_code == 204
    assert (await client.delete(f"/api/folders/{outer['id']}")).status_code == 404


# Notices ----------------------------------------------------------------------------------------


async def listen(client: httpx.AsyncClient, notes: list[tuple[str, dict[str, Any]]]) -> None:
    """Note every event of the page's stream with its data."""
    async with client.stream("GET", "/api/events") as page:
        event = ""
        async for line in page.aiter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                notes.append((event, json.loads(line.removeprefix("data: "))))


async def test_a_page_is_told_of_each_step_and_reads_it_again(house: Service, asker: Asker) -> None:  # E7, Q2
    stranger = house.client(await house.newcomer())
    heard: list[tuple[str, dict[str, Any]]] = []
    overheard: list[tuple[str, dict[str, Any]]] = []
    listening = [
        asyncio.create_task(listen(asker.client, heard)),
        asyncio.create_task(listen(stranger, overheard)),
    ]
    try:
        async with asyncio.timeout(10):
            while not (heard and overheard):
                await asyncio.sleep(0.01)
        assert heard[0] == ("resync", {})  # whatever happened before: read everything
        answer = await asker.client.post(
            "/api/documents", files={"file": ("told.md", b"# Told\n\nStep by step.")}
        )
        id_ = answer.json()[0]["id"]
        statuses: list[str] = []
        async with asyncio.timeout(30):
            position = 1
            while "completed" not in statuses:
                if position == len(heard):
                    await asyncio.sleep(0.005)
                    continue
                event, data = heard[position]
                position += 1
                assert (event, data["id"]) == ("document", id_)
                statuses.append((await asker.client.get(f"/api/documents/{id_}")).json()["status"])
        versions = [data["version"] for event, data in heard[1:] if event == "document"]
        assert versions == sorted(versions)
        assert len(versions) >= 3
        await asker.client.delete(f"/api/documents/{id_}")
        async with asyncio.timeout(5):
            while len(heard) == position:
                await asyncio.sleep(0.01)
        assert overheard == [("resync", {})]
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)


# Search and suggestions -------------------------------------------------------------------------


async def test_search_over_http(asker: Asker) -> None:  # interfaces.md
    winch = await asker.upload(
        "winch.md", b"# Winch\n\nThe winch of the Orlith weighs 310 kg.\n\n# Error\n\nERR-4417 is a jam."
    )
    bread = await asker.upload("bread.md", b"# Bread\n\nBake the bread for forty minutes.")
    body = {"query": "how heavy is the Orlith winch", "k": 3, "explain": True}
    found = (await asker.client.post("/api/search", json=body)).json()
    first = found["results"][0]
    assert (first["name"], first["document_id"]) == ("winch.md", winch["id"])
    assert first["text"].endswith("The winch of the Orlith weighs 310 kg.")
    assert first["heading_path"] == ["Winch"]
    assert set(first["ranks"]) >= {"dense", "keyword", "graph"}
    assert found["grounding"] == "grounded"
    assert found["trace"]
    assert len(found["results"]) <= 3
    code = (await asker.client.post("/api/search", json={"query": "ERR-4417"})).json()  # I5
    assert "ERR-4417" in code["results"][0]["text"]
    only = {"query": "how heavy is the Orlith winch", "filters": {"document_ids": [bread["id"]]}}
    assert winch["id"] not in (await asker.client.post("/api/search", json=only)).text
    for bad in (
        {},
        {"query": ""},
        {"query": "x", "k": 0},
        {"query": "x", "k": 51},
        {"query": "x" * 8001},
        {"query": " "},
    ):
        assert (await asker.client.post("/api/search", json=bad)).status_code in (400, 422), bad
    questions = (await asker.client.get("/api/suggestions")).json()["questions"]
    assert all("winch" in q or "bread" in q for q in questions)
    assert 1 <= len(questions) <= 3
