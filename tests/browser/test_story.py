"""The story of the product, in order: from the owner's link to cited answers, in the browser, as people do it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import ask, begin, connect, covered, open_citation, row, source_pane, sources_of
from tests.browser.conftest import Visit, Watch
from tests.browser.house import GUEST, OWNER, READ_SECONDS, House, scripted_model

SALES = "What annual sales did Amcor people generate in fiscal year 2023?"
SUMMER = "L'été était très chaud cette année ?"

# Collects what the table says of documents at work, and would lose it in a reload.
COLLECT_STAGES = """() => {
    window.zzyzxStages = new Set();
    new MutationObserver(() => {
        for (const bar of document.querySelectorAll('[role=row] [role=progressbar]'))
            window.zzyzxStages.add(bar.getAttribute('aria-label'));
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""


@pytest.fixture(autouse=True)
def _refusals(watch: Watch) -> None:
    """Refusals that belong to the story."""
    watch.allow(404, "/api/invitations/check")  # a link that was used
    watch.allow(401, "/api/session")  # a wrong password


def test_the_owner_comes_in_by_the_link(house: House, visit: Visit) -> None:  # A1
    page = visit(house.owner_link, who=None)
    page.get_by_label("E-mail").fill(OWNER.email)
    page.get_by_label("Name").fill(OWNER.name)
    page.get_by_label("Password").fill(OWNER.password)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ask your documents")
    expect(page.get_by_text("Drop a file here to begin")).to_be_visible()
    assert "token" not in page.url

    again = visit(house.owner_link, who=None)
    expect(again.get_by_role("heading", name="This link no longer works")).to_be_visible()


def test_files_become_searchable_before_ones_eyes(
    house: House, visit: Visit, files: list[Path]
) -> None:  # Q2, E6
    page = visit("/")
    page.get_by_role("link", name="Documents").click()
    page.evaluate(COLLECT_STAGES)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").first.click()
    chooser.value.set_files(files)
    for file in files:
        expect(row(page, file.name)).to_contain_text("Ready", timeout=READ_SECONDS * 1000)
    expect(row(page, files[0].name)).to_contain_text("14")
    stages = page.evaluate("() => [...window.zzyzxStages]")
    seen = [stage for stage in stages if stage.startswith(files[0].name)]
    assert any("Making it searchable, passage" in stage for stage in seen), stages
    assert len({stage.partition(": ")[2].partition(",")[0] for stage in stages}) >= 2, stages

    page.get_by_role("link", name="New question").first.click()
    expect(page.get_by_role("region", name="Questions to begin with").get_by_role("button")).to_have_count(3)


@pytest.mark.parametrize(
    ("question", "words", "name", "page_number"),
    [
        (SALES, "$14.7 billion in annual sales", "AMCOR_2023Q4_EARNINGS.pdf", 6),
        ("What does paragraph 1.1.1 say?", "Paragraph 1.1.1", "unit_test_headers.docx", None),
        (SUMMER, "L'été était très chaud", "fake-html-cp1252.html", None),
    ],
    ids=["pdf", "docx", "cp1252"],
)
def test_an_answer_opens_the_page_it_quotes(
    house: House,
    visit: Visit,
    files: list[Path],
    question: str,
    words: str,
    name: str,
    page_number: int | None,
) -> None:  # M1, M6, M7, Q3, B10
    house.hold(files)
    page = visit("/")
    turn = ask(page, question)
    quotation = turn.locator("blockquote", has_text=words).first
    expect(quotation).to_be_visible()
    n = int(quotation.locator("button[data-n]").first.inner_text())
    expect(sources_of(turn)).to_contain_text(name)
    expect(turn.get_by_text("Grounded in your documents")).to_be_visible()
    expect(turn.get_by_text(re.compile(r"^Searched \d ways, read \d+ passage"))).to_be_visible()

    pane = open_citation(page, turn, n)
    _shows(page, name, page_number, words)
    page.reload()  # M7: still there, still marked, nothing asked again
    _shows(page, name, page_number, words)
    expect(sources_of(page.locator("[data-turn]"))).to_contain_text(name)
    page.keyboard.press("Escape")
    expect(pane).to_have_count(0)


def _shows(page: Page, name: str, number: int | None, words: str) -> None:
    """The source is open at this page, and these words of it are marked."""
    pane = source_pane(page)
    expect(pane.get_by_role("heading", name=name)).to_be_visible()
    if number is not None:
        expect(pane.get_by_text(f"Page {number} of 14")).to_be_visible()
    assert covered(pane, words) > 0.8


def test_a_locked_pdf_keeps_its_row_with_the_reason(visit: Visit, shared: Path) -> None:  # E6, E22
    page = visit("/documents")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").first.click()
    chooser.value.set_files(shared / "data" / "parse" / "password.pdf")
    locked = row(page, "password.pdf")
    expect(locked).to_contain_text("Failed", timeout=READ_SECONDS * 1000)
    expect(locked).to_contain_text(re.compile("password", re.IGNORECASE))
    page.reload()
    expect(locked).to_contain_text("Failed")
    for step in ("Try again", "Delete"):
        expect(locked.get_by_role("button", name=step)).to_be_visible()


def test_what_is_deleted_is_gone_from_answers(
    house: House, visit: Visit, files: list[Path], watch: Watch
) -> None:  # E12
    house.hold(files)
    watch.allow(404, "/api/passages/")
    name = "fake-html-cp1252.html"
    page = visit("/")
    turn = ask(page, SUMMER)
    page.get_by_role("link", name="Documents").click()
    row(page, name).get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text(re.compile(rf"Deleted {name}: 4 passages, 4 vectors, 1 file"))).to_be_visible()
    expect(row(page, name)).to_have_count(0)

    page.go_back()
    old = open_citation(page, turn, 1)
    expect(old.get_by_text(re.compile("This document was deleted|This passage is gone"))).to_be_visible()
    page.keyboard.press("Escape")
    turn = ask(page, SUMMER)
    expect(turn).to_contain_text("nothing in your documents")
    expect(turn.get_by_text("No evidence found")).to_be_visible()
    expect(sources_of(turn).get_by_text(name)).to_have_count(0)


def test_an_invited_person_sees_nothing_of_it(
    house: House, visit: Visit, files: list[Path], watch: Watch
) -> None:  # A1, X2
    house.hold(files)
    settings = visit("/settings")
    invite = settings.get_by_role("group", name="Invite somebody")
    invite.get_by_label("E-mail").fill(GUEST.email)
    invite.get_by_role("button", name="Make the link").click()
    link = settings.get_by_label(f"Link for {GUEST.email}").input_value()

    page = visit(link, who=None)
    expect(page.get_by_text(GUEST.email)).to_be_visible()
    page.get_by_label("Name").fill(GUEST.name)
    page.get_by_label("Password").fill(GUEST.password)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Drop a file here to begin")).to_be_visible()
    expect(page.get_by_role("link", name="Settings")).to_have_count(0)
    turn = ask(page, SALES)
    expect(turn).to_contain_text("nothing in your documents")
    expect(page.get_by_role("navigation", name="Earlier questions").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_role("heading", name="Drop your documents here")).to_be_visible()

    secret = house.documents()[files[0].name]["id"]
    watch.allow(404, f"/api/documents/{secret}")
    page.goto(f"/documents/{secret}")
    expect(page.get_by_text("There is no such document")).to_be_visible()
    page.goto("/settings")
    expect(page.get_by_text("Settings belong to administrators")).to_be_visible()

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_forgotten_password_is_replaced_by_a_link(house: House, visit: Visit) -> None:
    settings = visit("/settings")
    settings.get_by_role("button", name=f"New password for {GUEST.name}").click()
    link = settings.get_by_label(f"Link for {GUEST.email}").input_value()

    page = visit("/documents", who=None)
    expect(page).to_have_url(re.compile("/sign-in"))
    page.get_by_label("E-mail").fill(GUEST.email)
    page.get_by_label("Password").fill("zzyzx wrong horse")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name="A new password")).to_be_visible()
    page.get_by_label("Password").fill(GUEST.password)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Drop a file here to begin")).to_be_visible()


