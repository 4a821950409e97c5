"""What a person does in the pages, in their words: ask, open a citation, look for the marked words."""

import re

from playwright.sync_api import Locator, Page, expect

ANSWER_MS = 40_000

# How much of the first occurrence of some words lies under a highlight, 0 to 1. The words of a PDF are looked
# for in pdf.js's layer of text, run by run.
COVERED = """([pane, words]) => {
    const marks = [...pane.querySelectorAll('mark, [class*=_word_]')].map((mark) => mark.getBoundingClientRect());
    const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const start = node.data.indexOf(words);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + words.length);
        const box = range.getBoundingClientRect();
        const shared = marks.map((mark) =>
            Math.max(0, Math.min(mark.right, box.right) - Math.max(mark.left, box.left)) *
            Math.max(0, Math.min(mark.bottom, box.bottom) - Math.max(mark.top, box.top)));
        return Math.max(0, ...shared) / (box.width * box.height);
    }
    return -1;
}"""

# Resolves once fonts are there and the page has stood still for a moment. (The network is never idle: /api/events.)
STILL = """() => document.fonts.ready.then(() => new Promise((resolve) => {
    let timer = setTimeout(resolve, 300);
    new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(resolve, 300);
    }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
}))"""


def settle(page: Page) -> None:
    """Wait until the page stands still."""
    page.evaluate(STILL)


def ask(page: Page, question: str) -> Locator:
    """Ask and wait for the whole answer: the turn."""
    turn = begin(page, question)
    expect(turn.locator("article")).to_have_attribute("aria-busy", "false", timeout=ANSWER_MS)
    return turn


def begin(page: Page, question: str) -> Locator:
    """Ask: the turn, as soon as it is there."""
    turns = page.locator("[data-turn]")
    before = turns.count()
    composer = page.get_by_label("Your question")
    composer.fill(question)
    composer.press("Enter")
    expect(turns).to_have_count(before + 1)
    turn = turns.nth(before)
    expect(turn.get_by_role("heading", level=2)).to_have_text(question)
    return turn


def sources_of(turn: Locator) -> Locator:
    return turn.get_by_role("region", name="Sources")


def open_citation(page: Page, turn: Locator, n: int) -> Locator:
    """Press a number in the text; the source beside it, or over it."""
    turn.locator(f"article button[data-n='{n}']").first.click()
    return source_pane(page)


def source_pane(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Source").or_(page.get_by_role("dialog", name="Source"))


def covered(pane: Locator, words: str) -> float:
    """Which share of these words is highlighted; waits for the page to be drawn and marked."""
    expect(pane.locator("[data-mark]").first).to_be_attached()
    expect(pane.get_by_text(words).first).to_be_attached()
    handle = pane.element_handle()
    assert handle is not None
    return float(handle.evaluate(f"(pane, words) => ({COVERED})([pane, words])", words))


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row", name=re.compile(re.escape(name)))


def connect(page: Page, base_url: str, model: str) -> None:
    """On the settings page: fill in a chat model, test it, save it."""
    chat = page.get_by_role("region", name="Answers", exact=True)
    chat.get_by_label("Address", exact=True).fill(base_url)
    chat.get_by_label("Model", exact=True).fill(model)
    chat.get_by_role("button", name=re.compile("^Test")).click()
    expect(chat.get_by_text("Answered in")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. It is in use from now on")).to_be_visible()
