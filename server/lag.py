"""How late the event loop wakes up: what every request and every token waits before anything else."""

import asyncio
from collections import deque

EVERY = 0.05  # seconds
WINDOW = 60.0  # seconds that are looked back on


class LoopLag:
    """Lateness of the last minute, in milliseconds; a sample costs some 20 microseconds."""

    def __init__(self) -> None:
        self._late: deque[float] = deque(maxlen=int(WINDOW / EVERY))

    async def run(self) -> None:
        """Sample until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            self._late.append((loop.time() - due) * 1000)

    def quantile(self, share: float) -> float | None:
        """Milliseconds that this share of the samples stayed within; None before there is one."""
        late = sorted(self._late)
        return round(late[min(int(share * len(late)), len(late) - 1)], 1) if late else None