def test_a_model_is_connected_and_writes_with_citations(
    house: House, visit: Visit, files: list[Path], model: str
) -> None:  # N1, B2, M1
    house.hold(files)
    page = visit("/settings")
    connect(page, model, "scripted-cite")
    expect(
        page.get_by_role("region", name="Answers", exact=True).get_by_text("In use").locator("..")
    ).to_contain_text("scripted-cite")
    page.get_by_role("link", name="New question").first.click()
    expect(page.get_by_text("Answered by scripted-cite")).to_be_visible()
    turn = ask(page, SALES)
    expect(turn.locator("article button[data-n]").first).to_be_visible()
    expect(sources_of(turn)).to_contain_text(files[0].name)
    expect(turn.get_by_text(re.compile("^scripted-cite, "))).to_be_visible()
    pane = open_citation(page, turn, int(turn.locator("article button[data-n]").first.inner_text()))
    expect(pane.get_by_role("heading", name=files[0].name)).to_be_visible()


def test_an_answer_can_be_stopped(
    house: House, visit: Visit, files: list[Path], model: str
) -> None:  # S-ST-06
    house.hold(files)
    house.answered_by(model, "scripted-pace-10-600")
    page = visit("/")
    turn = begin(page, "What weighs 310 kg at Amcor?")
    expect(turn.locator("article")).to_contain_text("w5 ")
    expect(turn.locator("article")).to_have_attribute("aria-busy", "true")  # B2: shown while it is written
    page.get_by_role("button", name="Stop").click()
    expect(turn.get_by_text("Stopped. The answer may be incomplete.")).to_be_visible()
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false")
    text = turn.locator("article").inner_text()
    page.reload()
    kept = page.locator("[data-turn]")
    expect(kept.get_by_text("Stopped. The answer may be incomplete.")).to_be_visible()
    assert kept.locator("article").inner_text() == text
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_a_reload_in_the_middle_changes_nothing(
    house: House, visit: Visit, files: list[Path], model: str
) -> None:  # S-ST-07
    house.hold(files)
    question = "What weighs 310 kg at Amcor?"
    page = visit("/")
    house.answered_by(model, "scripted-pace-500-60")
    undisturbed = ask(page, question).locator("article").inner_text()

    house.answered_by(model, "scripted-pace-12-60")
    page.goto("/")
    turn = begin(page, question)
    expect(turn.locator("article")).to_contain_text("w9 ")
    page.reload()
    turn = page.locator("[data-turn]")
    expect(turn.locator("article")).to_have_attribute("aria-busy", "true")
    expect(turn.locator("article")).to_contain_text("w20 ")
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false", timeout=30_000)
    assert turn.locator("article").inner_text() == undisturbed


