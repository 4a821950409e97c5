"""Whole-document work without a chat: summarise, compare, classify, extract, as a stream or as one answer (L11)."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from time import monotonic
from typing import Any, Literal
from uuid import UUID, uuid4

from pydantic import BaseModel, Field
from starlette.responses import Response

import server.chat.schemas as shown_as
from providers.errors import ProviderError
from providers.events import ToolCall
from server import schemas
from server.chat import library
from server.chat.desk import Desk
from server.chat.events import Done, Event, Failed, SourcesKnown, TextDelta, ToolState, Usage, payload
from server.chat.means import means_of
from server.chat.sources import Sources
from server.chat.support import ground
from server.chat.tools.analyze_document import conclude
from server.chat.turn import Turn
from server.errors import BadRequest, NotFound, Unauthorized
from server.faults import as_http_error
from server.identity.accounts import current
from server.identity.tokens import Claims
from server.operations import Call, Operation, Who, reply
from server.stream import sse
from server.stream.sse import Frame, frame
from sql.db import CONNECTION_LOST

LOOK_SECONDS = 1.0  # between looks at whether the caller is still a member


class AnalysisIn(schemas.In):
    """`instruction`: what to extract, labels to choose from, or what to look at; `other_document_id`: to compare."""

    task: Literal["summarise", "compare", "classify", "extract"]
    instruction: str = Field(default="", max_length=2000)
    other_document_id: UUID | None = None


class AnalysisOut(BaseModel):
    text: str
    sources: list[shown_as.SourceOut]
    grounding: shown_as.GroundingOut
    trace: list[shown_as.ToolOut]
    model: str


async def analyse(call: Call) -> Response:
    """A stream for `Accept: text/event-stream`, else JSON."""
    body: AnalysisIn = call.body
    ids = [call.id(), *([body.other_document_id] if body.other_document_id else [])]
    if (body.task == "compare") != (len(set(ids)) == 2):
        raise BadRequest("A comparison needs one other document, other tasks none.", code="other_document")
    database, identity = call.runtime.database, call.caller.identity
    documents = await library.by_ids(database, identity, [str(id_) for id_ in ids])
    if len(documents) != len(ids):
        raise NotFound
    means = means_of(call.runtime, identity)
    desk = Desk(means, body.instruction, Turn("whole_document", body.task), Sources())
    desk.budget = means.context_tokens
    called = ToolCall(f"call_{uuid4().hex[:12]}", "analyze_document", "{}")
    events = _while_admitted(call, conclude(desk, called, body.task, body.instruction, documents))
    if "text/event-stream" in call.request.headers.get("accept", ""):
        return sse.response(sse.beating(_frames(desk, events)))
    return reply(await _whole(desk, events))


async def _while_admitted(call: Call, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    """The events as long as the caller is a member: raises Unauthorized, and the model is asked no more (X16)."""
    claims = Claims(call.caller.user_id, call.caller.workspace_id, session_id="")
    looked = monotonic()
    async with aclosing(events):
        async for event in events:
            if monotonic() - looked > LOOK_SECONDS:
                await current(call.runtime.database, claims)
                looked = monotonic()
            yield event


async def _frames(desk: Desk, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Frame, None]:
    """The events of the work, then its grounding, then `done` or `error`."""
    number, said = 0, ""
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TextDelta) and not event.delta:
                    continue  # held back: it may be half a marker
                number += 1
                said += event.delta if isinstance(event, TextDelta) else ""
                yield frame(event.name, payload(event), seq=number)
        ending: list[Event] = [await _grounding(desk, said), Done(uuid4(), "complete")]
    except (ProviderError, Unauthorized, *CONNECTION_LOST) as error:
        told = as_http_error(error)
        ending = [Failed(told.error_code, told.message)]
    for more, event in enumerate(ending, 1):
        yield frame(event.name, payload(event), seq=number + more)


async def _whole(desk: Desk, events: AsyncIterator[Event]) -> dict[str, Any]:
    """All of it as one answer; raises ProviderError."""
    said: list[str] = []
    trace: dict[str, dict[str, Any]] = {}
    model = desk.means.model_name
    async for event in events:
        match event:
            case TextDelta(delta):
                said.append(delta)
            case ToolState():
                trace[event.id] = payload(event)
            case Usage():
                model = event.model or model
            case SourcesKnown() | _:
                pass
    text = "".join(said)
    return {
        "text": text,
        "sources": desk.sources.items(),
        "grounding": payload(await _grounding(desk, text)),
        "trace": list(trace.values()),
        "model": model,
    }


async def _grounding(desk: Desk, text: str) -> Event:
    return await ground(
        text, desk.sources.texts(), found=desk.grounding, reasons=desk.reasons, embedder=desk.means.embedder
    )


OPERATIONS = [
    Operation("POST", "/api/documents/{id}/analyze", analyse, Who.READER, "Summarise, compare, classify or extract",
              AnalysisIn, AnalysisOut),
]  # fmt: skip
