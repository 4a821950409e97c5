"""The collector's settings in a server, in a process of their own: they hold for all of it."""

import subprocess
import sys

PROGRAM = """
import asyncio, gc
from server import garbage

garbage.LOOK_SECONDS = 0.01

async def main():
    task = asyncio.create_task(garbage.settling())
    await asyncio.sleep(0.05)
    before = gc.get_freeze_count()
    assert before > 1000, before
    assert gc.get_threshold() == garbage.THRESHOLDS
    import sys
    sys.modules.update({f"zzyzx{n}": sys for n in range(garbage.MODULES)})
    kept = [[] for _ in range(500)]
    await asyncio.sleep(0.2)
    assert gc.get_freeze_count() >= before + 500
    task.cancel()

asyncio.run(main())
"""


def test_what_was_imported_is_set_aside_also_later() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
