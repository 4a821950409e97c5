"""Opening a run: a question is stored, or an old one asked again, together with the run that will answer it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from server.chat import history
from server.chat.recall import recall
from server.errors import BadRequest, Conflict, NotFound
from sql.db import Connection, Database, Identity, Row, UniqueViolation
from sql.queries import query


class At(Enum):
    """Where a question goes that names no message to follow."""

    LEAF = "leaf"  # behind the last message that is shown


@dataclass(slots=True)
class Asked:
    """A question with the run that answers it and what came before it."""

    run_id: UUID
    thread_id: UUID
    message_id: UUID  # of the answer to come
    text: str
    past: list[history.Exchange]
    question_id: UUID | None = None


async def ask(
    database: Database, identity: Identity, thread_id: UUID, text: str, parent: UUID | At | None = At.LEAF
) -> Asked:
    """Store the question and open its run, in one transaction.

    Args:
        parent: the message that it follows, None for a first question, else the last one that is shown.

    Raises:
        NotFound, BadRequest for a parent of another thread, Conflict while an answer is being written.
    """
    workspace = identity.workspace_id
    async with _one_at_a_time(database, identity) as connection:
        thread = await connection.fetchrow(query("find_thread"), workspace, thread_id)
        if thread is None:
            raise NotFound
        follows = thread["leaf_id"] if isinstance(parent, At) else parent
        past = await recall(connection, identity, thread, follows)
        if isinstance(parent, UUID) and not past.exists:
            raise BadRequest(
                "The message that this one follows is not in this thread.", code="no_such_parent"
            )
        follows = follows if past.exists else None
        question_id = await connection.fetchval(
            query("insert_question"), workspace, identity.user_id, thread_id, follows, text
        )
        return await _open(connection, identity, thread_id, question_id, text, past.exchanges)


async def again(database: Database, identity: Identity, message_id: UUID) -> Asked:
    """Answer a question once more, beside its earlier answers; `message_id` is the question's or an answer's."""
    async with _one_at_a_time(database, identity) as connection:
        message = await find(connection, identity, message_id)
        question = message
        if message["role"] == "assistant":
            if message["parent_id"] is None:
                raise BadRequest("This answer has no question to ask again.", code="no_question")
            question = await find(connection, identity, message["parent_id"])
        if question["role"] != "user":
            raise BadRequest("This answer has no question to ask again.", code="no_question")
        thread = await connection.fetchrow(query("find_thread"), identity.workspace_id, question["thread_id"])
        past = await recall(connection, identity, thread, question["parent_id"])
        return await _open(
            connection, identity, question["thread_id"], question["id"], question["content"], past.exchanges
        )


async def find(connection: Connection, identity: Identity, message_id: UUID) -> Row:
    """A message that is there. Raises NotFound for one that is deleted, too."""
    row = await connection.fetchrow(query("find_message"), identity.workspace_id, message_id)
    if row is None or row["deleted_with"] is not None:
        raise NotFound
    return row


async def _open(
    connection: Connection,
    identity: Identity,
    thread_id: UUID,
    question_id: UUID,
    text: str,
    past: list[history.Exchange],
) -> Asked:
    """The run, and its question as the end of the branch that is shown."""
    workspace = identity.workspace_id
    await connection.execute(query("note_question"), workspace, thread_id, title(text), question_id)
    run = await connection.fetchrow(query("create_run"), workspace, identity.user_id, thread_id, question_id)
    return Asked(run["id"], thread_id, run["message_id"], text, past, question_id)


@asynccontextmanager
async def _one_at_a_time(database: Database, identity: Identity) -> AsyncIterator[Connection]:
    """A transaction whose run is the only one of its thread. Raises Conflict."""
    try:
        async with database.as_user(identity) as connection:
            yield connection
    except UniqueViolation:
        raise run_active() from None


def run_active() -> Conflict:
    return Conflict(
        "An answer is still being written in this thread. Stop it, or wait for its end.", code="run_active"
    )


def title(text: str) -> str:
    """A thread's first title: the start of its first question, to a word's end."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0] + "…"
