"""What an answer can carry: a sub-agent's steps, files, pages of the web, help."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import ask, begin
from tests.browser.conftest import Visit, keep
from tests.browser.house import House
from tests.browser.wire import PAGE, web_search


@pytest.fixture(autouse=True)
def answering(house: House, files: list[Path], model: str) -> None:
    house.hold(files)
    house.answered_by(model, "scripted-cite")


def settle(house: House, **values: object) -> None:
    house.call("PUT", "/api/settings", json={"values": {k.replace("__", "."): v for k, v in values.items()}})


def test_a_sub_agents_steps_are_folded_into_its_own(
    house: House, visit: Visit, files: list[Path]
) -> None:  # B10, B14, L1
    settle(house, chat__context_tokens=4000)
    page = visit("/")
    turn = begin(page, f"Summarise {files[0].name}")
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false", timeout=30_000)
    turn.locator("summary", has_text="Read a whole document").click()
    part = turn.get_by_text("Part 1, pages 1")
    expect(part).to_be_hidden()
    turn.locator("summary", has_text="steps inside").click()
    expect(part).to_be_visible()
    keep(page, "chat-nested")
    settle(house, chat__context_tokens=None)


def test_a_file_that_was_asked_for_is_handed_over(visit: Visit) -> None:  # L5, L6
    page = visit("/")
    turn = ask(page, "Send me nested.md")
    card = turn.get_by_role("list", name="Files")
    with page.expect_download() as download:
        card.get_by_role("link", name="Download nested.md").click()
    assert download.value.suggested_filename == "nested.md"
    keep(page, "chat-file")
    page.reload()
    card.get_by_role("link", name="Open nested.md").click()
    expect(page.get_by_role("heading", level=1, name="nested.md")).to_be_visible()

    page.go_back()
    turn = ask(page, "Send me zzyzx-no-such-file.pdf")
    expect(turn.get_by_role("list", name="Files")).to_have_count(0)


def test_the_web_is_searched_after_a_yes_and_cited_by_its_address(
    house: House, visit: Visit
) -> None:  # B8, L9, X13
    seen: list[str] = []
    with web_search(seen) as address:
        settle(house, web__policy="ask", web__base_url=address)
        page = visit("/")
        turn = ask(page, "How heavy is the Zzyzx winch of Dunholt?")
        offer = turn.get_by_role("button", name="Search the web for")
        expect(offer).to_be_visible()
        keep(page, "chat-web-offer")
        assert seen == []
        offer.click()
        link = turn.get_by_role("region", name="Sources").get_by_role("link", name="Winches of the world")
        expect(link).to_be_visible(timeout=30_000)
        assert len(seen) == 1
        assert link.get_attribute("href") == PAGE
        assert link.get_attribute("target") == "_blank"
        assert "noreferrer" in (link.get_attribute("rel") or "")
        keep(page, "chat-web")
    settle(house, web__policy=None, web__base_url=None)


def test_help_is_said_calmly(visit: Visit) -> None:  # D9
    page = visit("/")
    turn = ask(page, "I want to kill myself")
    expect(turn.get_by_text("People who can help")).to_be_visible()
    expect(turn.get_by_role("link", name="findahelpline")).to_be_visible()
    expect(turn.get_by_role("alert")).to_have_count(0)
    expect(turn.get_by_role("button", name="Bad answer")).to_have_count(0)
    keep(page, "chat-crisis")
