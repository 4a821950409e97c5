"""The field one writes in: files pasted into it, the question that waits for them, the keys."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.acts import ANSWER_MS, sources_of
from tests.browser.conftest import Visit
from tests.browser.house import House

PASTE = """(field, [name, text]) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([text], name, { type: 'text/markdown' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}"""
NAME = "zzyzx-pasted.md"
TEXT = "# The Zzyzx crane\n\nThe Zzyzx crane of Dunholt lifts 4,711 crates an hour.\n" * 40


def test_a_question_waits_in_sight_for_the_file_it_came_with(
    house: House, visit: Visit, files: list[Path]
) -> None:
    house.hold(files)
    house.answered_by(None)
    page = visit("/")
    field = page.get_by_label("Your question")
    field.evaluate(PASTE, [NAME, TEXT])
    expect(page.get_by_role("list", name="Files")).to_contain_text(NAME)
    question = "How many crates an hour does the Zzyzx crane lift?"
    field.fill("How many crates an hour")
    field.press("Shift+Enter")  # a new line
    field.fill(question)
    field.press("Enter")
    expect(page.get_by_text("Your question is asked as soon as the files are ready.")).to_be_visible()
    expect(page.get_by_text(question)).to_be_visible()
    turn = page.locator("[data-turn]")
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false", timeout=ANSWER_MS)
    expect(turn.locator("article")).to_contain_text("4,711 crates")
    expect(sources_of(turn)).to_contain_text(NAME)
    expect(page.get_by_role("list", name="Files")).to_have_count(0)
    house.hold(files)
