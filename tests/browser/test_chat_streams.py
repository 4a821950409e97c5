"""Answers being written: two tabs, a network that goes away, a key that stops."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import begin
from tests.browser.conftest import Visit
from tests.browser.house import House

QUESTION = "What weighs 310 kg at Amcor?"
WHOLE = " ".join(f"w{n}" for n in range(45))


@pytest.fixture(autouse=True)
def paced(house: House, files: list[Path], model: str) -> None:
    house.hold(files)
    house.answered_by(model, "scripted-pace-15-45")


def whole(page: Page) -> None:
    """The answer is over, and every word of it is there, once and in order."""
    article = page.locator("[data-turn]").last.locator("article")
    expect(article).to_have_attribute("aria-busy", "false", timeout=30_000)
    expect(article).to_have_text(WHOLE)


def test_two_tabs_follow_one_answer(house: House, visit: Visit) -> None:
    thread = house.call("POST", "/api/threads")["id"]
    page = visit(f"/t/{thread}")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("This thread is empty")).to_be_visible()
    begin(page, QUESTION)
    expect(other.get_by_role("heading", level=2, name=QUESTION)).to_be_visible()
    expect(other.locator("article")).to_have_attribute("aria-busy", "true")
    expect(other.get_by_role("button", name="Stop")).to_be_enabled()
    whole(other)
    whole(page)


def test_offline_and_back_ends_with_the_same_words(visit: Visit) -> None:  # S-ST-07
    page = visit("/")
    begin(page, QUESTION)
    expect(page.locator("article")).to_contain_text("w6 ")
    page.context.set_offline(True)
    expect(page.get_by_text("The connection is gone. Trying again")).to_be_visible()
    page.wait_for_timeout(700)
    page.context.set_offline(False)
    expect(page.get_by_text("The connection is gone")).to_have_count(0)
    whole(page)
    page.reload()
    whole(page)


def test_escape_stops_from_anywhere(visit: Visit) -> None:
    page = visit("/")
    turn = begin(page, QUESTION)
    expect(turn.locator("article")).to_contain_text("w3 ")
    turn.locator("summary").first.focus()
    page.keyboard.press("Escape")
    expect(turn.get_by_text("Stopped. The answer may be incomplete.")).to_be_visible()
    status = page.get_by_role("status").filter(has_text="Answer stopped.")
    expect(status).to_have_count(1)  # announced, once
