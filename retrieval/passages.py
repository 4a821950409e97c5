"""What goes into a search and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from retrieval.errors import BadQuery

MAX_QUERY_CHARACTERS = 20_000  # a pasted page is a question too; the model reads its first 256 tokens
MAX_PASSAGES = 200

Grounding = Literal["grounded", "partly", "none"]
Evidence = Literal["sure", "likely"]
Fate = Literal["shown", "below_floor", "over_cap", "beyond_k", "gone"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look; None looks everywhere. A folder includes the folders in it."""

    document_ids: tuple[UUID, ...] | None = None
    folder_id: UUID | None = None
    media_types: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query and how many passages to return; raises BadQuery."""

    query: str
    k: int = 8
    filters: Filters = Filters()
    explain: bool = False

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise BadQuery
        if "\0" in self.query:
            raise BadQuery("The query holds a character that is not text.")
        if len(self.query) > MAX_QUERY_CHARACTERS:
            raise BadQuery(f"The query is longer than {MAX_QUERY_CHARACTERS:,} characters.")
        if not 1 <= self.k <= MAX_PASSAGES:
            raise BadQuery(f"A search returns 1 to {MAX_PASSAGES} passages.")


@dataclass(frozen=True, slots=True)
class Ranks:
    """Places in the arms' own lists, from 0; None where an arm did not find the passage."""

    dense: int | None = None
    keyword: int | None = None
    graph: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A whole passage (F5) with its place in its file; `similarity` is a cosine, 1 is identical."""

    chunk_id: UUID
    document_id: UUID
    version: int
    name: str
    title: str | None
    page_start: int | None
    page_end: int | None
    heading_path: tuple[str, ...]
    text: str
    block_start: int
    block_end: int
    score: float
    ranks: Ranks
    similarity: float | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Counts:
    """The four signal counts of a search (O1)."""

    dense_results: int
    sparse_results: int
    graph_results: int
    rrf_candidates: int


@dataclass(frozen=True, slots=True)
class Considered:
    """One candidate of a search that explains itself; `coverage`: the share of the query's weight."""

    chunk_id: UUID
    document_id: UUID
    score: float
    ranks: Ranks
    similarity: float | None
    coverage: float | None
    fate: Fate


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages fit to be evidence, best first; `trace` is empty unless asked for."""

    grounding: Grounding
    reasons: tuple[str, ...]
    passages: tuple[Passage, ...]
    counts: Counts
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    trace: tuple[Considered, ...] = ()
