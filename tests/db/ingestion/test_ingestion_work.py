"""Work that is deleted, cancelled, killed, delayed or crowded ends well, and nothing is left of what is gone."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from ingestion.blobs import Blobs
from ingestion.documents import cancel_document, delete_document, get_document, retry_document
from ingestion.errors import NotFound
from ingestion.queue import claim, give_back
from ingestion.worker import Worker
from providers.errors import Unreachable
from sql.db import CONNECTION_LOST, Identity, service
from sql.queries import query

SCRIPT = Path(__file__).parent / "worker_process.py"
ROOT = Path(__file__).parents[3]


async def wait_for_stage(desk: Any, identity: Identity, document_id: UUID, stage: str) -> None:
    await desk.wait_for(
        identity, document_id, lambda found: (found["stage"], found["status"]) == (stage, "processing")
    )


async def test_delete_while_indexing_leaves_nothing(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:  # S-DV-05 E24 E12
    counting.delay = 0.2
    async with desk.worker():
        accepted = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
        await wait_for_stage(desk, owner, accepted.id, "embedding")
        receipt = await delete_document(desk.database, desk.blobs, owner, accepted.id)
        calls = counting.calls
        await asyncio.sleep(1.0)
        assert counting.calls <= calls + 1
    assert receipt["name"] == "qzv-long.txt"
    assert receipt["deleted"]["chunks"] > 0
    assert (receipt["deleted"]["blobs"], receipt["deleted"]["jobs"]) == (1, 1)
    assert set((await desk.counts()).values()) == {0}
    assert desk.stored() == []
    assert not any((await desk.orphans()).values())


async def test_delete_while_parsing_kills_the_child(desk: Any, owner: Identity, shared: Path) -> None:  # E24
    async with desk.worker():
        accepted = await desk.upload(owner, shared / "data/parse/handbook-872p.docx")
        await wait_for_stage(desk, owner, accepted.id, "parsing")
        await asyncio.sleep(0.3)
        await delete_document(desk.database, desk.blobs, owner, accepted.id)
        small = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
        assert (await desk.wait(owner, small.id, seconds=20))["status"] == "completed"
    assert (await desk.counts())["documents"] == 1
    assert not any((await desk.orphans()).values())


async def test_cancel_and_go_on_later(desk: Any, owner: Identity, cases: Path, counting: Any) -> None:  # E19
    counting.delay = 0.1
    async with desk.worker():
        accepted = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
        await wait_for_stage(desk, owner, accepted.id, "embedding")
        assert (await cancel_document(desk.database, owner, accepted.id))["status"] == "cancelled"
        assert (await desk.counts())["jobs"] == 0
        await asyncio.sleep(0.5)
        assert (await get_document(desk.database, owner, accepted.id))["status"] == "cancelled"
        vectors = (await desk.counts())["vectors"]
        embedded = counting.texts
        await retry_document(desk.database, owner, accepted.id)
        document = await desk.wait(owner, accepted.id, ["completed"])
    assert counting.texts - embedded == (await desk.counts())["vectors"] - vectors  # nothing made twice
    assert document["chunks"] == (await desk.counts())["chunks"]
    assert not any((await desk.orphans()).values())


async def test_an_outage_delays_and_never_poisons(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:  # E26
    counting.error = Unreachable()
    async with desk.worker():
        accepted = await desk.upload(owner, cases / "S-DV-02/qzv-retry.txt")
        document = await desk.wait_for(owner, accepted.id, lambda found: found["error"])
        assert (document["status"], document["error"]["class"]) == ("pending", "model_unreachable")
        counting.error = None
        document = await desk.wait(owner, accepted.id, seconds=20)
    assert (document["status"], document["error"], document["warnings"]) == ("completed", None, [])


async def test_what_nobody_foresaw_fails_alone(desk: Any, owner: Identity, counting: Any) -> None:  # E22
    counting.error = ZeroDivisionError("zzyzx")
    async with desk.worker():
        accepted = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
        document = await desk.wait(owner, accepted.id)
        assert (document["status"], document["error"]["class"]) == ("failed", "unreadable")
        assert "zzyzx" not in document["error"]["message"]
        counting.error = None
        await retry_document(desk.database, owner, accepted.id)
        assert (await desk.wait(owner, accepted.id, ["completed"]))["error"] is None


async def test_retry_of_a_searchable_document_answers_meanwhile(
    desk: Any, owner: Identity, counting: Any
) -> None:  # E18 E19
    async with desk.worker():
        accepted = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
        await desk.wait(owner, accepted.id)
        again = await retry_document(desk.database, owner, accepted.id)
        assert (again["status"], again["version"], again["searchable"]) == ("pending", 2, True)
        await desk.wait(owner, accepted.id)
    assert counting.texts == 1
    assert not any((await desk.orphans()).values())


@pytest.fixture
def start_worker(desk: Any, tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts workers as processes; what is left of them is killed at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        arguments = [desk.app_url, str(desk.store), str(tmp_path / "spool"), "/var/tmp/ibid-test-models"]
        process = subprocess.Popen([sys.executable, str(SCRIPT), *arguments], cwd=ROOT)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


async def test_a_killed_worker_is_replaced_within_ten_seconds(
    desk: Any, owner: Identity, cases: Path, counting: Any, start_worker: Any
) -> None:  # E21
    accepted = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
    process = start_worker()
    await wait_for_stage(desk, owner, accepted.id, "embedding")

    async def some_vectors() -> int:
        return int((await desk.counts())["vectors"])

    await desk.until(some_vectors)
    process.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    process.wait()
    made = (await desk.counts())["vectors"]
    parsing = (await get_document(desk.database, owner, accepted.id))["seconds"]["parsing"]
    async with desk.worker():

        async def embedding() -> int:
            return int(counting.calls)

        await desk.until(embedding)
        assert time.monotonic() - killed < 10
        document = await desk.wait(owner, accepted.id)
    assert document["status"] == "completed"
    assert document["seconds"]["parsing"] == parsing  # stored blocks are not parsed again
    assert counting.texts == (await desk.counts())["vectors"] - made
    assert not any((await desk.orphans()).values())


async def test_a_stopped_worker_gives_its_work_back_at_once(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:
    counting.delay = 0.5
    accepted = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
    async with desk.worker():
        await wait_for_stage(desk, owner, accepted.id, "embedding")
    job = await claim(desk.database, "zzyzx", running=[], recent=[])
    assert job is not None
    assert (job.document_id, job.crashes) == (accepted.id, 0)


async def test_broken_connections_are_survived(
    desk: Any, owner: Identity, cases: Path, counting: Any
) -> None:  # E21
    counting.delay = 0.1
    accepted = await desk.upload(owner, cases / "S-DV-05/qzv-long.txt")
    async with desk.worker():
        await wait_for_stage(desk, owner, accepted.id, "embedding")
        connection = await asyncpg.connect(desk.owner_url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await connection.close()
        async with asyncio.timeout(30):
            while True:
                try:
                    document = await get_document(desk.database, owner, accepted.id)
                except CONNECTION_LOST:
                    continue
                if document["status"] == "completed":
                    break
                await asyncio.sleep(0.05)
    assert not any((await desk.orphans()).values())


async def test_a_broken_connection_is_no_crash_and_a_lost_worker_is(
    desk: Any, owner: Identity
) -> None:  # E26
    accepted = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
    for _ in range(6):  # its work broke off each time, it lives and takes it up again
        job = await claim(desk.database, "zzyzx-1", running=[], recent=[])
        assert (job.document_id, job.crashes) == (accepted.id, 0)
    connection = await asyncpg.connect(desk.owner_url)
    await connection.execute("UPDATE jobs SET heartbeat_at = now() - interval '1 minute'")
    await connection.close()
    assert (await claim(desk.database, "zzyzx-2", running=[], recent=[])).crashes == 1


class Broken(Blobs):
    """A store whose sweep fails as nobody foresaw."""

    async def sweep_spool(self) -> int:
        raise ZeroDivisionError("zzyzx")


async def test_a_duty_that_fails_ends_the_worker_and_gives_its_work_back(
    desk: Any, owner: Identity, tmp_path: Path
) -> None:  # E21
    accepted = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
    broken = Broken.open(desk.store.as_uri(), spool=tmp_path / "spool")
    with pytest.RaisesGroup(ZeroDivisionError):
        await Worker(replace(desk.tools(), blobs=broken), listen_url=desk.app_url).run()
    job = await claim(desk.database, "zzyzx", running=[], recent=[])
    assert (job.document_id, job.crashes) == (accepted.id, 0)


async def test_people_take_turns(desk: Any, owner: Identity, other: Identity) -> None:
    """Somebody with one document does not wait for somebody else's ten."""
    for number in range(10):
        await desk.upload(owner, f"zzyzx number {number}".encode(), f"zzyzx-{number}.txt")
    await desk.upload(other, b"zzyzx alone", "zzyzx.txt")
    served: list[UUID] = []
    first = await claim(desk.database, "zzyzx", running=[], recent=served)
    second = await claim(desk.database, "zzyzx", running=[first.id], recent=[first.owner_id])
    assert [first.owner_id, second.owner_id] == [owner.user_id, other.user_id]
    await give_back(desk.database, "zzyzx", [first.id, second.id])
    # One slot: nobody has anything running, and still the one who was served last waits.
    again = await claim(desk.database, "zzyzx", running=[], recent=[owner.user_id])
    assert again.owner_id == other.user_id


