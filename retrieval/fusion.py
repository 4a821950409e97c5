"""Reciprocal rank fusion, and the spreading of its order over documents. Pure: ranks and keys only."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")

RRF_K = 60
# nDCG@10 by weights of dense, keyword, exact (success@1 for identifiers; docs/evaluation.md has the grid):
#               scifact  cranfield  xquad-en  identifiers
#   1, 1, 0       .718      .404       .969       .680
#   1, 1, 1       .714      .405       .968       .893
#   1, 1.01, 1    .715      .402       .974       .920   between the arms' equal ranks, words decide
#   1, 1.5, 1     .711      .399       .974       .920
# k = 10 or 20 instead of 60 moves none of them by more than .004.
WEIGHTS: Mapping[str, float] = {"dense": 1.0, "keyword": 1.01, "exact": 1.0}
PASSAGES_PER_DOCUMENT = 3 / 8  # one handbook held 336 of 450 passages and took every place


def fuse(
    lists: Mapping[str, Sequence[Key]],
    *,
    weights: Mapping[str, float] = WEIGHTS,
    k: int = RRF_K,
    priorities: Mapping[Key, float] | None = None,
) -> list[tuple[Key, float]]:
    """Keys of all lists with their scores, best first.

    A list gives weight / (k + rank + 1), ranks from 0 (Cormack, Clarke and Büttcher, SIGIR 2009); the sum is
    scaled by the key's priority (I10). Equal scores keep the order in which the keys were first listed.
    """
    scores: dict[Key, float] = {}
    for name, keys in lists.items():
        for rank, key in enumerate(keys):
            scores[key] = scores.get(key, 0.0) + weights[name] / (k + rank + 1)
    if priorities:
        scores = {key: score * priorities.get(key, 1.0) for key, score in scores.items()}
    return sorted(scores.items(), key=lambda pair: -pair[1])


def cap_for(k: int) -> int:
    """Passages of one document among `k` before the others have had their turn: 3 of 8 (I8)."""
    return max(1, int(k * PASSAGES_PER_DOCUMENT))


def spread(
    items: Sequence[Item], *, group: Callable[[Item], Hashable], cap: int
) -> tuple[list[Item], list[Item]]:
    """The items within the cap of their group, and the overflow to append to them, both in order (I9)."""
    seen: Counter[Hashable] = Counter()
    within: list[Item] = []
    over: list[Item] = []
    for item in items:
        seen[group(item)] += 1
        (within if seen[group(item)] <= cap else over).append(item)
    return within, over
