"""Guests: let in where the workspace says so, told apart, forgotten, and written nowhere."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from server.identity.guests import COOKIE, GuestLimit
from sql.db import Identity, owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, error_of, named, take, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

PUBLIC = "The harbour office of Zzyzx opens at seven o'clock and closes at noon."
PRIVATE = "The vault of Zzyzx opens with the number 4417."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def library(house: Service) -> Asker:
    """A public and a workspace document."""
    member = await house.newcomer()
    asker = Asker(member, house.client(member))
    for name, text, visibility in (
        ("zzyzx-office.txt", PUBLIC, "public"),
        ("zzyzx-vault.txt", PRIVATE, "workspace"),
    ):
        document = await asker.upload(name, text.encode())
        patched = await asker.client.patch(
            f"/api/documents/{document['id']}", json={"visibility": visibility}
        )
        assert patched.status_code == 200, patched.text
    return asker


@pytest_asyncio.fixture(loop_scope="module")
async def open_house(house: Service, scripted: Scripted) -> AsyncIterator[Service]:
    """Guests are let in, and nobody counts their questions."""
    await scripted.answers(house, "scripted-echo")
    await house.admin.put("/api/settings", json={"values": {"guests.enabled": True}})
    house.runtime.guests.limit = GuestLimit(guest=99, address=999, openings=999, together=999)
    yield house
    await house.admin.put("/api/settings", json={"values": {"guests.enabled": None}})


def guest(house: Service, **headers: str) -> Asker:
    """Somebody without an account; the client keeps cookies as a browser does."""
    client = house.client()
    client.headers.update(headers)
    return Asker(Identity(house.people.workspace, None, "guest"), client)


async def counts(house: Service) -> dict[str, int]:
    """Rows of every table there is."""
    async with owner_transaction(house.runtime.urls.owner) as connection:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {
            row["tablename"]: await connection.fetchval(f'SELECT count(*) FROM "{row["tablename"]}"')
            for row in tables
        }


async def test_guests_are_let_in_only_where_the_workspace_says_so(house: Service) -> None:  # A7
    nobody = guest(house)
    assert (await nobody.client.get("/api/setup")).json()["guests"] is False
    for method, path in (("GET", "/api/threads"), ("POST", "/api/threads"), ("GET", "/api/suggestions")):
        answer = await nobody.client.request(method, path, json={} if method == "POST" else None)
        assert answer.status_code == 401
    assert not nobody.client.cookies


async def test_a_conversation_of_several_turns_writes_no_row_anywhere(
    open_house: Service, scripted: Scripted, library: Asker
) -> None:  # A7, A9, S-CM-06
    await asyncio.sleep(0.7)  # what members did before is written
    before = await counts(open_house)
    visitor = guest(open_house)
    thread = await visitor.thread()
    cookie = visitor.client.cookies[COOKIE]
    await scripted.answers(open_house, "scripted-cite")
    events = await visitor.ask(thread, "When does the harbour office of Zzyzx open?")
    assert [s["name"] for s in named(events, "sources")[0]["items"]] == ["zzyzx-office.txt"]
    await visitor.ask(thread, "and when does it close?")
    assert "harbour office" in str(scripted.requests[-1]["messages"])  # the first turn is remembered
    assert visitor.client.cookies[COOKIE] == cookie  # made once, not per message
    detail = await visitor.read(thread)
    assert [m["role"] for m in detail["messages"]] == ["user", "assistant"] * 2
    assert detail["messages"][1]["sources"][0]["name"] == "zzyzx-office.txt"
    assert (await visitor.client.get("/api/threads")).json()["items"][0]["id"] == thread
    await visitor.client.delete("/api/guest")
    await asyncio.sleep(0.7)
    assert await counts(open_house) == before


async def test_only_public_documents_are_searched(
    open_house: Service, scripted: Scripted, library: Asker
) -> None:  # issue 5, 7
    await scripted.answers(open_house, "scripted-cite")
    visitor = guest(open_house)
    events = await visitor.ask(await visitor.thread(), "Which number opens the vault of Zzyzx?")
    assert "zzyzx-vault.txt" not in str([e.raw for e in events])
    assert "4417" not in str(scripted.requests)
    suggested = (await visitor.client.get("/api/suggestions")).json()["questions"]
    assert "vault" not in str(suggested)


async def test_a_guest_is_given_no_file(
    open_house: Service, scripted: Scripted, library: Asker
) -> None:  # D17, L5
    visitor = guest(open_house)
    events = await visitor.ask(await visitor.thread(), "Send me the file zzyzx-office.txt")
    assert "/original" not in str([e.raw for e in events])
    assert "people with an account" in text_of(events)


async def test_four_clients_that_send_no_user_are_four_guests(
    open_house: Service, scripted: Scripted
) -> None:  # S-CM-06, A8
    before = await counts(open_house)
    visitors = [
        guest(open_house, authorization=f"Bearer {user}".rstrip(), **{"x-user": user.strip()})
        for user in ("", "anon", " NULL ", "Undefined")
    ]
    threads = []
    for n, visitor in enumerate(visitors):
        threads.append(await visitor.thread())
        await visitor.ask(threads[n], f"hello my friend w-{n}")
    assert len({v.client.cookies[COOKIE] for v in visitors}) == 4
    for n, visitor in enumerate(visitors):
        scripted.requests.clear()
        await visitor.ask(threads[n], "hello again")
        sent = str(scripted.requests)
        assert [f"w-{m}" in sent for m in range(4)] == [m == n for m in range(4)]
        for m, other in enumerate(threads):
            assert (await visitor.client.get(f"/api/threads/{other}")).status_code == (200 if m == n else 404)
        items = (await visitor.client.get("/api/threads")).json()["items"]
        assert [item["id"] for item in items] == [threads[n]]
    assert await counts(open_house) == before


@pytest.mark.parametrize("made_up", ["", "null", "undefined", "anon", "0" * 43])
async def test_a_cookie_that_we_did_not_make_is_nobodys(open_house: Service, made_up: str) -> None:  # A8, A11
    async def begin() -> httpx.Response:
        headers = {"cookie": f"{COOKIE}={made_up}"}
        client = open_house.client()
        answer = await client.post("/api/threads", json={}, headers=headers)
        assert (await client.get("/api/threads")).json()["items"] != []  # under the new cookie
        again = await open_house.client().get("/api/threads", headers=headers)
        assert again.json()["items"] == []
        return answer

    first, second = await begin(), await begin()
    made = [answer.headers["set-cookie"] for answer in (first, second)]
    assert made[0].split(";")[0] != made[1].split(";")[0]
    assert all("HttpOnly" in cookie and "SameSite=strict" in cookie for cookie in made)


async def test_a_bad_token_is_no_guest(open_house: Service) -> None:  # A11: who claims to be somebody must be
    client = open_house.client()
    client.headers["authorization"] = "Bearer eyJhbGciOiJub25lIn0.e30."
    assert (await client.get("/api/threads")).status_code == 401


async def test_leaving_forgets_and_stops(open_house: Service, scripted: Scripted) -> None:  # A10
    visitor = guest(open_house)
    thread = await visitor.thread()
    token = visitor.client.cookies[COOKIE]
    await scripted.answers(open_house, "scripted-pace-10-100")
    async with visitor.asking(thread, "hello") as live:
        [started, *_] = await take(live, 3)
        assert (await visitor.client.delete("/api/guest")).status_code == 204
        async with asyncio.timeout(2):
            [event async for event in live]
    old = open_house.client()
    old.cookies.set(COOKIE, token)
    assert (await old.get(f"/api/threads/{thread}")).status_code == 404
    assert (await old.get(f"/api/runs/{started.data['run_id']}/events")).status_code == 404
    async with asyncio.timeout(2):
        while not scripted.app.state.closed:
            await asyncio.sleep(0.02)


async def test_whoever_is_silent_for_too_long_is_forgotten(open_house: Service) -> None:  # A10
    visitor = guest(open_house)
    thread = await visitor.thread()
    runtime = open_house.runtime
    [found] = [g for g in runtime.guests._known.values() if g.token == visitor.client.cookies[COOKIE]]
    found.seen -= 31 * 60
    runtime.guests._known.move_to_end(
        next(k for k, g in runtime.guests._known.items() if g is found), last=False
    )
    runtime.forget_guests()
    assert runtime.conversations.threads(found.id) == []
    assert (await visitor.client.get(f"/api/threads/{thread}")).status_code == 404


async def test_streams_stop_and_resume_in_memory(
    open_house: Service, scripted: Scripted
) -> None:  # S-ST-06, S-ST-07
    visitor = guest(open_house)
    thread = await visitor.thread()
    await scripted.answers(open_house, "scripted-pace-40-30")
    async with visitor.asking(thread, "hello") as live:
        kept = await take(live, 5)
    run_id = kept[0].data["run_id"]
    assert (await visitor.read(thread))["active_run"]["id"] == run_id
    stranger = guest(open_house)
    await stranger.thread()
    assert (await stranger.client.get(f"/api/runs/{run_id}/events")).status_code == 404
    assert (await stranger.client.post(f"/api/runs/{run_id}/stop")).status_code == 404
    whole = kept + await visitor.follow(run_id, after=kept[-1].seq)
    assert [e.seq for e in whole] == list(range(1, len(whole) + 1))
    assert text_of(whole) == "".join(f"w{n} " for n in range(30))
    async with visitor.asking(thread, "hello") as live:
        begun = await take(live, 3)
        assert (await visitor.client.post(f"/api/runs/{begun[0].data['run_id']}/stop")).status_code == 204
        rest = [event async for event in live]
    assert rest[-1].data["finish"] == "stopped"
    assert [m["kind"] for m in (await visitor.read(thread))["messages"]] == [
        "question", "answer", "question", "stopped",
    ]  # fmt: skip


async def test_guests_have_a_limit_and_a_bound(open_house: Service, scripted: Scripted) -> None:  # issue 5, 7
    await scripted.answers(open_house, "scripted-echo")
    open_house.runtime.guests.limit = GuestLimit(guest=2, address=99, openings=99, together=99)
    visitor = guest(open_house)
    thread = await visitor.thread()
    statuses: list[int] = []
    for _ in range(3):
        async with visitor.client.stream(
            "POST", f"/api/threads/{thread}/messages", json={"content": "hello"}
        ) as response:
            await response.aread()
            statuses.append(response.status_code)
    assert statuses == [200, 200, 429]
    open_house.runtime.guests.limit = GuestLimit(guest=999, address=999, openings=1, together=999)
    assert (await open_house.client().post("/api/threads", json={})).status_code == 201
    assert (await open_house.client().post("/api/threads", json={})).status_code == 429
    own = open_house.runtime.conversations
    mine = next(t for threads in own._threads.values() for t in threads.values() if t.id == UUID(thread))
    keeper = next(g for g, threads in own._threads.items() if mine.id in threads)
    mine.messages[:] = [dict(mine.messages[i % 2], content="x" * 50_000) for i in range(12)]
    own._bound(keeper)
    assert len(mine.messages) < 12
    assert len(mine.messages) % 2 == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/documents"), ("POST", "/api/search"), ("GET", "/api/me"), ("GET", "/api/settings"),
        ("PATCH", "/api/threads/{id}"), ("GET", "/api/threads/{id}/export"), ("GET", "/api/events"),
    ],
)  # fmt: skip
async def test_nothing_but_the_conversation_is_open(open_house: Service, method: str, path: str) -> None:
    visitor = guest(open_house)
    thread = await visitor.thread()
    body: dict[str, Any] | None = {} if method in ("POST", "PATCH") else None
    answer = await visitor.client.request(method, path.format(id=thread), json=body)
    error_of(answer, 401)
