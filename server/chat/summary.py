"""The rolling summary of a thread: what no longer fits, in few words, made behind a turn and never in its way (C3)."""

import asyncio
import logging
from collections.abc import Sequence
from uuid import UUID

from providers.errors import ProviderError
from providers.events import Finished, Text
from server.chat.ask import Asked
from server.chat.history import HISTORY_SHARE, Exchange, split, tokens, trim
from server.chat.loop import ChatModel
from server.chat.means import Means
from server.chat.prompts import prompt
from server.chat.recall import recall
from server.chat.refusal import is_refusal
from sql.db import CONNECTION_LOST, Connection
from sql.queries import query

log = logging.getLogger("ibid.chat")

AT_ONCE = 2  # summaries made at the same time: answers go first
LONGEST_SUMMARY = (
    1600  # characters, about 450 tokens: less than history.LONGEST_ENTRY, so it is replayed whole
)
SUMMARY_TOKENS = 500
READ_TOKENS = 4000  # of exchanges that one request summarises
# A summary must be ready before its exchanges drop out, so it covers what would not fit into a bit less.
SLACK = 0.8


class Summaries:
    """Makes summaries in the background, one a thread at a time."""

    def __init__(self) -> None:
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(AT_ONCE)

    def after(self, means: Means, asked: Asked) -> None:
        """See whether the thread of a turn that has ended needs a new summary. Without a model: none."""
        if (
            means.model is None
            or asked.thread_id in self._tasks
            or not split(asked.past, budget=_room(means))[0]
        ):
            return
        task = asyncio.create_task(self._run(means, asked), name=f"summary-{asked.thread_id}")
        self._tasks[asked.thread_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(asked.thread_id, None))

    async def _run(self, means: Means, asked: Asked) -> None:
        async with self._places:
            try:
                await renew(means, asked.thread_id, asked.message_id)
            except (ProviderError, *CONNECTION_LOST) as error:
                # The next turn tries again; until then the oldest exchanges are simply not sent.
                log.warning("no summary for thread %s: %s", asked.thread_id, error)

    async def idle(self) -> None:
        """Wait until nothing is being summarised."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def close(self) -> None:
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def _room(means: Means) -> int:
    """Tokens of exchanges that are replayed word for word beside a summary."""
    memory = int(max(means.context_tokens - means.max_tokens, 0) * HISTORY_SHARE * SLACK)
    return memory - SUMMARY_TOKENS


async def renew(means: Means, thread_id: UUID, leaf_id: UUID) -> None:
    """Summarise what does not fit beside the last summary. Raises ProviderError."""
    identity, model = means.identity, means.model
    async with means.database.as_user(identity) as connection:
        thread = await connection.fetchrow(query("find_thread"), identity.workspace_id, thread_id)
        past = (await recall(connection, identity, thread, leaf_id)).exchanges if thread else []
    before = past[0] if past and past[0].summary else None
    room = _room(means)
    older, _ = split(past, budget=room)
    if not older or model is None or room <= 0:  # a summary itself would not fit
        return
    taken = _as_many_as_fit(older)
    text = await _ask(model, before.answer if before else "", taken)
    if not text:
        return
    covers = [id_ for exchange in (*([before] if before else []), *taken) for id_ in exchange.ids]
    async with means.database.as_user(identity) as connection:
        await _store(connection, means, thread_id, text, covers)


async def _store(
    connection: Connection, means: Means, thread_id: UUID, text: str, covers: Sequence[UUID]
) -> None:
    await connection.execute(query("put_summary"), means.identity.workspace_id, thread_id, text, list(covers))


def _as_many_as_fit(older: Sequence[Exchange]) -> list[Exchange]:
    """The oldest exchanges that one request can hold; the rest is for the next turn."""
    taken: list[Exchange] = []
    room = READ_TOKENS
    for exchange in older:
        room -= tokens(trim(exchange.question)) + tokens(trim(exchange.answer))
        if room < 0 and taken:
            break
        taken.append(exchange)
    return taken


async def _ask(model: ChatModel, before: str, exchanges: Sequence[Exchange]) -> str:
    """The new summary; nothing when the model declined or broke off."""
    said = [f"User: {trim(e.question)}\nAssistant: {trim(e.answer)}" for e in exchanges]
    lead = f"Summary so far:\n{before}\n\n" if before else ""
    content = f"{lead}What was said after that:\n\n" + "\n\n".join(said)
    messages = [
        {"role": "system", "content": prompt("summary")},
        {"role": "user", "content": content},
    ]
    text, whole = "", False
    async for event in model.stream(messages, max_tokens=SUMMARY_TOKENS):
        if isinstance(event, Text):
            text += event.delta
        elif isinstance(event, Finished):
            whole = event.reason in ("stop", "length")
    text = text.replace("\0", "").strip()
    return text[:LONGEST_SUMMARY] if whole and text and not is_refusal(text) else ""
