"""Documents over HTTP: what is taken in and what is not, lists, folders, downloads, notices, deletion."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import pytest
import pytest_asyncio

from ingestion.parse.filetype import ACCEPTED
from server.uploads import DRAIN_BYTES
from tests.db.conftest import Service
from tests.db.conversation import Asker

pytestmark = pytest.mark.asyncio(loop_scope="module")

MB = 1024 * 1024


@pytest_asyncio.fixture(loop_scope="module")
async def asker(house: Service) -> Asker:
    identity = await house.newcomer()
    return Asker(identity, house.client(identity))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one_megabyte(house: Service) -> AsyncIterator[None]:
    """Uploads of at most 1 MB, so that limits are reached quickly."""
    for value in (1, None):
        saved = await house.admin.put("/api/settings", json={"values": {"uploads.max_megabytes": value}})
        assert saved.status_code == 200
        if value:
            yield


def error_of(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error["message"].endswith((".", "?"))
    return error


async def documents(asker: Asker, **params: Any) -> dict[str, Any]:
    answer = await asker.client.get("/api/documents", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def names(asker: Asker, **params: Any) -> list[str]:
    return [item["name"] for item in (await documents(asker, **params))["items"]]


async def raw_post(house: Service, asker: Asker, head: list[str], pieces: AsyncIterator[bytes]) -> bytes:
    """A POST as no client library would send it; the answer, or as much of it as came."""
    host, port = urlsplit(house.base_url).netloc.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    token = asker.client.headers["authorization"]
    lines = ["POST /api/documents HTTP/1.1", f"host: {host}", f"authorization: {token}", *head, "", ""]
    writer.write("\r\n".join(lines).encode())

    async def send() -> None:
        try:
            async for piece in pieces:
                writer.write(piece)
                await writer.drain()
        except ConnectionError:
            pass

    sending = asyncio.create_task(send())
    try:
        async with asyncio.timeout(20):
            answer = await reader.readuntil(b"\r\n\r\n")
            if b"content-length: " in answer:
                answer += await reader.readexactly(
                    int(answer.split(b"content-length: ")[1].split(b"\r\n")[0])
                )
        return answer
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        writer.close()


FORM = "content-type: multipart/form-data; boundary=zz"
HEAD = b'--zz\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n'
TAIL = b"\r\n--zz--\r\n"


def chunked(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


# Taking in --------------------------------------------------------------------------------------


async def test_an_upload_is_answered_before_it_is_read(asker: Asker) -> None:  # E1, E6
    answer = await asker.client.post(
        "/api/documents", files={"file": ("berth.md", b"# Berth nine\n\n88 metres.")}
    )
    assert answer.status_code == 202
    [item] = answer.json()
    assert {k: item[k] for k in ("name", "status", "duplicate", "version")} == {
        "name": "berth.md", "status": "pending", "duplicate": False, "version": 1,
    }  # fmt: skip
    done = await asker.finished(item["id"])
    assert (done["status"], done["stage"], done["chunks"], done["searchable"]) == (
        "completed",
        "done",
        1,
        True,
    )
    assert (done["owner"]["id"], done["visibility"]) == (str(asker.identity.user_id), "private")
    [chunk] = (await asker.client.get(f"/api/documents/{item['id']}/chunks")).json()["items"]
    assert chunk["text"].endswith("88 metres.")
    assert chunk["heading_path"] == ["Berth nine"]
    page = (await asker.client.get(f"/api/documents/{item['id']}/pages/1")).json()
    assert [block["text"] for block in page["blocks"]] == ["Berth nine", "88 metres."]
    assert (await asker.client.get(f"/api/documents/{item['id']}/pages/2")).status_code == 404


async def test_ten_identical_uploads_at_once(asker: Asker, shared: Path) -> None:  # S-DV-01, E20, E4
    tide = (shared / "cases/files/S-DV-01/qzv-tide.txt").read_bytes()
    answers = await asyncio.gather(
        *(asker.client.post("/api/documents", files={"file": ("qzv-tide.txt", tide)}) for _ in range(10))
    )
    items = [answer.json()[0] for answer in answers]
    assert {answer.status_code for answer in answers} == {202}
    assert len({item["id"] for item in items}) == 1
    assert sorted(item["duplicate"] for item in items) == [False] + [True] * 9
    assert await names(asker) == ["qzv-tide.txt"]
    copy = await asker.client.post("/api/documents", files={"file": ("another-name.txt", tide)})  # S-DV-03
    assert copy.json()[0]["duplicate_of"] == {"id": items[0]["id"], "name": "qzv-tide.txt", "folder_id": None}


async def test_several_files_of_which_one_is_bad(asker: Asker) -> None:
    files = [
        ("file", ("one.txt", b"The first file.")),
        ("file", ("two.exe", b"MZ\x90\x00\x03\x00\x00\x00program")),
        ("file", ("three.md", b"# The third\n\nfile")),
        ("file", ("four.txt", b"")),
    ]
    answer = await asker.client.post("/api/documents", files=files)
    assert answer.status_code == 202
    items = answer.json()
    assert [(item["name"], item["status"]) for item in items] == [
        ("one.txt", "pending"), ("two.exe", "refused"), ("three.md", "pending"), ("four.txt", "refused"),
    ]  # fmt: skip
    assert items[1]["error"]["code"] == "unsupported_type"
    assert items[3]["error"]["code"] == "empty"
    assert sorted(await names(asker)) == ["one.txt", "three.md"]
    for item, text in ((items[0], b"The first file."), (items[2], b"# The third\n\nfile")):
        assert (await asker.client.get(f"/api/documents/{item['id']}/original")).content == text


@pytest.mark.parametrize("size", [1, 7, 61, 4096])
async def test_a_form_may_come_in_any_pieces(asker: Asker, size: int) -> None:
    folder = (await asker.client.post("/api/folders", json={"name": "shelf"})).json()["id"]
    text = f"In pieces of {size}.\r\n--z not the boundary --zz\r\n-"
    body = (
        f'--zz\r\nContent-Disposition: form-data; name="folder_id"\r\n\r\n{folder}\r\n'
        f'--zz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n{text}\r\n'
        f'--zz\r\nContent-Disposition: form-data; name="file"; filename="b.txt"\r\n\r\nB {text}\r\n--zz--\r\n'
    ).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    answer = await asker.client.post(
        "/api/documents", content=pieces(), headers={"content-type": "multipart/form-data; boundary=zz"}
    )
    assert [item["name"] for item in answer.json()] == ["a.txt", "b.txt"]
    for item, expected in zip(answer.json(), (text, f"B {text}"), strict=True):
        assert (await asker.client.get(f"/api/documents/{item['id']}/original")).text == expected
        assert (await asker.client.get(f"/api/documents/{item['id']}")).json()["folder_id"] == folder


async def test_a_folder_may_stand_before_or_behind_the_files_or_in_the_address(asker: Asker) -> None:  # E14
    folder = (await asker.client.post("/api/folders", json={"name": "shelf"})).json()["id"]
    await asker.client.post(
        "/api/documents", data={"folder_id": folder}, files={"file": ("before.txt", b"before")}
    )
    behind = [("file", ("behind.txt", b"behind")), ("folder_id", (None, folder.encode()))]
    assert (await asker.client.post("/api/documents", files=behind)).status_code == 202
    await asker.client.post(
        "/api/documents", params={"folder_id": folder}, files={"file": ("in.txt", b"address")}
    )
    await asker.client.post("/api/documents", files={"file": ("none.txt", b"none")})
    assert sorted(await names(asker, folder_id=folder)) == ["before.txt", "behind.txt", "in.txt"]
    assert await names(asker, folder_id="none") == ["none.txt"]
    bad = await asker.client.post("/api/documents", data={"folder_id": "x"}, files={"file": ("x.txt", b"x")})
    assert error_of(bad, 400)["code"] == "bad_request"


async def test_types_that_are_not_accepted_are_named(asker: Asker) -> None:  # E2
    answer = await asker.client.post("/api/documents", files={"file": ("a.xyz", b"plain text")})
    error = error_of(answer, 415)
    assert error["detail"]["accepted"] == list(ACCEPTED)
    assert ".pdf" in error["message"]
    assert await names(asker) == []


async def test_the_type_is_that_of_the_content(asker: Asker, shared: Path) -> None:  # S-SI-03, X7, X8
    folder = shared / "cases/files/S-SI-03"

    async def send(name: str, content_type: str) -> httpx.Response:
        file = (name, (folder / name).read_bytes(), content_type)
        return await asker.client.post("/api/documents", files={"file": file})

    page = await send("qzv-page.txt", "application/pdf")
    assert page.status_code == 202
    for name, content_type in (
        ("qzv-notpdf.pdf", "application/pdf"), ("qzv-pic.pdf", "text/plain"), ("qzv-exe.txt", "text/plain"),
    ):  # fmt: skip
        assert (await send(name, content_type)).status_code == 415
    download = await asker.client.get(f"/api/documents/{page.json()[0]['id']}/original")
    assert download.content == (folder / "qzv-page.txt").read_bytes()
    assert download.headers["x-content-type-options"] == "nosniff"
    assert download.headers["content-disposition"].startswith("attachment")
    assert download.headers["content-security-policy"].startswith("sandbox")
    assert download.headers["content-type"] == "application/octet-stream"
    assert await names(asker) == ["qzv-page.txt"]


async def test_any_name_is_only_text(asker: Asker, house: Service, shared: Path) -> None:  # S-SI-02, X6
    folder = shared / "cases/files/S-SI-02"
    body = (folder / "qzv-body.txt").read_bytes()
    sent = [*json.loads((folder / "names.json").read_text()), 'q"uo;te.txt', "zzyzx 🗂️.txt"]
    taken = 0
    for number, name in enumerate(sent):
        file = (name, body + str(number).encode())
        answer = await asker.client.post("/api/documents", files=[("file", file)])
        assert answer.status_code in (202, 400, 415, 422), (name, answer.text)
        if answer.status_code != 202:
            continue
        taken += 1
        [item] = answer.json()
        shown = (await asker.client.get(f"/api/documents/{item['id']}")).json()["name"]
        download = await asker.client.get(f"/api/documents/{item['id']}/original")
        assert download.content == file[1]
        disposition = download.headers["content-disposition"]
        assert not set(disposition) & set("\r\n")
        assert "x-evil" not in download.headers
        assert unquote(disposition.partition("filename*=UTF-8''")[2]) == shown
    assert taken >= 9
    stored = [p for p in (house.runtime.config.home / "blobs").rglob("*") if p.is_file()]
    assert all(len(p.name) == 64 and p.name.isalnum() for p in stored)
    assert not list(house.runtime.config.home.rglob("*qzv*"))


# Limits -----------------------------------------------------------------------------------------


async def test_no_bytes_and_no_file(asker: Asker) -> None:  # E3
    empty = await asker.client.post("/api/documents", files={"file": ("a.txt", b"")})
    assert error_of(empty, 400)["code"] == "empty"
    nothing = await asker.client.post("/api/documents", files={"other": (None, b"x")})
    assert error_of(nothing, 400)["code"] == "no_file"
    for kind in ("application/json", "multipart/form-data", "text/plain"):
        plain = await asker.client.post("/api/documents", content=b"{}", headers={"content-type": kind})
        assert error_of(plain, 400)["code"] == "bad_request"


@pytest.mark.usefixtures("one_megabyte")
async def test_the_limit_is_a_byte_exact_one(asker: Asker) -> None:  # E3
    fits = await asker.client.post("/api/documents", files={"file": ("fits.txt", b"a" * MB)})
    assert fits.status_code == 202
    over = await asker.client.post("/api/documents", files={"file": ("over.txt", b"a" * (MB + 1))})
    assert error_of(over, 413)["code"] == "too_large"
    assert "1 MB" in over.json()["error"]["message"]
    assert await names(asker) == ["fits.txt"]
    await asker.client.delete(f"/api/documents/{fits.json()[0]['id']}")


@pytest.mark.usefixtures("one_megabyte")
async def test_chunked_bytes_are_counted_as_they_come(house: Service, asker: Asker) -> None:  # E3
    async def pieces() -> AsyncIterator[bytes]:
        yield chunked(HEAD)
        for _ in range(24):
            yield chunked(b"x" * 65536)
        yield chunked(TAIL) + b"0\r\n\r\n"

    answer = await raw_post(house, asker, [FORM, "transfer-encoding: chunked"], pieces())
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert await names(asker) == []


@pytest.mark.usefixtures("one_megabyte")
async def test_a_body_that_never_ends_is_answered_all_the_same(house: Service, asker: Asker) -> None:  # E3
    sent = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal sent
        yield chunked(HEAD)
        piece = chunked(b"x" * 262_144)
        while True:
            yield piece
            sent += 262_144

    answer = await raw_post(house, asker, [FORM, "transfer-encoding: chunked"], pieces())
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert sent < DRAIN_BYTES + 16 * MB


@pytest.mark.usefixtures("one_megabyte")
async def test_a_length_that_lies_is_not_believed(house: Service, asker: Asker) -> None:  # E3
    async def small() -> AsyncIterator[bytes]:
        yield HEAD + b"x" * 1000 + TAIL

    too_short = len(HEAD) + 500  # what is read is no complete file
    answer = await raw_post(
        house, asker, [FORM, f"content-length: {too_short}", "connection: close"], small()
    )
    assert answer.startswith(b"HTTP/1.1 400 ")

    async def large() -> AsyncIterator[bytes]:
        yield HEAD
        for _ in range(24):
            yield b"x" * 65536

    answer = await raw_post(house, asker, [FORM, f"content-length: {len(HEAD) + 24 * 65536}"], large())
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert await names(asker) == []


async def test_an_upload_broken_off_leaves_nothing(house: Service, asker: Asker) -> None:  # E5
    host, port = urlsplit(house.base_url).netloc.split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    token = asker.client.headers["authorization"]
    lines = [
        "POST /api/documents HTTP/1.1",
        f"host: {host}",
        f"authorization: {token}",
        FORM,
        "content-length: 99999",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode() + HEAD + b"half a file")
    await writer.drain()
    writer.close()
    await asyncio.sleep(0.3)
    assert await names(asker) == []
    assert not list((house.runtime.config.home / "spool").iterdir())


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
    assert await names(asker, sort="name") == everything
    assert await names(asker, sort="-name") == everything[::-1]
    assert await names(asker) == await names(asker, sort="nonsense") == everything[::-1]  # newest first
    assert await names(asker, sort="size_bytes") != await names(asker, sort="-size_bytes")
    assert await names(asker, q="dock_", sort="name") == ["dock_1.txt"]
    assert await names(asker, q="100%") == ["Café 100%.txt"]
    assert await names(asker, q="eclair") == ["Éclair.txt"]  # accents fold
    assert await names(asker, q="\\") == []
    assert await names(asker, folder_id=folder, sort="name") == everything[:2]
    assert await names(asker, status="failed") == []
    assert await names(asker, status="completed,failed", sort="name") == everything
    assert (await documents(asker, status="failed"))["counts"] == {"completed": 6}
    for sort in ("name", "-name", "created_at", "-status", "chunks"):
        found: list[str] = []
        cursor = None
        for _ in range(3):
            page = await documents(asker, sort=sort, limit=2, **({"cursor": cursor} if cursor else {}))
            assert len(page["items"]) == 2
            found += [item["name"] for item in page["items"]]
            cursor = page["next_cursor"]
        assert cursor is None
        assert found == await names(asker, sort=sort)


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
    for body in (
        {"visibility": "shared"},
        {"name": ""},
        {"name": None, "owner_id": str(identity.user_id)},
        [],
    ):
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
        "deleted": {"chunks": 1, "vectors": 1, "blocks": 2, "blobs": 1, "jobs": 0},
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
    assert error_of(circle, 400)["code"] == "folder_inside_itself"
    renamed = await client.patch(f"/api/folders/{inner['id']}", json={"name": "renamed", "parent_id": None})
    assert (renamed.json()["name"], renamed.json()["parent_id"]) == ("renamed", None)
    await client.post("/api/documents", data={"folder_id": inner["id"]}, files={"file": ("a.txt", b"in it")})
    listed = (await client.get("/api/folders")).json()["items"]
    assert [(f["name"], f["documents"]) for f in listed] == [("outer", 0), ("renamed", 1)]
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
    assert set(first["ranks"]) == {"dense", "keyword", "graph"}
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
