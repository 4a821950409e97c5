"""The second look at the fused order: by late interaction with the embedded model, or by a model behind an address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.rerank import FALLBACK
from providers.rerank import Reranker as Model
from providers.tokens import TokenEncoder
from retrieval.candidates import Fused
from retrieval.fusion import share

# Of the weight of "tokens": what links passages to the names of such a query is not in the query's words. Recall@5 of
# the queries that name what passages are about with 0, .25, .5, 1, 1.5 of it: 2wikimultihopqa (954) .910 .909 .905 .899
# .894, musique (291) .701 .705 .705 .705 .707; nDCG@10 of identifiers (143) .997 each time.
BESIDE_NAMES = 0.25


class Reranker(Protocol):
    """Puts candidates in a better order; never fails, and keeps every one of them."""

    async def rerank(
        self, query: str, candidates: Sequence[Fused], texts: Sequence[str], *, clear: bool
    ) -> list[Fused]:
        """`texts` are the candidates' whole passages (J4); `clear`: the query names what passages are about."""
        ...


@dataclass(frozen=True, slots=True)
class ByModel:
    """A reranking model's order is the order."""

    model: Model

    async def rerank(
        self, query: str, candidates: Sequence[Fused], texts: Sequence[str], *, clear: bool
    ) -> list[Fused]:
        return [candidates[index] for index in await self.model.rerank(query, texts)]


@dataclass(frozen=True, slots=True)
class ByTokens:
    """The order by MaxSim is one more list, fused with the arms' by rank, as far as the model reads the query."""

    encoder: TokenEncoder

    async def rerank(
        self, query: str, candidates: Sequence[Fused], texts: Sequence[str], *, clear: bool
    ) -> list[Fused]:
        """The fused order stays where the model reads nothing of the query, or is missing: that is counted (J3)."""
        try:
            trust = await self.encoder.reads(query)
            if not trust:
                return list(candidates)
            similarities = await self.encoder.similarities(query, texts)
        except ProviderError as error:
            degraded(FALLBACK, error)
            return list(candidates)
        weight = trust * (BESIDE_NAMES if clear else 1)
        nearest = sorted(range(len(texts)), key=lambda index: -similarities[index])
        scores = {
            candidates[index].chunk_id: candidates[index].score
            + weight * candidates[index].priority * share("tokens", rank)
            for rank, index in enumerate(nearest)
        }
        return unsunk(candidates, sorted(candidates, key=lambda f: -scores[f.chunk_id]))


def unsunk(before: Sequence[Fused], after: Sequence[Fused]) -> list[Fused]:
    """The new order, in which no passage with the query's very codes is further down than it was (I5)."""
    order = list(after)
    for place, fused in enumerate(before):
        if fused.ranks.exact is not None and order.index(fused) > place:
            order.remove(fused)
            order.insert(place, fused)
    return order
