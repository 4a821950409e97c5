"""Signing in and out, the first owner, invitations, roles."""

import httpx
import pytest

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
