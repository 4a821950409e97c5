"""The hub: notices from Postgres go to the open pages of whoever may care, as ids to read again."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from uuid import UUID

from server.stream.sse import HEARTBEAT_SECONDS, Frame, Frames, frame
from sql.db import Identity
from sql.listen import Notice, listen

log = logging.getLogger("ibid.events")

QUEUE_SIZE = 256  # notices kept for a slow reader; over that it is told to read everything again


@dataclass(eq=False, slots=True)
class Subscriber:
    """One open page. `closed` ends its stream: the account was disabled or the server stops."""

    identity: Identity
    queue: asyncio.Queue[Frame] = field(default_factory=lambda: asyncio.Queue(QUEUE_SIZE))
    closed: bool = False

    def push(self, item: Frame) -> None:
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            item = frame("resync", {})
        self.queue.put_nowait(item)


class EventHub:
    """Fans one LISTEN connection out to the subscribers of this process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._subscribers: set[Subscriber] = set()
        self.settings_changed = asyncio.Event()
        self.memberships_changed: asyncio.Queue[tuple[UUID, UUID]] = asyncio.Queue()  # workspace, user
        self._seq = 0

    async def run(self) -> None:
        """Listen until cancelled."""
        async for notice in listen(self._url, ["ibid_events"]):
            self._dispatch(notice)

    def _dispatch(self, notice: Notice) -> None:
        self._seq += 1
        kind = notice.payload.get("kind")
        if notice.gap or kind == "settings":
            self.settings_changed.set()
        if kind == "membership":
            with suppress(ValueError):
                changed = (str(notice.payload.get(name)) for name in ("workspace_id", "user_id"))
                self.memberships_changed.put_nowait((UUID(next(changed)), UUID(next(changed))))
            return
        for subscriber in self._subscribers:
            if notice.gap:
                subscriber.push(frame("resync", {}, seq=self._seq))
            elif kind == "settings":
                subscriber.push(frame("settings", {}, seq=self._seq))
            elif kind == "document" and _concerns(notice, subscriber.identity):
                payload = {"id": notice.payload["id"], "version": notice.payload.get("version")}
                subscriber.push(frame("document", payload, seq=self._seq))

    def close_streams_of(self, workspace_id: UUID, user_id: UUID) -> None:
        """End the streams of a person who is no member any more."""
        for subscriber in self._subscribers:
            if (subscriber.identity.workspace_id, subscriber.identity.user_id) == (workspace_id, user_id):
                subscriber.closed = True
                subscriber.push(frame("resync", {}, seq=self._seq))

    @contextmanager
    def _subscribed(self, identity: Identity) -> Iterator[Subscriber]:
        subscriber = Subscriber(identity)
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    async def stream(self, identity: Identity) -> Frames:
        """Events of one page. The first says to read everything, so nothing is missed before or between."""
        with self._subscribed(identity) as subscriber:
            yield [frame("resync", {}, seq=self._seq)]
            while not subscriber.closed:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        item = await subscriber.queue.get()
                except TimeoutError:
                    yield []
                else:
                    yield [item]


def _concerns(notice: Notice, identity: Identity) -> bool:
    """Whether to wake this page. Only a hint: what it then reads is decided by row-level security (X5)."""
    payload = notice.payload
    if payload.get("workspace_id") != str(identity.workspace_id):
        return False
    return payload.get("owner_id") == str(identity.user_id) or bool(payload.get("seen_by_others"))
