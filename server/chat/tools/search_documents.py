"""The search tool: one search, its sources numbered, its counts for the trace."""

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from providers.errors import ProviderError
from retrieval.errors import RetrievalError
from retrieval.passages import Passage, SearchRequest, SearchResult
from server.chat.events import SourcesKnown, ToolState
from server.chat.sources import Sources
from server.searcher import Searcher
from sql.db import Identity

NAME = "search_documents"


@dataclass(slots=True)
class SearchTool:
    """Searches as one person, for one turn; `found` and `numbers` are of the last search."""

    searcher: Searcher
    identity: Identity
    passages: int
    sources: Sources
    found: list[Passage]
    numbers: list[int]
    grounding: str = "none"
    reasons: tuple[str, ...] = ()

    async def run(self, call_id: str, query: str) -> AsyncIterator[ToolState | SourcesKnown]:
        """Events of one search. What the evidence gate refused is neither shown nor handed on (D5)."""
        arguments = {"query": query}
        yield ToolState(call_id, NAME, "started", arguments)
        began = perf_counter()
        try:
            result = await self.searcher.search(self.identity, SearchRequest(query=query, k=self.passages))
        except (ProviderError, RetrievalError) as error:
            yield ToolState(call_id, NAME, "failed", arguments, {"code": error.code}, _ms(began))
            raise
        self.found = list(result.passages) if result.grounding != "none" else []
        self.numbers = self.sources.add(self.found)
        if self.grounding == "none" or result.grounding == "grounded":
            self.grounding, self.reasons = result.grounding, tuple(result.reasons)
        yield ToolState(call_id, NAME, "done", arguments, self._summary(result), _ms(began))
        if self.found:
            yield SourcesKnown(self.sources.items())

    def _summary(self, result: SearchResult) -> dict[str, Any]:
        return {
            "passages": len(self.found),
            "documents": len({p.document_id for p in self.found}),
            "counts": asdict(result.counts),
            "timings_ms": dict(result.timings_ms),
            "grounding": result.grounding,
            "reasons": list(result.reasons),
            "top": [
                {"n": n, "name": p.name, "page_start": p.page_start}
                for n, p in zip(self.numbers, self.found, strict=True)
            ],
        }


def _ms(since: float) -> int:
    return round((perf_counter() - since) * 1000)
