"""Embeddings from an OpenAI-compatible endpoint: bounded batches, halved when too large, checked vectors."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from providers.compat import Compat
from providers.errors import BadResponse, ProviderError, QuotaUsedUp, RateLimited
from providers.http import Http
from providers.rejection import Rejected, Rejection
from providers.types import Endpoint, SpaceKey
from providers.vectors import unit

BATCH_ITEMS = 50
BATCH_CHARACTERS = (
    24_000  # about 8,000 tokens of prose, the smallest limit on a request among the large providers
)
DOCUMENT_RETRIES, QUERY_RETRIES = 4, 1  # an upload can wait, a person cannot
LONGEST_WAIT = 30.0  # seconds
TOO_LARGE = frozenset({400, 413, 422})
about_items = re.compile(r"batch|inputs|items|array|at most \d+")


class EndpointEmbedder:
    """Implements Embedder for one endpoint; `open_embedder` makes one and learns its dimensions."""

    def __init__(
        self,
        endpoint: Endpoint,
        key: SpaceKey,
        *,
        http: Http,
        asked: int | None = None,
        compat: Compat | None = None,
    ) -> None:
        self.key = key
        self.compat = compat or Compat()
        self._endpoint = endpoint
        self._http = http
        self._asked = asked
        self._items = BATCH_ITEMS

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), dimensions); one request after the other, tried again while the server is busy."""
        prefixed = [self.key.document_prefix + text for text in texts]
        out = np.empty((len(prefixed), self.key.dimensions), np.float32)
        start, items = 0, self._items
        while start < len(prefixed):
            batch = next_batch(prefixed, start, items)
            try:
                vectors = await self._request(batch, retries=DOCUMENT_RETRIES)
            except Rejected as refusal:
                items = self._smaller(len(batch), refusal.rejection)
                continue
            out[start : start + len(batch)] = unit(vectors, dimensions=self.key.dimensions)
            start += len(batch)
        return out

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """(dimensions,)"""
        try:
            vectors = await self._request([self.key.query_prefix + text], retries=QUERY_RETRIES)
        except Rejected as refusal:
            raise refusal.rejection.error() from None
        vector: NDArray[np.float32] = unit(vectors, dimensions=self.key.dimensions)[0]
        return vector

    async def measure(self) -> int:
        """The length of this endpoint's vectors, learnt from one short text."""
        try:
            vectors = await self._request(["dimensions"], retries=QUERY_RETRIES)
        except Rejected as refusal:
            raise refusal.rejection.error() from None
        return int(unit(vectors).shape[1])

    def _smaller(self, size: int, rejection: Rejection) -> int:
        """Half of a batch that was refused (G5); a single text that is refused is an error."""
        if size == 1 or rejection.status not in TOO_LARGE or rejection.names_no_model():
            raise rejection.error() from None
        if about_items.search(rejection.text):
            self._items = size // 2  # a limit of the server, not of these texts: keep it
        return size // 2

    async def _request(self, texts: list[str], *, retries: int) -> list[Any]:
        """Vectors in the order of texts; raises Rejected when the same would be refused again."""
        body: dict[str, Any] = {"model": self._endpoint.model, "input": texts}
        if self._asked:
            body["dimensions"] = self._asked
        attempt = 0
        while True:
            sent = self.compat.adapt(body)
            try:
                return in_order(await self._http.post(self._endpoint, "/embeddings", sent), len(texts))
            except Rejected as refusal:
                if self.compat.learn(sent, refusal.rejection):
                    continue
                error = refusal.rejection.error()
                if not error.transient:
                    raise
            except ProviderError as failure:
                error = failure
            if attempt >= retries or not error.transient or isinstance(error, QuotaUsedUp):
                raise error from None
            await asyncio.sleep(seconds_before_retry(error, attempt))
            attempt += 1


async def open_embedder(
    endpoint: Endpoint,
    *,
    http: Http,
    dimensions: int | None = None,
    query_prefix: str = "",
    document_prefix: str = "",
    compat: Compat | None = None,
) -> EndpointEmbedder:
    """An embedder whose key holds the dimensions that the endpoint returns; `dimensions` is a wish (G7)."""
    host = urlsplit(endpoint.base_url).netloc.rpartition("@")[2]
    key = SpaceKey(host, endpoint.model, dimensions or 0, query_prefix, document_prefix)
    embedder = EndpointEmbedder(endpoint, key, http=http, asked=dimensions, compat=compat)
    embedder.key = replace(key, dimensions=await embedder.measure())
    return embedder


def next_batch(texts: Sequence[str], start: int, items: int) -> list[str]:
    """From start: at most `items` texts and, beyond the first, at most BATCH_CHARACTERS."""
    stop, characters = start, 0
    while stop < len(texts) and stop - start < items:
        characters += len(texts[stop])
        if stop > start and characters > BATCH_CHARACTERS:
            break
        stop += 1
    return list(texts[start:stop])


def in_order(answer: Any, expected: int) -> list[Any]:
    """The vectors by their index, or as they came where the indexes are no use; raises BadResponse."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if (
        not isinstance(data, list)
        or len(data) != expected
        or not all(isinstance(item, dict) for item in data)
    ):
        raise BadResponse
    if sorted(str(item.get("index")) for item in data) == sorted(map(str, range(expected))):
        data = sorted(data, key=lambda item: int(item["index"]))
    return [item.get("embedding") for item in data]


def seconds_before_retry(error: ProviderError, attempt: int) -> float:
    asked = error.retry_after if isinstance(error, RateLimited) else None
    return min(2.0**attempt if asked is None else asked, LONGEST_WAIT)
