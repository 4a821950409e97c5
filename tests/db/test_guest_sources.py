"""What a guest opens from an answer: the passage on its page, and nothing that a search would keep from them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from server.identity.guests import GuestLimit
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, error_of, named
from tests.db.test_chat_guests import counts, guest

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How deep is the Zzyzx dock at low water?"
DOCK = """# Dock

The Zzyzx dock is nine metres deep at low water.

Its gate was built by Anna

## Müller

The keeper of the Zzyzx lamp is Zoë Orlith.

She is paid in herring.

## Tides

The Zzyzx tide turns at noon.
"""


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(house: Service, scripted: Scripted) -> AsyncIterator[Asker]:
    """A guest of a house that lets them in, who has begun a thread."""
    await scripted.answers(house, "scripted-cite")
    await house.admin.put("/api/settings", json={"values": {"guests.enabled": True}})
    house.runtime.guests.limit = GuestLimit(guest=999, address=999, openings=999, together=999, reads=999)
    visitor = guest(house)
    await visitor.thread()
    yield visitor
    await house.admin.put("/api/settings", json={"values": {"guests.enabled": None}})


@pytest_asyncio.fixture(loop_scope="module")
async def dock(asker: Asker) -> AsyncIterator[str]:
    """A public document: its address."""
    document = await asker.upload("zzyzx-dock.md", DOCK.encode())
    url = f"/api/documents/{document['id']}"
    assert (await asker.client.patch(url, json={"visibility": "public"})).status_code == 200
    yield url
    await asker.client.delete(url)


@asynccontextmanager
async def protected(
    house: Service, value: str, kind: str = "name", audience: str = "public"
) -> AsyncIterator[None]:
    """A rule about words, for as long as the block takes."""
    rule = {"audience": audience, "kind": kind, "value": value}
    made = await house.admin.post("/api/gates/rules", json=rule)
    assert made.status_code == 201, made.text
    try:
        yield
    finally:
        await house.admin.delete(f"/api/gates/rules/{made.json()['id']}")


async def passages(asker: Asker, url: str) -> dict[str, str]:
    """Addresses of a document's passages by the last of their headings."""
    items = (await asker.client.get(f"{url}/chunks")).json()["items"]
    return {item["heading_path"][-1]: f"/api/passages/{item['id']}" for item in items}


async def page(asker: Asker, url: str) -> list[dict[str, Any]]:
    answer = await asker.client.get(f"{url}/pages/1")
    assert answer.status_code == 200, answer.text
    blocks: list[dict[str, Any]] = answer.json()["blocks"]
    return blocks


def seen(blocks: list[dict[str, Any]]) -> list[str]:
    return [block["text"] for block in blocks if block["kind"] != "hidden"]


async def is_closed(visitor: Asker, *addresses: str) -> None:
    """Each is answered as an address of the same kind that never was."""
    for address in addresses:
        parts = address.split("/")
        parts[3] = str(uuid4())
        answers = [await visitor.client.get(one) for one in (address, "/".join(parts))]
        errors = [error_of(answer, 404) for answer in answers]
        assert [error.pop("request_id") is not None for error in errors] == [True, True]
        assert errors[0] == errors[1], address


