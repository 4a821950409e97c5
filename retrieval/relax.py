"""An over-strict filter never empties the results silently: filters of metadata are dropped, and named (E17).

A folder, a document and a permission are what somebody decided; they are never dropped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from retrieval.passages import Filters, SearchRequest, SearchResult

Search = Callable[[SearchRequest], Awaitable[SearchResult]]

# What is guessed at ingestion first, what is read from the file last.
METADATA: tuple[tuple[str, ...], ...] = (
    ("topics",),
    ("types",),
    ("since", "until"),
    ("languages",),
    ("media_types",),
)


async def search_relaxed(search: Search, request: SearchRequest) -> SearchResult:
    """The results inside the filters; where there are none, those with as few filters dropped as it takes.

    One filter alone is tried first, then the first two, the first three and so on: eight searches at most, and
    none where the filters leave a result.
    """
    result = await search(request)
    if result.passages:
        return result
    for dropped in _attempts(request.filters):
        wider = await search(replace(request, filters=request.filters.without(dropped)))
        if wider.passages:
            return replace(wider, relaxed=dropped, reasons=(*wider.reasons, "filters_relaxed"))
    return result


def _attempts(filters: Filters) -> Iterator[tuple[str, ...]]:
    present = [
        kept for group in METADATA if (kept := tuple(n for n in group if getattr(filters, n) is not None))
    ]
    yield from present
    for count in range(2, len(present) + 1):
        yield tuple(name for group in present[:count] for name in group)
