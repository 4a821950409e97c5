"""Documents in their killable child: limits, crashes, cancellation, and the loop that never waits."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from ingestion.errors import Encrypted, NeedsOcr, ParserCrashed, ParseTimeout, TooBig
from ingestion.parse.child import Nursery, parse_in_child
from ingestion.parse.filetype import BY_NAME, FileType
from ingestion.parse.limits import MIB, Limits

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A page that keeps docling busy for several seconds."""
    path = tmp_path / "qzv-long.html"
    path.write_text("<h1>Long</h1>" + "<p>the <b>tide</b> turns <i>at</i> five</p>" * 6_000)
    return path


def descendants(pid: int) -> list[int]:
    """All processes below one, nearest first."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


async def worker_of(nursery: Nursery) -> int:
    """The process that parses, once it runs: the youngest below the nursery."""
    assert nursery._process is not None
    for _ in range(400):
        found = descendants(nursery._process.pid)
        if len(found) >= 2:
            return found[-1]
        await asyncio.sleep(0.05)
    raise AssertionError("no worker appeared")


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen within two seconds")


@pytest.fixture
async def ticks() -> AsyncIterator[list[float]]:
    """The longest pauses of the event loop while a test runs."""
    pauses: list[float] = []

    async def tick() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            pauses.append(time.monotonic() - before - 0.01)

    task = asyncio.create_task(tick())
    yield pauses
    task.cancel()


async def test_a_document_with_progress(nursery: Nursery, shared: Path) -> None:
    heard: list[tuple[int, int]] = []
    parsed = await parse_in_child(
        shared / "data/parse/multi_page.pdf",
        BY_NAME["pdf"],
        on_progress=lambda done, total: heard.append((done, total)),
        nursery=nursery,
    )
    assert (len(parsed.pages), heard[-1]) == (5, (5, 5))
    assert parsed.pages[0].width == pytest.approx(595.2)
    assert all(block.bbox and block.page for block in parsed.blocks)


async def test_nothing_heavy_is_imported_here(nursery: Nursery, shared: Path) -> None:  # H1
    parsed = await parse_in_child(
        shared / "data/parse/unit_test_headers.docx", BY_NAME["docx"], nursery=nursery
    )
    assert parsed.parser == "docling docx"
    code = "import sys, ingestion.parse.child; print('docling' in sys.modules, 'pypdfium2' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.split() == [b"False", b"False"]


async def test_errors_are_the_childs_own(nursery: Nursery, shared: Path) -> None:  # E22
    with pytest.raises(Encrypted):
        await parse_in_child(shared / "data/parse/password.pdf", BY_NAME["pdf"], nursery=nursery)
    for name in ("data/parse/ocr_test.pdf", "cases/files/S-PE-08/qzv-scan-a.pdf"):  # S-PE-08
        with pytest.raises(NeedsOcr):
            await parse_in_child(shared / name, BY_NAME["pdf"], nursery=nursery)
    with pytest.raises(TooBig):  # S-SI-08
        await parse_in_child(shared / "cases/files/S-SI-08/qzv-bomb.docx", BY_NAME["docx"], nursery=nursery)


async def test_hostile_pdfs_cost_little(nursery: Nursery, shared: Path) -> None:  # E22, X9
    started = time.monotonic()
    parsed = await parse_in_child(shared / "data/parse/issue19800.pdf", BY_NAME["pdf"], nursery=nursery)
    assert "Hello world" in parsed.blocks[0].text
    with pytest.raises(NeedsOcr):
        await parse_in_child(shared / "data/parse/operator_list_cycle.pdf", BY_NAME["pdf"], nursery=nursery)
    assert time.monotonic() - started < 10


async def test_the_wall_clock_kills(nursery: Nursery, big: Path) -> None:  # E22
    only = FileType("html", (".html",), "text/html", ("html",))
    with pytest.raises(ParseTimeout):
        await parse_in_child(big, only, limits=Limits(wall_seconds=0.5), nursery=nursery)


async def test_the_cpu_limit_kills(nursery: Nursery, big: Path) -> None:  # E22
    only = FileType("html", (".html",), "text/html", ("html",))
    with pytest.raises(ParseTimeout):
        await parse_in_child(big, only, limits=Limits(cpu_seconds=1), nursery=nursery)


@linux
async def test_memory_is_limited(nursery: Nursery, shared: Path) -> None:  # E22
    handbook = shared / "data/parse/handbook-872p.docx"
    with pytest.raises(TooBig):
        await parse_in_child(
            handbook, BY_NAME["docx"], limits=Limits(memory_bytes=250 * MIB), nursery=nursery
        )


async def test_a_slow_reader_gives_way_to_the_plain_one(nursery: Nursery, big: Path) -> None:  # E22
    parsed = await parse_in_child(big, BY_NAME["html"], limits=Limits(wall_seconds=2), nursery=nursery)
    assert parsed.parser == "html"
    assert len(parsed.blocks) == 6_001


@linux
async def test_a_crash_is_tried_once_on_the_next_rung(nursery: Nursery, big: Path) -> None:  # E22
    parsing = asyncio.create_task(parse_in_child(big, BY_NAME["html"], nursery=nursery))
    os.kill(await worker_of(nursery), signal.SIGSEGV)
    assert (await parsing).parser == "html"
    only = FileType("html", (".html",), "text/html", ("html",))
    await until(lambda: not descendants(nursery._process.pid))  # type: ignore[union-attr]
    parsing = asyncio.create_task(parse_in_child(big, only, nursery=nursery))
    os.kill(await worker_of(nursery), signal.SIGSEGV)
    with pytest.raises(ParserCrashed) as crash:
        await parsing
    assert crash.value.detail == "exit -11"


@linux
async def test_cancelling_kills_at_once(nursery: Nursery, big: Path) -> None:  # E24
    parsing = asyncio.create_task(parse_in_child(big, BY_NAME["html"], nursery=nursery))
    worker = await worker_of(nursery)
    parsing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await parsing
    await until(lambda: gone(worker))


@linux
async def test_children_end_with_their_parent(big: Path) -> None:  # E21
    code = (
        "import asyncio, sys; from pathlib import Path; from ingestion.parse.child import parse_in_child;"
        "from ingestion.parse.filetype import BY_NAME;"
        "asyncio.run(parse_in_child(Path(sys.argv[1]), BY_NAME['html']))"
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(big))
    found: list[int] = []
    for _ in range(600):
        found = descendants(parent.pid)
        if len(found) >= 3:
            break
        await asyncio.sleep(0.05)
    assert len(found) == 3  # nursery, minder, worker
    parent.kill()
    await parent.wait()
    await until(lambda: all(gone(pid) for pid in found))


@linux
async def test_a_dead_nursery_is_replaced(shared: Path) -> None:
    nursery = Nursery()
    try:
        path = shared / "data/parse/nested.md"
        await parse_in_child(path, BY_NAME["md"], nursery=nursery)
        assert nursery._process is not None
        nursery._process.kill()
        nursery._process.wait()
        assert (await parse_in_child(path, BY_NAME["md"], nursery=nursery)).parser == "markdown"
    finally:
        nursery.close()


async def test_the_loop_is_never_held_up(nursery: Nursery, shared: Path, ticks: list[float]) -> None:  # H1
    pdf, docx = shared / "data/pages/pdfs/NETFLIX_2017_10K.pdf", shared / "data/parse/handbook-872p.docx"
    filing, handbook = await asyncio.gather(
        parse_in_child(pdf, BY_NAME["pdf"], nursery=nursery),
        parse_in_child(docx, BY_NAME["docx"], nursery=nursery),
    )
    assert len(filing.pages) == 73
    assert len(handbook.blocks) > 4_000
    assert sorted(ticks)[int(0.95 * len(ticks))] < 0.1
    assert any("| Net income | $ 558,929 | $ 186,678 | $ 122,641 |" in block.text for block in filing.blocks)
