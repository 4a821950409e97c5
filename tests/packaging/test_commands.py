"""`make` and `ibid up` as a person meets them: what is said when something is missing, and what Ctrl-C leaves."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from sql.embedded import EmbeddedPostgres

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="zzyzx-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)
        EmbeddedPostgres(Path(folder)).start().remove()


class Up:
    """`ibid up` in a process group of its own, on a free port."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server", "up"],
            cwd=CHECKOUT,
            env=os.environ | {"IBID_HOME": str(home), "PORT": str(self.port), "HOST": "127.0.0.1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def healthy(self) -> bool:
        assert self.process.poll() is None, self.output()
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2) as answer,
        ):
            return bool(answer.status == 200)
        return False

    def child(self, command: str) -> psutil.Process | None:
        for process in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if command in process.cmdline():
                    return process
        return None

    def output(self) -> str:
        assert self.process.stdout
        return self.process.stdout.read()

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def up(home: Path) -> Iterator[Up]:
    started = Up(home)
    yield started
    started.end()


def until(true: Callable[[], object], *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_ctrl_c_stops_everything_that_was_started(up: Up, home: Path) -> None:
    until(up.healthy)
    until(lambda: up.child("worker"))
    started = [
        up.process.pid,
        *(child.pid for child in psutil.Process(up.process.pid).children(recursive=True)),
    ]
    assert EmbeddedPostgres(home).pid in started
    os.killpg(up.process.pid, signal.SIGINT)
    text = up.output()
    assert up.process.wait(30) == 0
    assert f"http://127.0.0.1:{up.port}/welcome#token=" in text  # the first owner's link
    assert f"Ibid runs at http://127.0.0.1:{up.port}" in text
    assert "Traceback" not in text
    assert not [pid for pid in started if psutil.pid_exists(pid)]
    assert EmbeddedPostgres(home).pid is None


def test_what_dies_is_started_again(up: Up, home: Path) -> None:
    until(up.healthy)
    until(lambda: up.child("worker"))
    for command in ("worker", "serve"):
        killed = up.child(command)
        assert killed
        killed.kill()
        until(lambda command=command, killed=killed: up.child(command) not in (None, killed))  # type: ignore[misc]
    until(up.healthy)
    postmaster = EmbeddedPostgres(home).pid
    assert postmaster
    os.kill(postmaster, signal.SIGKILL)
    until(lambda: EmbeddedPostgres(home).pid not in (None, postmaster))
    up.process.terminate()
    assert up.process.wait(30) == 0
    assert EmbeddedPostgres(home).pid is None


def test_nothing_outlives_a_killed_supervisor_but_postgres_which_the_next_start_adopts(
    up: Up, home: Path
) -> None:
    until(up.healthy)
    until(lambda: up.child("worker"))
    children = [up.child("serve"), up.child("worker")]
    up.process.kill()
    until(lambda: not [child for child in children if child and child.is_running()])
    again = Up(home)
    try:
        until(again.healthy)
        again.process.terminate()
        assert again.process.wait(30) == 0
    finally:
        again.end()
    assert EmbeddedPostgres(home).pid is None


def test_a_busy_port_is_named_with_the_way_out(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = os.environ | {"IBID_HOME": str(home), "PORT": str(port)}
        done = subprocess.run(
            [sys.executable, "-m", "server", "up"],
            cwd=CHECKOUT,
            env=environment,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert f"Port {port} is in use" in done.stdout
    assert f"PORT={port + 1} make run" in done.stdout


@pytest.mark.parametrize("version", [None, "v18.20.8"])
def test_a_missing_or_old_node_is_named(version: str | None, tmp_path: Path) -> None:
    for name in ("node", "npm") if version else ():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, "scripts/setup.py", "modules"],
        cwd=CHECKOUT,
        env={"PATH": str(tmp_path)} if not version else {"PATH": f"{tmp_path}:{os.defpath}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "20.19" in done.stdout
    assert "Traceback" not in done.stderr


def test_make_help_lists_the_targets() -> None:
    done = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for target in ("run", "test", "check", "eval", "format", "schema", "lock"):
        assert f"make {target} " in done.stdout
