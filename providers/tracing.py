"""Spans of a turn for LangSmith when a key is configured; else nothing is imported, nothing leaves (O1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

current: ContextVar[Any] = ContextVar("langsmith run", default=None)


class Span:
    """What a block of work came to; `set` may be called more than once."""

    def __init__(self) -> None:
        self.outputs: dict[str, Any] = {}

    def set(self, outputs: Mapping[str, Any]) -> None:
        self.outputs.update(outputs)


class Tracer:
    """Built once. Spans inside spans become children, across tasks too."""

    def __init__(
        self, *, api_key: str | None = None, project: str = "ibid", api_url: str | None = None
    ) -> None:
        self._api_key = api_key
        self._project = project
        self._api_url = api_url
        self._client: Any = None
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def span(self, name: str, inputs: Mapping[str, Any], *, kind: str = "chain") -> AsyncIterator[Span]:
        """`kind` is LangSmith's run type: chain, retriever, tool or llm. It is sent from another thread."""
        span = Span()
        if not self._api_key:
            yield span
            return
        await self._open()
        run = self._begin(name, inputs, kind)
        token = current.set(run)
        failure: str | None = "did not finish"
        try:
            yield span
            failure = None
        except Exception as error:
            failure = type(error).__name__  # the name only: messages may hold what people wrote (X15)
            raise
        finally:
            current.reset(token)
            run.end(outputs=span.outputs, error=failure)
            run.patch()

    async def close(self) -> None:
        """Send what is left."""
        if self._client is not None:
            await asyncio.to_thread(self._client.close, timeout=5.0)

    def _begin(self, name: str, inputs: Mapping[str, Any], kind: str) -> Any:
        from langsmith.run_trees import RunTree

        parent = current.get()
        if parent is not None:
            run = parent.create_child(name=name, run_type=kind, inputs=dict(inputs))
        else:
            run = RunTree(
                name=name,
                run_type=kind,
                inputs=dict(inputs),
                project_name=self._project,
                ls_client=self._client,
            )
        run.post()
        return run

    async def _open(self) -> None:
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(open_client, self._api_key, self._api_url)


def open_client(api_key: str | None, api_url: str | None) -> Any:
    """A langsmith.Client; blocks for the import of half a second, so call it in a thread."""
    import langsmith
    import langsmith.run_trees

    return langsmith.Client(api_key=api_key, api_url=api_url)
