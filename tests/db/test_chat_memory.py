"""What a conversation remembers: summaries of what no longer fits, pastes cut short, nothing that was refused."""

import json
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

import pytest
import pytest_asyncio

from providers.scenarios import Reply, say
from providers.scripted import play
from sql.db import owner_transaction
from tests.db.conftest import Scripted, Service
from tests.db.conversation import Asker, named, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = " The tide at the harbour turns slowly and the winch is oiled on every second day of the month." * 9


@pytest_asyncio.fixture(loop_scope="module")
async def narrow(house: Service, scripted: Scripted) -> AsyncIterator[Service]:
    """A model that can read little, so that memory is soon full."""
    await scripted.answers(house, "scripted-echo")
    await house.admin.put("/api/settings", json={"values": {"chat.context_tokens": 4000}})
    yield house
    await house.runtime.summaries.idle()
    await house.admin.put("/api/settings", json={"values": {"chat.context_tokens": None}})


async def insert(
    house: Service, asker: Asker, thread: str, turns: Sequence[tuple[str, str, str]]
) -> list[UUID]:
    """Messages (role, kind, content) as the chain that a thread would be; their ids."""
    ids: list[UUID] = []
    async with owner_transaction(house.runtime.urls.owner) as connection:
        for role, kind, content in turns:
            ids.append(
                await connection.fetchval(
                    "INSERT INTO messages (workspace_id, thread_id, owner_id, role, kind, content, parent_id)"
                    " VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
                    asker.identity.workspace_id, UUID(thread), asker.identity.user_id, role, kind, content,
                    ids[-1] if ids else None,
                )
            )  # fmt: skip
        await connection.execute("UPDATE threads SET leaf_id = $2 WHERE id = $1", UUID(thread), ids[-1])
    return ids


def exchange(n: int, kind: str = "answer") -> list[tuple[str, str, str]]:
    return [("user", "question", f"question-{n}{LONG}"), ("assistant", kind, f"{kind}-{n}{LONG}")]


async def full(house: Service, asker: Asker, thread: str) -> list[UUID]:
    """Eight exchanges of 500 tokens, the third a refusal and the fifth an error; 840 tokens are replayed."""
    kinds = ["answer", "answer", "refusal", "answer", "error", "answer", "answer", "answer"]
    return await insert(house, asker, thread, [m for n, kind in enumerate(kinds) for m in exchange(n, kind)])


def sent(scripted: Scripted, index: int = -1) -> list[str]:
    return [m["content"] for m in scripted.requests[index]["messages"] if m["role"] != "system"]


def summarising(scripted: Scripted) -> list[str]:
    """Requests that asked for a summary."""
    texts = [json.dumps(r["messages"]) for r in scripted.requests]
    return [t for t in texts if "What was said after that" in t]


async def stored_summary(house: Service, thread: str) -> str | None:
    async with owner_transaction(house.runtime.urls.owner) as connection:
        found: str | None = await connection.fetchval(
            "SELECT summary FROM threads WHERE id = $1", UUID(thread)
        )
    return found


async def summarised(house: Service, scripted: Scripted, asker: Asker, thread: str) -> list[UUID]:
    """A full thread with a summary that says zzyzx."""
    ids = await full(house, asker, thread)
    play(scripted.app, [Reply(say("Hello.")), Reply(say("They spoke of the zzyzx winch."))])
    await asker.ask(thread, "hello there")
    await house.runtime.summaries.idle()
    return ids


