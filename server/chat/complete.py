"""One short answer of a model as a whole, within a time; for the small questions that a turn asks on the side."""

import asyncio
from contextlib import aclosing
from typing import Any

from providers.errors import Timeout
from providers.events import Text
from server.chat.loop import ChatModel, Message


async def complete(
    model: ChatModel,
    messages: list[Message],
    *,
    max_tokens: int,
    seconds: float | None = None,
    as_json: bool = False,
) -> str:
    """The text of the answer, without thinking. Raises ProviderError, Timeout after `seconds`.

    `as_json` asks for JSON in the server's own way, where it has one; the messages must ask for it too.
    """
    said: list[str] = []
    wanted: dict[str, Any] = (
        {"temperature": 0.0, "response_format": {"type": "json_object"}} if as_json else {}
    )
    try:
        async with asyncio.timeout(seconds):
            async with aclosing(model.stream(messages, max_tokens=max_tokens, **wanted)) as events:
                async for event in events:
                    if isinstance(event, Text):
                        said.append(event.delta)
    except TimeoutError:
        raise Timeout from None
    return "".join(said).strip()
