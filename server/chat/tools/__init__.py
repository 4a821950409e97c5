"""The registry of tools: what a model may ask for, in the words it is told, and whether it has a target now."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from time import perf_counter
from typing import Any

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.events import ToolCall
from retrieval.errors import RetrievalError
from server.chat.desk import LEAST_READ, Desk
from server.chat.events import Event, ToolState
from server.chat.tools import (
    analyze_document,
    fetch_page,
    hand_over,
    list_documents,
    read_document,
    search_documents,
    search_web,
    send_document,
)
from server.chat.tools.tool import Tool, milliseconds

# query_structured_data stands here as soon as there are tables that it can ask.
TOOLS: dict[str, Tool] = {
    module.TOOL.name: module.TOOL
    for module in (
        search_documents,
        analyze_document,
        list_documents,
        read_document,
        send_document,
        search_web,
        fetch_page,
        hand_over,
    )
}
UNKNOWN = "This tool is not available. Answer from what you have."
FAILED = "The tool failed. Answer from what you have."
FALLBACK = "tool left out"


class Toolbox:
    """The tools of one turn: offers those that have a target, and runs what the model calls."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._offered: set[str] = set()

    @property
    def output(self) -> str:
        """What the model reads of the last call."""
        return self._desk.output

    def offered(self) -> list[dict[str, Any]]:
        """Contracts of the tools that have a target now (B7); none once there is no room for what they find."""
        fitting = [tool for tool in TOOLS.values() if tool.offered(self._desk)]
        if self._desk.budget <= LEAST_READ:
            fitting = []
        self._offered = {tool.name for tool in fitting}
        return [tool.contract() for tool in fitting]

    async def run(self, call: ToolCall, arguments: dict[str, Any]) -> AsyncIterator[Event]:
        """Events of one call. What was not offered is not run; what fails or takes too long ends softly, counted."""
        self._desk.output = UNKNOWN
        if call.name not in self._offered:
            return
        tool, began = TOOLS[call.name], perf_counter()
        deadline = asyncio.get_running_loop().time() + tool.seconds
        try:
            async with aclosing(tool.run(self._desk, call, arguments)) as events:
                while True:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                    if event is None:
                        return
                    yield event
        except (ProviderError, RetrievalError, TimeoutError) as error:
            degraded(FALLBACK, error)
            self._desk.output = FAILED
            code = "tool_timeout" if isinstance(error, TimeoutError) else error.code
            yield ToolState(call.id, tool.name, "failed", {}, {"code": code}, milliseconds(began))
