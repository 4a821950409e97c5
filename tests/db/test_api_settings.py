"""The settings page over HTTP: all or nothing, secrets, other addresses, other processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import asyncpg
import httpx
import pytest
import pytest_asyncio
from cryptography.fernet import Fernet

import providers.scripted as scripted_server
from server.runtime import Runtime, open_runtime
from server.runtime import running as background
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEY = "qzv-key-1"


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def defaults(house: Service) -> AsyncIterator[None]:
    """Each test begins with no setting stored."""
    connection = await asyncpg.connect(house.runtime.urls.owner)
    await connection.execute("DELETE FROM settings")
    await connection.close()
    await house.runtime.refresh()
    yield


async def put(house: Service, **values: Any) -> httpx.Response:
    named = {name.replace("__", "."): value for name, value in values.items()}
    return await house.admin.put("/api/settings", json={"values": named})


def fields(answer: httpx.Response) -> dict[str, dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    return {field["name"]: field for section in answer.json()["sections"] for field in section["fields"]}


def problems(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 422, answer.text
    found: dict[str, str] = answer.json()["error"]["detail"]["fields"]
    return found


async def stored(house: Service) -> dict[str, Any]:
    connection = await asyncpg.connect(house.runtime.urls.owner)
    try:
        rows = await connection.fetch("SELECT name, value::text, sealed FROM settings")
    finally:
        await connection.close()
    return {row["name"]: row["value"] or bytes(row["sealed"]) for row in rows}


async def test_saving_is_all_or_nothing(house: Service) -> None:
    refused = await put(house, chat__model="m", chat__max_tokens=1, nothing__here=2)
    assert set(problems(refused)) == {"chat.max_tokens", "nothing.here"}
    assert await stored(house) == {}
    saved = fields(await put(house, chat__model="m", chat__max_tokens=99))
    assert (saved["chat.model"]["value"], saved["chat.model"]["changed"]) == ("m", True)
    assert await stored(house) == {"chat.model": '"m"', "chat.max_tokens": "99"}
    reset = fields(await put(house, chat__model=None, chat__max_tokens=1200))
    assert (reset["chat.model"]["value"], reset["chat.model"]["changed"]) == ("", False)
    assert await stored(house) == {}  # a default is not stored, so that a better one can replace it


@pytest.mark.parametrize(
    "body",
    [
        '{"values": {"chat.max_tokens": NaN}}',
        '{"values": {"chat.max_tokens": 1e999}}',
        '{"values": []}',
        "[]",
    ],
)
async def test_senseless_bodies_are_refused(house: Service, body: str) -> None:  # E13
    answer = await house.admin.put(
        "/api/settings", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code in (400, 422)


async def test_keys_are_sealed_and_never_returned(house: Service, scripted: Scripted) -> None:  # N3, X15
    answer = await put(house, chat__base_url=scripted.base_url, chat__model="scripted-echo", chat__key=KEY)
    field = fields(answer)["chat.key"]
    assert (field["value"], field["is_set"], field["lost"]) == (None, True, False)
    probed = await house.admin.post("/api/settings/probe", json={"section": "chat"})
    for response in (
        answer,
        probed,
        await house.admin.get("/api/settings"),
        await house.admin.get("/api/me"),
    ):
        assert KEY not in response.text
    assert KEY.encode() not in (await stored(house))["chat.key"]
    assert probed.json()["ok"] is True
    assert scripted.app.state.headers[-1]["authorization"] == f"Bearer {KEY}"
    cleared = fields(await put(house, chat__key=None))["chat.key"]
    assert cleared["is_set"] is False


async def test_a_stored_key_never_goes_to_another_address(house: Service, scripted: Scripted) -> None:
    # S-SI-06, N9, X11
    second = scripted_server.scripted_app()
    async with scripted_server.running(second) as other:
        await put(house, chat__base_url=scripted.base_url, chat__model="scripted-echo", chat__key=KEY)
        before = await stored(house)
        assert set(problems(await put(house, chat__base_url=other))) == {"chat.key"}

        async def probe(address: str, **more: Any) -> httpx.Response:
            values = {"chat.base_url": address, **more}
            return await house.admin.post("/api/settings/probe", json={"section": "chat", "values": values})

        assert set(problems(await probe(other))) == {"chat.key"}
        for address in (
            "http://169.254.169.254/latest",
            "http://[::ffff:a9fe:a9fe]/",
            "http://0xa9fea9fe/v1",
        ):
            assert "chat.base_url" in problems(await probe(address))
            assert "chat.base_url" in problems(await put(house, chat__base_url=address))
            assert "chat.base_url" in problems(await probe(address, **{"chat.key": "new"}))
        assert second.state.requests == []
        assert await stored(house) == before
        assert (await probe(other, **{"chat.key": "another"})).json()["ok"] is True
        assert (await probe(other, **{"chat.key": None})).json()["ok"] is True
        assert second.state.requests
        assert not [headers for headers in second.state.headers if KEY in str(headers)]
        assert await stored(house) == before  # a probe saves nothing
        fields(await put(house, chat__base_url=other, chat__key="another"))
        asker = Asker(house.people.owner, house.admin)
        assert text_of(await asker.ask(await asker.thread(), "hello")) == "hello"
        assert second.state.headers[-1]["authorization"] == "Bearer another"
        assert KEY not in str(second.state.headers)


async def test_a_probe_of_each_section_and_of_nothing(house: Service, scripted: Scripted) -> None:  # N6
    for section, model in (
        ("chat", "scripted-tool"),
        ("embedding", "scripted-embed"),
        ("rerank", "scripted-rerank"),
    ):
        values = {f"{section}.base_url": scripted.base_url, f"{section}.model": model}
        answer = (
            await house.admin.post("/api/settings/probe", json={"section": section, "values": values})
        ).json()
        assert (answer["ok"], answer["model"]) == (True, model), answer
        assert answer["facts"]
        assert answer["latency_ms"] >= 0
    bad = {"chat.base_url": scripted.base_url, "chat.model": "scripted-401", "chat.key": "sk-qzv-x"}
    failed = await house.admin.post("/api/settings/probe", json={"section": "chat", "values": bad})
    assert failed.json()["ok"] is False
    assert "sk-qzv" not in failed.text
    problems(await house.admin.post("/api/settings/probe", json={"section": "chat"}))
    assert (await house.admin.post("/api/settings/probe", json={"section": "uploads"})).status_code == 422


@asynccontextmanager
async def another_process(house: Service, *keys: str) -> AsyncIterator[Runtime]:
    """A second server's runtime over the same database."""
    config = replace(house.runtime.config, settings_keys=keys or house.runtime.config.settings_keys)
    runtime = await open_runtime(config, house.runtime.urls, pool_size=3)
    runtime.shelf.local = house.runtime.shelf.local
    async with background(runtime):
        yield runtime


