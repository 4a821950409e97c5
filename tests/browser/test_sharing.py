"""Who sees what: a document is shown and taken back, a rule keeps words back, two names become one and two again."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acts import settle, source_pane
from tests.browser.conftest import Visit, Watch, keep
from tests.browser.house import GUEST, House
from tests.browser.test_pages import CUT_OFF, NARROW, _violations

TEXTS = {
    "zzyzx-winch.md": "The warranty of the Orlith winch lasts 26 months. Mara Teel signed it.",
    "zzyzx-grain.md": "Quillon Vex Exchange plc (QVX) operates the northern grain market in Merrow.",
    "zzyzx-clerk.md": "QVX plc hired a new harbour clerk in Merrow. The clerk asked Bracken Foods for nets.",
    "zzyzx-towns.md": "The winch of Dunholt North was sold to Northern Dunholt in May.",
}
WINCH = "zzyzx-winch.md"
QUESTION = "How long does the warranty of the Orlith winch last?"


@pytest.fixture(scope="module")
def documents(house: House, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The owner's documents, private; their ids by name."""
    folder = tmp_path_factory.mktemp("sharing")
    files = [folder / name for name in TEXTS]
    for file in files:
        file.write_text(TEXTS[file.name])
    house.hold(files)
    house.sign_in(GUEST)
    return {name: row["id"] for name, row in house.documents().items()}


def test_a_document_is_shown_to_one_person_and_taken_back_at_once(
    visit: Visit, documents: dict[str, str], watch: Watch
) -> None:  # D18
    id_ = documents[WINCH]
    theirs = visit("/documents", who=GUEST)
    expect(theirs.get_by_text("Drop your documents here")).to_be_visible()

    mine = visit(f"/documents/{id_}?tab=sharing")
    expect(mine.get_by_text("Only you.")).to_be_visible()
    mine.get_by_role("radio", name="Only me").focus()
    mine.keyboard.press("ArrowDown")
    expect(mine.get_by_role("radio", name="People I choose")).to_be_checked()
    expect(mine.get_by_role("button", name="Show it to nobody yet")).to_be_disabled()
    mine.get_by_role("combobox", name="Add somebody").focus()
    mine.keyboard.type("bob")
    mine.keyboard.press("ArrowDown")
    mine.keyboard.press("Enter")
    expect(mine.get_by_role("list", name="Chosen people").get_by_text(GUEST.name)).to_be_visible()
    _serves(mine, "sharing")
    expect(theirs.get_by_role("row", name=re.compile(WINCH))).to_have_count(0)  # choosing alone shows nothing
    mine.get_by_role("button", name="Show it to 1 person only").press("Enter")
    expect(mine.get_by_text("You and 1 person whom you chose.")).to_be_visible()

    theirs.get_by_role("row", name=re.compile(WINCH)).click()
    theirs.get_by_role("tab", name="Sharing").click()
    expect(theirs.get_by_text("Ada Zzyzx chose you to see it.")).to_be_visible()
    expect(theirs.get_by_role("radio")).to_have_count(0)
    keep(theirs, "sharing-shown")

    mine.get_by_label("Used as").select_option("style")
    expect(mine.get_by_text("It is never cited")).to_be_visible()
    mine.get_by_label("Used as").select_option("evidence")
    expect(mine.get_by_text("Answers rest on it and cite it.")).to_be_visible()

    watch.allow(404, f"/api/documents/{id_}")
    mine.get_by_role("radio", name="Only me").check()
    mine.get_by_role("button", name="Make it mine alone").click()
    expect(theirs.get_by_role("heading", name="There is no such document")).to_be_visible()


