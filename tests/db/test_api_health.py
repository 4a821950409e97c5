"""A Postgres that hangs: the service says so at once, and goes on when it goes on."""

import asyncio
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest_asyncio

from providers.degrade import degraded, tally
from providers.local import LocalEmbedder
from sql.db import with_login
from sql.embedded import EmbeddedPostgres
from sql.migrate import migrate
from tests.db.conftest import LOGINS, Service, Urls, serving, settle


@contextmanager
def frozen(postmaster: int | None) -> Iterator[None]:
    """Every process of a Postgres stopped, as on a machine whose disk hangs."""
    assert postmaster
    parent = psutil.Process(postmaster)
    processes = [parent, *parent.children(recursive=True)]
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGCONT)


@pytest_asyncio.fixture
async def own(embedder: LocalEmbedder, tmp_path: Path) -> AsyncIterator[tuple[Service, EmbeddedPostgres]]:
    """A service over a cluster of its own."""
    with tempfile.TemporaryDirectory(prefix="zzyzx-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        async with EmbeddedPostgres(Path(folder)) as postgres:
            await migrate(postgres.url, LOGINS)
            urls = Urls(
                owner=postgres.url,
                app=with_login(postgres.url, "ibid_app", LOGINS.app_password),
                reader=with_login(postgres.url, "ibid_reader", LOGINS.reader_password),
            )
            async with serving(urls, await settle(urls), embedder, tmp_path / "home") as service:
                yield service, postgres


async def test_health_answers_while_postgres_hangs(own: tuple[Service, EmbeddedPostgres]) -> None:  # H1
    service, postgres = own
    client = service.client()
    assert (await client.get("/health")).json()["database"] == "ok"
    with frozen(postgres.pid):
        for _ in range(3):
            began = time.monotonic()
            answer = await client.get("/health")
            assert time.monotonic() - began < 1
            assert (answer.status_code, answer.json()["database"]) == (200, "unreachable")
    async with asyncio.timeout(20):
        while (await client.get("/health")).json()["database"] != "ok":
            await asyncio.sleep(0.1)


async def test_what_was_done_without_is_counted_in_health(service: Service) -> None:  # J3
    degraded("zzyzx arm", "a test")
    try:
        assert (await service.client().get("/health")).json()["degraded"]["zzyzx arm"] == 1
    finally:
        del tally["zzyzx arm"]
