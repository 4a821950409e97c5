"""The embedded Postgres through its bad days: killed, half made, started twice, left behind, badly placed."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import psutil
import pytest

from sql.cluster import Cluster
from sql.embedded import EmbeddedPostgres
from sql.errors import EmbeddedPostgresError

CHECKOUT = Path(__file__).parents[2]
HOLDER = """
import sys, time
from pathlib import Path
from sql.embedded import EmbeddedPostgres
postgres = EmbeddedPostgres(Path(sys.argv[1])).start()
print("started", flush=True)
time.sleep(60)
"""


def _home() -> Iterator[Path]:
    """A data folder that the account of the embedded Postgres can reach."""
    with tempfile.TemporaryDirectory(prefix="zzyzx-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)
        if pid := EmbeddedPostgres(Path(folder)).pid:
            os.kill(pid, signal.SIGKILL)


fresh = pytest.fixture(_home, name="fresh")
home = pytest.fixture(_home, name="home", scope="module")  # a first start each would double the time


@contextmanager
def holder(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has started the cluster and holds on to it."""
    command = [sys.executable, "-c", HOLDER, str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "started\n"
            yield process
        finally:
            process.kill()


async def value(postgres: EmbeddedPostgres, statement: str) -> object:
    connection = await asyncpg.connect(postgres.url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def kill(pid: int | None) -> None:
    assert pid
    os.kill(pid, signal.SIGKILL)


async def test_it_starts_cold_and_warm_and_keeps_what_was_written(fresh: Path) -> None:
    began = time.monotonic()
    async with EmbeddedPostgres(fresh) as postgres:
        cold = time.monotonic() - began
        await value(postgres, "CREATE EXTENSION vector")
        await value(postgres, "CREATE TABLE zzyzx AS SELECT 42 AS n")
        assert await value(postgres, "SHOW fsync") == "on"
        assert await value(postgres, "SHOW listen_addresses") == ""  # reachable over its socket alone
        assert await value(postgres, "SELECT datlocprovider FROM pg_database WHERE datname = 'ibid'") == b"b"
    assert postgres.pid is None
    began = time.monotonic()
    async with EmbeddedPostgres(fresh) as postgres:
        warm = time.monotonic() - began
        assert await value(postgres, "SELECT n FROM zzyzx") == 42
    print(f"cold {cold:.2f} s, warm {warm:.2f} s")
    assert cold < 60
    assert warm < 20


async def test_its_password_is_asked_for(home: Path) -> None:
    with EmbeddedPostgres(home) as postgres:
        assert (postgres.folder / "password").stat().st_mode & 0o077 == 0
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(postgres.url, password="zzyzx")


async def test_a_killed_postmaster_is_replaced(home: Path) -> None:
    with EmbeddedPostgres(home) as postgres:
        await value(postgres, "CREATE TABLE killed_zzyzx AS SELECT 42 AS n")
        kill(postgres.pid)
        postgres.start()
        assert await value(postgres, "SELECT n FROM killed_zzyzx") == 42


def test_a_zombie_postmaster_is_not_taken_for_a_live_one(home: Path) -> None:
    with holder(home) as process:
        pid = EmbeddedPostgres(home).pid
        process.send_signal(signal.SIGSTOP)  # now nobody reaps its child
        while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:
            time.sleep(0.01)
        kill(pid)
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        with EmbeddedPostgres(home) as postgres:
            assert postgres.pid not in (pid, None)


def test_a_stale_pid_file_that_names_a_stranger_is_ignored(home: Path) -> None:
    with EmbeddedPostgres(home) as postgres:
        pid_file = postgres.folder / "data" / "postmaster.pid"
        text, account = pid_file.read_text(), pid_file.stat()
    # The stranger belongs to the same account: Postgres itself would take it for its postmaster.
    with subprocess.Popen(["sleep", "60"], user=account.st_uid, cwd="/") as stranger:
        pid_file.write_text(text.replace(text.splitlines()[0], str(stranger.pid), 1))
        try:
            assert postgres.pid is None
            with postgres:
                assert postgres.pid not in (stranger.pid, None)
            assert stranger.poll() is None
        finally:
            stranger.kill()


async def test_two_first_starts_at_once_share_one_cluster_until_the_last_lets_go(fresh: Path) -> None:
    both = [EmbeddedPostgres(fresh), EmbeddedPostgres(fresh)]
    threads = [threading.Thread(target=postgres.start) for postgres in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert both[0].pid == both[1].pid is not None
    assert not both[0].stop()
    assert await value(both[1], "SELECT 1") == 1
    assert both[1].stop()
    assert both[1].pid is None


async def test_a_cluster_left_by_a_killed_process_is_adopted_and_stopped(home: Path) -> None:
    with holder(home) as process:
        pid = EmbeddedPostgres(home).pid
        process.kill()
        process.wait()
        postgres = EmbeddedPostgres(home).start()
        assert postgres.pid == pid
        assert await value(postgres, "SELECT 1") == 1
        assert postgres.stop()
        assert postgres.pid is None


def test_a_command_that_ends_leaves_the_cluster_to_the_one_that_runs(home: Path) -> None:
    with holder(home) as process:
        with EmbeddedPostgres(home) as postgres:
            pid = postgres.pid
        assert postgres.pid == pid
        process.kill()


async def test_a_first_start_that_was_cut_off_is_begun_anew(fresh: Path) -> None:
    unfinished = fresh / "postgres" / "data.new"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(fresh) as postgres:
        assert await value(postgres, "SELECT 1") == 1
    assert not unfinished.exists()


async def test_a_path_too_long_for_a_socket_works(fresh: Path) -> None:
    deep = fresh / ("zzyzx" * 20)
    postgres = EmbeddedPostgres(deep).start()
    assert await value(postgres, "SELECT 1") == 1
    postgres.remove()
    assert not (deep / "postgres").exists()


async def test_a_path_with_marks_of_an_address_works(fresh: Path) -> None:
    odd = fresh / "zzyzx + & % # ? é"
    with EmbeddedPostgres(odd) as postgres:
        assert await value(postgres, "SELECT 1") == 1


@pytest.mark.parametrize("age_seconds", [0, 0.002, 0.02, 0.2])
def test_a_start_that_is_broken_off_leaves_nothing_running(
    fresh: Path, monkeypatch: pytest.MonkeyPatch, age_seconds: float
) -> None:
    spawned: list[int] = []
    launch = Cluster._spawn

    def spawn(cluster: Cluster) -> subprocess.Popen[bytes]:
        process = launch(cluster)
        spawned.append(process.pid)
        time.sleep(age_seconds)
        signal.raise_signal(signal.SIGINT)
        return process

    monkeypatch.setattr(Cluster, "_spawn", spawn)
    postgres = EmbeddedPostgres(fresh)
    with pytest.raises(KeyboardInterrupt):
        postgres.start()
    deadline = time.monotonic() + 10
    while psutil.pid_exists(spawned[0]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert postgres.pid is None


def test_a_data_folder_that_only_root_can_reach_works(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    before = os.umask(0o077)
    try:
        postgres = EmbeddedPostgres(tmp_path / "zzyzx").start()
    finally:
        os.umask(before)
    folder = postgres.folder
    assert asyncio.run(value(postgres, "SELECT 1")) == 1
    assert tmp_path.stat().st_mode & 0o077 == 0  # and was not opened up for it
    postgres.remove()
    assert not folder.exists()
    assert not list((tmp_path / "zzyzx").iterdir())


def test_a_data_folder_that_cannot_be_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "zzyzx").write_text("a file")
    with pytest.raises(EmbeddedPostgresError, match="IBID_HOME"):
        EmbeddedPostgres(tmp_path / "zzyzx").start()


def test_data_of_another_postgres_is_left_alone(fresh: Path) -> None:
    data = fresh / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedPostgresError, match="made by Postgres 17"):
        EmbeddedPostgres(fresh).start()
    (data / "PG_VERSION").unlink()
    data.rmdir()
