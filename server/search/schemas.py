"""Bodies and answers of the search, gates and golden routes."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints, field_validator

from server.operations import known_zone
from server.schemas import In, Named

Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Grounding = Literal["grounded", "partly", "none"]
Audience = Literal["public", "member"]
Trust = Annotated[int, Field(ge=-1, le=1)]


class SearchFilters(In):
    """`since` and `until` are whole days of `time_zone`, else of the header X-Time-Zone, else of UTC.

    `media_type` is one more of `media_types`.
    """

    document_ids: list[UUID] = Field(default_factory=list, max_length=200)
    folder_id: UUID | None = None
    media_type: str | None = Field(default=None, max_length=200)
    media_types: list[Short] = Field(default_factory=list, max_length=50)
    languages: list[Short] = Field(default_factory=list, max_length=50)
    types: list[Short] = Field(default_factory=list, max_length=50)
    topics: list[Short] = Field(default_factory=list, max_length=50)
    since: date | None = None
    until: date | None = None
    time_zone: str | None = Field(default=None, max_length=64)

    @field_validator("time_zone")
    @classmethod
    def known(cls, value: str | None) -> str | None:
        if value is not None and not known_zone(value):
            raise ValueError("is not the name of a time zone, such as Europe/Berlin")
        return value


class SearchIn(In):
    """`relax`: drop filters of metadata where nothing is found inside them, and say which."""

    query: str = Field(min_length=1, max_length=8000)
    k: int = Field(default=8, ge=1, le=50)
    filters: SearchFilters = Field(default_factory=SearchFilters)
    explain: bool = False
    relax: bool = True


class WhyIn(In):
    query: str = Field(min_length=1, max_length=8000)
    document_id: UUID
    k: int = Field(default=8, ge=1, le=50)
    filters: SearchFilters = Field(default_factory=SearchFilters)


class RanksOut(BaseModel):
    """Places in the arms' lists, from 0; `exact`: among the passages that hold every code of the query."""

    dense: int | None
    keyword: int | None
    graph: int | None
    exact: int | None = None


class ResultOut(BaseModel):
    chunk_id: UUID
    document_id: UUID
    version: int
    name: str
    title: str | None
    page_start: int | None
    page_end: int | None
    heading_path: list[str]
    text: str
    score: float
    ranks: RanksOut


class CandidateOut(BaseModel):
    """One candidate of an explained search; without a name it went, or may no longer be seen."""

    chunk_id: UUID
    document_id: UUID
    name: str | None = None
    page_start: int | None = None
    snippet: str | None = None
    score: float
    ranks: RanksOut
    shares: dict[str, float]
    similarity: float | None
    coverage: float | None
    evidence: Literal["sure", "likely"] | None = None
    fate: Literal["shown", "below_floor", "over_cap", "beyond_k", "reranked_out", "judged_out", "gone"]
    fused: int | None
    place: int | None


class GatedOut(BaseModel):
    """Passages that a gate kept out."""

    use: int
    trust: int
    redaction: int


class Explained(BaseModel):
    grounding: Grounding
    reasons: list[str]
    counts: dict[str, int]
    timings_ms: dict[str, float]
    gated: GatedOut
    relaxed: list[str]


class SearchOut(Explained):
    results: list[ResultOut]
    trace: list[CandidateOut] | None = None


class ReplayOut(SearchOut):
    """`added` and `missing` are chunk ids that are, and are no longer, among the results."""

    same: bool
    added: list[UUID]
    missing: list[UUID]


class KeptSearchOut(Explained):
    """The search of an answer: figures as they were, names and words as they may be seen now."""

    id: UUID
    thread_id: UUID
    message_id: UUID
    query: str
    k: int
    filters: dict[str, Any]
    considered: int
    candidates: list[CandidateOut]
    created_at: datetime


class WhyOut(BaseModel):
    """`reached` are the stages that the document passed, in order."""

    stage: str
    reached: list[str]
    remedy: str
    detail: str
    best: CandidateOut | None


class SharesIn(In):
    user_ids: list[UUID] = Field(max_length=500)


class GatesIn(In):
    visibility: Literal["private", "shared", "workspace", "public"] | None = None
    use: Literal["evidence", "style"] | None = None
    trust: Trust | None = None


class PersonOut(BaseModel):
    id: UUID
    name: str
    email: str


class AccessPersonOut(PersonOut):
    role: str
    why: Literal["owner", "shared", "workspace", "public"]


class AccessOut(BaseModel):
    """Who can see a document. `complete` is false for who is not its owner: shares are told to the owner alone."""

    document_id: UUID
    visibility: str
    use: str
    trust: int
    owner: Named
    own: bool
    guests: bool
    complete: bool
    people: list[AccessPersonOut]


class SharesOut(BaseModel):
    items: list[PersonOut]
    colleagues: list[PersonOut]


class AudienceOut(BaseModel):
    least_trust: Trust


class AudiencesIn(In):
    public: Trust | None = None
    member: Trust | None = None


class RuleIn(In):
    audience: Audience
    kind: Literal["name", "pattern"] = "name"
    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=200)]
    note: str = Field(default="", max_length=500)


class RuleOut(BaseModel):
    id: UUID
    audience: Audience
    kind: Literal["name", "pattern"]
    value: str
    note: str
    created_at: datetime


class RuleTestIn(In):
    kind: Literal["name", "pattern"] = "name"
    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=200)]
    sample: str = Field(max_length=5000)


class RulePieceOut(BaseModel):
    text: str
    protected: bool


class RuleTestOut(BaseModel):
    """The sample cut where the rule begins and ends to hold; joined it is the sample."""

    pieces: list[RulePieceOut]


class GatesOut(BaseModel):
    audiences: dict[Audience, AudienceOut]
    rules: list[RuleOut]


class GoldenIn(In):
    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
    document_ids: list[UUID] = Field(min_length=1, max_length=50)


class GoldenOut(BaseModel):
    """`hidden`: expected documents that the caller may not see."""

    id: UUID
    question: str
    documents: list[Named]
    hidden: int
    own: bool
    created_at: datetime


class GoldenResultOut(BaseModel):
    """`rank` of the best expected document among those found, from 1."""

    id: UUID
    question: str
    expected: list[Named]
    found: list[Named]
    rank: int | None
    metrics: dict[str, float]


class GoldenReportOut(BaseModel):
    questions: int
    skipped: int
    metrics: dict[str, float]
    ci95: dict[str, tuple[float, float]]
    results: list[GoldenResultOut]
