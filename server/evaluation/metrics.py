"""Metrics of ranked lists against judgements, and the uncertainty of their means. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial

Ranking = Sequence[str]
Judgements = Mapping[str, int]
"""Document id -> relevance, larger is better; 0 and absent are not relevant."""

RESAMPLES = 1000
SEED = 7


def ndcg(ranking: Ranking, judged: Judgements, *, k: int) -> float:
    """Normalised discounted cumulative gain at k, gain = relevance, as trec_eval computes it (0 to 1)."""
    gained = sum(judged.get(document, 0) / math.log2(place + 2) for place, document in enumerate(ranking[:k]))
    best = sorted((r for r in judged.values() if r > 0), reverse=True)[:k]
    ideal = sum(relevance / math.log2(place + 2) for place, relevance in enumerate(best))
    return gained / ideal if ideal else 0.0


def recall(ranking: Ranking, judged: Judgements, *, k: int) -> float:
    """Share of the relevant documents among the first k (0 to 1)."""
    relevant = {document for document, relevance in judged.items() if relevance > 0}
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def success(ranking: Ranking, judged: Judgements, *, k: int) -> float:
    """1 when a relevant document is among the first k, else 0."""
    return float(any(judged.get(document, 0) > 0 for document in ranking[:k]))


METRICS: Mapping[str, Callable[[Ranking, Judgements], float]] = {
    "ndcg@10": partial(ndcg, k=10),
    "recall@5": partial(recall, k=5),
    "recall@100": partial(recall, k=100),
    "success@1": partial(success, k=1),
}


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def interval(values: Sequence[float], *, resamples: int = RESAMPLES) -> tuple[float, float]:
    """95 % bootstrap interval of the mean: queries drawn with replacement, 2.5th and 97.5th percentile."""
    if not values:
        return 0.0, 0.0
    dice = random.Random(SEED)  # noqa: S311 the same figures for the same run
    means = sorted(mean(dice.choices(values, k=len(values))) for _ in range(resamples))
    return means[int(0.025 * resamples)], means[int(0.975 * resamples) - 1]
