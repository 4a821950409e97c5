"""One search with everything that the settings connect: embedder, reranker, tracing. Used by chat, API and CLI."""

from dataclasses import asdict, dataclass

from providers.tracing import Tracer
from providers.types import Embedder
from retrieval.passages import SearchRequest, SearchResult
from retrieval.search import Reranker, search
from sql.db import Database, Identity


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches as whoever asks."""

    database: Database
    embedder: Embedder
    reranker: Reranker | None
    tracer: Tracer

    async def search(self, identity: Identity, request: SearchRequest) -> SearchResult:
        """Raises RetrievalError and ProviderError. The four counts go to LangSmith when it is configured (O1)."""
        async with self.tracer.span("search", {"query": request.query}, kind="retriever") as span:
            result = await search(self.database, identity, self.embedder, request, reranker=self.reranker)
            span.set(asdict(result.counts) | {"grounding": result.grounding})
        return result
