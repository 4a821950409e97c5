"""Searches over HTTP: filters, explanations, what is kept with an answer, access, rules and golden questions."""

from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = "# Zzyzx pumps\n\nThe Zzyzx pump of the type ZZ-4417 needs a new seal after 900 hours of work."
OTHER = "# Zzyzx valves\n\nThe Zzyzx valve is made of bronze and is opened by hand."
QUESTION = "When does the Zzyzx pump ZZ-4417 need a new seal?"


@pytest_asyncio.fixture(loop_scope="module")
async def pumps(asker: Asker) -> str:
    await asker.upload("zzyzx-valves.md", OTHER.encode())
    return str((await asker.upload("zzyzx-pumps.md", TEXT.encode()))["id"])


async def search(client: httpx.AsyncClient, status: int = 200, **body: Any) -> dict[str, Any]:
    response = await client.post("/api/search", json={"query": QUESTION} | body)
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_a_search_explains_itself(asker: Asker, pumps: str) -> None:  # O2
    found = await search(asker.client, explain=True)
    first = found["trace"][0]
    assert (first["document_id"], first["name"], first["fate"], first["place"]) == (
        pumps,
        "zzyzx-pumps.md",
        "shown",
        0,
    )
    assert first["ranks"] | {"graph": None} == {"dense": 0, "keyword": 0, "graph": None, "exact": 0}
    assert sum(first["shares"].values()) == pytest.approx(first["score"], abs=1e-4)
    assert found["gated"] == {"use": 0, "trust": 0, "redaction": 0}
    assert (await search(asker.client))["trace"] is None


async def test_a_filter_that_leaves_nothing_is_relaxed_with_a_notice(asker: Asker, pumps: str) -> None:  # E17
    found = await search(asker.client, filters={"languages": ["fi"], "document_ids": [pumps]})
    assert (found["relaxed"], [r["document_id"] for r in found["results"]]) == (["languages"], [pumps])
    strict = await search(asker.client, filters={"languages": ["fi"]}, relax=False)
    assert (strict["relaxed"], strict["results"]) == ([], [])
    kept = await search(asker.client, filters={"media_type": "text/markdown", "since": "2000-01-01"})
    assert (kept["relaxed"], bool(kept["results"])) == ([], True)
    await search(asker.client, 422, filters={"since": "yesterday"})
    await search(asker.client, 422, filters={"since": "2026-01-01", "time_zone": "Zzyzx/Nowhere"})


async def test_why_over_http(asker: Asker, house: Service, pumps: str) -> None:  # O2, X2
    async def why(client: httpx.AsyncClient, document: str) -> dict[str, Any]:
        response = await client.post("/api/search/why", json={"query": QUESTION, "document_id": document})
        assert response.status_code == 200, response.text
        told: dict[str, Any] = response.json()
        return told

    told = await why(asker.client, pumps)
    assert (told["stage"], told["reached"][-1], told["best"]["name"]) == ("used", "used", "zzyzx-pumps.md")
    stranger = house.client(await house.newcomer())
    assert await why(stranger, pumps) == await why(stranger, str(uuid4()))


async def test_the_search_of_an_answer_is_kept_with_it(
    asker: Asker, house: Service, scripted: Scripted, pumps: str, thread: str
) -> None:  # O2, O3
    await scripted.answers(house, "scripted-cite")
    events = await asker.ask(thread, QUESTION)
    search_id = named(events, "tool")[-1]["result"]["search_id"]
    kept = (await asker.client.get(f"/api/searches/{search_id}")).json()
    assert kept["thread_id"] == thread
    assert next(c["name"] for c in kept["candidates"] if c["fate"] == "shown") == "zzyzx-pumps.md"
    assert {"embed", "dense", "keyword", "total"} <= kept["timings_ms"].keys()
    again = (await asker.client.post(f"/api/searches/{search_id}/replay")).json()
    assert (again["same"], again["added"], again["missing"]) == (True, [], [])
    stranger = house.client(await house.newcomer())
    for call in (
        stranger.get(f"/api/searches/{search_id}"),
        stranger.post(f"/api/searches/{search_id}/replay"),
    ):
        assert (await call).status_code == 404  # A6

    assert (await asker.client.delete(f"/api/documents/{pumps}")).status_code == 200
    kept = (await asker.client.get(f"/api/searches/{search_id}")).json()
    assert pumps not in {c["document_id"] for c in kept["candidates"]}  # gone with the document
    again = (await asker.client.post(f"/api/searches/{search_id}/replay")).json()
    assert pumps not in {r["document_id"] for r in again["results"]}
    assert (await asker.client.delete(f"/api/threads/{thread}")).status_code == 204
    assert (await asker.client.get(f"/api/searches/{search_id}")).status_code == 404
    async with owner_transaction(house.runtime.urls.owner) as connection:
        assert await connection.fetchval("SELECT count(*) FROM searches WHERE id = $1", search_id) == 0


