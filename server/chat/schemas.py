"""Threads, messages and what an answer carries, as the HTTP API shows them."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel


class SourceOut(BaseModel):
    """A passage by its number. Of a document that is gone or hidden only its name is told (`deleted`)."""

    n: int
    document_id: UUID
    chunk_id: UUID
    version: int
    name: str
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


class MessageOut(BaseModel):
    id: UUID
    role: Literal["user", "assistant"]
    kind: Literal["question", "answer", "refusal", "error", "stopped"]
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
    id: UUID


class ThreadOut(BaseModel):
    id: UUID
    title: str
    created_at: datetime
    updated_at: datetime


class ThreadDetailOut(ThreadOut):
    messages: list[MessageOut]
    active_run: RunRef | None


class SuggestionsOut(BaseModel):
    questions: list[str]