async def test_a_citation_opens_its_passage_on_its_page_and_nothing_is_written(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # A9, M7
    before = await counts(house)
    events = await visitor.ask(await visitor.thread(), QUESTION)
    source = next(s for s in named(events, "sources")[-1]["items"] if s["heading_path"] == ["Dock"])
    passage = await visitor.client.get(f"/api/passages/{source['chunk_id']}")
    assert passage.status_code == 200, passage.text
    assert passage.json()["state"] == "current"
    assert "nine metres deep" in passage.json()["text"]
    address = f"/api/documents/{source['document_id']}/pages/{passage.json()['viewer_page']}"
    opened = await visitor.client.get(address)
    assert opened.json() == (await asker.client.get(address)).json()
    cited = range(passage.json()["block_start"], passage.json()["block_end"] + 1)
    words = [b["text"] for b in opened.json()["blocks"] if b["ordinal"] in cited]
    assert "The Zzyzx dock is nine metres deep at low water." in words
    assert await counts(house) == before


@pytest.mark.parametrize("shown_to", ["private", "workspace", "shared"])
async def test_what_is_not_public_is_as_if_it_were_not_there(
    house: Service, visitor: Asker, asker: Asker, dock: str, shown_to: str
) -> None:  # A6, D14, D18, X2
    opened = (await passages(asker, dock))["Dock"]
    assert (await visitor.client.get(opened)).status_code == 200
    if shown_to == "shared":
        colleague = await house.newcomer()
        shares = {"user_ids": [str(colleague.user_id)]}
        assert (await asker.client.put(f"{dock}/shares", json=shares)).json()["visibility"] == "shared"
        assert (await house.client(colleague).get(opened)).status_code == 200
    else:
        assert (await asker.client.patch(dock, json={"visibility": shown_to})).status_code == 200
    await is_closed(visitor, opened, f"{dock}/pages/1")


@pytest.mark.parametrize("gates", [{"use": "style"}, {"trust": -1}])
async def test_what_is_no_evidence_for_a_guest_is_no_source_either(
    visitor: Asker, asker: Asker, dock: str, gates: dict[str, object]
) -> None:  # D14, D16
    opened = (await passages(asker, dock))["Dock"]
    assert (await asker.client.put(f"{dock}/access", json=gates)).status_code == 200
    await is_closed(visitor, opened, f"{dock}/pages/1")
    assert (await asker.client.get(opened)).status_code == 200  # a member opens what they may see


async def test_guests_of_a_house_that_answers_from_approved_documents_open_no_others(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # D14
    opened = (await passages(asker, dock))["Dock"]
    await house.admin.put("/api/gates/audiences", json={"public": 1})
    try:
        await is_closed(visitor, opened, f"{dock}/pages/1")
    finally:
        await house.admin.put("/api/gates/audiences", json={"public": 0})


async def test_a_protected_passage_is_not_there_and_leaves_a_gap_on_its_page(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # D17
    opened = await passages(asker, dock)
    async with protected(house, "Zoe Orlith"):
        await is_closed(visitor, opened["Müller"])
        assert (await visitor.client.get(opened["Tides"])).status_code == 200
        blocks = await page(visitor, dock)
        assert seen(blocks) == [
            "Dock",
            "The Zzyzx dock is nine metres deep at low water.",
            "Its gate was built by Anna",
            "Tides",
            "The Zzyzx tide turns at noon.",
        ]
        hidden = [block for block in blocks if block["kind"] == "hidden"]
        assert len(hidden) == 3  # with what the passage says beside the name, as in a search
        assert all((b["text"], b["level"], b["bbox"]) == ("", 0, None) for b in hidden)
        assert "herring" in str(await page(asker, dock))
    async with protected(house, "Zoe Orlith", audience="member"):
        assert "Zoë Orlith" in str(await page(visitor, dock))  # another audience's rule


async def test_everything_under_a_protected_heading_is_hidden(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # D17: the passages under it are kept from a search, whatever their own words are
    async with protected(house, "dock", kind="name"):
        await is_closed(visitor, *(await passages(asker, dock)).values())
        await is_closed(visitor, f"{dock}/pages/1")  # its very name is protected
    async with protected(house, "tides"):
        assert seen(await page(visitor, dock))[-1] == "She is paid in herring."


async def test_a_name_that_two_passages_share_is_hidden_in_both(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # D17: a page puts together what a search never does
    opened = await passages(asker, dock)
    async with protected(house, "Anna Muller"):
        for heading in ("Dock", "Müller"):
            assert (await visitor.client.get(opened[heading])).status_code == 200
        shown = seen(await page(visitor, dock))
        assert "Its gate was built by Anna" not in shown
        assert "Müller" not in shown
        assert "She is paid in herring." in shown


async def test_blocks_that_are_in_no_passage_are_judged_by_their_own_words(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # D17
    captions = ["Drawn by ZOË, Orlith", "Coloured by Zoe Orlith"]
    async with house.runtime.database.as_user(asker.identity) as connection:
        await connection.execute(
            "INSERT INTO blocks (workspace_id, document_id, version, ordinal, kind, text)"
            " SELECT workspace_id, id, live_version, 300 + n, 'caption', words"
            " FROM documents, unnest($2::text[]) WITH ORDINALITY c (words, n) WHERE id = $1",
            UUID(dock.rpartition("/")[2]),
            captions,
        )
    assert seen(await page(visitor, dock))[-2:] == captions
    async with protected(house, "Zoe Orlith"):
        assert [block["kind"] for block in (await page(visitor, dock))[-2:]] == ["hidden", "hidden"]


async def test_a_long_document_is_read_in_parts(house: Service, visitor: Asker, asker: Asker) -> None:  # D17
    lines = [f"Zzyzx berth {n} belongs to {'Zoë Orlith' if n == 450 else 'nobody'}." for n in range(1, 501)]
    document = await asker.upload("zzyzx-berths.md", "\n\n".join(lines).encode())
    url = f"/api/documents/{document['id']}"
    await asker.client.patch(url, json={"visibility": "public"})
    async with protected(house, "Zoe Orlith"):
        first, second = [(await visitor.client.get(f"{url}/pages/{n}")).json() for n in (1, 2)]
    assert (first["pages"], len(first["blocks"]), len(second["blocks"])) == (2, 400, 100)
    assert seen(first["blocks"]) == lines[:400]
    assert lines[499] in seen(second["blocks"])
    assert lines[449] not in seen(second["blocks"])
    assert "Orlith" not in str(second)
    assert (await visitor.client.get(f"{url}/pages/3")).status_code == 404
    await asker.client.delete(url)


async def test_the_file_itself_and_all_else_of_a_document_stay_closed(
    visitor: Asker, dock: str
) -> None:  # D17
    for address in (dock, f"{dock}/original", f"{dock}/chunks", f"{dock}/access"):
        error_of(await visitor.client.get(address), 401)


async def test_sources_open_to_guests_with_a_session_where_guests_are_let_in(
    house: Service, visitor: Asker, asker: Asker, dock: str
) -> None:  # A7, A10, A11
    addresses = [(await passages(asker, dock))["Dock"], f"{dock}/pages/1"]

    async def refuses(client: httpx.AsyncClient) -> None:
        for address in addresses:
            error_of(await client.get(address), 401)

    await refuses(guest(house).client)
    await refuses(guest(house, cookie="ibid_guest=" + "0" * 43).client)
    leaving = guest(house)
    await leaving.thread()
    kept = dict(leaving.client.cookies)
    assert (await leaving.client.get(addresses[0])).status_code == 200
    await leaving.client.delete("/api/guest")
    leaving.client.cookies.update(kept)
    await refuses(leaving.client)
    await house.admin.put("/api/settings", json={"values": {"guests.enabled": False}})
    await refuses(visitor.client)


async def test_a_guest_opens_only_so_many_pages_a_minute(house: Service, visitor: Asker, dock: str) -> None:
    house.runtime.guests.limit = GuestLimit(reads=2)
    statuses = [(await visitor.client.get(f"{dock}/pages/1")).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
