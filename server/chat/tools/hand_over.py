"""Handing a question to a person: the words come from the conversation, the address from the settings (L7, L12)."""

from collections.abc import AsyncGenerator
from time import perf_counter

from providers.degrade import degraded
from providers.errors import BadResponse, ProviderError
from providers.events import ToolCall
from providers.rejection import Rejected
from server.chat.desk import Desk
from server.chat.events import Event, ToolState
from server.chat.means import Means
from server.chat.tools.tool import Arguments, Tool, milliseconds, string, words

NAME = "hand_over"
SECONDS = 10.0
LONGEST = 2000  # characters


async def deliver(means: Means, message: str, *, reason: str = "asked_for") -> bool:
    """Send a message to the configured person; whether it arrived."""
    if means.hand_over is None:
        return False
    body = {
        "message": message[:LONGEST],
        "reason": reason,
        "user_id": str(means.identity.user_id) if means.identity.user_id else None,
        "workspace_id": str(means.identity.workspace_id),
    }
    try:
        await means.hand_over.http.post(means.hand_over.endpoint, "", body, seconds=SECONDS)
    except BadResponse:
        return True  # taken, with an answer that is no JSON
    except (ProviderError, Rejected) as error:
        degraded("hand-over", error)
        return False
    return True


async def send(desk: Desk, call: ToolCall, message: str) -> AsyncGenerator[Event, None]:
    """Events of one delivery of a person's own words."""
    shown = {"message": message, "to": desk.means.hand_over.label if desk.means.hand_over else ""}
    yield ToolState(call.id, NAME, "started", shown)
    began = perf_counter()
    arrived = await deliver(desk.means, message)
    desk.output = (
        "The question has been handed over." if arrived else "The question could not be handed over."
    )
    state, code = ("done", "delivered") if arrived else ("failed", "not_delivered")
    yield ToolState(call.id, NAME, state, shown, {"code": code}, milliseconds(began))


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    """After a document has been read, a model's words are not sent: they could be the document's (X14)."""
    worded = "" if desk.private else words(arguments, "message", most=LONGEST)
    async for event in send(desk, call, worded or desk.message):
        yield event


TOOL = Tool(
    NAME,
    "Hand the user's question to a person, when the user asks for one.",
    offered=lambda desk: desk.means.hand_over is not None and desk.turn.kind == "out_of_scope",
    run=run,
    parameters={"message": string("What the person should know, in the user's words.")},
    required=("message",),
)
