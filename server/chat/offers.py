"""What a "yes" accepts when the answer that offered it is not replayed: a refusal, or something declined (C2, D2)."""

from dataclasses import dataclass

from server.chat.means import Means
from server.chat.social import agrees
from server.chat.turn import WEB_OFFER, Past
from sql.queries import query


@dataclass(frozen=True, slots=True)
class Standing:
    """An offer that stands: to pass a declined question on, or to search the web."""

    declined: bool
    past: Past


async def standing(message: str, means: Means) -> Standing | None:
    """The offer at the end of the answer before, if the message says yes and that answer is not replayed."""
    if not agrees(message) or means.thread_id is None:
        return None
    async with means.database.as_user(means.identity) as connection:
        row = await connection.fetchrow(query("answer_before"), means.identity.workspace_id, means.thread_id)
    if row is None or row["question"] is None:
        return None
    past = Past(row["question"], row["content"])
    if row["kind"] == "declined" and "?" in row["content"] and means.hand_over is not None:
        return Standing(True, past)
    return Standing(False, past) if row["kind"] == "refusal" and WEB_OFFER in row["content"] else None
