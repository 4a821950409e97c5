"""The open web: a search through the provider an administrator chose, and pages through the egress guard."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode, urljoin, urlsplit

from providers.addresses import PORTS, Resolver, public_place, resolve
from providers.errors import AddressForbidden, BadResponse, ServerFailed, Unreachable
from providers.http import Http, Page
from providers.types import Endpoint
from providers.webtext import text_of_html

SEARCH_SECONDS = 12.0
PAGE_SECONDS = 10.0
LARGEST_PAGE = 2 * 1024 * 1024  # bytes; nine of ten pages are below 0.2 MB without their pictures
MAX_REDIRECTS = 3
LONGEST_SNIPPET = 1200  # characters
LONGEST_PAGE = 12_000  # characters of its text, about 3,300 tokens
TYPES = ("text/html", "application/xhtml+xml", "text/plain")

Kind = Literal["searxng", "tavily"]


@dataclass(frozen=True, slots=True)
class WebResult:
    """A page as its search engine describes it, or its own text once it was opened."""

    url: str
    title: str
    text: str


class Web:
    """Searches and opens pages. `resolver`, `ports` and `loopback` are the guard's, see `public_place`."""

    def __init__(
        self,
        http: Http,
        *,
        resolver: Resolver = resolve,
        ports: frozenset[int] = PORTS,
        loopback: bool = False,
    ) -> None:
        self._http = http
        self._resolver = resolver
        self._ports = ports
        self._loopback = loopback

    async def search(self, kind: Kind, endpoint: Endpoint, query: str, *, most: int = 5) -> list[WebResult]:
        """The first results, each with an http(s) address; raises ProviderError and Rejected."""
        if kind == "tavily":
            body = {"query": query, "max_results": most, "search_depth": "basic"}
            found = await self._http.post(endpoint, "/search", body, seconds=SEARCH_SECONDS)
        else:
            asked = urlencode({"q": query, "format": "json"})
            found = await self._http.get(endpoint, f"/search?{asked}", seconds=SEARCH_SECONDS)
        if not isinstance(found, Mapping) or not isinstance(found.get("results"), list):
            raise BadResponse("The web search sent an answer that cannot be understood.")
        results = [read for item in found["results"] if (read := result_of(item))]
        return results[:most]

    async def open(self, url: str) -> WebResult:
        """A page's text. Every redirect is checked like the first address; raises ProviderError (X12)."""
        for _ in range(MAX_REDIRECTS + 1):
            place = await public_place(
                url, resolver=self._resolver, ports=self._ports, loopback=self._loopback
            )
            page = await self._http.page(place, seconds=PAGE_SECONDS, most=LARGEST_PAGE)
            if page.status in (301, 302, 303, 307, 308) and page.headers.get("location"):
                url = _next(url, page.headers["location"])
                continue
            return await asyncio.to_thread(read_page, url, page)
        raise Unreachable("The page leads on and on to other pages.")


def _next(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:  # http://[::1
        raise Unreachable("The page leads on to what is no address.") from None


def result_of(item: Any) -> WebResult | None:
    """One result of SearXNG (`content`) or Tavily (`content`); None for one without a web address."""
    if not isinstance(item, Mapping):
        return None
    url, title, text = (_plain(item.get(name)) for name in ("url", "title", "content"))
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > 2000:
        return None
    return WebResult(url, " ".join(title.split())[:300] or parts.hostname, text.strip()[:LONGEST_SNIPPET])


def _plain(value: Any) -> str:
    """What an engine sends as text that can be sent on: JSON may hold half a character."""
    return str(value or "").replace("\0", " ").encode("utf-8", "replace").decode()


def read_page(url: str, page: Page) -> WebResult:
    """The text of a page that is text; raises ServerFailed and AddressForbidden otherwise."""
    if page.status >= 300:
        raise ServerFailed("The page did not answer.")
    kind, _, parameters = page.headers.get("content-type", "").lower().partition(";")
    if kind.strip() not in TYPES:
        raise AddressForbidden("Only pages of text are opened.")
    charset = parameters.partition("charset=")[2].strip(" \"'") or "utf-8"
    try:
        text = page.body.decode(charset, "replace")
    except (LookupError, ValueError):  # no such charset, or one that replaces nothing, such as idna
        text = page.body.decode("utf-8", "replace")
    if kind.strip() == "text/plain":
        return WebResult(url, urlsplit(url).hostname or url, text[:LONGEST_PAGE])
    title, words = text_of_html(text, most=2 * LONGEST_PAGE)
    return WebResult(url, title or urlsplit(url).hostname or url, words[:LONGEST_PAGE])
