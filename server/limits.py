"""Limits on how often something may be tried."""

from collections import OrderedDict
from time import monotonic

MOST_KEYS = 10_000  # remembered at once; the longest untouched is forgotten first


class RateLimit:
    """At most `attempts` in any `seconds` for a key, in this process."""

    def __init__(self, *, attempts: int, seconds: float) -> None:
        self._attempts = attempts
        self._seconds = seconds
        self._seen: OrderedDict[str, list[float]] = OrderedDict()

    def allow(self, key: str, *, now: float | None = None) -> bool:
        """Count an attempt; False when it is one too many."""
        moment = monotonic() if now is None else now
        recent = [t for t in self._seen.pop(key, []) if moment - t < self._seconds]
        allowed = len(recent) < self._attempts
        if allowed:
            recent.append(moment)
        self._seen[key] = recent
        if len(self._seen) > MOST_KEYS:
            self._seen.popitem(last=False)
        return allowed

    def forget(self, key: str) -> None:
        """After a success the count starts again."""
        self._seen.pop(key, None)
