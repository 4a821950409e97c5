"""Guests: people without an account, told apart by a cookie that the server made, and known to this process only."""

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic
from uuid import UUID, uuid4

from starlette.requests import Request
from starlette.responses import Response

from server.errors import TooMany
from server.limits import RateLimit
from sql.db import Identity

COOKIE = "ibid_guest"
ROLE = "guest"
IDLE_SECONDS = 30 * 60.0  # after this long without a request nothing is left of a guest (A10)
MOST_GUESTS = 1000  # at once; the longest silent one is forgotten first. With 256 KB each at most: 256 MB
# What clients write that have no user: never an identity, whoever sends it (A8).
NOBODY = frozenset({"", "anon", "anonymous", "guest", "nil", "none", "null", "undefined"})


def is_nobody(token: str) -> bool:
    """Whether a token stands for nobody: absent, or a placeholder in any spelling."""
    return token.strip().casefold() in NOBODY


@dataclass(eq=False, slots=True)
class Guest:
    """One guest session. A new one is nothing but this object until it begins a thread."""

    workspace_id: UUID
    id: UUID = field(default_factory=uuid4)
    token: str = ""
    seen: float = field(default_factory=monotonic)

    @property
    def identity(self) -> Identity:
        """No user: row-level security shows what is public and takes nothing."""
        return Identity(workspace_id=self.workspace_id, user_id=None, role=ROLE)


class GuestLimit:
    """A guest asks and reads, an address opens sessions, and all of them together ask, only so often a minute."""

    def __init__(
        self, *, guest: int = 12, address: int = 30, openings: int = 20, together: int = 120, reads: int = 240
    ) -> None:
        self._guest = RateLimit(attempts=guest, seconds=60)
        self._address = RateLimit(attempts=address, seconds=60)
        self._openings = RateLimit(attempts=openings, seconds=60)
        self._together = RateLimit(attempts=together, seconds=60)
        self._reads = RateLimit(attempts=reads, seconds=60)

    def question(self, guest: Guest, address: str) -> None:
        """Count a question. Raises TooMany."""
        if not (
            self._guest.allow(str(guest.id)) and self._address.allow(address) and self._together.allow("")
        ):
            raise TooMany("That were many questions at once. Wait a minute, then go on.")

    def reading(self, guest: Guest) -> None:
        """Count a page or a passage that is opened. Raises TooMany."""
        if not self._reads.allow(str(guest.id)):
            raise TooMany("That were many pages at once. Wait a minute, then go on.")

    def opening(self, address: str) -> None:
        """Count a new session. Raises TooMany."""
        if not self._openings.allow(address):
            raise TooMany


class Guests:
    """The guest sessions of this process, by the digest of their token; the longest silent one first."""

    def __init__(self, workspace_id: UUID, *, most: int = MOST_GUESTS, idle: float = IDLE_SECONDS) -> None:
        self._workspace_id = workspace_id
        self._most = most
        self._idle = idle
        self._known: OrderedDict[bytes, Guest] = OrderedDict()
        self.limit = GuestLimit()

    def of(self, request: Request) -> Guest:
        """The guest that a request belongs to; a new one when its cookie is none of ours or has run out."""
        key = _digest(request.cookies.get(COOKIE, ""))
        guest = self._known.get(key)
        if guest is None or monotonic() - guest.seen > self._idle:
            return Guest(self._workspace_id)
        guest.seen = monotonic()
        self._known.move_to_end(key)
        return guest

    def admit(self, guest: Guest, response: Response, *, secure: bool) -> None:
        """Remember a new guest and give them their cookie, once."""
        if guest.token:
            return
        guest.token = secrets.token_urlsafe(32)
        self._known[_digest(guest.token)] = guest
        response.set_cookie(COOKIE, guest.token, httponly=True, samesite="strict", secure=secure, path="/")

    def leave(self, guest: Guest, response: Response) -> None:
        """Forget a guest who goes."""
        self._known.pop(_digest(guest.token), None)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")

    def sweep(self) -> list[Guest]:
        """Guests who have been silent for too long or are too many, no longer known from now on."""
        gone: list[Guest] = []
        while self._known:
            key, oldest = next(iter(self._known.items()))
            if len(self._known) <= self._most and monotonic() - oldest.seen <= self._idle:
                break
            gone.append(self._known.pop(key))
        return gone

    def __len__(self) -> int:
        return len(self._known)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