def test_a_rule_keeps_a_passage_back(visit: Visit, house: House, documents: dict[str, str]) -> None:  # D17
    house.call("PUT", f"/api/documents/{documents[WINCH]}/access", json={"visibility": "workspace"})
    theirs = visit(f"/search?q={QUESTION}", who=GUEST)
    passage = theirs.get_by_role("region", name="Passages").get_by_role("button", name=WINCH)
    expect(passage).to_be_visible()

    page = visit("/settings#gates")
    rules = page.get_by_role("region", name="What may be said")
    rules.get_by_label("Kept from").select_option("member")
    rules.get_by_label("Name", exact=True).fill("Mara Teel")
    rules.get_by_label("Try it on a text").fill("Ask mara-teel, not Mara Teelson.")
    expect(rules.locator("mark")).to_have_text(["mara-teel"])
    _serves(page, "gates", at=rules.get_by_text("Protected words", exact=True))
    rules.get_by_label("Name", exact=True).press("Enter")
    listed = rules.get_by_role("list", name="Protected words")
    expect(listed.get_by_text("Mara Teel")).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_role("main").get_by_text("1 with protected words")).to_be_visible()
    expect(passage).to_have_count(0)

    remove = listed.get_by_role("button", name="Remove the rule for Mara Teel")
    remove.click()
    expect(remove).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(remove).to_be_visible()
    remove.click()
    expect(remove).to_have_count(0)
    theirs.reload()
    expect(passage).to_be_visible()


def test_two_names_become_one_and_two_again(visit: Visit, documents: dict[str, str]) -> None:  # K4
    page = visit("/names")
    names = page.get_by_role("list", name="Names")
    expect(names.get_by_role("link", name="Merrow")).to_be_visible()
    _serves(page, "names")
    page.get_by_role("searchbox", name="Find a name").fill("zzzz")
    expect(page.get_by_text("No such name")).to_be_visible()
    page.get_by_role("searchbox", name="Find a name").fill("qvx")
    names.get_by_role("link").first.click()
    expect(page.get_by_text("Also written")).to_contain_text("QVX")
    expect(page.get_by_text("2 passages in 2 documents")).to_be_visible()
    passages = page.get_by_role("region", name="Passages")
    passages.get_by_role("button", name="zzyzx-clerk.md").click()
    expect(source_pane(page).get_by_text("harbour clerk")).to_be_visible()
    page.keyboard.press("Escape")
    expect(source_pane(page)).to_have_count(0)

    _say_it_is_also(page, "Bracken Foods", typed="bracken")
    expect(page.get_by_role("button", name=re.compile("^These are two: .*bracken foods"))).to_be_visible()
    expect(page.get_by_text("Also written")).to_contain_text("QVX")
    _serves(page, "name")

    page.goto("/names?tab=decided")
    decided = page.get_by_role("list", name="Decisions about names")
    expect(decided.get_by_role("listitem")).to_have_count(1)
    _serves(page, "names-decided")
    decided.get_by_role("button", name=re.compile("^Undo")).click()
    expect(decided.get_by_text("taken back")).to_be_visible()
    page.get_by_role("tab", name="Perhaps the same").press("Enter")
    alike = page.get_by_role("list", name="Names that may be the same")
    expect(alike.get_by_role("listitem").filter(has_text="Dunholt North")).to_be_visible()
    _serves(page, "names-alike")
    alike.get_by_role("button", name=re.compile("^Two names:.*Dunholt North")).click()
    expect(alike.get_by_role("listitem").filter(has_text="Dunholt North")).to_have_count(0)
    page.goto("/names?q=bracken")
    expect(names.get_by_role("link")).to_have_text(["Bracken Foods"])


def _say_it_is_also(page: Page, name: str, *, typed: str) -> None:
    """Find another name by its first letters and make one of the two."""
    page.get_by_role("combobox", name="Another name for the same").focus()
    page.keyboard.type(typed)
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile(f"and {name} are one")).click()


def _serves(page: Page, name: str, *, at: Locator | None = None) -> None:
    """In light and dark, wide and narrow."""
    rail = page.get_by_role("button", name="Close the side bar").first  # it would cover what is narrow
    if rail.is_visible():
        rail.click()
    settle(page)
    assert _violations(page, name) == [], "wide, light"
    keep(page, name)
    page.emulate_media(color_scheme="dark")
    settle(page)
    assert _violations(page, name, only=["color-contrast"]) == [], "wide, dark"
    keep(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": NARROW, "height": 740})
    settle(page)
    assert page.evaluate(CUT_OFF) == [], "narrow"
    if at is not None:
        at.scroll_into_view_if_needed()
    keep(page, f"{name}-narrow")
    page.set_viewport_size({"width": 1440, "height": 900})
