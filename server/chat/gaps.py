"""The log of questions that the documents did not answer, which is the list of what to upload (L8)."""

from uuid import UUID

from server.chat.sentences import WORD
from sql.db import Connection, Identity
from sql.queries import query

LONGEST = 500  # characters; the start of a pasted text names it


async def note_gap(
    connection: Connection, identity: Identity, thread_id: UUID, question: str, *, after: str = ""
) -> None:
    """Count a question without evidence, together with the same question asked before.

    `after`: the question that it points back at, without which nobody could tell what is missing.
    """
    text = " ".join(f"{question} ({after})".split() if after else question.split())[:LONGEST]
    same_as = " ".join(word.casefold() for word in WORD.findall(text)) or text.casefold()
    await connection.execute(
        query("note_gap"), identity.workspace_id, identity.user_id, thread_id, text, same_as
    )
