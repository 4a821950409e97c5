"""One LISTEN connection a process: notices as an async stream that reconnects and says when it had a gap."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from sql.db import CONNECTION_LOST

log = logging.getLogger("ibid.sql")

PROBE_SECONDS = 15.0  # a connection that a router forgot is noticed within this time
RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class Notice:
    """What a trigger said. `channel` is empty for a gap: notices may have been missed, read again."""

    channel: str = ""
    payload: dict[str, Any] = field(default_factory=dict)

    @property
    def gap(self) -> bool:
        return not self.channel


async def listen(url: str, channels: Sequence[str]) -> AsyncIterator[Notice]:
    """Notices of these channels for ever; the first, and the first after each reconnect, is a gap.

    `url` must reach Postgres itself: a transaction pooler cannot LISTEN.
    """
    failures = 0
    while True:
        try:
            connection = await asyncpg.connect(url, timeout=10)
        except (*CONNECTION_LOST, asyncpg.PostgresError) as error:
            delay = RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)]
            log.warning("cannot listen for notices, trying again in %.1f s: %s", delay, error)
            failures += 1
            await asyncio.sleep(delay)
            continue
        failures = 0
        try:
            async for notice in _notices(connection, channels):
                yield notice
        except (*CONNECTION_LOST, asyncpg.PostgresError) as error:
            log.warning("the connection for notices was lost: %s", error)
        finally:
            with suppress(*CONNECTION_LOST, asyncpg.PostgresError):
                await connection.close(timeout=2)


async def _notices(connection: asyncpg.Connection, channels: Sequence[str]) -> AsyncIterator[Notice]:
    arrived: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()

    def receive(_connection: object, _pid: int, channel: str, payload: object) -> None:
        arrived.put_nowait((channel, str(payload)))

    connection.add_termination_listener(lambda _connection: arrived.put_nowait(None))
    for channel in channels:
        await connection.add_listener(channel, receive)
    yield Notice()
    while True:
        try:
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes with a notice.
            async with asyncio.timeout(PROBE_SECONDS):
                item = await arrived.get()
        except TimeoutError:
            await connection.execute("SELECT 1")
            continue
        if item is None:
            raise ConnectionError("terminated by the server")
        channel, payload = item
        try:
            value = json.loads(payload)
        except ValueError:
            log.warning("ignoring a notice on %s that is not JSON", channel)
            continue
        if isinstance(value, dict):
            yield Notice(channel, value)
