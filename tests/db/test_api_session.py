"""Signing in and out, the first owner, invitations, roles."""

import asyncio
import threading

import asyncpg
import httpx
import pytest

from sql.db import Identity, owner_transaction
from sql.queries import query
from tests.db.conftest import PASSWORD, Service


async def test_sign_in_and_out(service: Service) -> None:
    client = service.client()
    wrong = await client.post("/api/session", json={"email": "ada@zzyzx.example", "password": "wrong"})
    assert wrong.status_code == 401
    assert wrong.json()["error"]["code"] == "wrong_credentials"
    unknown = await client.post("/api/session", json={"email": "no@zzyzx.example", "password": PASSWORD})
    assert unknown.json()["error"]["message"] == wrong.json()["error"]["message"]

    right = await client.post("/api/session", json={"email": "ADA@zzyzx.example", "password": PASSWORD})
    assert right.status_code == 200
    assert "httponly" in right.headers["set-cookie"].lower()
    assert (await client.get("/api/me")).json()["user"]["email"] == "ada@zzyzx.example"
    await client.delete("/api/session")
    assert (await client.get("/api/me")).status_code == 401


async def test_second_user_comes_in_by_invitation_once(service: Service) -> None:
    admin = service.client(service.people.owner)
    made = await admin.post("/api/invitations", json={"email": "Carol@zzyzx.example", "role": "member"})
    assert made.status_code == 201
    token = made.json()["link"].rpartition("=")[2]
    guest = service.client()
    assert (await guest.post("/api/invitations/check", json={"token": token})).json()["email"] == (
        "carol@zzyzx.example"
    )
    short = await guest.post(
        "/api/invitations/accept", json={"token": token, "name": "Carol", "password": "x"}
    )
    assert short.status_code == 422
    assert "password" in short.json()["error"]["detail"]["fields"]
    accepted = await guest.post(
        "/api/invitations/accept", json={"token": token, "name": "Carol", "password": PASSWORD}
    )
    assert accepted.status_code == 200
    assert (await guest.get("/api/me")).json()["user"]["role"] == "member"
    again = await guest.post(
        "/api/invitations/accept", json={"token": token, "name": "C", "password": PASSWORD}
    )
    assert again.status_code == 404


async def test_a_disabled_member_is_out_at_once(service: Service) -> None:  # X16
    bob = service.client(service.people.other)
    admin = service.client(service.people.owner)
    assert (await bob.get("/api/me")).status_code == 200
    changed = await admin.patch(f"/api/users/{service.people.other.user_id}", json={"disabled": True})
    assert changed.status_code == 200
    assert (await bob.get("/api/me")).status_code == 401


async def test_a_workspace_keeps_an_owner(service: Service) -> None:
    admin = service.client(service.people.owner)
    refused = await admin.patch(f"/api/users/{service.people.owner.user_id}", json={"role": "member"})
    assert refused.status_code == 409


@pytest.mark.parametrize("path", ["/api/settings", "/api/users", "/api/invitations"])
async def test_members_do_not_administer(service: Service, path: str) -> None:  # N2
    assert (await service.client(service.people.other).get(path)).status_code == 403


async def test_errors_are_json_with_a_request_id_and_no_internals(service: Service) -> None:  # E13, X15
    client: httpx.AsyncClient = service.client(service.people.owner)
    for response in (
        await client.get("/api/documents/not-an-id"),
        await client.get("/api/nothing-here"),
        await client.post("/api/threads", content=b"{"),
        await client.put("/api/me"),
    ):
        assert 400 <= response.status_code < 500
        error = response.json()["error"]
        assert error["request_id"] == response.headers["x-request-id"]
        assert "Traceback" not in response.text


ADA = {"email": "ada@zzyzx.example", "password": PASSWORD}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/api/session", "/api/invitations/check", "/api/invitations/accept"])
async def test_another_sites_page_signs_nobody_in(service: Service, site: str, path: str) -> None:
    client = service.client()
    refused = await client.post(path, json=ADA, headers={"sec-fetch-site": site})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "cross_site")
    assert (await client.delete("/api/session", headers={"sec-fetch-site": site})).status_code == 403
    assert not client.cookies


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"origin": "https://elsewhere.example"},  # a blob without a type, sent by a page
    ],
)
async def test_what_a_form_can_send_is_not_read_as_json(service: Service, headers: dict[str, str]) -> None:
    client = service.client()
    body = httpx.Request("POST", "/", json=ADA).content
    refused = await client.post("/api/session", content=body, headers=headers)
    assert refused.status_code == 415
    assert "Content-Type: application/json" in refused.json()["error"]["message"]
    assert not client.cookies
    for fine in ({}, {"content-type": "Application/JSON; charset=utf-8"}):
        assert (await client.post("/api/session", content=body, headers=fine)).status_code == 200


async def test_a_flood_of_sign_ins_keeps_to_its_own_threads(service: Service) -> None:
    client = service.client()
    flood = [
        client.post("/api/session", json={"email": f"zzyzx{n}@zzyzx.example", "password": "wrong"})
        for n in range(70)
    ]
    codes = [answer.status_code for answer in await asyncio.gather(*flood)]
    assert sorted(set(codes)) == [401, 429]
    assert codes.count(401) == 60
    assert len([t for t in threading.enumerate() if t.name.startswith("passwords")]) <= 2


# A forgotten password -----------------------------------------------------------------------------


async def link_for(client: httpx.AsyncClient, identity: Identity) -> httpx.Response:
    return await client.post(f"/api/users/{identity.user_id}/reset-link")


