"""A rule of redaction is tried on a text before it is made, with the matching of the gate itself (D17)."""

import httpx
import pytest

from tests.db.conftest import Service
from tests.db.conversation import Asker

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def trial(client: httpx.AsyncClient, kind: str, value: str, sample: str) -> list[tuple[str, bool]]:
    body = {"kind": kind, "value": value, "sample": sample}
    answer = await client.post("/api/gates/rules/test", json=body)
    assert answer.status_code == 200, answer.text
    return [(piece["text"], piece["protected"]) for piece in answer.json()["pieces"]]


async def test_a_trial_shows_what_the_gate_would_keep_back(house: Service) -> None:  # D17
    client = house.client(await house.newcomer("admin"))
    sample = "Ann asks ANNA-MÜLLER, and Anna Mullers do not."
    assert await trial(client, "name", "Anna Müller", sample) == [
        ("Ann asks ", False),
        ("ANNA-MÜLLER", True),
        (", and Anna Mullers do not.", False),
    ]
    assert await trial(client, "pattern", r"ORD-\d{3}", "ord-123ord-4567") == [
        ("ord-123", True),
        ("ord-456", True),
        ("7", False),
    ]
    assert await trial(client, "name", "Zzyzx", "") == []
    folded = await trial(client, "pattern", "office", "the oﬃce")  # one letter becomes three
    assert folded == [("the ", False), ("office", True)]


async def test_a_pattern_that_cannot_be_read_says_so(house: Service, asker: Asker) -> None:
    client = house.client(await house.newcomer("admin"))
    for kind, value in (("pattern", "(open"), ("pattern", r"(a)\1"), ("name", "--")):
        body = {"kind": kind, "value": value, "sample": "some text"}
        answer = await client.post("/api/gates/rules/test", json=body)
        assert answer.status_code == 400, (value, answer.text)
    refused = await asker.client.post("/api/gates/rules/test", json={"value": "Anna", "sample": "Anna"})
    assert refused.status_code == 403
