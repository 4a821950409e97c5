"""The service as a whole: health, keys, the API's description, pages, cookies, and bad input anywhere."""

import asyncio
import json
import re
import time
from typing import Any

import httpx
import pytest
from jose import jwt

from providers.degrade import counts
from server.operations import Operation
from server.routes.table import OPERATIONS
from tests.db.conftest import PASSWORD, Service

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_health_answers_while_every_connection_is_taken(house: Service) -> None:  # interfaces.md, H1
    pool = house.runtime.database.pool
    client = house.client()
    said = (await client.get("/health")).json()
    assert said.pop("loop_lag_ms").keys() == {"p50", "p99"}
    assert said == {
        "status": "ok", "database": "ok", "version": house.runtime.version, "degraded": counts(),
    }  # fmt: skip
    async with asyncio.timeout(10):
        held = [await pool.acquire() for _ in range(pool.get_max_size())]
    try:
        began = time.monotonic()
        answer = await client.get("/health")
        assert time.monotonic() - began < 1
        assert answer.status_code == 200
        assert (answer.json()["status"], answer.json()["database"]) == ("ok", "unreachable")
    finally:
        for connection in held:
            await pool.release(connection)
    assert (await client.get("/health")).json()["database"] == "ok"


async def test_the_published_key_verifies_a_session(house: Service) -> None:  # A1
    client = house.client()
    session = await client.post("/api/session", json={"email": "ada@zzyzx.example", "password": PASSWORD})
    keys = (await client.get("/.well-known/jwks.json")).json()
    assert "d" not in keys["keys"][0]
    claims = jwt.decode(
        session.json()["access_token"], keys["keys"][0], algorithms=["ES256"], audience="ibid", issuer="ibid"
    )
    assert claims["sub"] == session.json()["user"]["id"]
    forged = jwt.encode(
        claims, json.dumps(keys["keys"][0]), algorithm="HS256", headers={"kid": keys["keys"][0]["kid"]}
    )
    for token in (forged, "x", "a.b.c"):
        refused = await house.client().get("/api/threads", headers={"authorization": f"Bearer {token}"})
        assert refused.status_code == 401
        assert refused.json()["error"]["code"] == "unauthorized"


async def test_the_description_is_served(house: Service) -> None:
    document = (await house.client().get("/api/openapi.json")).json()
    described = sum(len(methods) for methods in document["paths"].values())
    assert described == len(OPERATIONS)
    assert "/api/documents/{id}/pages/{number}" in document["paths"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_cookie_from_another_sites_page_changes_nothing(house: Service, site: str) -> None:
    client = house.client()
    await client.post("/api/session", json={"email": "bob@zzyzx.example", "password": PASSWORD})
    for headers in ({"sec-fetch-site": site}, {"sec-fetch-site": site, "authorization": "Basic x"}):
        refused = await client.post("/api/threads", json={"title": "x"}, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "cross_site")
    assert (await client.get("/api/threads")).json()["items"] == []
    assert (await client.get("/api/threads", headers={"sec-fetch-site": site})).status_code == 200
    for headers in ({}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}):
        made = await client.post("/api/threads", json={}, headers=headers)
        assert made.status_code == 201
        await client.delete(f"/api/threads/{made.json()['id']}")


async def test_the_cookie_is_not_for_scripts_nor_for_other_sites(house: Service) -> None:
    client = house.client()
    session = await client.post("/api/session", json={"email": "bob@zzyzx.example", "password": PASSWORD})
    cookie = session.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))


async def test_every_answer_carries_the_headers_of_safety(house: Service) -> None:  # X13, X7
    for answer in (
        await house.client().get("/health"),
        await house.client().get("/api/threads"),
        await house.client().get("/api/nothing"),
        await house.client().get("/no/such/file.js"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert not re.search(
            r"script-src[^;]*'unsafe-(?:inline|eval)'", answer.headers["content-security-policy"]
        )
        assert answer.headers["x-request-id"]
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fapp.py", "/x%00.js"]
)
async def test_pages_do_not_leave_their_folder(house: Service, path: str) -> None:
    answer = await house.client().get(path)
    assert "root:" not in answer.text
    assert "Starlette" not in answer.text


# Bad input to every operation ---------------------------------------------------------------------

WITH_BODY = [op for op in OPERATIONS if op.body]
NO_ID = "01a22d5f-d4a0-71a1-84a1-453367c38a4b"


def address(operation: Operation) -> str:
    return operation.path.replace("{id}", NO_ID).replace("{chunk_id}", NO_ID).replace("{number:int}", "1")


async def send(client: httpx.AsyncClient, operation: Operation, content: bytes) -> httpx.Response:
    headers = {"content-type": "application/json"}
    return await client.request(operation.method, address(operation), content=content, headers=headers)


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda op: op.handler.__name__)
async def test_bad_bodies_are_told_apart_from_our_own_faults(
    house: Service, operation: Operation
) -> None:  # E13, X15
    bodies = [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b'{"a": ' + b"[" * 5000,
        b"{}" + b" " * (1024 * 1024),
    ]
    for body in bodies:
        answer = await send(house.admin, operation, body)
        assert answer.status_code < 500, (body[:20], answer.text)
        if answer.status_code >= 400:
            error = answer.json()["error"]
            assert error["request_id"] == answer.headers["x-request-id"]
            assert not [word for word in ("Traceback", "pydantic", "site-packages") if word in answer.text]


