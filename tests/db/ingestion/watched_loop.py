"""Runs a command of Ibid with its event loop in debug mode and writes down each call that held it up.

    python watched_loop.py LOG serve

One JSON object a line: `held_ms` is what the call worked or waited for a disk, a lock or another thread, without
the time in which it was ready and the machine was busy with other programs.
"""

import asyncio
import asyncio.events
import json
import sys
import time
from pathlib import Path
from typing import Any

import uvloop

sys.path.insert(0, str(Path(__file__).parents[3]))

from server.cli import main

LIMIT_SECONDS = 0.05  # H1


def debugged() -> asyncio.AbstractEventLoop:
    """asyncio's own loop in debug mode: uvloop's calls cannot be watched."""
    loop = asyncio.SelectorEventLoop()
    loop.set_debug(True)
    loop.slow_callback_duration = 60.0  # written down here instead
    return loop


def watch(log: Path) -> None:
    """Time each call that the loop makes. The log is there once one was."""
    handle: Any = asyncio.events.Handle
    plain = handle._run
    first = True

    def run(self: Any) -> None:
        nonlocal first
        if first:
            first = False
            log.touch()
        began, queued = time.perf_counter(), in_queue()
        plain(self)
        held = time.perf_counter() - began - (in_queue() - queued)
        if held > LIMIT_SECONDS:
            entry = {"at": time.time(), "held_ms": round(held * 1000), "call": repr(self)}
            with log.open("a") as out:
                out.write(json.dumps(entry) + "\n")

    handle._run = run


def in_queue() -> float:
    """Seconds that this thread was ready to run and did not, so far."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


if __name__ == "__main__":
    uvloop.new_event_loop = debugged  # type: ignore[assignment]
    watch(Path(sys.argv[1]))
    sys.argv[1:] = sys.argv[2:]
    sys.exit(main())
