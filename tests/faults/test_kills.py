"""Killing any process at any stage loses nothing and doubles nothing (E20, E21, H5, X9)."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.browser.house import House, opened
from tests.faults.product import STAGES, VICTIMS, Answers, answers, kill, reach, settled, upload

QUERIES = (
    "bottles of water and blankets delivered",
    "Paragraph 1.1.1",
    "optionalhyphen",
    "AMCOR supplemental indentures guaranteed senior notes",
    "proxy vote net-zero emissions congruency report",
    "Doylestown hamburgers",
    "L'été était très chaud",
    "word processing modern era",
)
BATCH = int(os.environ.get("IBID_FAULT_FILES", "30"))
SEED = int(os.environ.get("IBID_FAULT_SEED", "7"))
PAUSE = (0.1, 1.2)  # seconds until a stage is waited for: any moment of it may be hit


@pytest.fixture(scope="module")
def batch(shared: Path) -> list[Path]:
    """Real files, small ones first; the two that exhaust a parser's memory are among them."""
    files = [p for folder in ("parse", "pages/pdfs") for p in sorted((shared / "data" / folder).iterdir())]
    accepted = [p for p in files if p.suffix in (".pdf", ".docx", ".pptx", ".html", ".md", ".txt")]
    return sorted(accepted, key=lambda p: p.stat().st_size)[:BATCH]


@pytest.fixture(scope="module")
def undisturbed(batch: list[Path]) -> tuple[dict[str, str], Answers]:
    """Every document's final state and what searches find, when nothing is killed."""
    with tempfile.TemporaryDirectory(
        prefix="ibid-calm-", dir="/var/tmp", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)
        with opened(Path(folder)) as house:
            for file in batch:
                upload(house, file)
            documents = settled(house, len(batch))
            return {name: d["status"] for name, d in documents.items()}, answers(house, QUERIES)


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_every_document_ends_by_itself_and_once(
    house: House, batch: list[Path], undisturbed: tuple[dict[str, str], Answers], kills: int
) -> None:
    chance = random.Random(SEED)
    states, found = undisturbed
    for file in batch:
        upload(house, file)
    done: Counter[tuple[str, str]] = Counter()
    deadline = time.monotonic() + 60 + 20 * kills
    while done.total() < kills and time.monotonic() < deadline:
        time.sleep(chance.uniform(*PAUSE))
        reached = reach(house, chance.choice(STAGES)) or "nothing"
        victim = VICTIMS[done.total() % len(VICTIMS)]
        if kill(house, victim, chance):
            done[victim, reached] += 1
    assert done.total() == kills, f"only {done} could be killed: the batch was done before"
    print(*(f"{victim} while {stage}: {times}" for (victim, stage), times in sorted(done.items())), sep="\n")

    documents = settled(house, len(batch))
    assert {name: d["status"] for name, d in documents.items()} == states
    assert answers(house, QUERIES) == found
    check = subprocess.run(
        [sys.executable, "-m", "server", "doctor", "--json"],
        env=os.environ | {"IBID_HOME": str(house.home), "PORT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(check.stdout)
    assert report["orphans"] == 0, report
    assert report["ok"], report
