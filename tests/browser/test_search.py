"""Searching without a chat: what is found opens where it stands, and what is missing says why (O2)."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.acts import settle, source_pane
from tests.browser.conftest import Visit, keep
from tests.browser.house import House

QUESTION = "How much cash did Amcor return to shareholders in fiscal 2023?"
REPORT = "AMCOR_2023Q4_EARNINGS.pdf"


def test_a_search_by_keyboard_from_the_query_to_the_reason(
    visit: Visit, house: House, files: list[Path]
) -> None:  # O2, E17, P8
    house.hold(files)
    house.answered_by(None)
    page = visit("/search")
    page.get_by_role("searchbox", name="What to look for").fill(QUESTION)
    page.keyboard.press("Enter")
    passages = page.get_by_role("region", name="Passages")
    first = passages.get_by_role("button", name=REPORT).first
    expect(first).to_be_visible()
    assert "q=How" in page.url

    first.focus()
    page.keyboard.press("Enter")
    expect(source_pane(page).locator("[data-mark]").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(source_pane(page)).to_have_count(0)
    expect(first).to_be_focused()

    page.get_by_role("combobox", name="The document you miss").focus()
    page.keyboard.type("nested")
    expect(page.get_by_role("option", name="nested.md")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    why = page.get_by_role("region", name="Why is my document not here?")
    expect(why.get_by_text("no: here it was lost")).to_be_attached()
    expect(page.get_by_role("listbox")).to_have_count(0)  # native selects have options, too
    settle(page)
    keep(page, "search-why")

    page.locator("summary", has_text="Golden questions").click()
    page.get_by_role("region", name="Passages").get_by_role(
        "button", name=REPORT
    ).first.scroll_into_view_if_needed()
    page.locator("details", has_text="Golden questions").get_by_role("button", name=REPORT).click()
    page.get_by_role("button", name="Run them").click()
    expect(page.get_by_text("1 of 1 first")).to_be_visible()
    page.get_by_role("button", name="Forget the question").click()
    expect(page.get_by_role("button", name="Run them")).to_have_count(0)


def test_a_filter_in_the_address_is_kept_and_relaxed_with_a_notice(
    visit: Visit, house: House, files: list[Path]
) -> None:  # E17
    house.hold(files)
    page = visit("/search?q=cash+returned+to+shareholders&language=fi")
    expect(page.get_by_text("so the language was left out")).to_be_visible()
    expect(page.get_by_label("Language")).to_have_value("fi")
    page.get_by_role("button", name="Remove all filters").click()
    expect(page.get_by_text("was left out")).to_have_count(0)
    assert "language" not in page.url
