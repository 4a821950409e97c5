"""Threads are listed to the last one, in pages."""

import pytest

from server.routes.threads import MOST_THREADS
from tests.db.conftest import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_pages_hold_every_thread_once(house: Service) -> None:  # interfaces.md
    client = house.client(await house.newcomer())
    made = [
        (await client.post("/api/threads", json={"title": f"zzyzx {n}"})).json()["id"]
        for n in range(MOST_THREADS + 3)
    ]
    first = (await client.get("/api/threads")).json()
    second = (await client.get("/api/threads", params={"cursor": first["next_cursor"]})).json()
    assert [t["id"] for t in first["items"] + second["items"]] == made[::-1]
    assert second["next_cursor"] is None
    assert (await client.get("/api/threads", params={"cursor": "nonsense"})).json()["items"] == first["items"]
