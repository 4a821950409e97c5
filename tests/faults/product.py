"""The product under kill -9: its processes by what they do, and a batch of real files brought through it."""

import os
import random
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.browser.house import AT_REST, OWNER, House

VICTIMS = ("worker", "child", "server", "postgres")
FINAL_SECONDS = 240
UPLOAD_SECONDS = 60
STAGES = ("parsing", "chunking", "embedding")
REACH_SECONDS = 2.0
Answers = dict[str, list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Killed:
    victim: str
    pid: int


def kill(house: House, victim: str, chance: random.Random) -> Killed | None:
    """kill -9 of one process of this kind; None when there is none at the moment."""
    found = [p for p in _family(house) if _kind(p) == victim]
    if not found:
        return None
    chosen = chance.choice(found)
    os.kill(chosen.pid, signal.SIGKILL)
    return Killed(victim, chosen.pid)


def _family(house: House) -> list[psutil.Process]:
    here = psutil.Process(house.process.pid).children(recursive=True)
    # The cluster is a session of its own, so that Ctrl-C reaches it last.
    postmaster = house.home / "postgres" / "data" / "postmaster.pid"
    if postmaster.exists():
        pid = int(postmaster.read_text().split("\n", 1)[0])
        if psutil.pid_exists(pid):
            here.append(psutil.Process(pid))
    return here


def _kind(process: psutil.Process) -> str:
    try:
        words = process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return ""
    if "worker" in words:
        return "worker"
    if "serve" in words:
        return "server"
    if any("nursery" in word for word in words):
        return "child"
    return "postgres" if words and words[0].endswith("postgres") else ""


def upload(house: House, file: Path) -> None:
    """Upload until it is answered: a client tries again when the server goes away under it."""
    deadline = time.monotonic() + UPLOAD_SECONDS
    while True:
        try:
            house.call("POST", "/api/documents", files={"file": (file.name, file.read_bytes())})
            return
        except httpx.HTTPError as error:
            refused = isinstance(error, httpx.HTTPStatusError) and error.response.status_code < 500
            if refused or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def reach(house: House, stage: str) -> str:
    """Wait until a document is in this stage, or after a while in any; which one it is, empty when none is."""
    began = time.monotonic()
    while True:
        stages = {d["stage"] for d in _documents(house).values() if d["status"] == "processing"}
        waited = time.monotonic() - began
        if stage in stages:
            return stage
        if stages and waited > REACH_SECONDS:
            return str(min(stages))
        if waited > 4 * REACH_SECONDS:  # the server is away, or all documents are done
            return ""
        time.sleep(0.02)


def settled(house: House, count: int) -> dict[str, dict[str, Any]]:
    """The documents once all are in a final state; nobody helps them there."""
    deadline = time.monotonic() + FINAL_SECONDS
    while True:
        documents = _documents(house)
        if len(documents) == count and all(d["status"] in AT_REST for d in documents.values()):
            return documents
        assert time.monotonic() < deadline, {n: (d["status"], d["stage"]) for n, d in documents.items()}
        time.sleep(0.3)


def _documents(house: House) -> dict[str, dict[str, Any]]:
    try:
        return house.documents(OWNER)
    except httpx.HTTPError:
        return {}


def answers(house: House, queries: Sequence[str]) -> Answers:
    """What a search finds: names and texts, in order."""
    return {
        query: [
            (item["name"], item["text"])
            for item in house.call("POST", "/api/search", json={"query": query, "k": 5})["results"]
        ]
        for query in queries
    }
