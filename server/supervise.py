"""`ibid up`, which `make run` runs: Postgres, the server and the worker, started and stopped together.

What dies is started again, after 1 s, then 2, up to 30. Only a server that never came up ends it all.
"""

import errno
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from server.config import Config
from sql.embedded import EmbeddedPostgres
from sql.errors import EmbeddedPostgresError

TICK_SECONDS = 0.1
GRACE_SECONDS = 10  # for what is in hand; a job cut off after that is taken up at the next start
INSIST_SECONDS = 1  # a signal this long after the first means now; sooner it is make passing on the same one
LONGEST_PAUSE_SECONDS = 30
STEADY_SECONDS = 60  # after as long a life a failure counts as the first again
WATCH_SECONDS = 1


class CannotServe(Exception):
    """The address cannot be listened on; the message says why, and the way out."""


class Stop:
    """Whether somebody asked to stop, by SIGINT, SIGTERM or SIGHUP, and whether they insist."""

    def __init__(self) -> None:
        self.asked_at: float | None = None
        self.insisted = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask)

    def _ask(self, *_: object) -> None:
        now = time.monotonic()
        self.asked_at = self.asked_at or now
        self.insisted = now - self.asked_at > INSIST_SECONDS


@dataclass(slots=True)
class Child:
    """One `ibid` command that is kept running."""

    command: str
    environment: dict[str, str] = field(repr=False)
    process: subprocess.Popen[bytes] | None = None
    due: float = 0.0
    began: float = 0.0
    failures: int = 0

    @property
    def exit_code(self) -> int | None:
        return self.process.poll() if self.process else None

    @property
    def running(self) -> bool:
        return self.process is not None and self.exit_code is None

    def keep(self) -> None:
        """Start it: the first time, and again when it ended and its pause is over."""
        now = time.monotonic()
        if self.exit_code is not None:
            self.failures = 1 if now - self.began > STEADY_SECONDS else self.failures + 1
            pause = min(2 ** (self.failures - 1), LONGEST_PAUSE_SECONDS)
            _say(f"`ibid {self.command}` ended with {self.exit_code}; starting it again in {pause} s.")
            self.process, self.due = None, now + pause
        if self.process is None and now >= self.due:
            self.process = subprocess.Popen(self._words(), env=self.environment, preexec_fn=_deaf_to_ctrl_c)
            self.began = now

    def _words(self) -> list[str]:
        script = Path(sys.executable).with_name("ibid")
        program = [str(script)] if script.exists() else ["-m", "server"]
        return [sys.executable, *program, self.command, "--parent", str(os.getpid())]


def _deaf_to_ctrl_c() -> None:
    """Ctrl-C reaches the whole group; a child that is still importing would answer it with a traceback.

    It takes its own handlers once it runs, and this process ends it by SIGTERM.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def up(config: Config) -> int:
    """Run everything until asked to stop. Returns the exit code."""
    stop = Stop()
    try:
        config = replace(config, port=_free_port(config.host, config.port))
        with ExitStack() as stack:
            postgres = None
            if config.database_url is None:
                postgres = stack.enter_context(EmbeddedPostgres(config.home))
            environment = os.environ | {"PORT": str(config.port)}
            server, worker = Child("serve", environment), Child("worker", environment)
            stack.callback(_end, [server, worker], stop)
            if _comes_up(server, stop, config.address):
                _say(f"\nIbid runs at {config.base_url} (Ctrl-C stops it)\n")
                _watch([server, worker], stop, postgres)
            elif stop.asked_at is None:
                _say("The server did not start, for the reason above.")
                return 1
    except (CannotServe, EmbeddedPostgresError) as error:
        _say(str(error))
        return 1
    return 0


def follow(parent: int) -> None:
    """End this process, as by SIGTERM, when its parent dies without having said goodbye."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="follow", daemon=True).start()


def _comes_up(server: Child, stop: Stop, address: str) -> bool:
    server.keep()
    while server.running and stop.asked_at is None:
        if health(address) is not None:
            return True
        time.sleep(TICK_SECONDS)
    return False


def _watch(children: list[Child], stop: Stop, postgres: EmbeddedPostgres | None) -> None:
    looked = time.monotonic()
    while stop.asked_at is None:
        for child in children:
            child.keep()
        if postgres and time.monotonic() - looked > WATCH_SECONDS:
            looked = time.monotonic()
            if postgres.pid is None:
                _say("Postgres ended; starting it again.")
                postgres.start()
        time.sleep(TICK_SECONDS)


def _end(children: list[Child], stop: Stop) -> None:
    running = [child.process for child in children if child.process and child.running]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in running:
        while process.poll() is None:
            if stop.insisted or time.monotonic() > deadline:
                process.kill()
            time.sleep(TICK_SECONDS)


def _free_port(host: str, port: int) -> int:
    """The port, or for 0 one that is free now. Raises CannotServe."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            found: int = probe.getsockname()[1]
            return found
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"Port {port} is in use, perhaps by another Ibid. Stop that, or take another port: "
                f"PORT={port + 1 if port < 65535 else 8000} make run"
            ) from error
        raise CannotServe(
            f"Cannot listen on {host}, port {port}: {error.strerror}. Set HOST and PORT."
        ) from error


def health(address: str) -> dict[str, Any] | None:
    """What the server at this address says of itself; None when there is none."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=2)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        said = json.loads(answer.read()) if answer.status == http.client.OK else None
    except (OSError, ValueError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return said if isinstance(said, dict) else None


def _say(text: str) -> None:
    print(text, flush=True)
