"""The settings page as the HTTP API describes it: sections of fields, the result of a test, servers found."""

from typing import Literal

from pydantic import BaseModel

Value = str | bool | int | float | None


class ChoiceOut(BaseModel):
    value: str
    label: str


class FieldOut(BaseModel):
    """A secret has no value, only `is_set`; `lost` means that its sealing key is gone."""

    name: str
    label: str
    help: str
    kind: Literal["text", "lines", "url", "secret", "number", "choice", "boolean"]
    choices: list[ChoiceOut] | None = None
    default: Value
    value: Value
    changed: bool
    is_set: bool = False
    lost: bool = False
    placeholder: str | None = None
    min: float | None = None
    max: float | None = None


class ActiveOut(BaseModel):
    """What is in use now, whatever the fields say."""

    label: str
    detail: str


class SectionOut(BaseModel):
    id: Literal[
        "chat",
        "embedding",
        "rerank",
        "retrieval",
        "graph",
        "uploads",
        "web",
        "handover",
        "guests",
        "safety",
        "debug",
    ]
    title: str
    help: str
    active: ActiveOut | None
    fields: list[FieldOut]


class SettingsOut(BaseModel):
    sections: list[SectionOut]


class FactOut(BaseModel):
    label: str
    value: str


class ProbeOut(BaseModel):
    ok: bool
    message: str
    latency_ms: float | None
    model: str | None
    facts: list[FactOut]


class ServerOut(BaseModel):
    name: str
    base_url: str
    models: list[str]


class ServersOut(BaseModel):
    servers: list[ServerOut]
