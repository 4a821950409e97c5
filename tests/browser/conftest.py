"""Tier 3: the product as people start it, driven through a real Chromium that forgives nothing."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.browser.contract import departures
from tests.browser.house import OWNER, ROOT, Account, House, opened, scripted_model

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BUILT = ROOT / "server" / "static" / "index.html"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
KEPT = ROOT / "docs" / "img"
PICTURES = (
    "answer",
    "answer-dark",
    "answer-narrow",
    "chat-empty",
    "documents",
    "document",
    "settings",
    "sign-in",
    "source",
    "trace",
)
OUTPUT = Path(__file__).parent / "output"
PATIENCE_MS = 15_000  # for one expectation, on a machine that is busy with other things


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The story first, since it begins in an empty house; all of it skipped where it cannot run."""
    here = [item for item in items if item.path.parent == Path(__file__).parent]
    for item in here:
        item.add_marker(pytest.mark.browser)
        if CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="no Chromium: install it (apt-get install chromium)"))
        elif not BUILT.exists():
            item.add_marker(pytest.mark.skip(reason="the web pages are not built: make run builds them"))
    here.sort(key=lambda item: item.path.name != "test_story.py")
    items[:] = here + [item for item in items if item not in here]


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """The whole product, once for the run, in an empty home."""
    with tempfile.TemporaryDirectory(
        prefix="ibid-browser-", dir="/var/tmp", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)  # Postgres runs as an account of its own where we are root
        with opened(Path(folder)) as found:
            yield found


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of the scripted model."""
    with scripted_model() as base_url:
        yield base_url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@dataclass  # without slots: Playwright hangs its wrappers on the object whose methods it calls
class Watch:
    """Everything that went wrong in the pages of one test."""

    origin: str
    allowed: set[tuple[int, str]] = field(default_factory=lambda: {(401, "/api/me")})  # before signing in
    problems: list[str] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)

    def allow(self, status: int, path: str) -> None:
        """This answer is part of what is tested; `path` is the beginning of the address's path."""
        self.allowed.add((status, path))

    def follow(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"uncaught: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium reports refused requests here as well; _response judges those.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:  # X13
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.problems.append(f"a request to elsewhere: {request.url}")

    def _response(self, response: Response) -> None:
        path = urlsplit(response.url).path
        self.answers.append(response)
        if response.status >= 400 and not any(
            response.status == status and path.startswith(start) for status, start in self.allowed
        ):
            self.problems.append(f"{response.status} {response.request.method} {path}")


@pytest.fixture
def watch(house: House) -> Iterator[Watch]:
    watching = Watch(house.url)
    yield watching
    assert watching.problems == []


Visit = Callable[..., Page]


@pytest.fixture
def visit(house: House, browser: Browser, watch: Watch) -> Iterator[Visit]:
    """Opens a page in a browser of its own: visit("/documents", who=OWNER, width=1440, dark=False)."""
    contexts: list[BrowserContext] = []

    def opening(
        path: str = "/",
        *,
        who: Account | None = OWNER,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=house.url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            locale="en-GB",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        watch.follow(context)
        if who is not None:
            cookie = {"name": "ibid_session", "value": house.sign_in(who), "url": house.url}
            context.add_cookies([{**cookie, "httpOnly": True, "sameSite": "Strict"}])  # type: ignore[typeddict-item]
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(path)
        return page

    yield opening
    watch.problems.extend(departures(watch.answers))
    for context in contexts:
        context.close()


def keep(page: Page, name: str) -> None:
    """Screenshot to look at; with IBID_SCREENSHOTS=1 the documentation's own are made anew."""
    folder = KEPT if os.environ.get("IBID_SCREENSHOTS") == "1" and name in PICTURES else OUTPUT
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")


@pytest.fixture(scope="session")
def files(shared: Path) -> list[Path]:
    """The four documents of the story."""
    parse = shared / "data" / "parse"
    return [
        shared / "data" / "pages" / "pdfs" / "AMCOR_2023Q4_EARNINGS.pdf",
        parse / "unit_test_headers.docx",
        parse / "fake-html-cp1252.html",
        parse / "nested.md",
    ]
