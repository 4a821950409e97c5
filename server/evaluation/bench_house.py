"""A throw-away installation for benchmarks: `ibid serve` and `ibid worker` as processes of their own, over HTTP."""

import asyncio
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.bootstrap import Urls
from sql.scratch import Scratch

START_SECONDS = 60
LOOK_SECONDS = 0.5  # rarely: on a small machine every look takes from what is measured
STOP_SECONDS = 15
EMAIL = "bench@localhost"
BOUNDARY = "ibid-bench"


class NotReady(Exception):
    """The benchmark's own server did not start, or refused what it was sent."""


@dataclass(frozen=True, slots=True)
class House:
    """What a benchmark does with the installation; every call is one request on a connection of its own."""

    port: int
    server: subprocess.Popen[bytes]
    worker: subprocess.Popen[bytes]
    token: str = ""

    async def ingest(self, texts: Sequence[tuple[str, str | bytes]]) -> float:
        """Upload (name, content) pairs; the seconds until all are searchable. Raises NotReady when one fails."""
        began = datetime.now(UTC)
        ids = {(await self._upload(name, text))["id"] for name, text in texts}
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            listed = await self._request("GET", "/api/documents?status=completed&limit=200")
            ended = [item["updated_at"] for item in listed["items"] if item["id"] in ids]
            if len(ended) == len(ids):
                return (datetime.fromisoformat(max(ended)) - began).total_seconds()
            if self.worker.poll() is not None:
                raise NotReady(f"The benchmark's worker ended with {self.worker.returncode}.")
            listed = await self._request("GET", "/api/documents?status=failed&limit=200")
            failed = [item["name"] for item in listed["items"] if item["id"] in ids]
            if failed:
                raise NotReady(f"The benchmark's documents could not be ingested: {', '.join(failed)}.")

    async def use_model(self, base_url: str, model: str) -> None:
        """From here on this model answers."""
        values = {"chat.base_url": base_url, "chat.model": model}
        await self._request("PUT", "/api/settings", json.dumps({"values": values}).encode())

    async def thread(self) -> str:
        """A new thread's id."""
        return str((await self._request("POST", "/api/threads", b"{}"))["id"])

    async def health(self) -> Any:
        return await self._request("GET", "/health")

    async def search(self, words: str) -> Any:
        return await self._request("POST", "/api/search", json.dumps({"query": words}).encode())

    async def _upload(self, name: str, content: str | bytes) -> dict[str, Any]:
        data = content.encode() if isinstance(content, str) else content
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode()
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        [item] = await self._request("POST", "/api/documents", body, kind=kind)
        found: dict[str, Any] = item
        return found

    async def _request(
        self, method: str, path: str, body: bytes = b"", *, kind: str = "application/json"
    ) -> Any:
        return await asyncio.to_thread(request, self.port, method, path, body, kind=kind, token=self.token)


@asynccontextmanager
async def house(place: Scratch, urls: Urls, home: Path, models: Path) -> AsyncIterator[House]:
    """Starts server and worker on the scratch database, with the embedding model that lies in `models`."""
    (home / "models").symlink_to(models, target_is_directory=True)
    port = free_port()
    password = secrets.token_urlsafe()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_DIRECT_URL"} | {
        "IBID_HOME": str(home),
        "IBID_BLOBS": (home / "blobs").as_uri(),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "DATABASE_URL": place.owner_url,
        "DATABASE_APP_URL": place.app_url,
        "DATABASE_READER_URL": urls.reader,
        "IBID_OWNER_EMAIL": EMAIL,
        "IBID_OWNER_PASSWORD": password,
    }
    server = _start("serve", environment)
    started = [server]
    try:
        await _healthy(port, server)
        worker = _start("worker", environment)
        started.append(worker)
        entry = json.dumps({"email": EMAIL, "password": password}).encode()
        session = await asyncio.to_thread(request, port, "POST", "/api/session", entry)
        opened = House(port, server, worker, session["access_token"])
        await opened.ingest([("warm-up.txt", "Nothing is measured on this one.")])
        yield opened
    finally:
        await asyncio.to_thread(_stop, started)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def rss_mb(process: subprocess.Popen[bytes]) -> float | None:
    """The memory that a running process has in use now; None but on Linux."""
    return _status(process, "VmRSS:")


def peak_mb(process: subprocess.Popen[bytes]) -> float | None:
    """The most memory that a running process has had in use, without its children; None but on Linux."""
    return _status(process, "VmHWM:")


def _status(process: subprocess.Popen[bytes], name: str) -> float | None:
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return None
    return round(int(status.read_text().partition(name)[2].split()[0]) / 1024, 1)


def request(
    port: int, method: str, path: str, body: bytes = b"", *, kind: str = "application/json", token: str = ""
) -> Any:
    """One request to the benchmark's own server; its JSON. Raises NotReady."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise NotReady(f"{method} {path} answered {answer.status}: {content.decode()[:500]}")
        return json.loads(content)
    except (OSError, http.client.HTTPException) as error:  # else it would read as the database's
        reason = str(error) or type(error).__name__
        raise NotReady(f"{method} {path} was not answered by the benchmark's server: {reason}.") from error
    finally:
        connection.close()


async def _healthy(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            await asyncio.to_thread(request, port, "GET", "/health")
            return
        except NotReady:
            await asyncio.sleep(0.1)
    raise NotReady("The benchmark's server did not start.")


def _start(command: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "server", command, "--parent", str(os.getpid())]
    return subprocess.Popen(words, env=environment, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL)


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
