"""What a turn works with, from the settings of the moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from providers.http import Http
from providers.tracing import Tracer
from providers.types import Embedder, Endpoint
from providers.web import Kind, Web
from server.chat.loop import ChatModel
from server.chat.safety import NO_RULES, Rules, rules_of
from server.searcher import Searcher
from sql.db import Database, Identity

if TYPE_CHECKING:
    from server.runtime import Runtime

Policy = Literal["ask", "automatic"]


@dataclass(frozen=True, slots=True)
class WebAccess:
    """The web search an administrator configured. `ask`: only once the person has said yes."""

    policy: Policy
    kind: Kind
    endpoint: Endpoint
    web: Web


@dataclass(frozen=True, slots=True)
class HandOver:
    """Where questions for people go; only the settings name it (L7)."""

    endpoint: Endpoint
    label: str
    http: Http


@dataclass(frozen=True, slots=True)
class Means:
    """What a turn works with. Without a model it quotes.

    `allow_web`: the person said yes to this turn's web search. `thread_id` and `message_id`: what the turn's
    searches are kept with, so that they can be looked into.
    """

    database: Database
    identity: Identity
    searcher: Searcher
    tracer: Tracer
    embedder: Embedder
    model: ChatModel | None
    model_name: str
    passages: int
    context_tokens: int
    max_tokens: int
    web: WebAccess | None = None
    hand_over: HandOver | None = None
    allow_web: bool = False
    thread_id: UUID | None = None
    message_id: UUID | None = None
    time_zone: str = "UTC"  # whose days the person means
    record_requests: bool = False  # administrators may see what this turn sends, too
    rules: Rules = NO_RULES

    @property
    def guest(self) -> bool:
        """Somebody without an account: nothing at all may be written (A9)."""
        return self.identity.user_id is None


def means_of(runtime: Runtime, identity: Identity, *, allow_web: bool = False) -> Means:
    """The means of one turn of this person's."""
    settings = runtime.settings
    return Means(
        database=runtime.database,
        identity=identity,
        searcher=runtime.searcher,
        tracer=runtime.tracer,
        embedder=runtime.models.embedder,
        model=runtime.models.chat,
        model_name=runtime.models.chat_label,
        passages=settings["retrieval.passages"],
        context_tokens=settings["chat.context_tokens"],
        max_tokens=settings["chat.max_tokens"],
        web=_web(runtime),
        hand_over=_hand_over(runtime),
        allow_web=allow_web,
        record_requests=settings["debug.record_requests"],
        rules=rules_of(settings, runtime.recogniser),
    )


def _web(runtime: Runtime) -> WebAccess | None:
    settings = runtime.settings
    policy, address = settings["web.policy"], settings["web.base_url"]
    if policy == "off" or not address:
        return None
    endpoint = Endpoint(address, "", settings.secrets.get("web.key"))
    return WebAccess(policy, settings["web.provider"], endpoint, runtime.web)


def _hand_over(runtime: Runtime) -> HandOver | None:
    settings = runtime.settings
    if not settings["handover.base_url"]:
        return None
    endpoint = Endpoint(settings["handover.base_url"], "", settings.secrets.get("handover.key"))
    return HandOver(endpoint, settings["handover.label"] or "a person", runtime.http)
