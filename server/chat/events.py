"""The typed events of a run, in the order a client sees them; interfaces.md is their contract."""

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar
from uuid import UUID


@dataclass(frozen=True, slots=True)
class RunStarted:
    name: ClassVar[str] = "run"
    run_id: UUID
    thread_id: UUID
    message_id: UUID


@dataclass(frozen=True, slots=True)
class TurnKnown:
    """What kind of turn this is, and what is searched for it."""

    name: ClassVar[str] = "turn"
    kind: str
    query: str


@dataclass(frozen=True, slots=True)
class ToolState:
    """A tool at work: started, progress, done or failed; `ms` once it has ended."""

    name: ClassVar[str] = "tool"
    id: str
    tool: str
    state: str
    arguments: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    ms: int | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class SourcesKnown:
    """Every source of the turn so far, from the database (M1). Later ones repeat the earlier."""

    name: ClassVar[str] = "sources"
    items: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    name: ClassVar[str] = "thinking"
    delta: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    name: ClassVar[str] = "text"
    delta: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The model is busy; the same question is asked again after a pause."""

    name: ClassVar[str] = "waiting"
    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that is done only once the person has said yes, such as this web search."""

    name: ClassVar[str] = "proposal"
    tool: str
    query: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """grounded | partly | general | none, why, and cited sentences that no passage bears out."""

    name: ClassVar[str] = "grounding"
    state: str
    reasons: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    name: ClassVar[str] = "usage"
    prompt_tokens: int
    completion_tokens: int
    model: str


@dataclass(frozen=True, slots=True)
class Done:
    name: ClassVar[str] = "done"
    message_id: UUID
    finish: str


@dataclass(frozen=True, slots=True)
class Failed:
    name: ClassVar[str] = "error"
    code: str
    message: str


Event = (
    RunStarted
    | TurnKnown
    | ToolState
    | SourcesKnown
    | ThinkingDelta
    | TextDelta
    | Waiting
    | Proposal
    | Grounding
    | Usage
    | Done
    | Failed
)


def payload(event: Event) -> dict[str, Any]:
    """The event's JSON object. A tool's own name stands under `name`, as the contract has it."""
    value = asdict(event)
    if isinstance(event, ToolState):
        value["name"] = value.pop("tool")
        return {key: item for key, item in value.items() if item is not None}
    return value
