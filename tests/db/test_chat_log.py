"""The log of a run: whole at the end, silent for whoever has had all of it, short-lived afterwards."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
import pytest_asyncio

from server.chat.ask import ask
from server.chat.means import means_of
from server.chat.run import produce
from server.stream.runs import RunHub
from server.stream.sse import one_by_one
from sql.db import Database, owner_transaction
from tests.db.conftest import Service
from tests.db.conversation import Asker, named

pytestmark = pytest.mark.asyncio(loop_scope="module")

HELLO = "hello there"


@pytest_asyncio.fixture(loop_scope="module")
async def asker(house: Service) -> Asker:
    identity = await house.newcomer()
    return Asker(identity, house.client(identity))


async def another_server(house: Service) -> RunHub:
    """A hub that holds nothing in memory, as of a process that did not run the turn."""
    return RunHub(house.runtime.database)


async def logged(house: Service, run_id: UUID) -> list[str]:
    async with owner_transaction(house.runtime.urls.owner) as connection:
        rows = await connection.fetch("SELECT event FROM run_events WHERE run_id = $1 ORDER BY seq", run_id)
    return [row["event"] for row in rows]


async def test_a_reader_who_had_the_last_event_gets_nothing_more(
    house: Service, asker: Asker
) -> None:  # S-ST-07
    events = await asker.ask(await asker.thread(), HELLO)
    run_id = UUID(named(events, "run")[0]["run_id"])
    await asyncio.sleep(0.8)  # the log is written behind
    async with owner_transaction(house.runtime.urls.owner) as connection:
        await connection.execute(
            "UPDATE runs SET heartbeat_at = now() - $2::interval WHERE id = $1", run_id, timedelta(minutes=1)
        )
    hub = await another_server(house)
    assert [f.event async for f in one_by_one(hub.follow(asker.identity, run_id, after=events[-1].seq))] == []
    assert [f.event async for f in one_by_one(hub.follow(asker.identity, run_id, after=events[-2].seq))] == [
        "done"
    ]


async def test_a_process_that_ends_at_once_has_written_everything(
    house: Service, asker: Asker
) -> None:  # B10
    hub = await another_server(house)
    thread = UUID(await asker.thread())
    asked = await ask(house.runtime.database, asker.identity, thread, HELLO)
    means = means_of(house.runtime, asker.identity)
    run = hub.start(asked.run_id, asker.identity, lambda run: produce(run, asked, means))
    seen = [frame.event async for frame in one_by_one(hub.follow(asker.identity, run.id))]
    await hub.close()
    assert seen[-1] == "done"
    assert await logged(house, run.id) == seen


async def test_an_answer_that_cannot_be_stored_says_so_and_is_kept_later(
    house: Service, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:  # E21, O4
    """The pool that the answer is stored through is closed under it: a real outage of this one connection."""
    monkeypatch.setattr("server.chat.keep.STORE_ATTEMPTS", 1)
    thread = await asker.thread()
    database = await Database.connect(house.runtime.urls.app, size=2)
    asked = await ask(house.runtime.database, asker.identity, UUID(thread), HELLO)
    means = means_of(house.runtime, asker.identity)
    broken = type(means)(**{name: getattr(means, name) for name in means.__slots__} | {"database": database})
    await database.close()
    hub = await another_server(house)
    run = hub.start(asked.run_id, asker.identity, lambda run: produce(run, asked, broken))
    frames = [frame async for frame in one_by_one(hub.follow(asker.identity, run.id))]
    assert frames[-1].event == "error"
    assert "not_stored" in frames[-1].data
    await hub.close()
    async with owner_transaction(house.runtime.urls.owner) as connection:
        await connection.execute(
            "UPDATE runs SET heartbeat_at = now() - $2::interval WHERE id = $1", run.id, timedelta(minutes=1)
        )
    messages = await asker.messages(thread)
    assert [m["role"] for m in messages] == ["user", "assistant"]
    assert messages[-1]["content"].startswith("Hello")
    assert (await logged(house, run.id)).count("error") == 1


async def test_old_logs_are_pruned(house: Service, asker: Asker) -> None:
    first = UUID(named(await asker.ask(await asker.thread(), HELLO), "run")[0]["run_id"])
    await asyncio.sleep(0.8)
    assert await logged(house, first)
    async with owner_transaction(house.runtime.urls.owner) as connection:
        await connection.execute(
            "UPDATE runs SET ended_at = now() - $2::interval WHERE id = $1", first, timedelta(minutes=11)
        )
    await asker.ask(await asker.thread(), HELLO)
    await asyncio.sleep(0.8)
    assert await logged(house, first) == []
