"""Threads, messages and what an answer carries, as the HTTP API shows them."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel


class SourceOut(BaseModel):
    """A passage by its number. Of a document that is gone or hidden only its name is told (`deleted`).

    A web page has a `url`, its host as `name`, and neither document nor passage (L9).
    """

    n: int
    document_id: UUID | None
    chunk_id: UUID | None
    version: int | None
    name: str
    url: str | None = None
    title: str | None
    page_start: int | None
    page_end: int | None
    heading_path: list[str]
    snippet: str | None = None
    deleted: bool = False


class GroundingOut(BaseModel):
    state: Literal["grounded", "partly", "general", "none"]
    reasons: list[str]
    unsupported: list[str]


class ToolOut(BaseModel):
    """The last state of a tool call; what stands in `result` depends on the tool."""

    id: str
    name: str
    state: Literal["started", "progress", "done", "failed"]
    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    ms: int | None = None
    parent_id: str | None = None


class RunErrorOut(BaseModel):
    code: str
    message: str


class SiblingsOut(BaseModel):
    """What follows the same message, in order of time; this one is at `index`, from 0."""

    index: int
    count: int
    ids: list[UUID]


class FeedbackOut(BaseModel):
    rating: Literal["up", "down"] | None
    reason: str


class MessageOut(BaseModel):
    """`parent_id`: the message it follows. `excluded`: left out of what the model is sent, with its other half."""

    id: UUID
    parent_id: UUID | None
    siblings: SiblingsOut
    excluded: bool
    feedback: FeedbackOut | None
    search_ids: list[str]
    role: Literal["user", "assistant"]
    kind: Literal["question", "answer", "refusal", "error", "stopped", "tool", "note", "crisis", "declined"]
    content: str
    sources: list[SourceOut]
    grounding: GroundingOut | None
    trace: list[ToolOut]
    model: str | None
    finish: Literal["complete", "stopped", "length"] | None
    error: RunErrorOut | None
    ms: int | None
    created_at: datetime


class RunRef(BaseModel):
    """`message_id`: of the answer to come; `parent_id`: of the question that it answers."""

    id: UUID
    message_id: UUID
    parent_id: UUID | None


class ThreadOut(BaseModel):
    id: UUID
    title: str
    created_at: datetime
    updated_at: datetime


class ThreadDetailOut(ThreadOut):
    messages: list[MessageOut]
    active_run: RunRef | None


class MadeOut(BaseModel):
    id: UUID


class RequestOut(BaseModel):
    """`text` is the body as it was sent; `body` the same, read, unless it was too long to be kept whole.

    `for_admins`: an administrator of the workspace can see it too.
    """

    number: int
    text: str
    body: Any | None
    whole: bool
    for_admins: bool
    created_at: datetime


class RequestsOut(BaseModel):
    items: list[RequestOut]


class SuggestionsOut(BaseModel):
    questions: list[str]