async def accept(client: httpx.AsyncClient, link: str, password: str) -> httpx.Response:
    token = link.partition("#token=")[2]
    return await client.post("/api/invitations/accept", json={"token": token, "password": password})


async def test_a_reset_link_sets_the_password_and_ends_every_session(service: Service) -> None:
    people, bob = service.people, service.client(service.people.other)
    browser = service.client()
    await browser.post("/api/session", json={"email": "bob@zzyzx.example", "password": PASSWORD})
    first = await link_for(service.admin, people.other)
    assert first.status_code == 201
    made = await link_for(service.admin, people.other)
    link = made.json()["link"]
    assert link.startswith(f"{service.base_url}/welcome#token=")
    assert (await accept(service.client(), first.json()["link"], "zzyzx a new one")).status_code == 404
    checked = await service.client().post(
        "/api/invitations/check", json={"token": link.partition("#token=")[2]}
    )
    assert (checked.json()["kind"], checked.json()["email"]) == ("reset", "bob@zzyzx.example")
    fresh = service.client()
    accepted = await accept(fresh, link, "zzyzx a new one")
    assert accepted.status_code == 200
    assert accepted.json()["user"]["name"] == "bob"
    assert (await fresh.get("/api/me")).status_code == 200
    for old in (bob, browser):
        assert (await old.get("/api/me")).status_code == 401
    sign_in = {"email": "bob@zzyzx.example"}
    assert (await fresh.post("/api/session", json=sign_in | {"password": PASSWORD})).status_code == 401
    assert (
        await fresh.post("/api/session", json=sign_in | {"password": "zzyzx a new one"})
    ).status_code == 200
    assert (await accept(service.client(), link, "zzyzx a third one")).status_code == 404


async def test_who_may_make_a_reset_link(service: Service) -> None:  # A6
    people = service.people
    deputy = service.client(await service.newcomer("admin"))
    refused = await link_for(deputy, people.owner)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert (await link_for(deputy, people.other)).status_code == 201
    assert (await link_for(service.client(people.other), people.other)).status_code == 403
    assert (await link_for(service.admin, people.stranger)).status_code == 404
    assert (await link_for(service.client(people.stranger), people.other)).status_code == 404
    await service.admin.patch(f"/api/users/{people.other.user_id}", json={"disabled": True})
    disabled = await link_for(service.admin, people.other)
    assert (disabled.status_code, disabled.json()["error"]["code"]) == (409, "disabled")


async def test_a_link_made_for_a_member_opens_no_owners_account(service: Service) -> None:
    people = service.people
    deputy = service.client(await service.newcomer("admin"))
    link = (await link_for(deputy, people.other)).json()["link"]
    await service.admin.patch(f"/api/users/{people.other.user_id}", json={"role": "owner"})
    assert (await accept(service.client(), link, "zzyzx a new one")).status_code == 404


LINKS = {
    "to an owner's account": ("reset", "owner", "owner"),
    "to an owner's account as if it were a member's": ("reset", "owner", "member"),
    "that makes somebody the first owner": ("owner", "other", "member"),
    "of no kind to somebody's account": ("member", "other", "member"),
}


@pytest.mark.parametrize("what", LINKS)
async def test_postgres_refuses_an_admins_link(service: Service, what: str) -> None:  # A6
    kind, target, role = LINKS[what]
    deputy = await service.newcomer("admin")
    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.CheckViolationError)):
        async with service.runtime.database.as_user(deputy) as connection:
            await connection.execute(
                "INSERT INTO invitations (workspace_id, token_hash, kind, role, user_id, expires_at)"
                " VALUES ($1, sha256('zzyzx'), $2, $3, $4, now() + interval '1 day')",
                deputy.workspace_id, kind, role, getattr(service.people, target).user_id,
            )  # fmt: skip


# Owners -------------------------------------------------------------------------------------------


async def test_two_owners_who_demote_each_other_leave_one(service: Service) -> None:
    for _ in range(5):
        first, second = await service.newcomer("owner"), await service.newcomer("owner")
        async with owner_transaction(service.runtime.urls.owner) as connection:
            await connection.execute(
                "UPDATE memberships SET role = 'member' WHERE role = 'owner' AND workspace_id = $1"
                " AND user_id NOT IN ($2, $3)",
                first.workspace_id, first.user_id, second.user_id,
            )  # fmt: skip
        answers = await asyncio.gather(
            service.client(first).patch(f"/api/users/{second.user_id}", json={"role": "member"}),
            service.client(second).patch(f"/api/users/{first.user_id}", json={"role": "member"}),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 403]
        async with owner_transaction(service.runtime.urls.owner) as connection:
            assert await connection.fetchval(query("count_active_owners"), first.workspace_id) == 1


async def test_postgres_lets_no_admin_touch_an_owner(service: Service) -> None:  # A6
    deputy = await service.newcomer("admin")
    async with service.runtime.database.as_user(deputy) as connection:
        changed = await connection.execute("UPDATE memberships SET role = 'reader' WHERE role = 'owner'")
        assert changed == "UPDATE 0"
        changed = await connection.execute("UPDATE memberships SET disabled_at = now() WHERE role = 'member'")
        assert changed == "UPDATE 1"


async def test_an_unexpected_fault_is_answered_like_every_other(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:  # E13, X15
    async with owner_transaction(service.runtime.urls.owner) as connection:
        await connection.execute("ALTER TABLE threads RENAME TO zzyzx")
    answer = await service.admin.get("/api/threads")
    assert answer.status_code == 500
    error = answer.json()["error"]
    assert error["request_id"] == answer.headers["x-request-id"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "zzyzx" not in answer.text
    [record] = [r for r in caplog.records if r.exc_info]
    assert error["request_id"] in record.getMessage()
