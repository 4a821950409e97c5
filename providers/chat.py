"""The chat client: one request to an OpenAI-compatible endpoint, as a stream of typed events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, closing
from dataclasses import dataclass
from typing import Any

from providers import recorded, sdk
from providers.addresses import check_endpoint
from providers.assembly import Assembly
from providers.compat import Compat
from providers.errors import (
    BadResponse,
    CutOff,
    ProviderError,
    QuotaUsedUp,
    RateLimited,
    Refused,
    ServerFailed,
    Timeout,
    Unreachable,
)
from providers.events import ChatEvent, Waiting
from providers.rejection import Rejected
from providers.silence import Silence
from providers.sse import ChunkReader
from providers.types import Endpoint
from providers.utf8 import writable_json

MAX_RETRIES = 2
LONGEST_WAIT = 30.0  # seconds; a person would rather be told than wait longer
MAX_ADAPTATIONS = 10  # one more than the optional parameters that a request can carry
SETTLE_SECONDS = 5.0  # after the finish reason, for usage and [DONE], which some servers never send
DRAIN_SECONDS = 0.2  # after [DONE], for the end of the body, so that the connection can be used again


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence (no byte at all) that end a request, and the longest that one may take."""

    first: float = 180.0  # a 1.5B model on two busy cores took 64 s to read 2,000 tokens
    between: float = 30.0
    total: float = 900.0


PATIENCE = Patience()


class ChatClient:
    """Built once for an endpoint (B12); connects with the first request; remembers what is refused."""

    def __init__(self, endpoint: Endpoint, *, compat: Compat | None = None) -> None:
        self.endpoint = endpoint
        self.compat = compat or Compat()
        self._client: Any = None
        self._opening = asyncio.Lock()

    async def stream(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        parallel_tool_calls: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        response_format: Mapping[str, Any] | None = None,
        patience: Patience = PATIENCE,
        retries: int = MAX_RETRIES,
    ) -> AsyncGenerator[ChatEvent, None]:
        """Text and Thinking as they come, then ToolCalls and Usage if there are any, then Finished.

        Waiting comes before the first piece only: once something was said, nothing is tried again. Closing
        the generator closes the connection, which ends the generation. Raises ProviderError.
        """
        request = {
            "model": self.endpoint.model,
            "messages": list(messages),
            "tools": list(tools) if tools else None,
            "tool_choice": tool_choice if tools else None,
            "parallel_tool_calls": parallel_tool_calls if tools else None,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "response_format": response_format,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        request = writable_json({name: value for name, value in request.items() if value is not None})
        async with aclosing(self._with_retries(request, patience, retries)) as events:
            async for event in events:
                yield event

    async def warm(self) -> None:
        """Import the SDK and open the client now instead of with the first request; raises ProviderError."""
        await check_endpoint(self.endpoint)
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(sdk.open_client, self.endpoint)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _with_retries(
        self, request: Mapping[str, Any], patience: Patience, retries: int
    ) -> AsyncGenerator[ChatEvent, None]:
        said = False
        for attempt in range(retries + 1):
            try:
                async with aclosing(self._attempt(request, patience)) as events:
                    async for event in events:
                        said = True
                        yield event
                return
            except ProviderError as error:
                seconds = None if said or attempt == retries else seconds_before_retry(error, attempt)
                if seconds is None:
                    raise
                reason = error.code
            if seconds:
                yield Waiting(seconds, reason)
                await asyncio.sleep(seconds)

    async def _attempt(
        self, request: Mapping[str, Any], patience: Patience
    ) -> AsyncGenerator[ChatEvent, None]:
        reader = ChunkReader()
        assembly = Assembly(tools=tool_names(request))
        await self.warm()
        start = asyncio.get_running_loop().time()  # importing the SDK is not the model's silence
        async with AsyncExitStack() as stack:
            incoming = await self._open(stack, request, start + patience.first)
            pieces = aclosing(paced(incoming, reader, assembly, patience, start=start))
            async for data in await stack.enter_async_context(pieces):
                for chunk in reader.feed(data):
                    for event in assembly.feed(chunk):
                        yield event
            for chunk in reader.finish():
                for event in assembly.feed(chunk):
                    yield event
            if not assembly.chunks:
                raise BadResponse
            for event in assembly.finish():
                yield event
            if reader.done:
                await drain(incoming)

    async def _open(
        self, stack: AsyncExitStack, request: Mapping[str, Any], deadline: float
    ) -> AsyncIterator[bytes]:
        """The body of an accepted answer; what is refused is left out and the request sent again (N4)."""
        for _ in range(MAX_ADAPTATIONS):
            sent = self.compat.adapt(request)
            recorded.note(sent)
            try:
                async with asyncio.timeout_at(deadline):
                    return await stack.enter_async_context(sdk.open_stream(self._client, sent))
            except TimeoutError:
                raise Timeout from None
            except Rejected as refusal:
                if not self.compat.learn(sent, refusal.rejection):
                    raise refusal.rejection.error() from None
        raise Refused


def tool_names(request: Mapping[str, Any]) -> set[str]:
    """The tools that are offered or were called before: a model may write such a call as text any time (B6)."""
    offered = [tool["function"]["name"] for tool in request.get("tools", ())]
    called = [
        call["function"]["name"]
        for message in request["messages"]
        for call in message.get("tool_calls") or ()
    ]
    return {*offered, *called}


async def paced(
    incoming: AsyncIterator[bytes],
    reader: ChunkReader,
    assembly: Assembly,
    patience: Patience,
    *,
    start: float,
) -> AsyncGenerator[bytes, None]:
    """The pieces until [DONE] or the end; raises Timeout when the server is silent for too long."""
    now = asyncio.get_running_loop().time
    deadline, last = start + patience.first, start + patience.total
    with closing(Silence()) as silence:
        while not reader.done:
            try:
                data = await silence.next(incoming, min(deadline, last))
            except (TimeoutError, CutOff) as error:
                if assembly.complete:  # the answer is whole, only its end was badly sent
                    return
                if isinstance(error, CutOff):
                    raise
                raise Timeout from None
            if data is None:
                return
            yield data
            soon = now() + (SETTLE_SECONDS if assembly.complete else patience.between)
            deadline = soon if assembly.begun else max(deadline, soon)


async def drain(incoming: AsyncIterator[bytes]) -> None:
    """Read to the end of the body, which is usually there already; a server that goes on is hung up on."""
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in incoming:
                pass
    except (TimeoutError, CutOff):
        pass


def seconds_before_retry(error: ProviderError, attempt: int) -> float | None:
    """How long to wait before the request is sent again; None when that would not help."""
    if isinstance(error, (Unreachable, CutOff)):  # most often a kept connection that the server had closed
        return 0.0 if attempt == 0 else None
    if isinstance(error, RateLimited) and not isinstance(error, QuotaUsedUp):
        seconds = error.retry_after if error.retry_after is not None else 2.0 * (attempt + 1)
        return max(seconds, 0.1) if seconds <= LONGEST_WAIT else None
    return 1.0 * (attempt + 1) if isinstance(error, ServerFailed) else None
