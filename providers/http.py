"""The one HTTP client for everything that is not a chat: JSON in, JSON out, every failure a ProviderError."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from providers.addresses import Place, check_endpoint
from providers.errors import BadResponse, Timeout, Unreachable
from providers.rejection import Rejected, read_rejection
from providers.types import Endpoint
from providers.utf8 import writable_json

CONNECT_SECONDS = 10.0
LARGEST_ANSWER = 64 * 1024 * 1024  # bytes; 50 vectors of 4,096 numbers are about 4 MB


@dataclass(frozen=True, slots=True)
class Page:
    """What a server sent: status, headers in lower case, and a body of at most the bytes allowed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Http:
    """Built once and shared; the connection pool opens with the first request."""

    def __init__(self) -> None:
        self._client: Any = None
        self._pages: Any = None
        self._opening = asyncio.Lock()

    async def post(self, endpoint: Endpoint, path: str, body: Any, *, seconds: float = 60.0) -> Any:
        """The decoded answer; raises Rejected for a status outside 2xx, else ProviderError."""
        return await self._send("POST", endpoint, path, seconds, json=writable_json(body))

    async def get(self, endpoint: Endpoint, path: str, *, seconds: float = 10.0) -> Any:
        """The decoded answer; raises as `post` does."""
        return await self._send("GET", endpoint, path, seconds)

    async def page(self, place: Place, *, seconds: float, most: int) -> Page:
        """A page from the checked address and no other, `most` bytes of it; follows no redirect (X12).

        The connection is to the number; the name goes into Host and, with TLS, into the certificate's check.
        Raises Timeout, Unreachable, and BadResponse for a page that is larger.
        """
        import httpx

        async with self._opening:
            if self._pages is None:
                self._pages = await asyncio.to_thread(open_client, trust_env=False)
        number = f"[{place.address}]" if place.address.version == 6 else str(place.address)
        try:
            asked = httpx.URL(place.url)
            url = asked.copy_with(host=number, port=place.port, fragment=None)
        except (httpx.InvalidURL, UnicodeError):  # no HTTPError; pages and search engines name what they like
            raise Unreachable("The page cannot be reached.") from None
        headers = {"host": asked.netloc.decode("ascii"), "accept": "text/html, text/plain"}
        extensions = {"sni_hostname": place.host}
        try:
            async with asyncio.timeout(seconds):
                sent = self._pages.stream("GET", url, headers=headers, extensions=extensions)
                async with sent as answer:
                    body = await read(answer, most=most)
        except (TimeoutError, httpx.TimeoutException):
            raise Timeout("The page took too long to answer.") from None
        except httpx.HTTPError:
            raise Unreachable("The page cannot be reached.") from None
        return Page(answer.status_code, {k.lower(): v for k, v in answer.headers.items()}, body)

    async def close(self) -> None:
        for client in (self._client, self._pages):
            if client is not None:
                await client.aclose()

    async def _send(self, method: str, endpoint: Endpoint, path: str, seconds: float, **content: Any) -> Any:
        import httpx

        client = await self._open()
        headers = {"authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
        url = endpoint.base_url.rstrip("/") + path
        try:
            async with asyncio.timeout(seconds):
                await check_endpoint(endpoint)
                async with client.stream(method, url, headers=headers, **content) as answer:
                    body = await read(answer)
        except (TimeoutError, httpx.TimeoutException):
            raise Timeout from None
        except httpx.HTTPError:
            raise Unreachable from None
        except httpx.InvalidURL:
            raise Unreachable("This is not an address. It looks like https://host/v1.") from None
        if not 200 <= answer.status_code < 300:
            text = body.decode("utf-8", "replace")
            raise Rejected(read_rejection(answer.status_code, answer.headers, text))
        return decode(body)

    async def _open(self) -> Any:
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(open_client)
            return self._client


def open_client(*, trust_env: bool = True) -> Any:
    """An httpx.AsyncClient that follows no redirect: it could lead to an address never checked (X11).

    `trust_env`: whether a proxy of the environment may be used; it would choose the address itself.
    """
    import httpx

    patience = httpx.Timeout(None, connect=CONNECT_SECONDS)
    return httpx.AsyncClient(follow_redirects=False, timeout=patience, trust_env=trust_env)


async def read(answer: Any, *, most: int = LARGEST_ANSWER) -> bytes:
    body = bytearray()
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > most:
            raise BadResponse
    return bytes(body)


def decode(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise BadResponse from None
