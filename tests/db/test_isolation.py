"""Nobody reaches what is another person's: in Postgres with no WHERE, and through every route there is."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest
import pytest_asyncio

from server.operations import Operation, Who
from server.routes.table import OPERATIONS
from sql.db import Identity, owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "zzyzx-heron-7719"  # stands in every text of ada's, and in nothing that is sent by others
TEXT = f"# Vault {SECRET}\n\nThe code of the vault is {SECRET}, says the harbour master of Dunholt."
# Rows of these belong to a person; the others to a workspace, or to nobody.
OWNED = (
    "folders",
    "documents",
    "chunks",
    "postings",
    "passage_totals",
    "mentions",
    "relationships",
    "merges",
    "pages",
    "blocks",
    "jobs",
    "threads",
    "messages",
    "runs",
    "run_events",
    "gaps",
    "feedback",
    "model_requests",
    "searches",
    "golden_questions",
    "golden_documents",
)
SHARED = (
    *("workspaces", "users", "memberships", "credentials", "invitations", "installation"),
    *("spaces", "vectors", "settings", "passage_languages"),
    *("document_shares", "audiences", "redaction_rules"),
)


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


async def rows(house: Service, table: str) -> set[str]:
    """Every row of a table, as maintenance sees it."""
    async with owner_transaction(house.runtime.urls.owner) as connection:
        return {row[0] for row in await connection.fetch(f"SELECT t::text FROM {table} t")}


async def seen(house: Service, identity: Identity, table: str) -> set[str]:
    """Every row of a table that this person gets, the application's WHERE removed."""
    async with house.runtime.database.as_user(identity) as connection:
        return {row[0] for row in await connection.fetch(f"SELECT t::text FROM {table} t")}


async def test_every_table_is_looked_at(house: Service) -> None:
    async with owner_transaction(house.runtime.urls.owner) as connection:
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row[0] for row in found} == {*OWNED, *SHARED, "migrations"}


@pytest.mark.parametrize("table", OWNED)
async def test_everybody_sees_exactly_their_own_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # A6
    people = house.people
    everything = await rows(house, table)
    assert everything or table in ("pages", "jobs")  # Markdown has no pages, and the work is done
    assert await seen(house, people.owner, table) == everything
    assert await seen(house, people.other, table) == set()
    assert await seen(house, people.stranger, table) == set()


@pytest.mark.parametrize("table", [*OWNED, *SHARED])
async def test_without_an_identity_there_are_no_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # X3
    database = house.runtime.database
    expected = 1 if table == "installation" else 0  # says only whether anybody has signed in yet
    async with database.transaction() as connection:
        assert await connection.fetchval(f"SELECT count(*) FROM {table}") == expected
    async with database.pool.acquire() as connection:  # the GUC was never set
        assert await connection.fetchval(f"SELECT count(*) FROM {table}") == expected
    async with database.transaction(user_id=ada.user) as connection:  # half an identity
        found = await connection.fetchval(f"SELECT count(*) FROM {table}")
    assert found <= 1
    assert found == expected or table in ("users", "memberships", "credentials", "workspaces")


async def test_claims_end_with_their_transaction(house: Service) -> None:  # A6
    database, reader = house.runtime.database, house.people.owner
    for broken in (False, True):
        with suppress(asyncpg.DivisionByZeroError):
            async with database.as_user(reader, keep_plans=True) as connection:
                assert await connection.fetchval("SELECT acting_user()") == reader.user_id
                if broken:
                    await connection.fetchval("SELECT 1 / 0")
        async with database.transaction() as connection:
            assert await connection.fetchval("SELECT acting_user()") is None
            assert await connection.fetchval("SELECT current_setting('plan_cache_mode')") == "auto"


async def test_what_a_workspace_shares_stays_in_it(house: Service, ada: Belongings) -> None:  # A6
    people = house.people
    bob = {table: await seen(house, people.other, table) for table in SHARED}
    eve = {table: await seen(house, people.stranger, table) for table in SHARED}
    assert len(bob["users"]) == len(bob["memberships"]) == 2
    assert len(bob["credentials"]) == 1  # colleagues see names, never a password's hash
    assert bob["invitations"] == bob["settings"] == set()  # for administrators
    assert len(eve["users"]) == len(eve["memberships"]) == len(eve["credentials"]) == 1
    assert eve["invitations"] == eve["settings"] == eve["spaces"] == eve["vectors"] == set()
    assert all(SECRET not in row for table in SHARED for row in bob[table] | eve[table])


