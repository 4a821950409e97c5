"""A house in which ada has everything that a person can have, and the others who try to reach it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest_asyncio

from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker

SECRET = "zzyzx-heron-7719"  # stands in every text of ada's, and in nothing that is sent by others
TEXT = f"# Vault {SECRET}\n\nThe code of the vault is {SECRET}, says the harbour master of Dunholt."


@dataclass(frozen=True, slots=True)
class Belongings:
    """Ids of everything of one person's."""

    document: str
    folder: str
    thread: str
    run: str
    chunk: str
    invitation: str
    user: str
    gap: str
    search: str
    golden: str
    rule: str
    entity: str
    merge: str
    message: str


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ada(house: Service, scripted: Scripted) -> Belongings:
    """Everything that ada can have, made through the API."""
    asker = Asker(house.people.owner, house.admin)
    folder = (await house.admin.post("/api/folders", json={"name": f"{SECRET} folder"})).json()["id"]
    document = (await asker.upload(f"{SECRET}.md", TEXT.encode(), folder_id=folder))["id"]
    await scripted.answers(house, "scripted-cite")
    thread = await asker.thread()
    events = await asker.ask(thread, f"What is the code of the vault {SECRET}?")
    await house.written(events[0].data["run_id"])
    message = events[0].data["message_id"]
    await house.admin.put(f"/api/messages/{message}/feedback", json={"rating": "up", "reason": SECRET})
    await asker.ask(await asker.thread(), "Which composer wrote the opera about the flying Dutchman?")
    [gap] = (await house.admin.get("/api/gaps")).json()["items"]
    chunks = (await house.admin.get(f"/api/documents/{document}/chunks")).json()["items"]
    invited = await house.admin.post("/api/invitations", json={"email": f"{SECRET}@zzyzx.example"})
    [search_id] = [
        e.data["result"]["search_id"] for e in events if e.name == "tool" and e.data["state"] == "done"
    ]
    question = {"question": f"What is {SECRET}?", "document_ids": [document]}
    golden = (await house.admin.post("/api/golden", json=question)).json()["id"]
    protected = {"audience": "public", "value": "Zzyzx Nobody"}
    rule = (await house.admin.post("/api/gates/rules", json=protected)).json()["id"]
    [first, second, *_] = (await house.admin.get("/api/entities")).json()["items"]
    one = {"source": first["id"], "target": second["id"]}
    merge = (await house.admin.post("/api/entities/merges", json=one)).json()["id"]
    return Belongings(
        document, folder, thread, events[0].data["run_id"], chunks[0]["id"], invited.json()["id"],
        str(house.people.owner.user_id), gap["id"], search_id, golden, rule,
        first["id"], merge, message,
    )  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def others(house: Service) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """A colleague, the owner of another workspace, and somebody who has not signed in."""
    people = house.people
    yield {"bob": house.client(people.other), "eve": house.client(people.stranger), "nobody": house.client()}


async def all_is_still_there(house: Service, ada: Belongings) -> None:
    """Nothing of ada's was taken, changed or added to."""
    client = house.admin
    document = (await client.get(f"/api/documents/{ada.document}")).json()
    assert (document["name"], document["visibility"], document["folder_id"]) == (
        f"{SECRET}.md",
        "private",
        ada.folder,
    )
    assert (await client.get(f"/api/documents/{ada.document}/original")).content == TEXT.encode()
    thread = (await client.get(f"/api/threads/{ada.thread}")).json()
    assert [m["kind"] for m in thread["messages"]] == ["question", "answer"]
    assert SECRET in thread["messages"][1]["content"]
    folders = (await client.get("/api/folders")).json()["items"]
    assert [(f["id"], f["parent_id"], f["documents"]) for f in folders] == [(ada.folder, None, 1)]
    assert [i["id"] for i in (await client.get("/api/invitations")).json()["items"]] == [ada.invitation]
    roles = {u["id"]: u["role"] for u in (await client.get("/api/users")).json()["items"]}
    assert roles[ada.user] == "owner"
