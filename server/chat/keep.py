"""The one place that writes an answer into a conversation (B13), with what the model was sent for it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from providers.recorded import Sent
from server.chat.ask import Asked
from server.chat.events import Event, Failed, Grounding, ToolState, TurnKnown, Usage, payload
from server.chat.gaps import note_gap
from server.chat.means import Means
from sql.db import CONNECTION_LOST, Connection, ForeignKeyViolation
from sql.queries import query

log = logging.getLogger("ibid.chat")

STORE_ATTEMPTS = 5
OWN_RUNS = 20  # of one person's newest runs, what was sent is kept; about 30 KB a request
SWITCHED_RUNS = 500  # the same while an administrator has the switch on


@dataclass(slots=True)
class Record:
    """What is kept of a run beside its text."""

    trace: dict[str, dict[str, Any]] = field(default_factory=dict)
    grounding: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    follows: bool = False  # the question points back at the exchange before it

    def note(self, event: Event) -> None:
        match event:
            case ToolState():
                self.trace[event.id] = payload(event)
            case TurnKnown():
                self.follows = event.kind == "follow_up"
            case Grounding():
                self.grounding = payload(event)
            case Usage():
                self.usage = payload(event)
            case Failed():
                self.error = payload(event)
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run came to. `state` is the run's, `kind` the message's; `sources` as they are stored."""

    text: str
    kind: str
    state: str
    finish: str
    sources: list[dict[str, Any]]
    record: Record
    milliseconds: int
    sent: Sent


Keep = Callable[[Means, Asked, Answer], Awaitable[bool]]


async def keep(means: Means, asked: Asked, answer: Answer) -> bool:
    """Store an answer and end its run; False when the database stayed away.

    The thread is free for the next question before the reader hears `done`.
    """
    for attempt in range(STORE_ATTEMPTS):
        try:
            async with means.database.as_user(means.identity) as connection:
                await _insert(connection, means, asked, answer)
                await connection.execute(
                    query("end_run"), means.identity.workspace_id, asked.run_id, answer.state
                )
            return True
        except CONNECTION_LOST as error:
            log.warning("the answer of run %s waits for the database: %s", asked.run_id, error)
            await asyncio.sleep(2**attempt * 0.25)
        except ForeignKeyViolation:
            log.info("the answer of run %s went with its thread", asked.run_id)
            return True
    log.error("the answer of run %s could not be stored; its events are in the log", asked.run_id)
    return False


async def _insert(connection: Connection, means: Means, asked: Asked, answer: Answer) -> None:
    identity, record = means.identity, answer.record
    await connection.execute(
        query("insert_answer"),
        identity.workspace_id,
        identity.user_id,
        asked.thread_id,
        asked.question_id,
        asked.message_id,
        answer.kind,
        answer.text,
        answer.sources,
        record.grounding,
        list(record.trace.values()),
        record.usage,
        record.error,
        means.model_name,
        answer.finish if answer.kind != "error" else None,
        asked.run_id,
        answer.milliseconds,
    )
    await connection.execute(
        query("follow_question"), identity.workspace_id, asked.thread_id, asked.question_id, asked.message_id
    )
    if record.grounding and record.grounding["state"] == "none":
        before = asked.past[-1].question if record.follows and asked.past else ""
        await note_gap(connection, identity, asked.thread_id, asked.text, after=before)
    if answer.sent.bodies:
        await connection.execute(
            query("insert_requests"), identity.workspace_id, identity.user_id, asked.run_id, asked.message_id,
            answer.sent.bodies, answer.sent.whole, means.record_requests,
        )  # fmt: skip
        most = SWITCHED_RUNS if means.record_requests else OWN_RUNS
        await connection.execute(query("prune_requests"), identity.workspace_id, identity.user_id, most)
