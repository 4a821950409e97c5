"""Asking questions over HTTP and reading the streams that answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from sql.db import Identity

LAST = ("done", "error")


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it came: `raw` is its frame, byte for byte."""

    name: str
    seq: int
    data: dict[str, Any]
    raw: str


async def events_of(response: httpx.Response) -> AsyncIterator[Event]:
    """The events of a stream as they arrive; comments are heartbeats and left out."""
    buffer = ""
    async for piece in response.aiter_text():
        buffer += piece
        while "\n\n" in buffer:
            raw, _, buffer = buffer.partition("\n\n")
            if not raw.startswith(":"):
                yield parse(raw)
    assert buffer == "", f"the stream ended inside a frame: {buffer!r}"


def parse(raw: str) -> Event:
    """A frame of the contract: event, then id, then data, each on one line."""
    name, number, data = raw.split("\n")
    return Event(
        name.removeprefix("event: "),
        int(number.removeprefix("id: ")),
        json.loads(data.removeprefix("data: ")),
        raw,
    )


def named(events: Sequence[Event], name: str) -> list[dict[str, Any]]:
    return [event.data for event in events if event.name == name]


def text_of(events: Sequence[Event]) -> str:
    return "".join(data["delta"] for data in named(events, "text"))


@dataclass(frozen=True, slots=True)
class Asker:
    """A signed-in person with a client."""

    identity: Identity
    client: httpx.AsyncClient

    async def upload(self, name: str, content: bytes, **form: str) -> dict[str, Any]:
        """Upload one file and wait until it can be searched."""
        answer = await self.client.post("/api/documents", files={"file": (name, content)}, data=form)
        assert answer.status_code == 202, answer.text
        return await self.finished(answer.json()[0]["id"])

    async def finished(self, document_id: str, *, seconds: float = 60) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while True:
                document: dict[str, Any] = (await self.client.get(f"/api/documents/{document_id}")).json()
                if document["status"] not in ("pending", "processing"):
                    return document
                await asyncio.sleep(0.03)

    async def thread(self) -> str:
        answer = await self.client.post("/api/threads", json={})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    @asynccontextmanager
    async def asking(self, thread: str, content: str) -> AsyncIterator[AsyncIterator[Event]]:
        """The events of an answer, live; leaving the block early hangs up."""
        url = f"/api/threads/{thread}/messages"
        async with self.client.stream("POST", url, json={"content": content}) as response:
            assert response.status_code == 200, await response.aread()
            yield events_of(response)

    async def ask(self, thread: str, content: str) -> list[Event]:
        """All events of an answer; checks what every stream must keep to."""
        async with self.asking(thread, content) as live:
            events = [event async for event in live]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert events[0].name == "run"
        assert [event.name for event in events if event.name in LAST] == [events[-1].name]
        return events

    async def follow(self, run_id: str, *, after: int | None = None) -> list[Event]:
        headers = {} if after is None else {"last-event-id": str(after)}
        async with self.client.stream("GET", f"/api/runs/{run_id}/events", headers=headers) as response:
            assert response.status_code == 200, await response.aread()
            return [event async for event in events_of(response)]

    async def read(self, thread: str) -> dict[str, Any]:
        answer = await self.client.get(f"/api/threads/{thread}")
        assert answer.status_code == 200, answer.text
        detail: dict[str, Any] = answer.json()
        return detail

    async def messages(self, thread: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.read(thread))["messages"]
        return found


async def take(live: AsyncIterator[Event], count: int, name: str = "text") -> list[Event]:
    """Events up to the `count`th of this name."""
    taken: list[Event] = []
    async for event in live:
        taken.append(event)
        if sum(e.name == name for e in taken) == count:
            break
    return taken


async def listed(asker: Asker, **params: Any) -> list[str]:
    """Names of the documents in a list."""
    answer = await asker.client.get("/api/documents", params=params)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]


def error_of(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The error of a refusal, which says something in a sentence."""
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error["message"].endswith((".", "?"))
    return error
