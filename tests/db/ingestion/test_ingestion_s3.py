"""The same store of files by S3 over real HTTP: uploads, reading, deletion, sweeping, and an outage (E5, E12, E26)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingestion import pipeline
from ingestion.blobs import Blobs
from ingestion.documents import delete_document
from ingestion.errors import BlobUnavailable
from ingestion.removal import sweep
from providers.scripted import running
from sql.db import Identity
from tests.db.ingestion.conftest import Desk
from tests.db.ingestion.s3_server import S3

TEXT = b"The zzyzx ferry leaves at noon."
LARGE = 12 * 1024 * 1024  # more than one part


@pytest.fixture
async def s3(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[S3]:
    """The variables are those that every S3 client knows."""
    made = S3()
    async with running(made.app()) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "zzyzx")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "zzyzx-secret")
        monkeypatch.setenv("AWS_REGION", "zz-north-1")
        yield made


@pytest.fixture
def remote(desk: Desk, s3: S3, tmp_path: Path) -> Desk:
    """A desk whose files lie in the bucket, below a prefix, as IBID_BLOBS=s3://zzyzx/ibid says."""
    blobs = Blobs.open("s3://zzyzx/ibid", spool=tmp_path / "spool-s3")
    return replace(desk, blobs=blobs)


async def test_a_document_by_s3_from_upload_to_deletion(
    remote: Desk, owner: Identity, s3: S3, shared: Path
) -> None:
    async with remote.worker():
        accepted = await remote.upload(owner, shared / "data/parse/fake-memo.pdf")
        [key] = s3.objects
        assert key.startswith(
            f"ibid/{owner.workspace_id}/{owner.user_id}/"
        )  # before the row says pending: E5
        document = await remote.wait(owner, accepted.id)
        assert (document["status"], document["pages"]) == ("completed", 1)
        again = await remote.upload(owner, shared / "data/parse/fake-memo.pdf")
        assert again.duplicate
    stored = key.removeprefix("ibid/")
    read = b"".join([piece async for piece in remote.blobs.read(stored)])
    assert read == (shared / "data/parse/fake-memo.pdf").read_bytes()
    assert not any((await remote.orphans()).values())
    receipt = await delete_document(remote.database, remote.blobs, owner, accepted.id)
    assert receipt["deleted"]["blobs"] == 1
    assert s3.objects == {}


async def test_large_files_go_in_parts(remote: Desk, owner: Identity, s3: S3) -> None:
    data = b"zzyzx ferry\n" * (LARGE // 12)
    await remote.upload(owner, data, "zzyzx.txt")
    assert list(s3.objects.values()) == [data]
    assert sum("partNumber" in request for request in s3.requests) >= 2


async def test_what_no_row_points_to_is_swept(remote: Desk, owner: Identity, s3: S3) -> None:  # E12
    kept = await remote.upload(owner, TEXT, "zzyzx.txt")
    [key] = s3.objects
    lost = f"ibid/{owner.workspace_id}/{owner.user_id}/{'0' * 64}"
    s3.objects[lost] = TEXT
    assert (await remote.orphans())["blobs"] == 1
    s3.objects["ibid/of-somebody-else.txt"] = TEXT  # not ours to remove
    await sweep(remote.database, remote.blobs)
    assert set(s3.objects) == {key, "ibid/of-somebody-else.txt"}
    assert kept.status == "pending"


async def test_a_store_that_does_not_answer_delays(
    remote: Desk, owner: Identity, s3: S3, monkeypatch: pytest.MonkeyPatch
) -> None:  # E26
    monkeypatch.setattr(pipeline, "DELAYS", (0.2,))
    accepted = await remote.upload(owner, TEXT, "zzyzx.txt")
    s3.broken = True
    with pytest.raises(BlobUnavailable):
        await remote.upload(owner, TEXT + TEXT, "zzyzx two.txt")
    async with remote.worker():
        waiting: dict[str, Any] = await remote.wait_for(owner, accepted.id, lambda found: found["error"])
        assert (waiting["status"], waiting["error"]["class"]) == ("pending", "storage_unavailable")
        s3.broken = False
        assert (await remote.wait(owner, accepted.id))["status"] == "completed"
    assert (await remote.counts())["documents"] == 1
