"""Every page as such: for everybody (axe), in light and dark, at three widths, by keyboard, and light to load."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.acts import ask, open_citation, row, settle, source_pane
from tests.browser.conftest import Visit, keep
from tests.browser.house import GUEST, OWNER, Account, House

WIDE, MIDDLE, NARROW = 1440, 1000, 360
QUESTION = "How much cash did Amcor return to shareholders in fiscal 2023?"
REQUESTS = 19  # Open WebUI's first page makes 233, LightRAG's 19
TOTAL_BYTES = 512 * 1024  # and LightRAG's weighs 3.5 MB
CODE_BYTES = 150 * 1024  # JavaScript and CSS, as sent

# Controls that stick out of the window, although nothing around them scrolls sideways.
CUT_OFF = """() => {
    const out = [];
    const scrolls = (element) => {
        for (let at = element; at; at = at.parentElement)
            if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
        return false;
    };
    if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
    for (const element of document.querySelectorAll('button, a[href], input, select, textarea, summary')) {
        const { left, right, width, height } = element.getBoundingClientRect();
        const isSeen = width > 1 && height > 1 && !element.closest('[inert]') && element.checkVisibility();
        const isCut = isSeen && (right > innerWidth + 1 || left < -1) && !scrolls(element);
        if (isCut) out.push(element.outerHTML.slice(0, 160));
    }
    return out;
}"""

# Everything that Tab should reach, marked with a number. Arrow keys lead on inside a table, a tree or tabs, so
# such a thing counts as one.
NUMBER_TABBABLE = """() => {
    const groups = '[role=grid], [role=treegrid], [role=tablist]';
    const all = document.querySelectorAll(`a[href], button, input, select, textarea, summary, [tabindex], ${groups}`);
    let number = 0;
    for (const element of all) {
        const isIn = (element.tabIndex >= 0 && !element.disabled) || element.matches(groups);
        if (!isIn || element.closest('[inert]') || element.parentElement.closest(groups)) continue;
        if (element.checkVisibility({ visibilityProperty: true })) element.dataset.tab = number++;
    }
    return number;
}"""

FOCUSED = """() => {
    const { activeElement: element } = document;
    const rings = [element, element.parentElement, element.nextElementSibling]
        .filter(Boolean)
        .flatMap((one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).boxShadow]);
    return {
        number: element.closest('[data-tab]')?.dataset.tab ?? null,
        ring: rings.some((one) => one !== 'none'),
        html: element.outerHTML.slice(0, 120),
    };
}"""


# axe findings that are none here: (page, rule).
FALSE_ALARMS = {("palette", "scrollable-region-focusable")}  # arrow keys in the search field scroll the list


@dataclass(frozen=True, slots=True)
class Home:
    """What the pages are about: a thread with an answer, documents good and bad."""

    house: House
    thread: str
    chunk: str
    documents: dict[str, str]
    invitation: str


@pytest.fixture(scope="module")
def home(house: House, files: list[Path], shared: Path) -> Home:
    house.hold([*files, shared / "data" / "parse" / "password.pdf"])
    house.answered_by(None)
    house.sign_in(GUEST)
    for earlier in house.call("GET", "/api/threads")["items"]:
        house.call("DELETE", f"/api/threads/{earlier['id']}")
    thread = house.call("POST", "/api/threads")["id"]
    house.ask(thread, QUESTION)
    answer = house.call("GET", f"/api/threads/{thread}")["messages"][-1]
    chunk = next(s["chunk_id"] for s in answer["sources"] if s["page_start"] == 2)
    documents = {name: row["id"] for name, row in house.documents().items()}
    stranger = Account("zzyzx-eve@zzyzx.example", "Eve Zzyzx")
    return Home(house, thread, chunk, documents, house.invite(stranger))


Preparation = Callable[[Page, Home], None]


def _open(path: str, ready: str) -> Preparation:
    """Goes to an address and waits for some words."""

    def prepare(page: Page, home: Home) -> None:
        ids = {"thread": home.thread, "locked": home.documents["password.pdf"]}
        page.goto(path.format(invitation=home.invitation, **ids))
        expect(page.get_by_text(ready).locator("visible=true").first).to_be_visible()

    return prepare


def _source(page: Page, home: Home) -> None:
    page.goto(f"/t/{home.thread}?source={home.chunk}")
    expect(source_pane(page).get_by_text("Page 2 of 14")).to_be_visible()
    expect(source_pane(page).locator("[data-mark]").first).to_be_attached()


def _document(page: Page, home: Home) -> None:
    page.goto(f"/documents/{home.documents['AMCOR_2023Q4_EARNINGS.pdf']}")
    expect(page.get_by_role("tab", name="Passages")).to_be_visible()
    if page.viewport_size and page.viewport_size["width"] == NARROW:
        page.get_by_role("tab", name="Original").click()
    expect(page.get_by_text("Page 1 of 14")).to_be_visible()
    expect(page.locator("[role=img] canvas")).to_be_visible()


def _keys(page: Page, home: Home) -> None:
    page.goto("/settings")
    page.get_by_role("heading", name="Settings", level=1).click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def _palette(page: Page, home: Home) -> None:
    page.goto("/documents")
    expect(row(page, "nested.md")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("menuitem", name="nested.md")).to_be_visible()


def _dialog(entry: str, role: str) -> Preparation:
    def prepare(page: Page, home: Home) -> None:
        page.goto("/documents")
        page.get_by_role("button", name="Actions for nested.md").click()
        page.get_by_role("menuitem", name=entry).click()
        expect(page.get_by_role(role)).to_be_visible()  # type: ignore[arg-type]

    return prepare


def _trace(page: Page, home: Home) -> None:
    page.goto(f"/t/{home.thread}")
    for fold in ("Searched", "Grounded in", "read"):
        page.locator("summary", has_text=fold).last.click()
    expect(page.get_by_text("by meaning")).to_be_visible()


def _search(page: Page, home: Home) -> None:
    page.goto(f"/search?q={quote(QUESTION)}")
    expect(page.get_by_role("heading", name="Why is my document not here?")).to_be_visible()
    for fold in ("Filters", "How this order came about", "Golden questions"):
        page.locator("summary", has_text=fold).click()
    expect(page.get_by_role("img", name="Score 0.").first).to_be_visible()


def _xray(page: Page, home: Home) -> None:
    page.goto(f"/t/{home.thread}")
    page.get_by_role("button", name="More for this answer").click()
    page.get_by_role("menuitem", name="X-ray of the search").click()
    expect(page.get_by_role("dialog").get_by_text("by meaning").first).to_be_visible()


PAGES: dict[str, tuple[Account | None, Preparation]] = {
    "sign-in": (None, _open("/sign-in", "No account yet?")),
    "welcome": (None, _open("{invitation}", "You were invited")),
    "chat-first": (GUEST, _open("/", "Drop a file here to begin")),
    "chat-empty": (OWNER, _open("/", "Ask your documents.")),
    "answer": (OWNER, _open("/t/{thread}", "Grounded in your documents")),
    "trace": (OWNER, _trace),
    "source": (OWNER, _source),
    "documents-empty": (GUEST, _open("/documents", "Drop your documents here")),
    "documents": (OWNER, _open("/documents", "nested.md")),
    "document": (OWNER, _document),
    "document-failed": (OWNER, _open("/documents/{locked}", "Try again")),
    "search-empty": (GUEST, _open("/search", "Looks through your documents")),
    "search": (OWNER, _search),
    "xray": (OWNER, _xray),
    "settings": (OWNER, _open("/settings", "Invite somebody")),
    "no-such-page": (OWNER, _open("/zzyzx", "There is no such page")),
    "keys": (OWNER, _keys),
    "palette": (OWNER, _palette),
    "delete": (OWNER, _dialog("Delete", "alertdialog")),
    "rename": (OWNER, _dialog("Rename", "dialog")),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_serves_everybody_in_every_size(visit: Visit, home: Home, name: str) -> None:
    who, prepare = PAGES[name]
    page = visit("/sign-in", who=who, width=WIDE)
    prepare(page, home)
    settle(page)
    assert _violations(page, name) == [], "wide, light"
    assert page.locator("h1:visible, [role=dialog] h2:visible").count() >= 1
    keep(page, name)
    page.emulate_media(color_scheme="dark")
    settle(page)
    assert _violations(page, name, only=["color-contrast"]) == [], "wide, dark"
    keep(page, f"{name}-dark")
    page.set_viewport_size({"width": MIDDLE, "height": 800})
    assert page.evaluate(CUT_OFF) == [], "middle"
    keep(page, f"{name}-middle")

    page.set_viewport_size({"width": NARROW, "height": 740})
    page.emulate_media(color_scheme="light")
    prepare(page, home)
    settle(page)
    assert page.evaluate(CUT_OFF) == [], "narrow"
    assert _violations(page, name) == [], "narrow, light"
    keep(page, f"{name}-narrow")


def _violations(page: Page, name: str, *, only: list[str] | None = None) -> list[str]:
    """Serious and critical findings of axe, one line each."""
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = only
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in ("serious", "critical") and (name, one["id"]) not in FALSE_ALARMS
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    "name", ["chat-first", "answer", "source", "documents", "document", "settings", "sign-in"]
)
def test_tab_reaches_everything_and_shows_where_it_is(visit: Visit, home: Home, name: str) -> None:
    who, prepare = PAGES[name]
    page = visit("/sign-in", who=who)
    prepare(page, home)
    settle(page)
    count = page.evaluate(NUMBER_TABBABLE)
    page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0); }")
    reached: set[int] = set()
    invisible: set[str] = set()
    for _ in range(count + 12):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["number"] is None:
            continue
        reached.add(int(focused["number"]))
        if not focused["ring"]:
            invisible.add(focused["html"])
    missed = [
        page.locator(f"[data-tab='{n}']").first.evaluate("(element) => element.outerHTML.slice(0, 160)")
        for n in sorted(set(range(count)) - reached)
    ]
    assert missed == []
    assert invisible == set()


def test_keys_lead_everywhere(visit: Visit, home: Home) -> None:
    page = visit("/documents")
    expect(row(page, "nested.md")).to_be_visible()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Go anywhere")
    expect(palette).to_be_visible()
    page.keyboard.type("sett")
    expect(palette.get_by_role("menuitem")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{home.house.url}/settings")
    page.get_by_role("heading", level=1, name="Settings").click()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("a/b?")  # in a field they are only letters
    expect(page.get_by_label("Your question")).to_have_value("a/b?")
    expect(keys).to_have_count(0)


def test_escape_closes_the_source_and_gives_the_focus_back(visit: Visit, home: Home) -> None:
    page = visit(f"/t/{home.thread}")
    mark = page.locator("article button[data-n]").first
    mark.focus()
    page.keyboard.press("Enter")
    pane = source_pane(page)
    expect(pane).to_be_focused()
    page.keyboard.press("Escape")
    expect(pane).to_have_count(0)
    expect(mark).to_be_focused()


def test_the_narrow_source_is_a_sheet(visit: Visit, home: Home) -> None:
    page = visit(f"/t/{home.thread}", width=NARROW, height=740)
    turn = page.locator("[data-turn]")
    mark = turn.locator("article button[data-n]").first
    mark.click()
    note = turn.locator("article button[aria-pressed]").first  # the note unfolds beneath its sentence
    expect(note).to_be_visible()
    note.click()
    sheet = page.get_by_role("dialog", name="Source")
    box = sheet.bounding_box()
    assert box is not None
    assert (round(box["width"]), round(box["height"])) == (NARROW, 740)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(note).to_be_focused()


def test_a_note_and_its_sentence_light_each_other(visit: Visit, home: Home) -> None:  # Q3
    page = visit(f"/t/{home.thread}")
    sentence = page.locator("article [data-cites]:not(button)").first
    n = sentence.get_attribute("data-cites")
    note = page.get_by_role("complementary", name="Notes").locator(f"[data-cites='{n}']").first
    before = sentence.evaluate("(element) => getComputedStyle(element).backgroundColor")
    note.hover()
    expect(sentence).not_to_have_css("background-color", before)


def test_a_new_question_asked_twice_keeps_both(visit: Visit, home: Home) -> None:
    page = visit(f"/t/{home.thread}")
    expect(page.locator("[data-turn]")).to_have_count(1)
    turn = ask(page, "What does paragraph 1.1.1 say?")
    pane = open_citation(page, turn, 1)
    expect(pane.get_by_role("heading", name="unit_test_headers.docx")).to_be_visible()
    page.reload()
    expect(page.locator("[data-turn]")).to_have_count(2)


def test_the_first_page_is_light(visit: Visit, home: Home) -> None:
    page = visit("about:blank")
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.setCacheDisabled", {"cacheDisabled": True})
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    client.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    client.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    page.goto("/")
    expect(page.get_by_label("Your question")).to_be_visible()
    expect(page.get_by_role("region", name="Questions to begin with")).to_be_visible()
    page.wait_for_timeout(500)
    code = sum(size for key, size in sizes.items() if kinds.get(key) in ("Script", "Stylesheet"))
    print(
        f"first page: {len(kinds)} requests, {sum(sizes.values()) / 1024:.0f} KiB, code {code / 1024:.0f} KiB"
    )
    assert len(kinds) < REQUESTS, kinds
    assert sum(sizes.values()) < TOTAL_BYTES
    assert code < CODE_BYTES