def test_a_model_that_is_down_leaves_the_question_and_a_way_out(
    house: House, visit: Visit, files: list[Path], model: str
) -> None:
    house.hold(files)
    with scripted_model() as doomed:
        house.answered_by(doomed, "scripted-cite")
    page = visit("/")
    turn = ask(page, SALES)
    expect(turn.get_by_role("alert")).to_be_visible()
    expect(turn.get_by_role("alert").get_by_role("link", name="Open the model settings")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=2, name=SALES)).to_be_visible()
    house.answered_by(model, "scripted-cite")
    page.get_by_role("alert").get_by_role("button", name="Ask again").click()
    expect(page.locator("article button[data-n]").first).to_be_visible()


def test_a_busy_model_is_tried_again(house: House, visit: Visit, files: list[Path], model: str) -> None:
    house.hold(files)
    house.answered_by(model, "scripted-429-once")
    page = visit("/")
    turn = begin(page, SALES)
    expect(turn.get_by_text("the model is busy, trying again in 1 s")).to_be_visible()
    expect(turn.locator("article button[data-n]").first).to_be_visible()
    expect(turn.get_by_role("alert")).to_have_count(0)


def test_no_model_goes_back_to_quotations(house: House, visit: Visit) -> None:
    house.answered_by(None)
    page = visit("/")
    expect(page.get_by_text("Quotations (no model connected)")).to_be_visible()
    turn = ask(page, "Hello!")
    expect(turn.locator("article")).to_contain_text("Ask a question about your documents")
    expect(turn.get_by_text("Not from your documents")).to_have_count(0)  # M5, D1
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
