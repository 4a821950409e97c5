"""Nobody reaches what is another person's through any route that there is."""

import asyncio
import json
from typing import Any

import asyncpg
import httpx
import pytest

from server.operations import Operation, Who
from server.routes.table import OPERATIONS
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker
from tests.db.isolation.conftest import SECRET, Belongings, all_is_still_there

pytestmark = pytest.mark.asyncio(loop_scope="module")

BODIES: dict[str, Any] = {
    "put_gates": {"visibility": "public"},
    "put_shares": {"user_ids": []},
    "patch_document": {"name": "taken.md"},
    "change_document": {"name": "taken.md", "visibility": "public"},
    "change_folder": {"name": "taken"},
    "rename_thread": {"title": "taken"},
    "post_message": {"content": "what is the code of the vault?"},
    "change_member": {"role": "reader"},
    "settle_gap": {"state": "done"},
    "regenerate": {},
    "patch_message": {"excluded": True},
    "put_feedback": {"rating": "down", "reason": "taken"},
    "make_golden": {},
    "analyse": {"task": "summarise"},
}


def paths(operation: Operation, ada: Belongings) -> list[str]:
    """The operation's path with ids of ada's: of the right kind, and of every other kind as well."""
    if "{" not in operation.path:
        return []
    ids = {
        "/api/documents": ada.document, "/api/folders": ada.folder, "/api/threads": ada.thread, "/api/runs": ada.run,
        "/api/passages": ada.chunk, "/api/invitations": ada.invitation, "/api/users": ada.user,
        "/api/gaps": ada.gap, "/api/searches": ada.search, "/api/golden": ada.golden,
        "/api/gates/rules": ada.rule, "/api/entities": ada.entity, "/api/entities/merges": ada.merge,
        "/api/messages": ada.message,
    }  # fmt: skip
    prefix = operation.path.partition("/{")[0]
    assert prefix in ids, f"{operation.path}: say which of ada's ids belongs here"
    right = ids.pop(prefix)
    found = []
    for id_ in (right, *ids.values()):
        path = operation.path.replace("{id}", id_).replace("{chunk_id}", id_).replace("{number:int}", "1")
        assert "{" not in path, f"{operation.path}: fill its parameters in here"
        found.append(path)
    return found


WITH_IDS = [op for op in OPERATIONS if "{" in op.path]


@pytest.mark.parametrize("operation", WITH_IDS, ids=lambda op: f"{op.method} {op.path}")
async def test_every_route_by_anothers_ids_is_not_found(
    house: Service, ada: Belongings, others: dict[str, httpx.AsyncClient], operation: Operation
) -> None:  # X2, S-SI-04: new routes are walked as they come
    body = BODIES.get(operation.handler.__name__)
    assert body is not None or operation.body is None, f"{operation.handler.__name__}: give it a body here"
    for name, client in others.items():
        allowed = {404} if name != "nobody" else {401}
        if name == "bob" and operation.who is Who.ADMIN:
            allowed = {403}
        for path in paths(operation, ada):
            answer = await client.request(operation.method, path, json=body, timeout=10)
            assert answer.status_code in allowed, (name, path, answer.text)
            assert SECRET.encode() not in answer.content
            assert SECRET not in str(answer.headers)


@pytest.mark.parametrize(
    "operation", [op for op in OPERATIONS if "{" not in op.path and not op.body], ids=lambda op: op.path
)
async def test_lists_and_streams_hold_nothing_of_anothers(
    house: Service, ada: Belongings, others: dict[str, httpx.AsyncClient], operation: Operation
) -> None:  # X2, S-SI-04
    if operation.method not in ("GET", "HEAD"):
        return
    queries: list[dict[str, str]] = [{}, {"q": SECRET[:6]}, {"user_id": ada.user, "owner_id": ada.user}]
    for client in others.values():
        for query in queries:
            async with client.stream("GET", operation.path, params=query) as answer:
                if operation.stream:
                    async for piece in answer.aiter_bytes():  # its first frame says all that it knows
                        assert SECRET.encode() not in piece
                        break
                else:
                    assert SECRET.encode() not in await answer.aread()