async def test_a_shared_document_shows_itself_and_no_conversation(
    house: Service, ada: Belongings
) -> None:  # D18
    people = house.people
    url = f"/api/documents/{ada.document}"
    assert (await house.admin.patch(url, json={"visibility": "workspace"})).status_code == 200
    try:
        for table in ("documents", "chunks", "blocks"):
            assert await seen(house, people.other, table) == await rows(house, table)
            assert await seen(house, people.stranger, table) == set()
        for table in ("folders", "jobs", "threads", "messages", "runs", "run_events"):
            assert await seen(house, people.other, table) == set()
    finally:
        await house.admin.patch(url, json={"visibility": "private"})
    assert await seen(house, people.other, "documents") == set()  # at once


@pytest.mark.parametrize("table", [*OWNED, *SHARED])
async def test_nobody_changes_or_removes_anothers_rows(
    house: Service, ada: Belongings, table: str
) -> None:  # A6, X3
    before = await rows(house, table)
    column = {"workspaces": "name", "users": "name", "settings": "name", "credentials": "password_hash"}
    for identity in (house.people.other, house.people.stranger):
        own = await seen(house, identity, table)
        for statement in (
            f"DELETE FROM {table}",
            f"UPDATE {table} SET {column.get(table, 'workspace_id')} = {column.get(table, 'workspace_id')}",
        ):
            connection = await asyncpg.connect(house.runtime.urls.app)
            try:
                transaction = connection.transaction()
                await transaction.start()
                await connection.execute(
                    "SELECT set_config('ibid.user_id', $1, true), set_config('ibid.workspace_id', $2, true),"
                    " set_config('ibid.role', $3, true)",
                    str(identity.user_id), str(identity.workspace_id), identity.role,
                )  # fmt: skip
                try:
                    changed = int((await connection.execute(statement)).rpartition(" ")[2])
                except asyncpg.PostgresError:
                    changed = 0
                assert changed <= len(own), statement
                await transaction.rollback()
            finally:
                await connection.close()
    assert await rows(house, table) == before


FOREIGN = {
    "a document as ada's": "INSERT INTO documents (workspace_id, owner_id, name, content_hash, blob_key, media_type,"
    " size_bytes) VALUES ($1, $2, 'x', sha256('x'), 'k', 'text/plain', 1)",
    "a folder as ada's": "INSERT INTO folders (workspace_id, owner_id, name) VALUES ($1, $2, 'x')",
    "a thread as ada's": "INSERT INTO threads (workspace_id, owner_id) VALUES ($1, $2)",
    "a message in ada's thread": "INSERT INTO messages (workspace_id, thread_id, owner_id, role, kind, content)"
    " VALUES ($1, $3, $2, 'user', 'question', 'x')",
    "a job for ada's document": "INSERT INTO jobs (workspace_id, document_id, owner_id) SELECT $1, $4, $2"
    " WHERE $3::uuid IS NOT NULL",
    "a setting": "INSERT INTO settings (workspace_id, name, value) VALUES ($1, 'zzyzx', '1')",
    "an owner's role": "UPDATE memberships SET role = 'owner' WHERE workspace_id = $1 RETURNING 1",
    "a membership": "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'admin')",
    "an invitation": "INSERT INTO invitations (workspace_id, token_hash, kind, role, expires_at)"
    " VALUES ($1, sha256('x'), 'member', 'owner', now())",
}


@pytest.mark.parametrize("what", FOREIGN)
async def test_nobody_writes_in_anothers_name(house: Service, ada: Belongings, what: str) -> None:  # A6
    statement = FOREIGN[what]
    arguments = [house.people.workspace, UUID(ada.user), UUID(ada.thread), UUID(ada.document)]
    wanted = max(int(n) for n in re.findall(r"\$(\d)", statement))
    for identity in (house.people.other, house.people.stranger):
        try:
            async with house.runtime.database.as_user(identity) as connection:
                assert await connection.fetch(statement, *arguments[:wanted]) == []
                assert statement.startswith("UPDATE")
        except asyncpg.InsufficientPrivilegeError:
            pass


# Through the API --------------------------------------------------------------------------------

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
