"""Puts candidates in order of relevance with a model; keeps the given order when it cannot (J1, J2, J6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from providers.chat import ChatClient, Patience
from providers.degrade import degraded
from providers.errors import BadResponse, ProviderError
from providers.events import Text
from providers.http import Http
from providers.rejection import Rejected
from providers.structured import parse_json
from providers.types import Endpoint

FALLBACK = "rerank fallback"
SECONDS = 20.0  # a person is waiting for the search

PROMPT = """Rank the passages by how well they answer the question, the best first.
Answer with the numbers only, as a JSON list such as [3, 1, 2]. Name every passage once.

Question: {query}

{passages}"""


class Reranker:
    """Built once; a model with "rerank" in its name speaks /rerank, any other is asked in words."""

    def __init__(self, endpoint: Endpoint, *, http: Http) -> None:
        self.endpoint = endpoint
        self.native = "rerank" in endpoint.model.lower()
        self._http = http
        self._chat = None if self.native else ChatClient(endpoint)

    async def rerank(self, query: str, passages: Sequence[str]) -> list[int]:
        """Every index of passages exactly once, the best first; whole passages are shown to the model (J4).

        Never raises ProviderError: the given order is the answer then, and "rerank fallback" is counted (J3).
        """
        if len(passages) < 2:
            return list(range(len(passages)))
        try:
            ranking = await self.ranking(query, passages)
        except ProviderError as error:
            degraded(FALLBACK, error)
            ranking = []
        return every_index_once(ranking, len(passages))

    async def ranking(self, query: str, passages: Sequence[str]) -> list[int]:
        """The indexes that the model named, as it named them; raises ProviderError."""
        if self._chat is None:
            return await self._native(query, passages)
        numbered = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(passages, 1))
        message = {"role": "user", "content": PROMPT.format(query=query, passages=numbered)}
        answer = ""
        patience = Patience(first=SECONDS, between=SECONDS, total=SECONDS)
        async for event in self._chat.stream([message], temperature=0.0, patience=patience, retries=0):
            if isinstance(event, Text):
                answer += event.delta
        ranking = [number - 1 for number in read_numbers(answer)]
        if not ranking:
            raise BadResponse
        return ranking

    async def close(self) -> None:
        if self._chat is not None:
            await self._chat.close()

    async def _native(self, query: str, passages: Sequence[str]) -> list[int]:
        body = {
            "model": self.endpoint.model,
            "query": query,
            "documents": list(passages),
            "top_n": len(passages),
        }
        try:
            answer = await self._http.post(self.endpoint, "/rerank", body, seconds=SECONDS)
        except Rejected as refusal:
            raise refusal.rejection.error() from None
        return read_results(answer)


def read_results(answer: Any) -> list[int]:
    """Indexes by falling score from {"results" or "data": [{"index", "relevance_score" or "score"}]}."""
    items = (answer.get("results") or answer.get("data")) if isinstance(answer, dict) else answer
    scored = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("index"), int):
            score = item.get("relevance_score", item.get("score"))
            scored.append((score if isinstance(score, (int, float)) else float("-inf"), item["index"]))
    if not scored:
        raise BadResponse
    return [index for _, index in sorted(scored, key=lambda pair: -pair[0])]


def read_numbers(answer: str) -> list[int]:
    """The numbers of a listwise answer: a JSON list, an object that holds one, "[3] > [1]", or "3, 1"."""
    value = parse_json(answer)
    if isinstance(value, dict):
        value = next((item for item in value.values() if isinstance(item, list)), None)
    if isinstance(value, list) and len(value) > 1:
        return [int(item) for item in value if re.fullmatch(r"\s*\d{1,6}\s*", str(item))]
    bracketed = re.findall(r"\[(\d{1,6})\]", answer)
    if bracketed or re.fullmatch(r"[\d\s,;>]+", answer.strip()):
        return [int(number) for number in bracketed or re.findall(r"\d{1,6}", answer)]
    return []


def every_index_once(ranking: Iterable[int], count: int) -> list[int]:
    """The ranking without what it repeats or invents, then what it left out in the given order (J6)."""
    known = [index for index in dict.fromkeys(ranking) if 0 <= index < count]
    return known + sorted(set(range(count)) - set(known))
