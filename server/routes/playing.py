"""A run that has been opened is started, and its events stream as the answer to the request."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

from starlette.responses import Response

from server import schemas
from server.chat.ask import Asked
from server.chat.keep import Keep, keep
from server.chat.means import Means, means_of
from server.chat.orphans import close_if_orphaned
from server.chat.run import produce
from server.errors import BadRequest, Conflict
from server.operations import Call
from server.stream import sse
from server.stream.run import Run


def question_of(body: schemas.MessageIn) -> str:
    """The question as text that can be stored. Raises BadRequest when nothing is left of it."""
    text = body.content.replace("\0", "").encode("utf-8", "replace").decode().strip()
    if not text:
        raise BadRequest("Write a question first.", code="empty")
    return text


async def opened(call: Call, thread_id: UUID, opening: Callable[[], Awaitable[Asked]]) -> Asked:
    """Open a run; one that stands in the way and whose process is gone is closed first. Raises Conflict."""
    try:
        return await opening()
    except Conflict:
        runtime = call.runtime
        await close_if_orphaned(runtime.database, runtime.runs, call.caller.identity, thread_id)
        return await opening()


def play(call: Call, asked: Asked, *, allow_web: bool = False) -> Response:
    """Start the run of somebody signed in; its memory is tidied when it has ended (C3)."""
    runtime, identity = call.runtime, call.caller.identity
    means = replace(means_of(runtime, identity, allow_web=allow_web), time_zone=call.time_zone)

    async def to_the_end(run: Run) -> str:
        state = await produce(run, asked, means)
        runtime.summaries.after(means, asked)
        return state

    run = runtime.runs.start(asked.run_id, identity, to_the_end)
    return sse.response(runtime.runs.follow(identity, run.id))


def play_for_guest(call: Call, asked: Asked) -> Response:
    """Start the run of a guest: in memory, and with nothing that reaches out of the house."""
    runtime, guest = call.runtime, call.guest
    means = replace(
        means_of(runtime, guest.identity),
        web=None,
        hand_over=None,
        record_requests=False,
        time_zone=call.time_zone,
    )
    keeper = runtime.conversations.keeper(guest.id)
    run = runtime.runs.start(asked.run_id, guest.identity, _producer(asked, means, keeper), durable=False)
    return sse.response(runtime.runs.follow_here(run.id))


def _producer(asked: Asked, means: Means, keeper: Keep = keep) -> Callable[[Run], Awaitable[str]]:
    async def to_the_end(run: Run) -> str:
        return await produce(run, asked, means, keeper)

    return to_the_end
