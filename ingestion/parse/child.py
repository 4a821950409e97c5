"""Parse a document in a child process that can be killed at any moment, without blocking the event loop."""

import asyncio
import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from signal import SIGALRM, SIGXCPU
from typing import Any

from ingestion.errors import BY_CODE, Corrupt, IngestionError, NeedsOcr, ParserCrashed, ParseTimeout
from ingestion.parse.blocks import Parsed, from_rows
from ingestion.parse.filetype import FileType
from ingestion.parse.limits import Limits
from ingestion.parse.nursery import FORK, FORK_WARM, WARM
from ingestion.parse.optional import recognises

# What the nursery may see of the environment: no key, token or database address.
KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")
DOCLING_READERS = frozenset(("docling", "html"))
# The second rung is the faster one: plain HTML 0.4 MB/s and plain PDF 70 pages/s with six jobs a core.
RETRY_SECONDS = 30.0
LINE_LIMIT = 256 * 1024 * 1024
# Beyond the wall clock of the child. With seven jobs a core: a cold nursery answered in 1.2 s, a warm one in
# 0.02 to 0.06 s; docling's first document took 4.4 s (its import), every later one 0.26 s.
START_SECONDS = 60.0

_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from ingestion.parse.nursery import main; main(int(sys.argv[1]))"
)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Died:
    """A child that ended without a result: by a signal, by its clock, or by an exception nobody expected."""

    timeout: bool
    reason: str
    raised: bool


class Nursery:
    """The process that children are forked from. Started on first use; `close` ends it and all of them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def warm(self) -> None:
        """Start the process and let it import docling, without waiting for it."""
        self._send(WARM, ())

    def fork(self, *, warm: bool) -> tuple[socket.socket, int]:
        """A new child: the lifeline to it and the file descriptor of its results."""
        lifeline, far_lifeline = socket.socketpair()
        results, far_results = os.pipe()
        try:
            self._send(FORK_WARM if warm else FORK, (far_lifeline.fileno(), far_results))
        except OSError:
            lifeline.close()
            os.close(results)
            raise
        finally:
            far_lifeline.close()
            os.close(far_results)
        return lifeline, results

    def close(self) -> None:
        """End the process; children notice that their lifelines are cut when their callers go."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.wait(1)
            except subprocess.TimeoutExpired:  # it is importing
                self._process.kill()
                self._process.wait()
        self._process = self._control = None

    def _send(self, message: bytes, descriptors: tuple[int, ...]) -> None:
        for attempt in (1, 2):
            control = self._control
            if control is None or self._process is None or self._process.poll() is not None:
                self.close()
                control = self._start()
            try:
                socket.send_fds(control, [message], descriptors)
                return
            except (BrokenPipeError, ConnectionResetError):
                if attempt == 2:
                    raise

    def _start(self) -> socket.socket:
        self._control, far = socket.socketpair()
        environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
        with far:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, str(far.fileno()), json.dumps(sys.path)],
                pass_fds=[far.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
                start_new_session=True,  # Ctrl-C is for the caller, who then closes the control socket
            )
        return self._control


@cache
def shared_nursery() -> Nursery:
    """The nursery of this process, closed when it exits."""
    nursery = Nursery()
    atexit.register(nursery.close)
    return nursery


async def parse_in_child(
    path: Path,
    file_type: FileType,
    *,
    limits: Limits | None = None,
    on_progress: Progress | None = None,
    nursery: Nursery | None = None,
) -> Parsed:
    """Parse `path` in a child under `limits`; `on_progress` hears (pages done, pages).

    A child that dies is tried once more with the next reader of its type; pages without text are read by
    text recognition where that is installed. Cancelling kills the child at once. Raises the errors of
    `ingestion.errors`: ParseTimeout and ParserCrashed when the child died.
    """
    limits = limits or Limits()
    nursery = nursery or shared_nursery()
    try:
        return await _climb(path, file_type, file_type.readers[:2], limits, on_progress, nursery)
    except NeedsOcr:
        if not recognises():
            raise
    try:
        return await _climb(path, file_type, ("ocr",), limits.for_ocr(), on_progress, nursery)
    except (ParseTimeout, ParserCrashed) as failed:
        if len(file_type.readers) == 1:
            raise
        try:  # what text there is, without the pages that could not be recognised
            return await _climb(path, file_type, file_type.readers[1:2], limits, on_progress, nursery)
        except NeedsOcr:
            raise failed from None


async def _climb(
    path: Path,
    file_type: FileType,
    readers: tuple[str, ...],
    limits: Limits,
    on_progress: Progress | None,
    nursery: Nursery,
) -> Parsed:
    """The document by the first reader that lives to tell it."""
    wall = limits.wall_for(os.stat(path).st_size)  # noqa: PTH116 - one system call, no wait
    for attempt, reader in enumerate(readers):
        request = {
            "path": str(path),
            "kind": file_type.name,
            "reader": reader,
            "limits": asdict(limits),
            "wall_seconds": wall if attempt == 0 else RETRY_SECONDS,
        }
        outcome = await _attempt(nursery, request, on_progress)
        if isinstance(outcome, Parsed):
            return outcome
        if attempt == len(readers) - 1:
            raise _death(outcome)
    raise ParserCrashed(detail="no reader")


def _death(outcome: _Died) -> IngestionError:
    if outcome.timeout:
        return ParseTimeout(detail=outcome.reason)
    if outcome.raised:
        return Corrupt(detail=outcome.reason)
    return ParserCrashed(detail=outcome.reason)


async def _attempt(nursery: Nursery, request: dict[str, Any], on_progress: Progress | None) -> Parsed | _Died:
    lifeline, results = nursery.fork(warm=request["reader"] in DOCLING_READERS)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    pipe, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(results, "rb")
    )
    status, writer = await asyncio.open_connection(sock=lifeline)
    try:
        async with asyncio.timeout(request["wall_seconds"] + START_SECONDS):
            writer.write(json.dumps(request).encode() + b"\n")
            outcome = await _results(reader, on_progress)
            if isinstance(outcome, Parsed):
                return outcome
            report = json.loads(await status.read() or b"{}")
    except TimeoutError:
        return _Died(True, "no answer from the nursery", False)
    finally:
        pipe.close()
        writer.close()  # the minder sees the end of the lifeline and kills
    code = report.get("exit", 0)
    late = bool(report.get("timeout")) or code in (-SIGXCPU, -SIGALRM)
    return _Died(late, outcome or f"exit {code}", raised=bool(outcome))


async def _results(reader: asyncio.StreamReader, on_progress: Progress | None) -> Parsed | str:
    """The document, or what the child raised (empty when it died without a word)."""
    blocks: list[Any] = []
    async for line in reader:
        if not line.endswith(b"\n"):
            break
        message = json.loads(line)
        if "progress" in message and on_progress:
            on_progress(*message["progress"])
        elif "blocks" in message:
            blocks += message["blocks"]
            await asyncio.sleep(0)
        elif "error" in message:
            code, sentence, detail = message["error"]
            raise BY_CODE.get(code, IngestionError)(sentence, detail=detail)
        elif "raised" in message:
            return str(message["raised"])
        elif "parsed" in message:
            return from_rows({**message["parsed"], "blocks": blocks})
    return ""
