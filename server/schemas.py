"""Request bodies and response models of the HTTP API; OpenAPI and the web's types come from here."""

from datetime import date, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints

Role = Literal["owner", "admin", "member", "reader"]
DocumentStatus = Literal["pending", "processing", "completed", "partial", "failed", "cancelled", "needs_ocr"]
DocumentStage = Literal["queued", "parsing", "chunking", "embedding", "linking", "done"]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in points from the top left corner of the page
Visibility = Literal["private", "workspace", "public"]
T = TypeVar("T")


class In(BaseModel):
    """A request body: unknown fields are refused, so that a typing error is not a silent default."""

    model_config = ConfigDict(extra="forbid")


class Credentials(In):
    email: str = Field(max_length=254)
    password: str = Field(max_length=1024)


class TokenIn(In):
    token: str = Field(max_length=200)


class Acceptance(In):
    token: str = Field(max_length=200)
    email: str | None = Field(default=None, max_length=254)
    name: str = Field(default="", max_length=200)
    password: str = Field(max_length=4096)


class InvitationIn(In):
    email: str = Field(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")
    role: Role = "member"


class MemberPatch(In):
    role: Role | None = None
    disabled: bool | None = None


class FolderIn(In):
    name: str = Field(min_length=1, max_length=200)
    parent_id: UUID | None = None


class FolderPatch(In):
    name: str | None = Field(default=None, min_length=1, max_length=200)
    parent_id: UUID | None = None


class DocumentPatch(In):
    name: str | None = Field(default=None, min_length=1, max_length=255)
    folder_id: UUID | None = None
    visibility: Visibility | None = None


class ThreadIn(In):
    title: str = Field(default="", max_length=200)


class ThreadPatch(In):
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class MessageIn(In):
    """`parent_id`: the message that this one follows; absent: the last that is shown; null: none, a beginning."""

    content: str = Field(min_length=1, max_length=100_000)
    parent_id: UUID | None = None
    allow_web: bool = False


class RegenerateIn(In):
    allow_web: bool = False


class MessagePatch(In):
    excluded: bool


class MessageGoldenIn(In):
    """Without documents: those that the answer cites."""

    document_ids: list[UUID] = Field(default_factory=list, max_length=50)


class FeedbackIn(In):
    rating: Literal["up", "down"] | None
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)] = ""


class SettingsIn(In):
    values: dict[str, Any]


class ProbeIn(In):
    section: Literal["chat", "embedding", "rerank"]
    values: dict[str, Any] = Field(default_factory=dict)


# Responses ----------------------------------------------------------------------------------------


class ErrorBody(BaseModel):
    code: str
    message: str
    request_id: str
    detail: Any = None


class ErrorOut(BaseModel):
    error: ErrorBody


class SetupOut(BaseModel):
    needs_owner: bool
    guests: bool = False


class UserOut(BaseModel):
    id: UUID
    email: str
    name: str
    role: Role


class SessionOut(BaseModel):
    access_token: str
    user: UserOut


class Named(BaseModel):
    id: UUID
    name: str


class ChatModelOut(BaseModel):
    kind: Literal["extractive", "endpoint"]
    label: str


class EmbeddingModelOut(BaseModel):
    label: str


class ModelsOut(BaseModel):
    chat: ChatModelOut
    embedding: EmbeddingModelOut


class LimitsOut(BaseModel):
    max_upload_bytes: int
    accepted: list[str]


class MeOut(BaseModel):
    user: UserOut
    workspace: Named
    models: ModelsOut
    limits: LimitsOut


class InvitationCheckOut(BaseModel):
    kind: Literal["owner", "member", "reset"]
    email: str | None
    role: Role
    workspace: str


class InvitationOut(BaseModel):
    id: UUID
    email: str | None
    role: Role
    link: str | None = None
    expires_at: datetime


class ResetLinkOut(BaseModel):
    link: str
    expires_at: datetime


class MemberOut(UserOut):
    disabled: bool
    created_at: datetime


class FolderOut(BaseModel):
    id: UUID
    name: str
    parent_id: UUID | None
    documents: int


class ProgressOut(BaseModel):
    done: int
    total: int
    unit: Literal["pages", "chunks"]


class WarningOut(BaseModel):
    code: str
    message: str
    page: int | None = None


class DocumentErrorOut(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    kind: str = Field(alias="class")
    message: str
    hint: str | None


class DocumentOut(BaseModel):
    id: UUID
    name: str
    folder_id: UUID | None
    status: DocumentStatus
    stage: DocumentStage
    media_type: str
    size_bytes: int
    pages: int | None
    chunks: int | None
    characters: int | None
    language: str | None
    parser: str | None
    visibility: str
    owner: Named
    version: int
    progress: ProgressOut | None
    warnings: list[WarningOut]
    error: DocumentErrorOut | None
    seconds: dict[str, float | None]
    searchable: bool
    title: str | None
    summary: str | None
    topics: list[str]
    type: str | None
    date: date | None
    tables: int | None
    blank_pages: list[int]
    created_at: datetime
    updated_at: datetime


class DocumentsOut(BaseModel):
    items: list[DocumentOut]
    next_cursor: str | None
    counts: dict[str, int]


class DuplicateOf(BaseModel):
    id: UUID
    name: str
    folder_id: UUID | None


class AcceptedOut(BaseModel):
    """`status` is `refused` and `error` says why for a bad file among good ones."""

    id: UUID | None
    name: str
    status: DocumentStatus | Literal["refused"]
    version: int = 1
    duplicate: bool
    duplicate_of: DuplicateOf | None = None
    error: dict[str, str] | None = None


class Uploads(RootModel[list[AcceptedOut]]):
    """One item a file, in the order sent."""


class ReceiptOut(BaseModel):
    document_id: UUID
    name: str
    deleted: dict[str, int]


class ChunkOut(BaseModel):
    id: UUID
    ordinal: int
    text: str
    heading_path: list[str]
    page_start: int | None
    page_end: int | None
    block_start: int
    block_end: int


class BlockOut(BaseModel):
    ordinal: int
    text: str
    kind: str
    level: int
    bbox: Box | None


class PageOut(BaseModel):
    page: int
    pages: int
    width: float | None
    height: float | None
    blocks: list[BlockOut]


class BoxOut(BaseModel):
    page: int
    bbox: Box


class PassageOut(BaseModel):
    chunk_id: UUID
    document_id: UUID
    name: str
    media_type: str
    version: int
    state: Literal["current", "superseded", "deleted"]
    text: str
    heading_path: list[str]
    page_start: int | None
    page_end: int | None
    block_start: int
    block_end: int
    viewer_page: int
    boxes: list[BoxOut]


class Items(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: str | None = None
