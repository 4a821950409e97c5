"""The second look at the fused order: by late interaction with the embedded model, or by a model behind an address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.rerank import FALLBACK
from providers.rerank import Reranker as Model
from providers.tokens import Nearest, TokenEncoder, maxsim
from retrieval.candidates import Fused
from retrieval.fusion import share


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
    """What token vectors tell is one more list, fused with the arms' by rank, as far as the model reads the query."""

    encoder: TokenEncoder

    async def rerank(
        self, query: str, candidates: Sequence[Fused], texts: Sequence[str], *, clear: bool
    ) -> list[Fused]:
        """The fused order stays where the model reads nothing of the query, or is missing: that is counted (J3)."""
        try:
            trust = await self.encoder.reads(query)
            if not trust or not texts:
                return list(candidates)
            near = await self.encoder.nearest(query, texts)
        except ProviderError as error:
            degraded(FALLBACK, error)
            return list(candidates)
        order = completing if clear else by_tokens
        return unsunk(candidates, [candidates[index] for index in order(candidates, near, trust)])


def by_tokens(candidates: Sequence[Fused], near: Nearest, trust: float) -> list[int]:
    """By score and MaxSim: what is nearest to the whole query."""
    return _with_list(candidates, range(len(candidates)), maxsim(near), name="tokens", trust=trust)


def completing(candidates: Sequence[Fused], near: Nearest, trust: float) -> list[int]:
    """Place after place, by score and what a passage adds to those before it: words of the query they are far from.

    For a query that is answered in steps: the passage of the second step is not near to the query, it is near to
    what the passage of the first has left of it.
    """
    left = sorted(range(len(candidates)), key=lambda index: -candidates[index].score)
    order = [left.pop(0)]
    covered = near[order[0]]
    while left:
        adds = np.maximum(near[left] - covered, 0).mean(axis=1)
        best = _with_list(candidates, left, adds, name="adds", trust=trust)[0]
        order.append(best)
        left.remove(best)
        covered = np.maximum(covered, near[best])
    return order


def _with_list(
    candidates: Sequence[Fused],
    indexes: Sequence[int],
    values: NDArray[np.float32],
    *,
    name: str,
    trust: float,
) -> list[int]:
    """These candidates by their scores and one more list, which their values order."""
    ranked = sorted(zip(indexes, values, strict=True), key=lambda pair: -pair[1])
    scores = {
        index: candidates[index].score + trust * candidates[index].priority * share(name, rank)
        for rank, (index, _) in enumerate(ranked)
    }
    return sorted(indexes, key=lambda index: -scores[index])


def unsunk(before: Sequence[Fused], after: Sequence[Fused]) -> list[Fused]:
    """The new order, in which no passage with the query's very codes is further down than it was (I5)."""
    order = list(after)
    for place, fused in enumerate(before):
        if fused.ranks.exact is not None and order.index(fused) > place:
            order.remove(fused)
            order.insert(place, fused)
    return order
