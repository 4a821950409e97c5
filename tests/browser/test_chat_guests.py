"""Guests: no account, no history, nothing kept."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import ask
from tests.browser.conftest import Visit, Watch, keep
from tests.browser.house import House


@pytest.fixture
def public(house: House, files: list[Path]) -> Iterator[str]:
    """A document that anybody may read, for as long as the test takes."""
    house.hold(files)
    house.answered_by(None)
    document = str(house.documents()[files[3].name]["id"])
    house.call("PATCH", f"/api/documents/{document}", json={"visibility": "public"})
    yield document
    house.call("PATCH", f"/api/documents/{document}", json={"visibility": "private"})
    house.call("PUT", "/api/settings", json={"values": {"guests.enabled": None}})


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
