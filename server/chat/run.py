"""From a posted message to a finished run: starts it, logs its events, and writes what it came to, once."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from uuid import UUID

from providers.errors import ProviderError
from retrieval.errors import RetrievalError
from server.chat import history
from server.chat.answer import Means, Outcome, answer
from server.chat.events import Done, Event, Failed, Grounding, RunStarted, ToolState, Usage, payload
from server.errors import Conflict, NotFound
from server.stream.runs import Run
from server.stream.sse import frame
from sql.db import CONNECTION_LOST, Database, ForeignKeyViolation, Identity, Row, UniqueViolation
from sql.queries import query

log = logging.getLogger("ibid.chat")

STORE_ATTEMPTS = 5
NOT_STORED = Failed(
    "not_stored",
    "The database cannot be reached: this answer is not kept yet. Open the thread again in a minute.",
)
INTERNAL = Failed("internal", "Something went wrong on our side. Your question is kept: ask it again.")


@dataclass(slots=True)
class Asked:
    """A question that was stored, with its run."""

    run_id: UUID
    thread_id: UUID
    message_id: UUID
    text: str
    past: list[history.Exchange]


@dataclass(slots=True)
class Record:
    """What is kept of a run beside its text."""

    trace: dict[str, dict[str, Any]] = field(default_factory=dict)
    grounding: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    def note(self, event: Event) -> None:
        match event:
            case ToolState():
                self.trace[event.id] = payload(event)
            case Grounding():
                self.grounding = payload(event)
            case Usage():
                self.usage = payload(event)
            case Failed():
                self.error = payload(event)
            case _:
                pass


async def ask(database: Database, identity: Identity, thread_id: UUID, text: str) -> Asked:
    """Store the question and open its run, in one transaction. Raises NotFound, Conflict."""
    workspace = identity.workspace_id
    try:
        async with database.as_user(identity) as connection:
            if await connection.fetchrow(query("find_thread"), workspace, thread_id) is None:
                raise NotFound
            past: Sequence[Row] = await connection.fetch(query("list_messages"), workspace, thread_id)
            await connection.fetchval(query("insert_question"), workspace, identity.user_id, thread_id, text)
            await connection.execute(query("title_thread_once"), workspace, thread_id, title(text))
            message_id = await connection.fetchval(query("new_id"))
            run_id = await connection.fetchval(
                query("create_run"), workspace, identity.user_id, thread_id, message_id
            )
    except UniqueViolation:
        raise Conflict(
            "An answer is still being written in this thread. Stop it, or wait for its end.",
            code="run_active",
        ) from None
    return Asked(run_id, thread_id, message_id, text, history.exchanges(past))


async def produce(run: Run, asked: Asked, means: Means) -> str:
    """Play the turn into the run's log and store its answer. Returns the run's final state."""
    began = perf_counter()
    outcome, record = Outcome(), Record()

    async def emit(event: Event) -> None:
        record.note(event)
        await run.append(event.name, frame(event.name, payload(event)).data)

    async def play() -> None:
        await emit(RunStarted(asked.run_id, asked.thread_id, asked.message_id))
        async with means.tracer.span("turn", {"question": asked.text}) as span:
            async for event in answer(asked.text, asked.past, means, outcome):
                await emit(event)
            span.set({"answer": outcome.text, "grounding": record.grounding})

    turn = asyncio.create_task(play())
    try:
        await asyncio.wait({turn})
    except asyncio.CancelledError:
        turn.cancel()
        await asyncio.wait({turn})
    run.closing = True
    state, kind, last = _verdict(run, turn, outcome.kind)
    if kind == "stopped":
        outcome.finish = "stopped"
    if last:
        record.note(last)
    ms = round((perf_counter() - began) * 1000)
    storing = asyncio.create_task(_store(means, asked, outcome, record, kind, state, ms))
    await asyncio.wait({storing})
    if not _stored(run, storing):
        state, last = "unstored", NOT_STORED
    await emit(last or Done(asked.message_id, outcome.finish))
    return state


def _stored(run: Run, storing: asyncio.Task[bool]) -> bool:
    error = storing.exception()
    if error:
        log.error("the answer of run %s could not be stored", run.id, exc_info=error)
    return not error and storing.result()


def _verdict(run: Run, turn: asyncio.Task[None], kind: str) -> tuple[str, str, Failed | None]:
    """State of the run, kind of the message (`kind` if all went well), and what to tell when it failed."""
    if turn.cancelled():
        return ("stopped" if run.stop_requested else "interrupted"), "stopped", None
    match turn.exception():
        case None:
            return "done", kind, None
        case ProviderError() as error:
            return "failed", "error", Failed(error.code, error.message)
        case RetrievalError() as error:
            return "failed", "error", Failed(error.code, str(error))
        case error:
            # Logged whole under the run's id, told without internals.
            log.error("run %s failed", run.id, exc_info=error)
            return "failed", "error", INTERNAL


async def _store(
    means: Means, asked: Asked, outcome: Outcome, record: Record, kind: str, state: str, milliseconds: int
) -> bool:
    """The one place that writes an answer into memory (B13); False when the database stayed away.

    The thread is free for the next question before the reader hears `done`.
    """
    identity = means.identity
    for attempt in range(STORE_ATTEMPTS):
        try:
            async with means.database.as_user(identity) as connection:
                await connection.execute(
                    query("insert_answer"),
                    identity.workspace_id,
                    identity.user_id,
                    asked.thread_id,
                    asked.message_id,
                    kind,
                    outcome.text,
                    outcome.sources.stored(),
                    record.grounding,
                    list(record.trace.values()),
                    record.usage,
                    record.error,
                    means.model_name,
                    outcome.finish if kind != "error" else None,
                    asked.run_id,
                    milliseconds,
                )
                await connection.execute(query("end_run"), identity.workspace_id, asked.run_id, state)
            return True
        except CONNECTION_LOST as error:
            log.warning("the answer of run %s waits for the database: %s", asked.run_id, error)
            await asyncio.sleep(2**attempt * 0.25)
        except ForeignKeyViolation:
            log.info("the answer of run %s went with its thread", asked.run_id)
            return True
    log.error("the answer of run %s could not be stored; its events are in the log", asked.run_id)
    return False


def title(text: str) -> str:
    """A thread's first title: the start of its first question, to a word's end."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0] + "…"
