"""From an opened run to its end: the turn is played into the run's log, and what it came to is kept, once."""

import asyncio
import logging
from dataclasses import replace
from time import perf_counter

from providers import recorded
from providers.errors import ProviderError
from retrieval.errors import RetrievalError
from server.chat.answer import Outcome, answer
from server.chat.ask import Asked
from server.chat.events import Done, Event, Failed, RunStarted, TextDelta, ThinkingDelta, payload
from server.chat.keep import Answer, Keep, Record, keep
from server.chat.means import Means
from server.stream.run import Run
from server.stream.sse import as_data, delta_data

log = logging.getLogger("ibid.chat")

NOT_STORED = Failed(
    "not_stored",
    "The database cannot be reached: this answer is not kept yet. Open the thread again in a minute.",
)
INTERNAL = Failed("internal", "Something went wrong on our side. Your question is kept: ask it again.")


async def produce(run: Run, asked: Asked, means: Means, keeping: Keep = keep) -> str:
    """Play the turn into the run's log and keep its answer. Returns the run's final state."""
    began = perf_counter()
    outcome, record = Outcome(), Record()
    sent = recorded.begin()
    placed = means if means.guest else replace(means, thread_id=asked.thread_id, message_id=asked.message_id)

    def emit(event: Event) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):  # nine of ten events, and nothing to note
            run.append(event.name, delta_data(event.delta))
            return
        record.note(event)
        run.append(event.name, as_data(payload(event)))

    async def play() -> None:
        emit(RunStarted(asked.run_id, asked.thread_id, asked.message_id))
        async with means.tracer.span("turn", {"question": asked.text}) as span:
            async for event in answer(asked.text, asked.past, placed, outcome):
                emit(event)
            span.set({"answer": outcome.text, "grounding": record.grounding})

    turn = asyncio.create_task(play())
    await _ended(turn)
    run.closing = True
    state, kind, last = _verdict(run, turn, outcome.kind)
    if kind == "stopped":
        outcome.finish = "stopped"
    if last:
        record.note(last)
    ms = round((perf_counter() - began) * 1000)
    came_to = Answer(outcome.text, kind, state, outcome.finish, outcome.sources.stored(), record, ms, sent)
    storing = asyncio.ensure_future(keeping(means, asked, came_to))
    await asyncio.wait({storing})
    if not _stored(run, storing):
        state, last = "unstored", NOT_STORED
    emit(last or Done(asked.message_id, outcome.finish))
    return state


async def _ended(turn: asyncio.Task[None]) -> None:
    """Wait for the turn; whoever stops the run stops it as well."""
    try:
        await asyncio.wait({turn})
    except asyncio.CancelledError:
        turn.cancel()
        await asyncio.wait({turn})


def _stored(run: Run, storing: asyncio.Future[bool]) -> bool:
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
