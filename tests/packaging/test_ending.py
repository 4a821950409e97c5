"""Commands that a signal ends: whenever it comes, the embedded Postgres they started ends with them."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sql.embedded import EmbeddedPostgres

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A data folder that has been used before."""
    with tempfile.TemporaryDirectory(prefix="zzyzx-", dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        with EmbeddedPostgres(Path(folder)):
            pass
        yield Path(folder)
        EmbeddedPostgres(Path(folder)).start().remove()


@contextmanager
def ibid(home: Path, *words: str, port: int = 0) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "server", *words],
        cwd=CHECKOUT,
        env=os.environ | {"IBID_HOME": str(home), "PORT": str(port), "HOST": "127.0.0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(port: int) -> bool:
    with (
        suppress(OSError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer,
    ):
        return bool(answer.status == 200)
    return False


def ended(process: subprocess.Popen[str], home: Path) -> tuple[int, str]:
    output, _ = process.communicate(timeout=30)
    assert "Traceback" not in output, output
    assert EmbeddedPostgres(home).pid is None
    return process.returncode, output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_serves(home: Path, number: signal.Signals) -> None:
    port = free_port()
    with ibid(home, "serve", port=port) as process:
        until(lambda: healthy(port))
        process.send_signal(number)
        assert ended(process, home)[0] == 0


@pytest.mark.parametrize("command", ["serve", "worker"])
@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.5, 2.0])
def test_a_process_that_starts(home: Path, command: str, seconds: float) -> None:
    with ibid(home, command) as process:
        until(lambda: EmbeddedPostgres(home).pid)
        time.sleep(seconds)
        process.send_signal(signal.SIGTERM)
        assert ended(process, home)[0] == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_command_in_the_middle(home: Path, number: signal.Signals, code: int) -> None:
    with ibid(home, "doctor") as process:
        until(lambda: EmbeddedPostgres(home).pid)
        time.sleep(0.1)
        process.send_signal(number)
        assert ended(process, home)[0] == code


def test_a_process_whose_supervisor_is_gone(home: Path) -> None:
    with ibid(home, "worker", "--parent", "1") as process:  # not its parent, from the beginning
        assert ended(process, home)[0] in (0, -signal.SIGTERM)
