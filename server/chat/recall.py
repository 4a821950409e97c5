"""What a thread remembers at one of its messages: the exchanges that lead there, and their summary if it fits."""

from dataclasses import dataclass, field
from uuid import UUID

from server.chat.history import Exchange, exchanges
from sql.db import Connection, Identity, Row
from sql.queries import query


@dataclass(frozen=True, slots=True)
class Past:
    """`exchanges`: oldest first, a summary in front of them. `exists`: the message is in this thread."""

    exists: bool
    exchanges: list[Exchange] = field(default_factory=list)


async def recall(connection: Connection, identity: Identity, thread: Row, leaf_id: UUID | None) -> Past:
    """The branch that ends in `leaf_id`, as memory; None is the beginning. `thread` is a row of find_thread."""
    if leaf_id is None:
        return Past(exists=False)
    rows = await connection.fetch(query("replayable_branch"), identity.workspace_id, thread["id"], leaf_id)
    found = exchanges(rows)
    if thread["summary"]:
        found = with_summary(found, thread["summary"], thread["summary_covers"])
    return Past(bool(rows), found)


def with_summary(found: list[Exchange], summary: str, covers: list[UUID]) -> list[Exchange]:
    """The summary in place of the exchanges that it was made from.

    Unchanged where they are not exactly the oldest of this branch: a summary of another branch, or of what was
    excluded since, says things that were not said here.
    """
    covered = 0
    ids: list[UUID] = []
    while covered < len(found) and len(ids) < len(covers):
        ids += found[covered].ids
        covered += 1
    if ids != list(covers):
        return found
    return [Exchange("", summary, tuple(ids), summary=True), *found[covered:]]