async def test_what_no_longer_fits_is_summarised_and_replayed_first(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C3
    await summarised(narrow, scripted, asker, thread)
    assert len(summarising(scripted)) == 1
    assert await stored_summary(narrow, thread) == "They spoke of the zzyzx winch."
    await scripted.answers(narrow, "scripted-echo")
    await asker.ask(thread, "hello again")
    replayed = sent(scripted)
    assert replayed[1] == "They spoke of the zzyzx winch."
    assert "question-0" not in str(replayed)
    assert replayed[-1] == "hello again"
    assert [m["role"] for m in scripted.requests[0]["messages"]][:4] == [
        "system",
        "user",
        "assistant",
        "user",
    ]


async def test_a_summary_holds_no_refusal_and_no_error(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C3, C2
    await summarised(narrow, scripted, asker, thread)
    [request] = summarising(scripted)
    assert "answer-0" in request
    for text in ("refusal-2", "question-2", "error-4", "question-4"):
        assert text not in request


async def test_the_next_summary_is_made_from_the_last_and_what_came_after(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C3: it rolls
    await summarised(narrow, scripted, asker, thread)
    shown = await asker.messages(thread)
    async with owner_transaction(narrow.runtime.urls.owner) as connection:
        covered = await connection.fetchval("SELECT summary_covers FROM threads WHERE id = $1", UUID(thread))
    assert str(covered[0]) == shown[0]["id"]
    scripted.requests.clear()
    play(scripted.app, [Reply(say(f"Hello.{LONG}")), Reply(say("Good day.")), Reply(say("Shorter: zzyzx."))])
    for _ in range(3):
        await asker.ask(thread, "hello again")
        await narrow.runtime.summaries.idle()
    requests = summarising(scripted)
    assert requests
    assert "Summary so far:\\nThey spoke of the zzyzx winch." in requests[0]
    assert "answer-0" not in requests[0]


@pytest.mark.parametrize("how", ["exclude", "delete"])
async def test_a_summary_does_not_outlive_what_it_was_made_from(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str, how: str
) -> None:  # C4
    ids = await summarised(narrow, scripted, asker, thread)
    if how == "exclude":
        await asker.client.patch(f"/api/messages/{ids[1]}", json={"excluded": True})
    else:
        await asker.client.delete(f"/api/messages/{ids[0]}")
    assert await stored_summary(narrow, thread) is None
    await scripted.answers(narrow, "scripted-echo")
    await asker.ask(thread, "hello again")
    assert "zzyzx" not in str(sent(scripted, 0))
    await narrow.runtime.summaries.idle()
    assert "answer-0" not in str(scripted.requests)


async def test_the_summary_of_one_branch_is_not_told_on_another(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await summarised(narrow, scripted, asker, thread)
    await scripted.answers(narrow, "scripted-echo")
    url = f"/api/threads/{thread}/messages"
    await asker.client.post(url, json={"content": "hello friend", "parent_id": None})
    assert sent(scripted) == ["hello friend"]


async def test_a_summary_that_is_a_refusal_or_fails_is_none(
    narrow: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # C2, C3: and the turn is not held up by it
    for reply in (
        Reply(say("I'm sorry, but I can't help with that.")),
        Reply(status=400, error={"error": {"message": "no"}}),
        Reply(say("half"), finish="content_filter"),
    ):
        other = await asker.thread()
        await full(narrow, asker, other)
        play(scripted.app, [Reply(say("Hello.")), reply])
        assert (await asker.ask(other, "hello there"))[-1].name == "done"
        await narrow.runtime.summaries.idle()
        assert await stored_summary(narrow, other) is None


async def test_a_short_thread_is_not_summarised(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:
    await scripted.answers(house, "scripted-echo")
    await asker.ask(thread, "hello there")
    await asker.ask(thread, "hello again")
    await house.runtime.summaries.idle()
    assert len(scripted.requests) == 2


async def test_a_refusal_does_not_poison_the_third_turn(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-CM-01, C2
    await scripted.answers(house, "scripted-echo")
    await asker.ask(thread, "hello there")
    await scripted.answers(house, "scripted-refusal")
    await asker.ask(thread, "hello again")
    await scripted.answers(house, "scripted-echo")
    events = await asker.ask(thread, "good day")
    assert sent(scripted) == ["hello there", "hello there", "good day"]
    assert "sorry" not in text_of(events)
    kinds = [m["kind"] for m in await asker.messages(thread)]
    assert kinds == ["question", "answer", "question", "refusal", "question", "answer"]


async def test_a_paste_is_read_whole_at_first_and_short_afterwards(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # S-CM-05, C6, C7
    await scripted.answers(house, "scripted-cite")
    paste = (
        "Title: zzyzx stowage.\n" + "".join(f"Bay {n} holds crate {n}. " for n in range(260)) + "\nWhich bay?"
    )
    assert len(paste) > 6000
    for n in range(2):  # the second turn after a paste is as good as the first
        assert (await asker.ask(thread, paste if not n else "and crate 34?"))[-1].name == "done"
        assert scripted.requests
        whole = json.dumps(scripted.requests[-1]["messages"])
        assert "Title: zzyzx stowage." in whole
        assert "Which bay?" in whole
        assert ("Bay 130 holds" in whole) is (n == 0)
        scripted.requests.clear()


@pytest_asyncio.fixture(loop_scope="module")
async def watched(house: Service, scripted: Scripted) -> AsyncIterator[Service]:
    """A subject that an administrator declines, and a helpline of their own."""
    await scripted.answers(house, "scripted-echo")
    values = {
        "safety.declined": "salaries and pay: What do you earn? | Is 90k a fair offer? | What would you charge? | "
        "What are your salary expectations?",
        "safety.crisis": "en: Call the zzyzx nurse.",
    }
    saved = await house.admin.put("/api/settings", json={"values": values})
    assert saved.status_code == 200, saved.text
    yield house
    await house.admin.put("/api/settings", json={"values": dict.fromkeys(values)})


async def test_somebody_in_danger_is_told_where_help_is(
    watched: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # D9, D10
    events = await asker.ask(thread, "I don't want to live anymore")
    assert named(events, "turn") == [{"kind": "crisis", "query": ""}]
    assert text_of(events) == "Call the zzyzx nurse."
    assert scripted.requests == []  # nothing is searched, no model is asked
    german = await asker.ask(thread, "Ich will nicht mehr leben")
    assert "116 123" in text_of(german)
    assert [m["kind"] for m in await asker.messages(thread)] == ["question", "crisis"] * 2
    # Only the newest message is judged, and nothing of it is replayed as an example of how to answer.
    later = await asker.ask(thread, "thanks")
    assert named(later, "turn")[0]["kind"] != "crisis"
    assert "nurse" not in str(scripted.requests)


async def test_a_declined_subject_is_known_by_its_meaning(
    watched: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # D12, L12
    events = await asker.ask(thread, "the budget is 180k, does that work?")
    assert named(events, "turn")[0]["kind"] == "declined"
    assert scripted.requests == []
    assert (await asker.messages(thread))[1]["kind"] == "declined"
    events = await asker.ask(thread, "what else?")  # D7
    assert named(events, "turn")[0]["kind"] not in ("declined", "crisis")


async def test_a_pasted_job_description_is_read(
    watched: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # D11
    advert = "\n\n".join(
        ["Zzyzx Harbour seeks a winch master.", "The salary is 90,000 a year and a bonus of 12 % is paid."]
        + ["You oil the winches, keep the log of the tide and lead a crew of four. " * 4] * 4
    )
    events = await asker.ask(
        thread, f"Here is a job description:\n\n{advert}\n\nWhich skills does it ask for?"
    )
    assert named(events, "turn")[0]["kind"] != "declined"
    assert "winch master" in json.dumps(scripted.requests[-1]["messages"])


async def test_documents_for_style_shape_the_tone_and_are_no_source(
    house: Service, scripted: Scripted, asker: Asker, thread: str
) -> None:  # D16
    style = "Zzyzx ahoy, dear reader! We write of anchors as of old friends, briefly and with salt."
    facts = "The anchor of the ship Zzyzx weighs 940 kg and was cast in Dunholt."
    of_style = await asker.upload("zzyzx-style.txt", style.encode())
    await asker.upload("zzyzx-anchor.txt", facts.encode())
    async with owner_transaction(house.runtime.urls.owner) as connection:
        await connection.execute("UPDATE documents SET use = 'style' WHERE id = $1", UUID(of_style["id"]))
    await scripted.answers(house, "scripted-cite")
    events = await asker.ask(thread, "How heavy is the anchor of the Zzyzx, dear reader?")
    system = scripted.requests[0]["messages"][0]["content"]
    assert "as of old friends" in system
    assert {s["name"] for s in named(events, "sources")[0]["items"]} == {"zzyzx-anchor.txt"}
    found = [m["content"] for m in scripted.requests[0]["messages"] if m["role"] == "tool"]
    assert "old friends" not in str(found)
