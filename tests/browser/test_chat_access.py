"""The chat's own states for everybody: axe, light and dark, at 360 px, by keyboard."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import ask, settle
from tests.browser.conftest import Visit, keep
from tests.browser.house import House
from tests.browser.test_pages import CUT_OFF, NARROW, _violations

QUESTION = "How much cash did Amcor return to shareholders in fiscal 2023?"


TOWER = "What is the height of the Zzyzx tower?"


@pytest.fixture(scope="module")
def thread(house: House, files: list[Path]) -> str:
    house.hold(files)
    house.answered_by(None)
    made = str(house.call("POST", "/api/threads")["id"])
    house.ask(made, QUESTION)
    house.ask(str(house.call("POST", "/api/threads")["id"]), TOWER)
    return made


def test_every_state_serves_everybody(visit: Visit, thread: str) -> None:
    page = visit(f"/t/{thread}")
    page.get_by_role("button", name="Close the side bar").first.click()  # it would cover what is narrow
    turn = page.locator("[data-turn]")
    turn.get_by_role("button", name="Answer again").click()
    expect(turn.get_by_text("2 of 2")).to_be_visible()
    turn.get_by_role("button", name="More for this answer").press("Enter")
    page.get_by_role("menuitem", name="Leave out of memory").press("Enter")
    expect(turn.get_by_text("Left out of memory")).to_be_visible()
    turn.get_by_role("button", name="Bad answer").click()
    expect(turn.get_by_label("Reason")).to_be_focused()
    _serves(page, "chat-states")

    page.keyboard.press("Escape")
    expect(turn.get_by_role("button", name="Bad answer")).to_be_focused()
    turn.get_by_role("heading", level=2).click()
    page.get_by_label("Your question").focus()
    page.keyboard.press("ArrowUp")
    expect(turn.get_by_label("The question in other words")).to_be_focused()
    _serves(page, "chat-editing")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Your question")).to_be_focused()

    turn.get_by_role("button", name="More for this answer").press("Enter")
    page.get_by_role("menuitem", name="What was sent to the model").press("Enter")
    expect(page.get_by_role("dialog").get_by_text("Nothing is kept for this answer")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_list_of_what_is_wanted(visit: Visit, house: House, thread: str) -> None:  # L8
    page = visit("/")
    page.get_by_role("button", name="Close the side bar").first.click()
    turn = ask(page, TOWER)
    turn.get_by_role("link", name="Noted as wanted").click()
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="height of the Zzyzx tower")
    expect(row).to_contain_text("Asked")
    _serves(page, "wanted")
    row.get_by_role("button", name="Uploaded").click()
    expect(row).to_have_count(0)
    assert not [
        g for g in house.call("GET", "/api/gaps?state=open")["items"] if "Zzyzx tower" in g["question"]
    ]


def _serves(page: Page, name: str) -> None:
    """In light and dark, wide and narrow."""
    page.set_viewport_size({"width": 1440, "height": 900})
    settle(page)
    assert _violations(page, name) == [], "wide, light"
    keep(page, name)
    page.emulate_media(color_scheme="dark")
    settle(page)
    assert _violations(page, name, only=["color-contrast"]) == [], "dark"
    keep(page, f"{name}-dark")
    page.set_viewport_size({"width": NARROW, "height": 740})
    page.emulate_media(color_scheme="light")
    settle(page)
    assert page.evaluate(CUT_OFF) == [], "narrow"
    keep(page, f"{name}-narrow")
    page.set_viewport_size({"width": 1440, "height": 900})
