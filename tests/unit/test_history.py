"""What of a thread is replayed to the model."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from providers.events import ToolCall
from server.chat.history import (
    LONGEST_ENTRY,
    POLICIES,
    Exchange,
    exchanges,
    previous,
    replay,
    split,
    tokens,
    trim,
    trimmed,
)  # fmt: skip
from server.chat.loop import answered, arguments_of, asked
from server.chat.recall import with_summary
from server.chat.shown import Shown
from server.chat.sources import Sources


def entry(role: str, content: str, kind: str = "") -> dict[str, Any]:
    return {"role": role, "content": content, "kind": kind or ("question" if role == "user" else "answer")}


def test_refusals_and_errors_are_not_replayed(shared: Path) -> None:  # S-CM-01, C2
    rows = json.loads((shared / "cases/files/S-CM-01/history.json").read_text())
    stored = [entry(row["role"], row["text"], row.get("kind", "")) for row in rows]
    sent = json.dumps(replay(exchanges(stored), budget=2000))
    assert "Berth nine takes ships up to 88 metres." in sent
    assert "and berth nine?" in sent
    assert "zorbal" not in sent
    assert "glimmer-503" not in sent
    assert "tide code" not in sent  # its answer was the refusal: half a pair is not replayed


def test_only_whole_exchanges_that_went_well_are_kept() -> None:  # C2
    stored = [entry("user", "q1"), entry("assistant", "a1")]
    for kind in ("refusal", "error", "stopped", "tool", "note"):
        stored += [entry("user", f"q-{kind}"), entry("assistant", f"a-{kind}", kind)]
    stored += [
        entry("user", "unanswered"),
        entry("user", "q2"),
        entry("assistant", "a2"),
        entry("assistant", "a3"),
    ]
    assert exchanges(stored) == [Exchange("q1", "a1"), Exchange("q2", "a2")]


def test_the_newest_exchanges_that_fit_are_sent_in_order() -> None:  # C3
    past = [Exchange(f"question {n}", f"answer {n}") for n in range(6)]
    cost = tokens("question 0") + tokens("answer 0")
    sent = replay(past, budget=3 * cost)
    assert [m["content"] for m in sent] == [
        "question 3", "answer 3", "question 4", "answer 4", "question 5", "answer 5",
    ]  # fmt: skip
    assert [m["role"] for m in sent] == ["user", "assistant"] * 3
    assert replay(past, budget=cost - 1) == []
    assert replay([], budget=1000) == []


def test_a_paste_is_shortened_in_the_middle(shared: Path) -> None:  # S-CM-05, C5, C6
    paste = (shared / "cases/files/S-CM-05/paste.txt").read_text()
    assert len(paste) > 2 * LONGEST_ENTRY
    [question, _] = replay([Exchange(paste, "Bay 1.")], budget=2000)
    sent = question["content"]
    assert len(sent) <= LONGEST_ENTRY
    assert sent.startswith("Title: stowage plan of the Bittern. Bay 0 holds crate 0.")
    assert sent.endswith(paste.strip()[-200:])
    assert "which bay holds crate 17?" in sent
    assert "Bay 95 holds" not in sent
    assert "[…]" in sent


def test_a_paste_passes_on_the_first_turn_and_the_second() -> None:  # C7
    paste = "Title. " + "word " * 1200 + "Which word?"
    assert trim(paste, 16000) == paste
    again = replay([Exchange(paste, "word")], budget=int(0.3 * 8000))
    assert len(again) == 2
    assert again[0]["content"].startswith("Title.")
    assert again[0]["content"].endswith("Which word?")


def test_trim_keeps_what_fits_and_never_grows() -> None:
    for size in (0, 1, 99, 100, 101, 250, 5000):
        text = "".join(chr(97 + i % 26) for i in range(size))
        short = trim(text, 100)
        assert len(short) <= 100
        assert (short == text) == (size <= 100)


def test_a_call_and_its_result_travel_together() -> None:  # S-CM-04
    call = ToolCall("t1", "search_documents", '{"query": "winch"}')
    question, result = asked((call,)), answered("t1", "r1")
    assert question["tool_calls"][0]["id"] == result["tool_call_id"] == "t1"
    assert question["content"] is None
    stored = [
        entry("user", "u1"),
        entry("assistant", "r1", "tool"),
        entry("user", "u2"),
        entry("assistant", "a2"),
    ]
    for budget in range(0, 40, 3):  # stored turns hold no tool messages, so none can be left without its call
        assert all(m["role"] in ("user", "assistant") for m in replay(exchanges(stored), budget=budget))


def test_arguments_that_are_no_object_are_none() -> None:
    def read(text: str) -> dict[str, Any]:
        return arguments_of(ToolCall("t", "search_documents", text))

    assert read('{"query": "x"}') == {"query": "x"}
    assert [read(text) for text in ("", "{", "[1]", '"x"', "null")] == [{}] * 5


def test_without_sources_every_marker_vanishes() -> None:  # M5
    shown = Shown(Sources())
    shown.refresh()
    assert shown.feed("Hello [1] there.") + shown.flush() == "Hello there."


def test_pairs_leave_together_at_every_length(shared: Path) -> None:  # S-CM-04, C12
    rows = json.loads((shared / "cases/files/S-CM-04/messages.json").read_text())
    messages = rows if isinstance(rows, list) else rows["messages"]
    for length in range(1, 7):
        kept = trimmed(messages, budget=length, price=len)
        asked_for = [call["id"] for m in kept for call in m.get("tool_calls") or ()]
        answered_to = [m["tool_call_id"] for m in kept if m["role"] == "tool"]
        assert asked_for == answered_to
        assert [m for m in messages if m["role"] == "user"][-1] in kept
        assert [m for m in messages if m in kept] == kept  # in order
        assert len(kept) <= max(length, 1 + sum(m["role"] == "system" for m in messages))
    assert trimmed(messages, budget=100, price=len) == messages


def test_a_call_without_its_result_and_a_result_without_its_call_are_sent_to_nobody() -> None:  # S-CM-04
    call = ToolCall("t1", "search_documents", "{}")
    lone = [{"role": "user", "content": "q"}, asked((call,)), {"role": "assistant", "content": "a"}]
    assert trimmed(lone, budget=1000) == [lone[0], lone[2]]
    assert trimmed([answered("t1", "r"), lone[0]], budget=1000) == [lone[0]]
    both = ToolCall("t2", "search_documents", "{}")
    half = [{"role": "user", "content": "q"}, asked((call, both)), answered("t1", "r")]
    assert trimmed(half, budget=1000) == half[:1]


def test_every_kind_has_a_policy_and_two_are_replayed() -> None:  # C2
    assert {kind for kind, policy in POLICIES.items() if policy.replayed} == {"question", "answer"}
    assert set(POLICIES) >= {"refusal", "error", "stopped", "tool", "note", "crisis", "declined"}


def test_an_excluded_half_takes_the_other_along() -> None:  # C4
    stored = [entry("user", "q1"), entry("assistant", "a1"), entry("user", "q2"), entry("assistant", "a2")]
    for index in (0, 1):
        marked = [row | {"excluded": i == index} for i, row in enumerate(stored)]
        assert exchanges(marked) == [Exchange("q2", "a2")]


def test_a_declined_question_is_looked_back_at_once_and_never_replayed() -> None:  # D2, C2
    stored = [entry("user", "q1"), entry("assistant", "a1")]
    stored += [entry("user", "pay?"), entry("assistant", "Shall I pass it on?", "declined")]
    past = exchanges(stored)
    assert previous(past) == Exchange("pay?", "Shall I pass it on?", replayed=False)
    assert "pay" not in str(replay(past, budget=1000))
    past = exchanges([*stored, entry("user", "q3"), entry("assistant", "a3")])
    assert [e.question for e in past] == ["q1", "q3"]
    assert previous([]) is None


def test_a_summary_stands_for_exactly_the_oldest_exchanges() -> None:  # C3
    ids = [uuid4() for _ in range(6)]
    past = [Exchange(f"q{n}", f"a{n}", (ids[2 * n], ids[2 * n + 1])) for n in range(3)]
    summed = with_summary(past, "in short", ids[:4])
    assert [(e.answer, e.summary) for e in summed] == [("in short", True), ("a2", False)]
    assert summed[0].ids == tuple(ids[:4])
    for covers in (ids[2:6], ids[:3], [uuid4(), *ids[1:4]], [*ids, uuid4()]):
        assert with_summary(past, "in short", covers) == past
    sent = replay(summed, budget=1000)
    assert [m["content"] for m in sent][1:] == ["in short", "q2", "a2"]
    assert previous(summed[:1]) is None
    older, kept = split(summed, budget=0)
    assert (older, kept) == (summed[1:], [])
    assert replay(summed, budget=3) == []  # no room for it: nothing half
