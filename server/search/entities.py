"""Bodies and answers of the routes for names."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from server.schemas import In


class EntityOut(BaseModel):
    """A name under which passages speak of one thing; `support` counts passages, `sense` tells equal names apart."""

    id: str
    name: str
    kind: str
    sense: str
    aliases: list[str]
    support: int
    documents: int


class NameOut(BaseModel):
    id: str
    name: str


class NeighbourOut(BaseModel):
    id: str
    name: str
    kind: str
    outgoing: bool
    support: int


class MentionOut(BaseModel):
    chunk_id: UUID
    document_id: UUID
    document: str
    title: str | None
    page_start: int | None
    heading_path: list[str]
    text: str


class EntityDetailOut(EntityOut):
    names: list[NameOut]
    neighbours: list[NeighbourOut]
    passages: list[MentionOut]


class LookalikeOut(BaseModel):
    """Two entities that may be one, for people to decide; `similarity` is a cosine of their names."""

    source: EntityOut
    target: EntityOut
    similarity: float


class DecisionIn(In):
    """Ids of two entities that are one, or of two names that are not."""

    source: str = Field(min_length=1, max_length=1000)
    target: str = Field(min_length=1, max_length=1000)


class DecisionOut(BaseModel):
    id: UUID
    kind: Literal["merge", "split"]
    source: str
    target: str


class MergeOut(DecisionOut):
    """`for_all`: an administrator's, it holds for everybody; else for who made it."""

    for_all: bool
    made_by: str | None
    made_at: datetime
    undone_at: datetime | None
