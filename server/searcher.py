"""One search with everything that the settings connect: embedder, reranker, tracing. Used by chat, API and CLI."""

from dataclasses import asdict, dataclass
from functools import partial
from uuid import UUID

from providers.tracing import Tracer
from providers.types import Embedder
from retrieval.judge import Judge
from retrieval.passages import SearchRequest, SearchResult
from retrieval.relax import search_relaxed
from retrieval.rerank import Reranker
from retrieval.search import search
from retrieval.why import Why, why
from sql.db import Database, Identity


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches as whoever asks."""

    database: Database
    embedder: Embedder
    reranker: Reranker | None
    tracer: Tracer
    judge: Judge | None = None

    async def search(self, identity: Identity, request: SearchRequest, *, relax: bool = True) -> SearchResult:
        """Raises RetrievalError and ProviderError.

        `relax`: filters of metadata inside which nothing is found are dropped, and named in the result (E17).
        """
        once = partial(self._once, identity)
        return await (search_relaxed(once, request) if relax else once(request))

    async def why(self, identity: Identity, request: SearchRequest, document_id: UUID) -> Why:
        """The stage that lost a document for this query, and the cheapest remedy (O2)."""
        return await why(self.database, identity, partial(self._once, identity), request, document_id)

    async def _once(self, identity: Identity, request: SearchRequest) -> SearchResult:
        """One pass through the arms; its four counts go to LangSmith when that is configured (O1)."""
        async with self.tracer.span("search", {"query": request.query}, kind="retriever") as span:
            result = await search(
                self.database, identity, self.embedder, request, reranker=self.reranker, judge=self.judge
            )
            told = {
                "grounding": result.grounding,
                "reasons": list(result.reasons),
                "gated": asdict(result.gated),
            }
            span.set(asdict(result.counts) | told)
        return result
