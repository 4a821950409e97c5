"""Another embedding model while searches go on (N8): a second space beside the first, then one switch."""

import asyncio
from typing import Any

import pytest

from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = b"The Zzyzx ferry crosses to Orlith at seven and at nine every morning.\n"
QUERY = {"query": "When does the Zzyzx ferry cross?", "k": 3}


async def test_swap_and_back(house: Service, scripted: Scripted) -> None:  # N1, N8, G1, G3
    asker = Asker(house.people.owner, house.admin)
    await asker.upload("zzyzx-ferry.txt", TEXT)

    saved = await house.admin.put(
        "/api/settings",
        json={"values": {"embedding.base_url": scripted.base_url, "embedding.model": "scripted-embed"}},
    )
    assert saved.status_code == 200, saved.text
    assert await found(asker), "searches go on with the old space"
    await until_active(house, "scripted-embed")
    assert await found(asker)
    assert any(body.get("model") == "scripted-embed" for body in scripted.requests)

    await asker.upload("zzyzx-tide.txt", b"High tide at the Zzyzx pier is at eleven.\n")
    back = await house.admin.put(
        "/api/settings", json={"values": {"embedding.base_url": None, "embedding.model": None}}
    )
    assert back.status_code == 200, back.text
    await until_active(house, "all-MiniLM-L6-v2")
    assert await found(asker)


async def test_a_model_that_does_not_answer_is_not_saved(house: Service) -> None:  # G2
    values = {"embedding.base_url": "http://127.0.0.1:9/v1", "embedding.model": "zzyzx"}
    refused = await house.admin.put("/api/settings", json={"values": values})
    assert refused.status_code == 422
    assert "embedding.base_url" in refused.json()["error"]["detail"]["fields"]
    sections: list[dict[str, Any]] = (await house.admin.get("/api/settings")).json()["sections"]
    assert active(sections) == "all-MiniLM-L6-v2"


async def found(asker: Asker) -> bool:
    answer = (await asker.client.post("/api/search", json=QUERY)).json()
    return bool(answer["results"]) and "ferry" in answer["results"][0]["text"]


def active(sections: list[dict[str, Any]]) -> str:
    return str(next(s for s in sections if s["id"] == "embedding")["active"]["label"])


async def until_active(house: Service, model: str) -> None:
    async with asyncio.timeout(30):
        while active((await house.admin.get("/api/settings")).json()["sections"]) != model:
            await asyncio.sleep(0.1)