async def test_ids_in_queries_and_bodies_are_checked(
    house: Service, ada: Belongings, others: dict[str, httpx.AsyncClient]
) -> None:  # X2, S-SI-04
    for name in ("bob", "eve"):
        client = others[name]
        mine = await client.post(
            "/api/documents", files={"file": (f"{name}.txt", f"{name} writes.".encode())}
        )
        own = mine.json()[0]["id"]
        tries = [
            await client.get("/api/documents", params={"folder_id": ada.folder}),
            await client.post(
                "/api/documents",
                params={"folder_id": ada.folder},
                files={"file": ("x.txt", b"in her folder")},
            ),
            await client.post(
                "/api/documents",
                data={"folder_id": ada.folder},
                files={"file": ("y.txt", b"in her folder, too")},
            ),
            await client.patch(f"/api/documents/{own}", json={"folder_id": ada.folder}),
            await client.post("/api/folders", json={"name": "below", "parent_id": ada.folder}),
            await client.post(
                "/api/search", json={"query": "vault code", "filters": {"folder_id": ada.folder}}
            ),
            await client.post(
                "/api/search", json={"query": "vault code", "filters": {"document_ids": [ada.document]}}
            ),
        ]
        folder = (await client.post("/api/folders", json={"name": f"of {name}"})).json()["id"]
        tries.append(await client.patch(f"/api/folders/{folder}", json={"parent_id": ada.folder}))
        assert [answer.status_code for answer in tries] == [404] * len(tries)
        assert not [answer for answer in tries if SECRET in answer.text]
        found = await client.post("/api/search", json={"query": f"code of the vault {SECRET}"})
        assert SECRET not in found.text
        assert (await client.get(f"/api/documents/{own}")).json()["folder_id"] is None


async def test_a_user_id_that_a_client_sends_is_not_believed(
    house: Service, ada: Belongings, others: dict[str, httpx.AsyncClient]
) -> None:  # A1, A11
    bob = others["bob"]
    headers = {"x-user-id": ada.user, "x-forwarded-user": ada.user}
    answer = await bob.get("/api/me", headers=headers, params={"user_id": ada.user})
    assert answer.json()["user"]["id"] == str(house.people.other.user_id)
    for path, body in (
        ("/api/threads", {"title": "x", "user_id": ada.user}),
        ("/api/search", {"query": "x", "owner_id": ada.user}),
    ):
        assert (await bob.post(path, json=body)).status_code in (400, 422)


async def test_the_answer_of_another_persons_chat_holds_nothing(
    house: Service, scripted: Scripted, ada: Belongings, others: dict[str, httpx.AsyncClient]
) -> None:  # X2, A6
    await scripted.answers(house, "scripted-cite")
    for name, identity in (("bob", house.people.other), ("eve", house.people.stranger)):
        asker = Asker(identity, others[name])
        events = await asker.ask(await asker.thread(), "What is the code of the vault of Dunholt?")
        assert SECRET not in "".join(event.raw for event in events)
    assert SECRET not in json.dumps(scripted.requests)


async def test_a_forged_notice_shows_nothing(
    house: Service, ada: Belongings, others: dict[str, httpx.AsyncClient]
) -> None:  # X5
    bob = house.people.other
    forged = {
        "kind": "document", "id": ada.document, "version": 9, "owner_id": str(bob.user_id),
        "workspace_id": str(bob.workspace_id), "seen_by_others": True,
    }  # fmt: skip
    async with others["bob"].stream("GET", "/api/events") as page:
        pieces = page.aiter_text()
        assert "resync" in await anext(pieces)
        connection = await asyncpg.connect(house.runtime.urls.app)
        try:
            await connection.execute("SELECT pg_notify('ibid_events', $1)", json.dumps(forged))
        finally:
            await connection.close()
        async with asyncio.timeout(5):
            woken = await anext(pieces)
    assert json.loads(woken.partition("data: ")[2]) == {"id": ada.document, "version": 9}  # ids only
    assert (
        await others["bob"].get(f"/api/documents/{ada.document}")
    ).status_code == 404  # and reading decides


async def test_everything_of_adas_is_still_there(
    house: Service, ada: Belongings
) -> None:  # after all of the above
    await all_is_still_there(house, ada)
