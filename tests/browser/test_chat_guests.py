"""Guests: no account, no history, nothing kept."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import ask, covered, open_citation, sources_of
from tests.browser.conftest import Visit, Watch, keep
from tests.browser.house import House


@pytest.fixture
def public(house: House, files: list[Path]) -> Iterator[None]:
    """Two documents that anybody may read, for as long as the test takes."""
    house.hold(files)
    house.answered_by(None)
    _show(house, files, "public")
    yield
    _show(house, files, "private")
    house.call("PUT", "/api/settings", json={"values": {"guests.enabled": None}})


def _show(house: House, files: list[Path], visibility: str) -> None:
    documents = house.documents()
    for file in (files[0], files[3]):
        address = f"/api/documents/{documents[file.name]['id']}"
        house.call("PATCH", address, json={"visibility": visibility})


@pytest.fixture
def protected(house: House) -> Iterator[str]:
    """A name on the page that is opened, which the public is not told."""
    name = "Tracey Whitehead"
    rule = {"audience": "public", "kind": "name", "value": name}
    made = house.call("POST", "/api/gates/rules", json=rule)
    yield name
    house.call("DELETE", f"/api/gates/rules/{made['id']}")


@pytest.mark.usefixtures("public")
def test_a_guest_asks_and_leaves_without_a_trace(
    house: House, visit: Visit, watch: Watch
) -> None:  # A7, A9, A10
    page = visit("/sign-in", who=None)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    # Not offered unless the house lets guests in.
    expect(page.get_by_role("button", name="Ask as a guest")).to_have_count(0)

    house.call("PUT", "/api/settings", json={"values": {"guests.enabled": True}})
    before = len(house.call("GET", "/api/threads")["items"])
    page.reload()
    page.get_by_role("button", name="Ask as a guest").click()
    expect(page.get_by_text("You ask as a guest. Nothing is stored")).to_be_visible()
    expect(page.get_by_role("navigation", name="Earlier questions")).to_have_count(0)
    turn = ask(page, "What does the nested document say?")
    expect(turn.get_by_role("button", name="Answer again")).to_have_count(0)
    ask(page, "And what else does it say?")
    keep(page, "chat-guest")
    page.reload()
    expect(page.locator("[data-turn]")).to_have_count(2)

    address = page.url
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    watch.allow(404, "/api/threads/")
    page.goto(address)
    expect(page.get_by_text("This thread is gone")).to_be_visible()
    assert re.search("/guest/", page.url)
    assert len(house.call("GET", "/api/threads")["items"]) == before


@pytest.mark.parametrize("width", [1440, 360])
@pytest.mark.usefixtures("public")
def test_a_guest_opens_a_citation_as_text_without_what_is_protected(
    house: House, visit: Visit, watch: Watch, files: list[Path], protected: str, width: int
) -> None:  # M7, Q3, D17
    house.call("PUT", "/api/settings", json={"values": {"guests.enabled": True}})
    page = visit("/guest", who=None, width=width)
    turn = ask(page, "What annual sales did Amcor people generate in fiscal year 2023?")
    words = "$14.7 billion in annual sales"
    quotation = turn.locator("blockquote", has_text=words).first
    n = int(quotation.locator("button[data-n]").first.inner_text())
    pane = open_citation(page, turn, n)
    listed = sources_of(turn).get_by_role("button", name=re.compile(f"^Open source {n}:"))
    if width < 1100:  # there a number unfolds its note
        listed.click()
    expect(pane.get_by_role("heading", name=files[0].name)).to_be_visible()
    expect(pane.get_by_text("Page 6 of 14")).to_be_visible()
    assert covered(pane, words) > 0.8
    expect(pane.get_by_text("A part of this page is not shown.").first).to_be_attached()
    expect(pane).not_to_contain_text(protected.split()[-1])
    expect(pane.get_by_role("link")).to_have_count(0)  # neither the file nor the document's own page
    keep(page, f"chat-guest-source-{width}")

    page.reload()
    assert covered(pane, words) > 0.8
    pane.get_by_role("button", name="Next page").click()
    expect(pane.get_by_text("Page 7 of 14")).to_be_visible()
    page.keyboard.press("Escape")
    expect(pane).to_have_count(0)
    assert not [answer.url for answer in watch.answers if answer.url.endswith("/original")]

    # No longer public: the citation stays, its page is gone.
    documents = house.documents()
    address = f"/api/documents/{documents[files[0].name]['id']}"
    house.call("PATCH", address, json={"visibility": "private"})
    page.reload()
    watch.allow(404, "/api/passages/")
    listed.click()
    expect(pane.get_by_role("heading", name="This passage is gone")).to_be_visible()
