"""Uploads over HTTP: what is taken in, under which name and type, and where the limits are."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import pytest
import pytest_asyncio

from ingestion.parse.filetype import ACCEPTED, KINDS
from server.uploads import SKIP_BYTES
from sql.db import owner_transaction
from sql.queries import query
from tests.db.conftest import Service
from tests.db.conversation import Asker, error_of, listed

pytestmark = pytest.mark.asyncio(loop_scope="module")

MB = 1024 * 1024


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one_megabyte(house: Service) -> AsyncIterator[None]:
    """Uploads of at most 1 MB, so that limits are reached quickly."""
    for value in (1, None):
        saved = await house.admin.put("/api/settings", json={"values": {"uploads.max_megabytes": value}})
        assert saved.status_code == 200
        if value:
            yield


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
    assert await listed(asker) == ["qzv-tide.txt"]
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
    assert sorted(await listed(asker)) == ["one.txt", "three.md"]
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
    assert sorted(await listed(asker, folder_id=folder)) == ["before.txt", "behind.txt", "in.txt"]
    assert await listed(asker, folder_id="none") == ["none.txt"]
    bad = await asker.client.post("/api/documents", data={"folder_id": "x"}, files={"file": ("x.txt", b"x")})
    assert error_of(bad, 400)["code"] == "bad_request"


async def test_the_folder_is_decided_before_anything_is_stored(house: Service, asker: Asker) -> None:  # E18
    root = await asker.upload("notes.txt", b"The notes of the root.")
    folder = (await asker.client.post("/api/folders", json={"name": "shelf"})).json()["id"]
    behind = [("file", ("notes.txt", b"The notes of the shelf.")), ("folder_id", (None, folder.encode()))]
    [item] = (await asker.client.post("/api/documents", files=behind)).json()
    assert (item["id"] != root["id"], item["version"]) == (True, 1)
    assert (await asker.finished(item["id"]))["folder_id"] == folder
    still = (await asker.client.get(f"/api/documents/{root['id']}")).json()
    assert (still["version"], still["folder_id"], still["status"]) == (1, None, "completed")

    stranger = house.client(await house.newcomer())
    foreign = [("file", ("notes.txt", b"Not mine to put there.")), ("folder_id", (None, folder.encode()))]
    error_of(await stranger.post("/api/documents", files=foreign), 404)
    in_address = await stranger.post(
        "/api/documents", params={"folder_id": folder}, files={"file": ("notes.txt", b"Nor this.")}
    )
    error_of(in_address, 404)
    assert (await stranger.get("/api/documents")).json()["items"] == []
    home = house.runtime.config.home
    assert len([p for p in (home / "blobs").rglob("*") if p.is_file()]) == len(await all_blobs(house))
    assert not list((home / "spool").iterdir())


async def test_the_original_is_asked_for_again_by_its_hash(asker: Asker) -> None:  # E18
    first, second = b"The first version.", b"The second version."
    item = await asker.upload("notes.txt", first)
    url = f"/api/documents/{item['id']}/original"
    download = await asker.client.get(url)
    assert download.headers["etag"] == f'"{hashlib.sha256(first).hexdigest()}"'
    assert download.headers["cache-control"] == "private, no-cache"
    known = {"if-none-match": download.headers["etag"]}
    same = await asker.client.get(url, headers=known)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", known["if-none-match"])
    await asker.upload("notes.txt", second)
    changed = await asker.client.get(url, headers=known)
    assert (changed.status_code, changed.content) == (200, second)


async def all_blobs(house: Service) -> set[str]:
    """The keys that some document names."""
    async with owner_transaction(house.runtime.urls.owner) as connection:
        return {row["blob_key"] for row in await connection.fetch(query("all_blob_keys"))}


async def test_types_that_are_not_accepted_are_named(asker: Asker) -> None:  # E2
    answer = await asker.client.post("/api/documents", files={"file": ("a.xyz", b"plain text")})
    error = error_of(answer, 415)
    assert error["detail"]["accepted"] == list(ACCEPTED)
    assert KINDS in error["message"]
    assert await listed(asker) == []


async def test_the_type_is_that_of_the_content(asker: Asker, shared: Path) -> None:  # S-SI-03, X7, X8
    folder = shared / "cases/files/S-SI-03"

    async def send(name: str, content_type: str) -> httpx.Response:
        file = (name, (folder / name).read_bytes(), content_type)
        return await asker.client.post("/api/documents", files={"file": file})

    page = await send("qzv-page.txt", "application/pdf")
    assert page.status_code == 202
    for name, content_type in (("qzv-notpdf.pdf", "application/pdf"), ("qzv-exe.txt", "text/plain")):
        assert (await send(name, content_type)).status_code == 415
    download = await asker.client.get(f"/api/documents/{page.json()[0]['id']}/original")
    assert download.content == (folder / "qzv-page.txt").read_bytes()
    assert download.headers["x-content-type-options"] == "nosniff"
    assert download.headers["content-disposition"].startswith("attachment")
    assert download.headers["content-security-policy"].startswith("sandbox")
    assert download.headers["content-type"] == "application/octet-stream"
    assert await listed(asker) == ["qzv-page.txt"]
    picture = (await send("qzv-pic.pdf", "text/plain")).json()[0]
    stored = (await asker.client.get(f"/api/documents/{picture['id']}")).json()
    assert stored["media_type"] == "image/png"


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
    assert await listed(asker) == ["fits.txt"]
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
    assert await listed(asker) == []


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
    assert sent < SKIP_BYTES + 16 * MB


@pytest.mark.usefixtures("one_megabyte")
async def test_large_files_among_others_do_not_hide_what_was_taken_in(asker: Asker) -> None:  # E3
    large = b"x" * (SKIP_BYTES // 2)
    files = [("file", (name, large)) for name in ("one.txt", "two.txt", "three.txt")]
    answer = await asker.client.post("/api/documents", files=[("file", ("small.txt", b"small")), *files])
    assert answer.status_code == 202
    assert [(item["name"], item["status"]) for item in answer.json()] == [
        ("small.txt", "pending"), ("one.txt", "refused"), ("two.txt", "refused"), ("three.txt", "refused"),
    ]  # fmt: skip
    assert {item["error"]["code"] for item in answer.json()[1:]} == {"too_large"}
    assert await listed(asker) == ["small.txt"]


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
    assert await listed(asker) == []


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
    assert await listed(asker) == []
    assert not list((house.runtime.config.home / "spool").iterdir())
