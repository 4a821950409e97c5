"""Reciprocal rank fusion, the places it reserves, and the spreading over documents. Pure: ranks and keys only."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")

# What search returns before the second look, by k = 60, 20, 10, 5: 2wiki recall@5 .874 .914 .928 .932, scifact nDCG@10
# .716 .724 .724 .719, identifiers .982 .982 .983 .987, cranfield .412 .408 .407 .405.
RRF_K = 10
# graph, times the strength of its walk:       2      3      4      5      6      8
#   2wiki recall@5                           .886   .904   .917   .923   .928   .931
#   musique recall@5                         .667   .670   .672   .673   .676   .671
# tokens, with the arms of an earlier day:     0      1      2      3
#   scifact nDCG@10 (without the graph)      .704   .719   .730   .726
#   cranfield, xquad-en                .413 .976  .411 .982  .411 .985  .407 .986
# adds, of queries that name what passages are about:   0      2      3      4
#   2wiki (952), recall@5                             .931   .934   .933   .930
#   musique (287)                                     .722   .733   .734   .731
WEIGHTS: Mapping[str, float] = {
    "dense": 1.0,
    "keyword": 1.01,
    "exact": 1.0,
    "graph": 6.0,
    "tokens": 2.0,
    "adds": 3.0,
}
PASSAGES_PER_DOCUMENT = 3 / 8  # one handbook held 336 of 450 passages and took every place


def share(name: str, rank: int, *, weights: Mapping[str, float] = WEIGHTS, k: int = RRF_K) -> float:
    """What a place in a list, from 0, gives: weight / (k + rank + 1) (Cormack, Clarke, Büttcher, SIGIR 2009)."""
    return weights[name] / (k + rank + 1)


def fuse(
    lists: Mapping[str, Iterable[Key]],
    *,
    weights: Mapping[str, float] = WEIGHTS,
    k: int = RRF_K,
    priorities: Mapping[Key, float] | None = None,
) -> list[tuple[Key, float]]:
    """Keys of all lists with their scores, best first.

    A key's shares are added and scaled by its priority (I10). Equal scores keep the order in which the keys
    were first listed.
    """
    scores: dict[Key, float] = {}
    for name, keys in lists.items():
        weight = weights[name]
        for place, key in enumerate(keys, k + 1):  # as `share` has it, which costs twice as much for 60 keys
            scores[key] = scores.get(key, 0.0) + weight / place
    if priorities:
        scores = {key: score * priorities.get(key, 1.0) for key, score in scores.items()}
    return sorted(scores.items(), key=lambda pair: -pair[1])


def reserve(items: Sequence[Item], *, most: int, leads: Callable[[Item], bool]) -> list[Item]:
    """The first `most` items, in order, whose last places go to items that lead an arm's list.

    Agreement is not all: on multi-hop questions what answers them is often found by one arm alone.
    """
    leaders = [item for item in items[most:] if leads(item)][: most // 2]
    first = items[: most - len(leaders)]
    return [*first, *leaders]


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