async def test_who_can_see_this_document(asker: Asker, house: Service, pumps: str) -> None:  # D18
    other = await house.newcomer()
    reader, url = house.client(other), f"/api/documents/{pumps}"
    mine = (await asker.client.get(f"{url}/access")).json()
    assert [(p["id"], p["why"]) for p in mine["people"]] == [(str(asker.identity.user_id), "owner")]
    assert (await reader.get(f"{url}/access")).status_code == 404

    shared = await asker.client.put(f"{url}/shares", json={"user_ids": [str(other.user_id)]})
    assert shared.status_code == 200, shared.text
    assert {(p["id"], p["why"]) for p in shared.json()["people"][1:]} == {(str(other.user_id), "shared")}
    assert [r["document_id"] for r in (await search(reader))["results"]] == [pumps]
    theirs = (await reader.get(f"{url}/access")).json()
    assert (theirs["own"], theirs["complete"], theirs["visibility"]) == (False, False, "shared")
    for changed in ({"visibility": "public"}, {"use": "style"}):
        assert (await reader.put(f"{url}/access", json=changed)).status_code == 404
    assert (await reader.put(f"{url}/shares", json={"user_ids": []})).status_code == 404
    assert (await asker.client.put(f"{url}/shares", json={"user_ids": [str(uuid4())]})).status_code == 404

    assert (await asker.client.put(f"{url}/access", json={"use": "style"})).status_code == 200
    found = await search(reader)
    assert (found["results"], found["gated"]["use"]) == ([], 1)  # at once
    assert (await asker.client.put(f"{url}/access", json={"use": "evidence", "trust": 1})).status_code == 403
    await asker.client.put(f"{url}/access", json={"use": "evidence"})
    assert (await asker.client.put(f"{url}/shares", json={"user_ids": []})).json()["visibility"] == "private"
    assert (await search(reader))["results"] == []


async def test_rules_are_an_administrators(asker: Asker, house: Service, pumps: str) -> None:  # D17
    rule = {"audience": "member", "kind": "name", "value": "zz-4417", "note": "until the recall"}
    assert (await asker.client.post("/api/gates/rules", json=rule)).status_code == 403
    made = await house.admin.post("/api/gates/rules", json=rule)
    assert made.status_code == 201, made.text
    try:
        found = await search(asker.client)
        assert pumps not in {r["document_id"] for r in found["results"]}
        assert found["gated"]["redaction"] == 1
        assert made.json() in (await house.admin.get("/api/gates")).json()["rules"]
    finally:
        assert (await house.admin.delete(f"/api/gates/rules/{made.json()['id']}")).status_code == 204
    assert pumps in {r["document_id"] for r in (await search(asker.client))["results"]}
    for bad in ("((", ".*", r"(a)\1", "(?i)anna"):
        refused = await house.admin.post("/api/gates/rules", json=rule | {"kind": "pattern", "value": bad})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_rule"), bad
    audiences = await house.admin.put("/api/gates/audiences", json={"public": 1})
    assert audiences.json()["audiences"] == {"public": {"least_trust": 1}, "member": {"least_trust": 0}}


async def test_golden_questions_are_run_as_whoever_runs_them(
    asker: Asker, house: Service, pumps: str
) -> None:  # P8
    body = {"question": QUESTION, "document_ids": [pumps]}
    made = (await asker.client.post("/api/golden", json=body)).json()
    assert (await asker.client.post("/api/golden", json=body)).json()["id"] == made["id"]  # once
    wrong = {"question": "Who beats the eggs?", "document_ids": [pumps]}
    await asker.client.post("/api/golden", json=wrong)
    report = (await asker.client.post("/api/golden/run")).json()
    assert (report["questions"], report["results"][0]["rank"], report["results"][1]["rank"]) == (2, 1, None)
    assert report["metrics"] == {"success@1": 0.5, "recall@5": 0.5}

    stranger = house.client(await house.newcomer())
    assert (await stranger.get("/api/golden")).json()["items"] == []
    assert (await stranger.post("/api/golden", json=body)).status_code == 404
    assert (await stranger.delete(f"/api/golden/{made['id']}")).status_code == 404
    theirs = {q["id"]: q for q in (await house.admin.get("/api/golden")).json()["items"]}
    assert (theirs[made["id"]]["hidden"], theirs[made["id"]]["documents"]) == (
        1,
        [],
    )  # an administrator sees no more
    await asker.client.delete(f"/api/documents/{pumps}")
    assert (await asker.client.post("/api/golden/run")).json()["skipped"] == 2
    assert (await asker.client.delete(f"/api/golden/{made['id']}")).status_code == 204
