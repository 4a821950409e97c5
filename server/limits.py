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


class SignInLimit:
    """Attempts to sign in: few at one account from one address, more from an address, and a bound for all.

    The bound is 300 passwords of 25 ms a minute: an eighth of one core.
    """

    def __init__(self, *, account: int = 10, address: int = 60, all_together: int = 300) -> None:
        self._account = RateLimit(attempts=account, seconds=60)
        self._address = RateLimit(attempts=address, seconds=60)
        self._all = RateLimit(attempts=all_together, seconds=60)

    def allow(self, address: str, email: str) -> bool:
        """Count an attempt; False when it is one too many. What one limit refuses does not use up the next."""
        return (
            self._account.allow(_account(address, email))
            and self._address.allow(address)
            and self._all.allow("")
        )

    def forget(self, address: str, email: str) -> None:
        """After a success an account's count starts again; the others go on."""
        self._account.forget(_account(address, email))


def _account(address: str, email: str) -> str:
    return f"{address}|{email.strip().lower()}"
