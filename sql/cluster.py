"""One Postgres cluster in one folder: made whole or not at all, launched, judged alive, shut down.

Nothing here is safe against a second caller: sql/embedded.py holds the lock around it.
"""

import hashlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from sql.binaries import Account, Word, version
from sql.errors import EmbeddedPostgresError

DATABASE = "ibid"
START_SECONDS = 120  # cold start 0.8 s, warm 0.05 s; the rest is for crash recovery on a slow disk
RELAUNCH_SECONDS = 15  # backends outlive a killed postmaster for a moment and keep its shared memory busy
STOP_SECONDS = 30  # a fast shutdown takes 0.1 s; after this it is stopped hard and recovers at its next start
POLL_SECONDS = 0.02
RETRY_SECONDS = 0.1
SOCKET = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 107  # sun_path holds 108 with its terminator
LOG_BYTES = 5_000_000  # a longer log is set aside at the next start

SETTINGS = {  # idle: 19 MB for all its processes together
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "cluster_name": "ibid",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "max_parallel_maintenance_workers": "0",  # a parallel HNSW build fills /dev/shm, 64 MB in a container
    "max_logical_replication_workers": "0",
    "autovacuum_max_workers": "2",
    "io_method": "sync",  # three idle processes fewer
    "jit": "off",
    "random_page_cost": "1.1",
    "wal_compression": "on",
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A data folder, the programs that serve it, and the account they run as."""

    folder: Path
    programs: Path
    account: Account

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "postgres.log"

    @property
    def password(self) -> Path:
        """The file with the superuser's random password."""
        return self.folder / "password"

    @property
    def socket_folder(self) -> Path:
        """Beside the data, or in a short place where that path is too long for a socket."""
        run = self.folder / "run"
        if len(os.fsencode(run / SOCKET)) <= SOCKET_PATH_BYTES:
            return run
        # Not /tmp for root: whoever guessed the name could lay a link there, and root would chown its target.
        short = Path("/run") if os.geteuid() == 0 else Path(tempfile.gettempdir())
        return short / f"ibid-{hashlib.sha256(os.fsencode(run)).hexdigest()[:16]}"

    @property
    def pid(self) -> int | None:
        """The live postmaster; None when there is none, a zombie, or a stranger that got its number."""
        with suppress(OSError, ValueError, IndexError, psutil.Error):
            pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
            process = psutil.Process(pid)
            if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()) == self.data:
                return pid
        return None

    def initialise(self) -> None:
        """Make the data folder if there is none: aside, and renamed when whole, so a kill leaves no half."""
        if (self.data / "PG_VERSION").exists():
            return self._check_version()
        unfinished = self.folder / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self.password.touch(mode=0o600)
        self.password.write_text(secrets.token_urlsafe(24) + "\n")
        self.account.own(self.password)
        self._run(
            *("initdb", "-D", unfinished, "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-instructions"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--auth=scram-sha-256", f"--pwfile={self.password}"),
        )
        self._run("postgres", "--single", "-D", unfinished, "postgres", text=f"CREATE DATABASE {DATABASE}\n")
        unfinished.rename(self.data)
        return None

    def launch(self) -> None:
        """Return once the cluster accepts connections, launching it as often as that takes."""
        started = time.monotonic()
        process: subprocess.Popen[bytes] | None = None
        while not self._accepts():
            waited = time.monotonic() - started
            exited = process is not None and process.poll() is not None
            if waited > START_SECONDS or (exited and waited > RELAUNCH_SECONDS):
                end = "\n".join(self.log.read_text(errors="replace").splitlines()[-8:])
                raise EmbeddedPostgresError(f"Postgres does not start. {self.log} ends:\n{end}")
            if self.pid is None and (process is None or exited):
                process = self._spawn()
            time.sleep(RETRY_SECONDS if exited else POLL_SECONDS)

    def shut_down(self) -> None:
        """Stop the postmaster, fast and then hard; returns when it is gone."""
        for how in (signal.SIGINT, signal.SIGQUIT):
            deadline = time.monotonic() + STOP_SECONDS
            while (pid := self.pid or self._young_pid()) is not None and time.monotonic() < deadline:
                with suppress(ProcessLookupError):
                    os.kill(pid, how)
                time.sleep(POLL_SECONDS)

    def _young_pid(self) -> int | None:
        """A postmaster that has not written its pid file yet: all that a start cut off by Ctrl-C leaves."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                alive = process.status() != psutil.STATUS_ZOMBIE
                if alive and process.cmdline()[1:3] == ["-D", str(self.data)]:
                    return int(process.pid)
        return None

    def _check_version(self) -> None:
        made_by, installed = (self.data / "PG_VERSION").read_text().strip(), version().split(".")[0]
        if made_by != installed:
            raise EmbeddedPostgresError(
                f"{self.data} was made by Postgres {made_by}, and {installed} is installed. Go back to the "
                "earlier release, take a backup, and restore it into a new IBID_HOME with this one."
            )

    def _accepts(self) -> bool:
        """Ask the server itself: the pid file and `pg_ctl status` take a killed postmaster for a live one."""
        return self.account.run(self.programs / "pg_isready", "-q", "-h", self.socket_folder)[0] == 0

    def _spawn(self) -> subprocess.Popen[bytes]:
        # Left by a killed postmaster: Postgres takes a zombie, or a stranger with its number, for a live one.
        for left in (self.data / "postmaster.pid", self.socket_folder / f"{SOCKET}.lock"):
            left.unlink(missing_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        command: list[Word] = [self.programs / "postgres", "-D", self.data, "-k", self.socket_folder]
        command += [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            process = self.account.spawn(*command, output=log.fileno())
        # Somebody has to reap it: until then a dead postmaster looks alive.
        threading.Thread(target=process.wait, name="postmaster", daemon=True).start()
        return process

    def _run(self, program: str, *arguments: Word, text: str = "") -> None:
        code, output = self.account.run(self.programs / program, *arguments, text=text)
        if code:
            raise EmbeddedPostgresError(f"{program} failed for {self.folder}:\n{output.strip()[-2000:]}")
