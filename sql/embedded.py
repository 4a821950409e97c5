"""The embedded Postgres: a private cluster under the data folder, reached over a unix socket only.

Whoever uses it holds a lease, and the last one to let go shuts it down: commands that overlap share one
cluster and leave none behind. A lease is a file lock, so it ends with its process, however that ends.
"""

import asyncio
import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self
from urllib.parse import quote

from sql import binaries
from sql.cluster import DATABASE, Cluster
from sql.errors import EmbeddedPostgresError

PRIVATE_HOMES = Path("/var/lib/ibid-postgres")  # for root, when the data folder lies where only root may look


class EmbeddedPostgres:
    """The cluster of one data folder. Blocking; `async with` runs start and stop in a thread."""

    def __init__(self, home: Path) -> None:
        self.home = home.absolute()
        self._account = binaries.service_account()
        self._lease: IO[bytes] | None = None

    @property
    def folder(self) -> Path:
        """Everything of the cluster: data, socket, password, locks, log."""
        return (self.home / "postgres").resolve()

    @property
    def url(self) -> str:
        """DSN of the database `ibid` as the superuser `postgres`; there is one after the first start."""
        cluster = self._cluster()
        password = cluster.password.read_text().strip()
        return f"postgresql://postgres:{password}@/{DATABASE}?host={quote(str(cluster.socket_folder))}"

    @property
    def pid(self) -> int | None:
        """Process id of the live postmaster, whoever started it."""
        return self._cluster().pid

    def start(self) -> Self:
        """Initialise, launch or adopt the cluster; returns once it accepts connections. May be called again.

        Raises EmbeddedPostgresError with the way out in its message.
        """
        self._make_folders()
        with _locked(self.folder / "start.lock"):
            if self._lease is None:
                self._lease = (self.folder / "users.lock").open("ab")
                fcntl.flock(self._lease, fcntl.LOCK_SH)
            try:
                cluster = self._cluster(binaries.locate(self._account, self.folder))
                cluster.initialise()
                cluster.launch()
            except BaseException:
                self._let_go()
                raise
        return self

    def stop(self) -> bool:
        """Let go of the cluster. Returns whether that shut it down: not while anybody else uses it."""
        if self._lease is None:
            return False
        with _locked(self.folder / "start.lock"):
            return self._let_go()

    def remove(self) -> None:
        """Stop a throw-away cluster and delete its folder, unless somebody else uses it."""
        if self.stop():
            shutil.rmtree(self.folder)
            (self.home / "postgres").unlink(missing_ok=True)  # where it was a link to a reachable place

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.start)

    async def __aexit__(self, *exc_info: object) -> None:
        await asyncio.to_thread(self.stop)

    def _cluster(self, programs: Path = Path()) -> Cluster:
        return Cluster(folder=self.folder, programs=programs, account=self._account)

    def _make_folders(self) -> None:
        try:
            _make(self.home, mode=0o711)
            if not (self.home / "postgres").exists() and not self._account.reaches(self.home):
                _make(PRIVATE_HOMES, mode=0o711)
                (self.home / "postgres").symlink_to(PRIVATE_HOMES / secrets.token_hex(8))
            for folder in (self.folder, self._cluster().socket_folder):
                _make(folder, mode=0o700)
                self._account.own(folder)
                if folder.stat().st_uid != (self._account.uid or os.geteuid()):
                    raise PermissionError(errno.EPERM, f"{folder} belongs to somebody else")
        except OSError as error:
            raise EmbeddedPostgresError(
                f"The data folder {self.home} cannot be used ({error.strerror}). "
                "Set IBID_HOME to a folder of yours."
            ) from error

    def _let_go(self) -> bool:
        """Give the lease back, and shut down unless somebody else has one. Under the start lock."""
        if self._lease is not None:
            self._lease.close()
            self._lease = None
        with (self.folder / "users.lock").open("ab") as users:
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._cluster().shut_down()
        return True


def _make(folder: Path, *, mode: int) -> None:
    """Make a folder with this mode whatever the umask; one that exists keeps its own."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(mode)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