def filled(schema: dict[str, Any], text: str, definitions: dict[str, Any]) -> Any:
    """A body of this schema whose every free text is `text`."""
    if "$ref" in schema:
        return filled(definitions[schema["$ref"].rpartition("/")[2]], text, definitions)
    if "enum" in schema:
        return schema["enum"][0]
    options = [o for o in schema.get("anyOf", ()) if o.get("type") != "null"]
    if options:
        return filled(options[0], text, definitions)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties")
            if properties is None:
                return {"chat.model": text, text: text}
            return {name: filled(inner, text, definitions) for name, inner in properties.items()}
        case "array":
            return [filled(schema["items"], text, definitions)]
        case "string":
            return NO_ID if schema.get("format") == "uuid" else text
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return False
    return None


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ud83c", "a@\0", "🌊\u202e\u0000", " "], ids=range(6))
@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda op: op.handler.__name__)
async def test_text_that_postgres_cannot_hold_is_no_fault_of_ours(
    house: Service, operation: Operation, text: str
) -> None:  # E25, E13
    assert operation.body is not None
    schema = operation.body.model_json_schema()
    body = filled(schema, text, schema.get("$defs", {}))
    answer = await send(house.admin, operation, json.dumps(body).encode())
    assert answer.status_code < 500, (body, answer.text)
    for name in body:  # and one at a time, so that no other field hides it
        required = schema.get("required", [])
        some = {k: v for k, v in body.items() if k == name or k in required}
        answer = await send(house.admin, operation, json.dumps(some).encode())
        assert answer.status_code < 500, (some, answer.text)


@pytest.mark.parametrize("operation", [op for op in OPERATIONS if op.method == "GET"], ids=lambda op: op.path)
async def test_odd_queries_and_ids_are_no_fault_of_ours(house: Service, operation: Operation) -> None:  # E13
    if operation.stream and "{" not in operation.path:
        return
    for value in ("%00", "%ff", "'", "9" * 400, "-1", "null"):
        path = (
            operation.path.replace("{id}", value)
            .replace("{chunk_id}", value)
            .replace("{number:int}", "9" * 30)
        )
        query = "&".join(f"{name}={value}" for name in ("q", "cursor", "sort", "status", "after", "x"))
        answer = await house.admin.get(f"{path}?{query}")
        assert answer.status_code < 500, (path, value, answer.text)


async def test_a_member_of_two_minds_about_signing_in_is_slowed_down(house: Service) -> None:
    client = house.client()
    wrong = {"email": "zzyzx-nobody@zzyzx.example", "password": "wrong"}
    answers = await asyncio.gather(*(client.post("/api/session", json=wrong) for _ in range(11)))
    assert sorted(a.status_code for a in answers) == [401] * 10 + [429]
    late = await client.post("/api/session", json=wrong)
    assert late.status_code == 429
    assert int(late.headers["retry-after"]) > 0


async def test_threads_are_listed_found_renamed_and_deleted(house: Service) -> None:
    client = house.client(await house.newcomer())
    made = [
        (await client.post("/api/threads", json={"title": t})).json() for t in ("Anchor 100%", "Winch_1", "")
    ]
    assert [t["title"] for t in (await client.get("/api/threads")).json()["items"]] == [
        "",
        "Winch_1",
        "Anchor 100%",
    ]

    async def found(q: str) -> list[str]:
        return [t["title"] for t in (await client.get("/api/threads", params={"q": q})).json()["items"]]

    assert await found("anchor") == ["Anchor 100%"]
    assert await found("0%") == ["Anchor 100%"]
    assert await found("h_1") == ["Winch_1"]
    assert await found("%") == ["Anchor 100%"]
    assert await found("\\") == []
    renamed = await client.patch(f"/api/threads/{made[0]['id']}", json={"title": " New "})
    assert renamed.json()["title"] == "New"
    assert (await client.patch(f"/api/threads/{made[0]['id']}", json={"title": "  "})).status_code == 422
    assert (await client.delete(f"/api/threads/{made[0]['id']}")).status_code == 204
    for answer in (
        await client.get(f"/api/threads/{made[0]['id']}"),
        await client.delete(f"/api/threads/{made[0]['id']}"),
        await client.get("/api/threads/not-an-id"),
    ):
        assert answer.status_code == 404
