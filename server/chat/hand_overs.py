"""A turn that asks for a person: the question before it goes to whoever the settings name (L7, L12)."""

import json
from collections.abc import AsyncIterator
from uuid import uuid4

from providers.events import ToolCall
from server.chat.desk import Desk
from server.chat.events import Event, TextDelta, ToolState
from server.chat.history import Exchange, previous
from server.chat.tools import hand_over

NOBODY = (
    "Nobody is set up to take questions here. An administrator can name somebody under Settings, Hand-over."
)
FAILED = "Your question could not be handed over just now. Try again in a while."


async def turn(desk: Desk, past: list[Exchange], declined: str | None = None) -> AsyncIterator[Event]:
    """Hand over what the person asked last, with the words they ask for a person in."""
    to = desk.means.hand_over
    if to is None:
        yield TextDelta(NOBODY)
        return
    last = previous(past)
    message = declined or (f"{last.question}\n\n{desk.message}" if last else desk.message)
    call = ToolCall(f"call_{uuid4().hex[:12]}", hand_over.NAME, json.dumps({"message": message}))
    arrived = False
    async for event in hand_over.send(desk, call, message):
        arrived = arrived or (isinstance(event, ToolState) and event.state == "done")
        yield event
    yield TextDelta(f"I have passed your question on to {to.label}." if arrived else FAILED)
