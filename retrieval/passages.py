"""What goes into a search and what comes out of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal, NamedTuple
from uuid import UUID

from retrieval.errors import BadQuery
from sql.db import Row

MAX_QUERY_CHARACTERS = 20_000  # a pasted page is a question too; the model reads its first 256 tokens
MAX_PASSAGES = 200

Grounding = Literal["grounded", "partly", "none"]
Evidence = Literal["sure", "likely"]
Fate = Literal["shown", "below_floor", "over_cap", "beyond_k", "reranked_out", "judged_out", "gone"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look; None looks everywhere. A folder includes the folders in it.

    `types` are kinds of document (documents.doc_type), one topic of `topics` is enough, and the days are
    those of `time_zone` (an IANA name): of the document where it has a date, else of its arrival.
    """

    document_ids: tuple[UUID, ...] | None = None
    folder_id: UUID | None = None
    media_types: tuple[str, ...] | None = None
    languages: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    since: date | None = None
    until: date | None = None
    time_zone: str = "UTC"

    def without(self, names: Collection[str]) -> Filters:
        """The same with these filters dropped."""
        dropped: dict[str, Any] = dict.fromkeys(names)
        return replace(self, **dropped)

    def json(self) -> dict[str, object]:
        """The argument of searchable_documents in SQL: what is not filtered is absent."""
        named = {
            "document_ids": None if self.document_ids is None else [str(id_) for id_ in self.document_ids],
            "folder_id": self.folder_id and str(self.folder_id),
            "media_types": self.media_types,
            "languages": self.languages,
            "types": self.types,
            "topics": self.topics,
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
        }
        found: dict[str, object] = {name: value for name, value in named.items() if value is not None}
        return found | {"time_zone": self.time_zone} if self.since or self.until else found


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


class Ranks(NamedTuple):
    """Places in the arms' own lists, from 0; None where an arm did not find the passage.

    `exact` is the place among the keyword arm's passages that hold every code of the query.
    """

    dense: int | None = None
    keyword: int | None = None
    graph: int | None = None
    exact: int | None = None


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


def passage(
    row: Row,
    *,
    evidence: Evidence,
    score: float = 0.0,
    ranks: Ranks | None = None,
    similarity: float | None = None,
) -> Passage:
    """A row of search_passages or document_passages in plain Python values (I15)."""
    return Passage(
        chunk_id=UUID(int=row["id"].int),
        document_id=UUID(int=row["document_id"].int),
        version=row["version"],
        name=row["name"],
        title=row["title"],
        page_start=row["page_start"],
        page_end=row["page_end"],
        heading_path=tuple(row["heading_path"]),
        text=row["text"],
        block_start=row["block_start"],
        block_end=row["block_end"],
        score=score,
        ranks=ranks or Ranks(),
        similarity=similarity,
        evidence=evidence,
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """The four signal counts of a search (O1)."""

    dense_results: int
    sparse_results: int
    graph_results: int
    rrf_candidates: int


@dataclass(frozen=True, slots=True)
class Gated:
    """Passages that a gate kept out: those of use and trust never met an arm, redaction dropped candidates."""

    use: int = 0
    trust: int = 0
    redaction: int = 0


@dataclass(frozen=True, slots=True)
class Considered:
    """One candidate of a search that explains itself; `coverage`: the share of the query's weight.

    `shares` are the arms' parts of `score`, priority included. `fused` is its place after fusion and `place`
    its place at the end, after spreading and reranking; both from 0, None where it did not get that far.
    """

    chunk_id: UUID
    document_id: UUID
    score: float
    ranks: Ranks
    similarity: float | None
    coverage: float | None
    fate: Fate
    shares: Mapping[str, float] = field(default_factory=dict)
    evidence: Evidence | None = None
    fused: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages fit to be evidence, best first; `trace` is empty unless asked for.

    `relaxed` names the filters that were dropped because nothing was found inside them (E17).
    """

    grounding: Grounding
    reasons: tuple[str, ...]
    passages: tuple[Passage, ...]
    counts: Counts
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    trace: tuple[Considered, ...] = ()
    gated: Gated = Gated()
    relaxed: tuple[str, ...] = ()
