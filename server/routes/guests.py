"""The chat and its sources as guests use them: nothing is read or written under anybody's name."""

from starlette.responses import Response

import ingestion.passages as passages
from server import schemas
from server.chat.suggest import suggestions
from server.errors import Unauthorized
from server.identity.guests import Guest
from server.operations import Call, Operation, Who, reply
from server.routes.playing import play_for_guest, question_of
from server.stream import sse


async def list_threads(call: Call) -> Response:
    threads = call.runtime.conversations.threads(call.guest.id)
    wanted = call.request.query_params.get("q", "").strip().casefold()
    found = [t for t in threads if not wanted or wanted in _words(t.title, t.messages)]
    return reply({"items": [t.outline() for t in found], "next_cursor": None})


async def create_thread(call: Call) -> Response:
    """The first thread makes the session: its cookie is set here and never again (A7)."""
    runtime, guest = call.runtime, call.guest
    if not guest.token:
        runtime.guests.limit.opening(call.address)
    thread = runtime.conversations.begin(guest.id, call.body.title.strip())
    response = reply(thread.outline(), status=201)
    runtime.guests.admit(guest, response, secure=call.request.url.scheme == "https")
    runtime.forget_guests()
    return response


async def read_thread(call: Call) -> Response:
    return reply(call.runtime.conversations.find(call.guest.id, call.id()).detail())


async def delete_thread(call: Call) -> Response:
    running = call.runtime.conversations.remove(call.guest.id, call.id())
    if running:
        call.runtime.runs.stop_here(running.run_id)
    return Response(status_code=204)


async def post_message(call: Call) -> Response:
    body: schemas.MessageIn = call.body
    text = question_of(body)
    call.runtime.conversations.find(call.guest.id, call.id())
    call.runtime.guests.limit.question(call.guest, call.address)
    return play_for_guest(call, call.runtime.conversations.ask(call.guest.id, call.id(), text))


async def run_events(call: Call) -> Response:
    call.runtime.conversations.run(call.guest.id, call.id())
    after = sse.resumes_after(call.request)
    return sse.response(call.runtime.runs.follow_here(call.id(), after=after))


async def stop_run(call: Call) -> Response:
    call.runtime.conversations.run(call.guest.id, call.id())
    call.runtime.runs.stop_here(call.id())
    return Response(status_code=204)


async def suggest(call: Call) -> Response:
    """From documents that anybody may read."""
    return reply({"questions": await suggestions(call.runtime.database, call.guest.identity)})


async def read_page(call: Call) -> Response:
    """A page of what an answer may rest on, as text; never the file, which no rule about words reaches (D17)."""
    guest, number = _reader(call), call.request.path_params["number"]
    return reply(await passages.page(call.runtime.database, guest.identity, call.id(), number))


async def read_passage(call: Call) -> Response:
    guest = _reader(call)
    return reply(await passages.passage(call.runtime.database, guest.identity, call.id("chunk_id")))


def _reader(call: Call) -> Guest:
    """The guest, if they have begun a thread: sources are opened from an answer. Raises Unauthorized, TooMany."""
    if not call.guest.token:
        raise Unauthorized("Ask a question first: a source is opened from an answer.")
    call.runtime.guests.limit.reading(call.guest)
    return call.guest


async def leave(call: Call) -> Response:
    """Everything of this guest is gone when the answer goes out (A10)."""
    response = Response(status_code=204)
    call.runtime.forget(call.guest)
    call.runtime.guests.leave(call.guest, response)
    return response


async def nobody_leaves(call: Call) -> Response:
    """Somebody signed in has no guest session here."""
    return Response(status_code=204)


def _words(title: str, messages: list[dict[str, object]]) -> str:
    return "\n".join([title, *(str(m["content"]) for m in messages)]).casefold()


OPERATIONS = [
    Operation("DELETE", "/api/guest", nobody_leaves, Who.READER, "Leave: nothing of a guest's session stays",
              status=204, guest=leave),
]  # fmt: skip