async def test_a_change_reaches_every_process_without_a_restart(
    house: Service, scripted: Scripted
) -> None:  # N1
    async with another_process(house) as second:
        assert second.models.chat_kind == "extractive"
        await put(
            house, chat__base_url=scripted.base_url, chat__model="scripted-echo", uploads__max_megabytes=3
        )
        me = (await house.admin.get("/api/me")).json()
        assert me["models"]["chat"] == {"kind": "endpoint", "label": "scripted-echo"}
        assert me["limits"]["max_upload_bytes"] == 3 * 1024 * 1024
        async with asyncio.timeout(5):
            while second.models.chat_label != "scripted-echo":
                await asyncio.sleep(0.02)
        assert second.max_upload_bytes == 3 * 1024 * 1024


async def test_a_lost_sealing_key_means_enter_it_again(house: Service, scripted: Scripted) -> None:  # N3
    await put(house, chat__base_url=scripted.base_url, chat__model="scripted-echo", chat__key=KEY)
    async with another_process(house, Fernet.generate_key().decode()) as second:
        assert second.settings.lost == {"chat.key"}
        assert second.settings.secrets == {}
    sealer = house.runtime.store._sealer
    try:
        house.runtime.store._sealer = type(sealer)((Fernet.generate_key().decode(),))
        page = fields(await house.admin.get("/api/settings"))  # the page lives
        assert (page["chat.key"]["is_set"], page["chat.key"]["lost"]) == (False, True)
        again = fields(await put(house, chat__key="qzv-key-2"))
        assert (again["chat.key"]["is_set"], again["chat.key"]["lost"]) == (True, False)
        endpoint = house.runtime.settings.endpoint("chat")
        assert endpoint is not None
        assert endpoint.api_key == "qzv-key-2"
    finally:
        house.runtime.store._sealer = sealer


async def test_settings_are_for_administrators(house: Service) -> None:  # N2
    admin, member = await house.newcomer("admin"), await house.newcomer("member")
    assert (await house.client(admin).get("/api/settings")).status_code == 200
    client = house.client(member)
    for answer in (
        await client.get("/api/settings"),
        await client.put("/api/settings", json={"values": {}}),
        await client.post("/api/settings/probe", json={"section": "chat"}),
        await client.get("/api/settings/detected"),
    ):
        assert answer.status_code == 403
