"""The one place for soft failures: the answer goes on without something, and nobody may miss it (J3, O4)."""

from __future__ import annotations

import logging
from collections import Counter

log = logging.getLogger("ibid.degrade")

# The process's own tally, like a logger: the health page and tests read it by name.
tally: Counter[str] = Counter()


def degraded(name: str, reason: str | Exception) -> None:
    """Log and count under `name` ("rerank fallback"); `reason` is never what the other side sent (X15)."""
    tally[name] += 1
    detail = type(reason).__name__ if isinstance(reason, Exception) else reason
    log.warning("degraded: %s (%s), %d times since the start", name, detail, tally[name])


def count(name: str) -> int:
    """How often this soft failure happened since the process started."""
    return tally[name]


def counts() -> dict[str, int]:
    """Every soft failure since the process started."""
    return dict(tally)