async def test_no_two_workers_hold_one_job(desk: Any, owner: Identity) -> None:
    for number in range(6):
        await desk.upload(owner, f"zzyzx number {number}".encode(), f"zzyzx-{number}.txt")
    claims = await asyncio.gather(
        *(claim(desk.database, f"zzyzx-{n}", running=[], recent=[]) for n in range(8))
    )
    ids = [job.id for job in claims if job]
    assert len(ids) == len(set(ids))


async def test_at_most_three_at_once(desk: Any, owner: Identity, counting: Any) -> None:  # H2 E23
    counting.delay = 0.05
    for number in range(10):
        await desk.upload(owner, f"The zzyzx number is {number}.".encode(), f"zzyzx-{number}.txt")
    most = 0
    async with desk.worker():
        async with asyncio.timeout(60):
            while True:
                async with desk.database.transaction(**service(None)) as connection:
                    left, held = await connection.fetchrow(
                        "SELECT count(*), count(*) FILTER (WHERE locked_by IS NOT NULL) FROM jobs"
                    )
                most = max(most, held)
                if not left:
                    break
                await asyncio.sleep(0.01)
    assert most == 3


async def test_another_person_sees_and_changes_nothing(
    desk: Any, owner: Identity, other: Identity, people: Any
) -> None:  # A6 X2
    accepted = await desk.upload(owner, b"The zzyzx ferry leaves at noon.", "zzyzx.txt")
    async with desk.worker():
        await desk.wait(owner, accepted.id)
    for person in (other, people.stranger):
        for attempt in (
            get_document(desk.database, person, accepted.id),
            retry_document(desk.database, person, accepted.id),
            cancel_document(desk.database, person, accepted.id),
            delete_document(desk.database, desk.blobs, person, accepted.id),
        ):
            with pytest.raises(NotFound):
                await attempt
        async with desk.database.as_user(person) as connection:
            for table in ("documents", "blocks", "chunks", "jobs"):
                assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0
    assert (await desk.counts())["documents"] == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("awaits_vectors", (uuid4(), 1)),
        ("list_chunks_to_embed", (uuid4(), 1, uuid4())),
        ("list_texts_without_vector", (uuid4(), 50)),
    ],
)
async def test_a_vector_is_looked_up_by_its_hash_before_any_statistics(
    desk: Any, owner: Identity, name: str, arguments: tuple[object, ...]
) -> None:  # G6: as a join this compared every passage with every vector
    async with desk.database.as_user(owner) as connection:
        plan = "\n".join(row[0] for row in await connection.fetch(f"EXPLAIN {query(name)}", *arguments))
    conditions = [line for line in plan.splitlines() if "Index Cond" in line]
    assert any("content_hash = c.content_hash" in line for line in conditions), plan
