"""The server and the worker as processes of their own: small, and never held up by what the other one reads."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest
import pytest_asyncio

from server.processes import WORKER_NICENESS
from tests.db.conftest import clone

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

CHECKOUT = Path(__file__).parents[2]
EMAIL, PASSWORD = "ada@zzyzx.example", "zzyzx correct horse"
MB = 1024 * 1024
# What only the child that parses may load: Docling brings Torch, pandas and SciPy.
HEAVY = {
    "docling",
    "docling_core",
    "docling_parse",
    "torch",
    "torchvision",
    "pandas",
    "scipy",
    "pypdfium2_raw",
}


@dataclass(frozen=True, slots=True)
class Installed:
    """A running `ibid serve`, its owner's client, and how another command of the installation is started."""

    server: subprocess.Popen[bytes]
    client: httpx.AsyncClient
    environment: dict[str, str]

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        process = start("worker", self.environment)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)

    async def stage(self, document_id: str) -> str:
        return str((await self.client.get(f"/api/documents/{document_id}")).json()["stage"])


def start(command: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "server", command], cwd=CHECKOUT, env=environment)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def installed(
    cluster: str, template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Installed]:
    home = tmp_path_factory.mktemp("installed")
    (home / "models").symlink_to("/var/tmp/ibid-test-models", target_is_directory=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    async with clone(cluster, template) as urls:
        environment = os.environ | {
            "IBID_HOME": str(home),
            "PORT": str(port),
            "DATABASE_URL": urls.owner,
            "DATABASE_APP_URL": urls.app,
            "DATABASE_READER_URL": urls.reader,
            "IBID_OWNER_EMAIL": EMAIL,
            "IBID_OWNER_PASSWORD": PASSWORD,
        }
        server = start("serve", environment)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            try:
                await healthy(client)
                session = await client.post("/api/session", json={"email": EMAIL, "password": PASSWORD})
                client.headers["authorization"] = f"Bearer {session.json()['access_token']}"
                yield Installed(server, client, environment)
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(20)


async def healthy(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                if (await client.get("/health")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)


def loaded(pid: int) -> set[str]:
    """The packages of site-packages whose compiled parts a process has mapped."""
    try:
        maps = Path(f"/proc/{pid}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):  # a child that has just ended
        return set()
    return {
        line.rpartition("/site-packages/")[2].split("/")[0]
        for line in maps.splitlines()
        if "/site-packages/" in line
    }


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


async def upload(installed: Installed, path: Path) -> str:
    answer = await installed.client.post(
        "/api/documents", files={"file": (path.name, await asyncio.to_thread(path.read_bytes))}
    )
    assert answer.status_code == 202, answer.text
    return str(answer.json()[0]["id"])


async def test_a_25_mb_upload_is_answered_within_a_second_of_its_last_byte(
    installed: Installed,
) -> None:  # E1
    head = b'--zz\r\ncontent-disposition: form-data; name="file"; filename="zzyzx.pdf"\r\n\r\n%PDF-1.7\n'
    ended = 0.0

    async def form() -> AsyncIterator[bytes]:
        nonlocal ended
        yield head
        piece = os.urandom(64 * 1024)
        for _ in range(25 * 16 - 1):
            yield piece
        yield b"\r\n--zz--\r\n"
        ended = time.monotonic()

    answer = await installed.client.post(
        "/api/documents", content=form(), headers={"content-type": "multipart/form-data; boundary=zz"}
    )
    assert time.monotonic() - ended < 1.0
    [item] = answer.json()
    assert (answer.status_code, item["status"]) == (202, "pending")
    assert (await installed.client.get(f"/api/documents/{item['id']}")).json()["size_bytes"] > 24.9 * MB
    await installed.client.delete(f"/api/documents/{item['id']}")


async def test_the_server_loads_no_parser_and_stays_small(installed: Installed, shared: Path) -> None:  # H1
    async with asyncio.timeout(30):
        while "onnxruntime" not in loaded(installed.server.pid):  # the warm-up
            await asyncio.sleep(0.1)
    found = await installed.client.post("/api/search", json={"query": "When does the ferry leave?"})
    assert found.status_code == 200, found.text
    for name in ("unit_test_headers.docx", "multi_page.pdf", "powerpoint_sample.pptx"):
        document_id = await upload(installed, shared / "data/parse" / name)
        await installed.client.delete(f"/api/documents/{document_id}")
    assert not loaded(installed.server.pid) & HEAVY
    assert not descendants(installed.server.pid)
    assert resident_mb(installed.server.pid) < 250


async def test_health_answers_while_a_worker_parses(installed: Installed, shared: Path) -> None:  # H1
    document_id = await upload(installed, shared / "data/pages/pdfs/NETFLIX_2017_10K.pdf")
    waits: list[float] = []
    children: set[str] = set()
    with installed.worker() as worker:
        async with asyncio.timeout(60):
            while await installed.stage(document_id) == "queued":
                await asyncio.sleep(0.05)
            while await installed.stage(document_id) == "parsing":
                for _ in range(10):
                    began = time.monotonic()
                    assert (await installed.client.get("/health")).status_code == 200
                    waits.append(time.monotonic() - began)
                    await asyncio.sleep(0.01)
                children |= {name for pid in descendants(worker.pid) for name in loaded(pid)}
        await installed.client.delete(f"/api/documents/{document_id}")
        assert not loaded(worker.pid) & HEAVY
    assert len(waits) >= 50
    assert sorted(waits)[int(0.95 * len(waits))] < 0.1
    assert children & HEAVY  # what the server is spared was indeed at work


async def test_whoever_waits_for_an_answer_comes_before_files(installed: Installed) -> None:  # H1
    with installed.worker() as worker:
        async with asyncio.timeout(30):
            while psutil.Process(worker.pid).nice() == os.nice(0):
                await asyncio.sleep(0.05)
        assert psutil.Process(worker.pid).nice() == min(os.nice(0) + WORKER_NICENESS, 19)
    assert psutil.Process(installed.server.pid).nice() == os.nice(0)
