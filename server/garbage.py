"""Python's garbage collector in a server: what was loaded once is not looked through again between two tokens."""

import asyncio
import gc
import sys

LOOK_SECONDS = 2.0
# By default each 70,000 new objects may have every object of the process looked through, some 300,000 with the SDK:
# 50 ms alone, 200 to 700 beside other work, in which no token moves. Young objects are still looked through often.
# With (10_000, 20, 50) the middle step took 142 ms once while 500 streams began.
THRESHOLDS = (5_000, 5, 100)
MODULES = 50  # the SDK is some 700; fewer are not worth the pause, which falls on whatever streams just then


async def settling() -> None:
    """Set aside what importing has left, now and whenever something large was imported; until cancelled."""
    gc.set_threshold(*THRESHOLDS)
    loaded = 0
    while True:
        if len(sys.modules) >= loaded + MODULES:
            loaded = len(sys.modules)
            settle()
        await asyncio.sleep(LOOK_SECONDS)


def settle() -> None:
    """Whatever is alive now is taken to stay."""
    gc.collect()
    gc.freeze()
