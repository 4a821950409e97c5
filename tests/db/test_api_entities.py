"""Entities over HTTP: found, reviewed, merged and taken apart again, and never more than one sees (K1, K4)."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from retrieval.entities import decide, entity_id
from sql.db import InsufficientPrivilege
from tests.db.conftest import Service
from tests.db.conversation import Asker

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = {
    "zzyzx-g1.md": "Quillon Vex Exchange plc (QVX) operates the northern grain market.",
    "zzyzx-g2.md": "QVX plc hired a new harbour clerk in Merrow.",
    "zzyzx-g3.md": "The Quillon Vex Exchange moved its servers to Dunholt.",
    "zzyzx-p1.md": "Mara Teel is finance director of Orlith Shipping. Mara Teel signed the loan of 12 May.",
    "zzyzx-p2.md": "Mara Teel is finance director of Bracken Foods. Mara Teel closed the Merrow plant.",
}


async def upload(asker: Asker, texts: dict[str, str]) -> None:
    made = [await asker.upload(name, text.encode()) for name, text in texts.items()]
    for document in made:
        await asker.finished(document["id"])


async def find(client: httpx.AsyncClient, q: str) -> list[dict[str, Any]]:
    found = await client.get("/api/entities", params={"q": q})
    assert found.status_code == 200, found.text
    items: list[dict[str, Any]] = found.json()["items"]
    return items


async def test_one_entity_under_all_its_names(asker: Asker) -> None:  # S-GE-01 K4
    await upload(asker, TEXTS)
    [short] = await find(asker.client, "QVX")
    [long] = await find(asker.client, "quillon vex exchange plc")
    assert short == long
    assert {short["name"], *short["aliases"]} == {
        "QVX",
        "QVX plc",
        "Quillon Vex Exchange",
        "Quillon Vex Exchange plc",
    }
    detail = (await asker.client.get(f"/api/entities/{short['id']}")).json()
    assert {passage["document"] for passage in detail["passages"]} == {f"zzyzx-g{n}.md" for n in (1, 2, 3)}
    assert ("Merrow", 1) in {(one["name"], one["support"]) for one in detail["neighbours"]}


async def test_two_people_of_one_name_are_two_entities(asker: Asker) -> None:  # S-GE-02 K4
    await upload(asker, TEXTS)
    people = await find(asker.client, "Mara Teel")
    assert sorted(person["sense"] for person in people) == ["bracken foods", "orlith shipping"]
    for person in people:
        detail = (await asker.client.get(f"/api/entities/{person['id']}")).json()
        assert len({passage["document"] for passage in detail["passages"]}) == 1


async def test_a_merge_is_reviewed_and_undone(asker: Asker) -> None:  # K4
    await upload(asker, TEXTS)
    [orlith], [bracken] = await find(asker.client, "Orlith"), await find(asker.client, "Bracken")
    made = await asker.client.post(
        "/api/entities/merges", json={"source": orlith["id"], "target": bracken["id"]}
    )
    assert made.status_code == 201, made.text
    [one], [other] = await find(asker.client, "Orlith"), await find(asker.client, "Bracken")
    assert one == other
    [row] = (await asker.client.get("/api/entities/merges")).json()["items"]
    assert (row["source"], row["target"], row["undone_at"]) == ("orlith shipping", "bracken foods", None)
    undone = await asker.client.post(f"/api/entities/merges/{row['id']}/undo")
    assert undone.status_code == 200
    assert (await find(asker.client, "Orlith"), await find(asker.client, "Bracken")) == ([orlith], [bracken])
    assert (await asker.client.post(f"/api/entities/merges/{row['id']}/undo")).status_code == 404


async def test_an_alias_that_a_passage_states_can_be_split(asker: Asker) -> None:  # K4
    await upload(asker, TEXTS)
    [entity] = await find(asker.client, "QVX")
    detail = (await asker.client.get(f"/api/entities/{entity['id']}")).json()
    first, second = (one["id"] for one in detail["names"])
    made = await asker.client.post("/api/entities/splits", json={"source": first, "target": second})
    assert made.status_code == 201, made.text
    [short], [long] = await find(asker.client, "QVX"), await find(asker.client, "Quillon")
    assert short["id"] != long["id"]


async def test_a_colleagues_private_document_adds_nothing(house: Service, asker: Asker) -> None:  # A6 K1
    """Neither a name of it, nor an alias that it explains, nor a merge of its names."""
    stranger = await house.newcomer()
    theirs = house.client(stranger)
    await upload(Asker(stranger, theirs), {"zzyzx-secret.md": "Project Zanzibar Quokka (PZQ) buys Merrow."})
    await upload(asker, {"zzyzx-mine.md": "We ordered paper from PZQ in May.", **TEXTS})
    [mine] = await find(asker.client, "PZQ")
    assert (mine["name"], mine["aliases"], mine["support"]) == ("PZQ", [], 1)
    assert await find(asker.client, "Project Zanzibar") == []
    [secret] = await find(theirs, "Project Zanzibar")
    assert (await asker.client.get(f"/api/entities/{secret['id']}")).status_code == 404
    [merrow] = await find(theirs, "Merrow")
    body = {"source": secret["id"], "target": merrow["id"]}
    assert (await asker.client.post("/api/entities/merges", json=body)).status_code == 404
    assert (await theirs.post("/api/entities/merges", json=body)).status_code == 201
    assert (await asker.client.get("/api/entities/merges")).json()["items"] == []
    [still] = await find(asker.client, "Merrow")
    assert still["support"] == 2


async def test_a_members_decision_is_their_own_and_an_administrators_everybodys(  # K4
    house: Service, asker: Asker
) -> None:
    texts = {"zzyzx-b1.md": "Yarrow Quist sells nets.", "zzyzx-b2.md": "Yarrow Quarle sells ropes."}
    admin, member = await house.newcomer("admin"), await house.newcomer()
    clients = {"admin": house.client(admin), "member": house.client(member)}
    for person, client in (
        (admin, clients["admin"]),
        (member, clients["member"]),
        (asker.identity, asker.client),
    ):
        await upload(Asker(person, client), texts)
    [first], [second] = await find(asker.client, "Yarrow Quist"), await find(asker.client, "Yarrow Quarle")
    body = {"source": first["id"], "target": second["id"]}
    assert (await clients["member"].post("/api/entities/merges", json=body)).status_code == 201
    assert len(await find(asker.client, "Yarrow")) == 2
    assert len(await find(clients["member"], "Yarrow")) == 1
    made = (await clients["admin"].post("/api/entities/merges", json=body)).json()
    assert len(await find(asker.client, "Yarrow")) == 1
    assert (await asker.client.post(f"/api/entities/merges/{made['id']}/undo")).status_code == 404
    assert (await clients["admin"].post(f"/api/entities/merges/{made['id']}/undo")).status_code == 200
    assert len(await find(asker.client, "Yarrow")) == 2


async def test_nobody_makes_their_decision_everybodys(house: Service, asker: Asker) -> None:  # K4 A6
    await upload(asker, TEXTS)
    [orlith], [bracken] = await find(asker.client, "Orlith"), await find(asker.client, "Bracken")
    body = {"source": orlith["id"], "target": bracken["id"]}
    assert (await asker.client.post("/api/entities/merges", json=body)).status_code == 201
    with pytest.raises(InsufficientPrivilege):
        async with house.runtime.database.as_user(asker.identity) as connection:
            await connection.execute("UPDATE merges SET for_all = true")


async def test_who_was_an_administrator_is_told_that_it_is_decided(  # E13
    house: Service, asker: Asker
) -> None:
    await upload(asker, TEXTS)
    [orlith], [bracken] = await find(asker.client, "Orlith"), await find(asker.client, "Bracken")
    ids = orlith["id"], bracken["id"]
    async with house.runtime.database.as_user(replace(asker.identity, role="admin")) as connection:
        made = await decide(connection, "merge", *ids)
    body = {"source": entity_id(made["source"]), "target": entity_id(made["target"])}
    answer = await asker.client.post("/api/entities/splits", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_entity")


async def test_names_that_look_alike_are_only_suggested(asker: Asker) -> None:  # K4
    texts = {
        "zzyzx-l1.md": "In May, Orlith Shipping Group hired.",
        "zzyzx-l2.md": "In June, Orlith Shipping Company paid.",
    }
    await upload(asker, texts)
    [pair] = (await asker.client.get("/api/entities/candidates")).json()["items"]
    assert {pair["source"]["name"], pair["target"]["name"]} == {
        "Orlith Shipping Group",
        "Orlith Shipping Company",
    }
    assert len(await find(asker.client, "Orlith")) == 2  # until somebody decides
    body = {"source": pair["source"]["id"], "target": pair["target"]["id"]}
    assert (await asker.client.post("/api/entities/splits", json=body)).status_code == 201
    assert (await asker.client.get("/api/entities/candidates")).json()["items"] == []


async def test_protected_names_are_no_other_names_and_no_headings(
    house: Service, asker: Asker
) -> None:  # D17
    texts = {
        "zzyzx-r1.md": "The Zanzibar Quokka Exchange (ZQX) is in Merrow.",
        "zzyzx-r2.md": "# Contract with the Zanzibar Quokka Exchange\n\nZQX paid for paper.",
        "zzyzx-r3.md": "ZQX hired a harbour clerk.",
    }
    await upload(asker, texts)
    [entity] = await find(asker.client, "ZQX")
    assert "Zanzibar Quokka Exchange" in str(entity)
    rule = {"audience": "member", "kind": "name", "value": "Zanzibar Quokka Exchange"}
    made = (await house.admin.post("/api/gates/rules", json=rule)).json()
    try:
        [entity] = await find(asker.client, "ZQX")
        detail = (await asker.client.get(f"/api/entities/{entity['id']}")).json()
    finally:
        assert (await house.admin.delete(f"/api/gates/rules/{made['id']}")).status_code == 204
    assert [passage["document"] for passage in detail["passages"]] == ["zzyzx-r3.md"]
    assert [one["name"] for one in detail["names"]] == ["zqx"]
    assert "quokka" not in f"{entity}{detail}".casefold()


async def test_an_unknown_entity_is_not_found(asker: Asker) -> None:  # E13
    for id_ in ("nonsense", "%00", "eHl6engf"):
        assert (await asker.client.get(f"/api/entities/{id_}")).status_code == 404
