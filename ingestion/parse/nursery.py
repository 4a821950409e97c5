"""A small process that forks one child per document, so that a parser may crash, hang or swell alone.

    server or worker ── nursery (imports docling once) ── minder ── worker (parses)

The caller holds one end of a socket, the lifeline. The minder kills the worker when the lifeline closes, for
whatever reason, or when the wall clock runs out, and says on it how the worker ended. The nursery ends when
the caller's control socket closes. Nothing here runs in the server, and docling runs nowhere else.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ingestion.errors import Corrupt, IngestionError, TooBig, TooNested
from ingestion.parse.blocks import to_rows
from ingestion.parse.limits import Limits

FORK, FORK_WARM, WARM = b"f", b"d", b"w"
REQUEST_BYTES = 65_536
PROGRESS_SECONDS = 0.1
ROWS_A_LINE = 200  # keeps one line near 50 KB, so that the reader never stalls on a large document
PR_SET_PDEATHSIG = 1
OUT_OF_MEMORY = "Reading this file takes more memory than allowed."


def main(control_fd: int) -> None:
    """Serve fork requests until the control socket closes."""
    import ingestion.parse.readers  # noqa: F401 - once here instead of 0.2 s in every child

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # minders are reaped by the kernel
    with socket.socket(fileno=control_fd) as control:
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 2)
            if not message:
                os._exit(0)  # tearing down docling's modules would take 1.5 s
            if message in (WARM, FORK_WARM):
                _warm()
            if len(descriptors) == 2 and os.fork() == 0:
                control.close()
                _leave(_mind, *descriptors)
            for descriptor in descriptors:
                os.close(descriptor)


def _warm() -> None:
    from ingestion.parse.docling import warm

    warm()


def _leave(task: Callable[..., None], *arguments: Any) -> None:
    """Run a task as all that is left of this process."""
    try:
        task(*arguments)
    except BaseException:  # noqa: BLE001 - not swallowed: reported by the hook, and the process ends
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _mind(lifeline_fd: int, results_fd: int) -> None:
    """Start the worker, wait for its end, its time, or the caller's end; report on the lifeline."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    lifeline = socket.socket(fileno=lifeline_fd)
    request = json.loads(_line(lifeline))
    death, alive = os.pipe()
    worker = os.fork()
    if worker == 0:
        lifeline.close()
        os.close(death)
        _leave(_work, request, results_fd)
    os.close(alive)
    os.close(results_fd)
    watched: list[socket.socket | int] = [lifeline, death]
    readable, _, _ = select.select(watched, [], [], request["wall_seconds"])
    if death not in readable:
        os.kill(worker, signal.SIGKILL)
    _, status = os.waitpid(worker, 0)
    report = {"timeout": not readable, "exit": os.waitstatus_to_exitcode(status)}
    try:
        lifeline.sendall(json.dumps(report).encode())
    except (BrokenPipeError, ConnectionResetError):
        return  # the caller has left


def _line(lifeline: socket.socket) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        part = lifeline.recv(REQUEST_BYTES)
        if not part:
            os._exit(0)
        data += part
    return data


def _work(request: dict[str, Any], results_fd: int) -> None:
    """Parse one file under limits and write the outcome as lines of JSON."""
    limits = Limits(**request["limits"])
    with os.fdopen(results_fd, "w", encoding="utf-8") as out:
        sys.excepthook = _reporter(out)
        _confine(limits)
        from ingestion.parse.readers import read

        try:
            parsed = read(Path(request["path"]), request["kind"], request["reader"], limits, _progress(out))
        except IngestionError as error:
            if isinstance(error, Corrupt) and _out_of_memory(limits):
                error = TooBig(OUT_OF_MEMORY, detail=error.detail)
            _write(out, {"error": [error.code, error.message, error.detail]})
        except MemoryError:
            _write(out, {"error": [TooBig.code, OUT_OF_MEMORY, ""]})
        except RecursionError:
            _write(out, {"error": [TooNested.code, str(TooNested()), ""]})
        else:
            rows = to_rows(parsed)
            blocks = rows.pop("blocks")
            for start in range(0, len(blocks), ROWS_A_LINE):
                _write(out, {"blocks": blocks[start : start + ROWS_A_LINE]})
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            _write(out, {"parsed": rows, "peak_kib": peak})


def _confine(limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 5))
    if sys.platform == "linux":  # elsewhere the minder alone sees to it
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _out_of_memory(limits: Limits) -> bool:
    """Whether the address space was nearly used up: libraries report that as a damaged file."""
    status = Path("/proc/self/status")
    if not status.exists():
        return False
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmPeak:"))
    return int(peak.split()[1]) * 1024 > 0.9 * limits.memory_bytes


def _progress(out: TextIO) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done == total or now - last >= PROGRESS_SECONDS:
            last = now
            _write(out, {"progress": [done, total]})

    return report


def _reporter(
    out: TextIO,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def report(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
        _write(out, {"raised": f"{kind.__name__}: {str(error)[:500]}"})

    return report


def _write(out: TextIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
    out.flush()
