"""What one does with the messages of a thread: answered again, changed, deleted, left out, rated, taken along."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from providers.scenarios import Reply, say
from tests.browser.acts import ask
from tests.browser.conftest import Visit, keep
from tests.browser.house import House
from tests.browser.wire import Model, open_model

CASH = "How much cash did Amcor return to shareholders in fiscal 2023?"
SALES = "What annual sales did Amcor people generate in fiscal year 2023?"


@pytest.fixture(scope="module")
def wire() -> Iterator[Model]:
    with open_model() as model:
        yield model


@pytest.fixture(autouse=True)
def counting(house: House, files: list[Path], wire: Model) -> None:
    """A model that never says the same twice."""
    house.hold(files)
    house.answered_by(wire.base_url, "scripted-cite")
    numbers = itertools.count(1)

    def reply(body: dict[str, Any]) -> Reply:
        return Reply(say(f"Zzyzx answer number {next(numbers)}, of the Amcor documents."))

    wire.plays(reply)


def words(turn: Locator) -> str:
    return turn.locator("article").inner_text()


def done(turn: Locator) -> Locator:
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false", timeout=30_000)
    return turn


def more(page: Page, turn: Locator, entry: str) -> None:
    turn.get_by_role("button", name="More for this answer").click()
    page.get_by_role("menuitem", name=entry).click()


def test_an_answer_given_again_stands_beside_the_first(visit: Visit) -> None:
    page = visit("/")
    turn = ask(page, CASH)
    first = words(turn)
    turn.get_by_role("button", name="Answer again").click()
    expect(turn.get_by_text("2 of 2")).to_be_visible(timeout=30_000)
    second = words(turn)
    assert second != first
    expect(page.get_by_label("Your question")).to_be_focused()
    keep(page, "chat-branches")

    earlier = turn.get_by_role("button", name="Earlier version of the answer")
    earlier.focus()
    page.keyboard.press("Enter")
    expect(turn.get_by_text("1 of 2")).to_be_visible()
    assert words(turn) == first
    expect(earlier).to_be_focused()
    page.reload()
    expect(turn.get_by_text("1 of 2")).to_be_visible()
    assert words(turn) == first


def test_a_changed_question_begins_a_branch_of_its_own(visit: Visit) -> None:
    page = visit("/")
    first = words(ask(page, CASH))
    ask(page, "Which one was higher?")
    page.keyboard.press("ArrowUp")  # from the empty field
    field = page.get_by_label("The question in other words")
    expect(field).to_be_focused()
    keep(page, "chat-edit")
    field.fill(SALES)
    field.press("Enter")
    turns = page.locator("[data-turn]")
    expect(turns.nth(1).get_by_role("heading", level=2)).to_have_text(SALES)
    expect(done(turns.nth(1)).get_by_text("2 of 2")).to_be_visible()
    expect(turns).to_have_count(2)
    assert words(turns.first) == first

    turns.first.get_by_role("heading", level=2).hover()
    turns.first.get_by_role("button", name="Change the question").click()
    field.fill("Who is the chairman of Amcor?")
    page.get_by_role("button", name="Ask this").click()
    expect(done(turns.first).get_by_text("2 of 2")).to_be_visible()
    expect(turns).to_have_count(1)  # what followed hangs on the other branch
    turns.first.get_by_role("button", name="Earlier version of the question").click()
    expect(turns).to_have_count(2)
    expect(turns.nth(1).get_by_role("heading", level=2)).to_have_text(SALES)
    assert words(turns.first) == first


def test_what_is_deleted_comes_back_by_undo(visit: Visit) -> None:  # C4
    page = visit("/")
    ask(page, CASH)
    second = words(ask(page, SALES))
    turns = page.locator("[data-turn]")
    turns.nth(1).get_by_role("heading", level=2).hover()
    turns.nth(1).get_by_role("button", name="More for this question").click()
    page.get_by_role("menuitem", name="Delete with what follows").click()
    expect(turns).to_have_count(1)
    keep(page, "chat-deleted")
    page.get_by_role("button", name="Undo").click()
    expect(turns).to_have_count(2)
    assert words(turns.nth(1)) == second

    more(page, turns.nth(1), "Delete the answer")
    expect(turns.nth(1).locator("article")).to_have_count(0)
    page.reload()
    turns.nth(1).get_by_role("button", name="Answer it").click()
    expect(done(turns.nth(1)).locator("article")).to_contain_text("Zzyzx answer")


def test_what_is_left_out_of_memory_is_not_sent(visit: Visit, wire: Model) -> None:  # C4, C9, Q5
    page = visit("/")
    first = words(ask(page, CASH))
    turn = page.locator("[data-turn]").first
    ask(page, SALES)
    sent = str(wire.requests[-1]["messages"])
    assert CASH in sent  # the second turn carries history, and the page has sent one question only
    assert first in sent

    more(page, turn, "Leave out of memory")
    expect(turn.get_by_text("Left out of memory: you still see this")).to_be_visible()
    keep(page, "chat-excluded")
    ask(page, "Who leads Amcor, and since when?")
    sent = str(wire.requests[-1]["messages"])
    assert SALES in sent
    assert CASH not in sent
    assert first not in sent
    turn.get_by_role("button", name="Take in again").click()
    expect(turn.get_by_text("Left out of memory")).to_have_count(0)


def test_the_browser_sends_a_question_and_nothing_else(visit: Visit) -> None:  # Q5
    page = visit("/")
    ask(page, CASH)
    with page.expect_request(re.compile(r"/api/threads/[^/]+/messages$")) as asked:
        ask(page, SALES)
    assert asked.value.post_data_json == {"content": SALES}
    thread = page.url.rpartition("/")[2]
    assert thread in asked.value.url


def test_a_thumb_keeps_its_reason(visit: Visit, house: House, wire: Model) -> None:
    wire.cites()
    page = visit("/")
    turn = ask(page, CASH)
    turn.get_by_role("button", name="Bad answer").click()
    form = turn.get_by_role("form", name="What was wrong with it?")
    expect(form.get_by_label("Reason")).to_be_focused()
    form.get_by_role("button", name="Incomplete").click()
    form.get_by_label("Reason").press("End")
    form.get_by_label("Reason").press_sequentially(" · no sum")
    keep(page, "chat-feedback")
    form.get_by_role("button", name="Keep the reason").click()
    expect(form).to_have_count(0)
    page.reload()
    thumb = turn.get_by_role("button", name="Bad answer")
    expect(thumb).to_have_attribute("aria-pressed", "true")
    thumb.click()
    expect(form.get_by_label("Reason")).to_have_value("Incomplete · no sum")

    form.get_by_role("button", name="Make it a golden question").click()
    expect(page.get_by_text("Kept as a golden question")).to_be_visible()
    assert CASH in [one["question"] for one in house.call("GET", "/api/golden")["items"]]


def test_a_thread_is_exported_searched_and_seen_as_it_was_sent(visit: Visit) -> None:  # C9
    page = visit("/")
    turn = ask(page, CASH)
    answer = words(turn)
    more(page, turn, "What was sent to the model")
    sent = page.get_by_role("dialog", name="What was sent to the model")
    expect(sent.get_by_role("region", name="You").get_by_text(CASH)).to_be_visible()
    page.keyboard.press("Escape")

    number = answer.split("number ")[1].split(",")[0]
    threads = page.get_by_role("navigation", name="Earlier questions")
    threads.get_by_label("Search earlier questions").fill(f"Zzyzx answer number {number},")
    row = threads.get_by_role("listitem").first
    expect(row).to_contain_text("How much cash")
    row.hover()
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export as Markdown").click()
    exported = Path(download.value.path()).read_text()
    assert download.value.suggested_filename.endswith(".md")
    assert CASH in exported
    assert f"Zzyzx answer number {number}" in exported
