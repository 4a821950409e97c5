"""The product as `make run` starts it, in a home of its own, and the people who use it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
STOP_SECONDS = 20
READ_SECONDS = 90  # until every file is searchable, on a machine that is busy with other things
AT_REST = {"completed", "partial", "failed", "needs_ocr", "cancelled"}


@dataclass(frozen=True, slots=True)
class Account:
    email: str
    name: str
    password: str = "zzyzx correct horse"


OWNER = Account("zzyzx-ada@zzyzx.example", "Ada Zzyzx")
GUEST = Account("zzyzx-bob@zzyzx.example", "Bob Zzyzx")


@dataclass(slots=True)
class House:
    """A running Ibid. What people do is done in the page; this does what only has to be done."""

    home: Path
    url: str
    process: subprocess.Popen[str]
    owner_link: str
    _tokens: dict[str, str] = field(default_factory=dict)

    @property
    def token(self) -> str:
        return self.owner_link.rpartition("=")[2]

    def sign_in(self, account: Account) -> str:
        """The session cookie's value; claims the house or joins it first where that was not done."""
        if account.email not in self._tokens:
            self._tokens[account.email] = self._session(account)
        return self._tokens[account.email]

    def _session(self, account: Account) -> str:
        words = {"email": account.email, "password": account.password}
        answer = httpx.post(f"{self.url}/api/session", json=words, timeout=30)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            token = self.token if account == OWNER else self.invite(account).rpartition("=")[2]
            accept = {"token": token, "name": account.name, **words}
            answer = httpx.post(f"{self.url}/api/invitations/accept", json=accept, timeout=30)
        answer.raise_for_status()
        return str(answer.json()["access_token"])

    def call(self, method: str, path: str, *, who: Account = OWNER, **how: Any) -> Any:
        """One request of a person's; its JSON."""
        headers = {"authorization": f"Bearer {self.sign_in(who)}"}
        answer = httpx.request(method, self.url + path, headers=headers, timeout=30, **how)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def invite(self, account: Account) -> str:
        body = {"email": account.email, "role": "member"}
        return str(self.call("POST", "/api/invitations", json=body)["link"])

    def documents(self, who: Account = OWNER) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.call("GET", "/api/documents?limit=100", who=who)["items"]}

    def hold(self, files: Sequence[Path]) -> None:
        """See to it that the owner's documents are exactly these, each read to its end."""
        present = self.documents()
        for name in present.keys() - {file.name for file in files}:
            self.call("DELETE", f"/api/documents/{present[name]['id']}")
        for file in files:
            if file.name not in present:
                self.call("POST", "/api/documents", files={"file": (file.name, file.read_bytes())})
        deadline = time.monotonic() + READ_SECONDS
        while any(row["status"] not in AT_REST for row in self.documents().values()):
            assert time.monotonic() < deadline, self.documents()
            time.sleep(0.2)

    def ask(self, thread: str, question: str) -> None:
        """Ask in a thread and wait for the end of the answer."""
        headers = {"authorization": f"Bearer {self.sign_in(OWNER)}"}
        address = f"{self.url}/api/threads/{thread}/messages"
        httpx.post(address, json={"content": question}, headers=headers, timeout=60).raise_for_status()

    def answered_by(self, base_url: str | None, model: str | None = None) -> None:
        """Connect a chat model, or none."""
        values = {"chat.base_url": base_url, "chat.model": model}
        self.call("PUT", "/api/settings", json={"values": values})


@contextmanager
def opened(folder: Path, *, calm: bool = True) -> Iterator[House]:
    """`ibid up` until the end of the block; SIGTERM must then end all that it started.

    `calm`: nothing is broken on purpose, so that no traceback may be in the log.
    """
    home = folder / "home"
    port = _free_port()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("IBID_", "DATABASE_"))}
    environment |= {"IBID_HOME": str(home), "PORT": str(port), "HOST": "127.0.0.1"}
    log = folder / "ibid.log"
    command = [str(ROOT / ".venv" / "bin" / "ibid"), "up"]
    if not Path(command[0]).exists():
        command = [sys.executable, "-m", "server", "up"]
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, text=True
        )
    try:
        _wait_for(log, "Ibid runs at", process)
        link = re.search(r"http://\S+/welcome#token=\S+", log.read_text())
        assert link, log.read_text()
        yield House(home, f"http://127.0.0.1:{port}", process, link[0])
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(STOP_SECONDS)
    assert code == 0, log.read_text()
    assert not list(_processes_of(home)), f"still running: {list(_processes_of(home))}"
    assert not calm or "Traceback" not in log.read_text(), log.read_text()


@contextmanager
def scripted_model() -> Iterator[str]:
    """The scripted model server as a process of its own; gives its base URL."""
    port = _free_port()
    command = [sys.executable, "-m", "providers.scripted", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(f"http://127.0.0.1:{port}/v1/models"):
            assert process.poll() is None, "the scripted model did not start"
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()  # it would wait for the streams that never end
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.TransportError:
        return False


def _wait_for(log: Path, words: str, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while words not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)


def _processes_of(home: Path) -> Iterator[str]:
    """Command lines of live processes that have this home in their words or their environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            known = words + (folder / "environ").read_bytes()
        except OSError:  # gone, or somebody else's
            continue
        if str(home).encode() in known and words:
            yield words.replace(b"\0", b" ").decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
