"""`ibid serve` and `ibid worker`: the two long-lived processes."""

import asyncio
import logging
import math
import os
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any
from uuid import UUID

import uvicorn

from providers.errors import ProviderError
from providers.types import Embedder
from server.bootstrap import claim_from_environment, owner_link, prepare
from server.config import Config
from server.signals import run
from server.supervise import follow
from server.workbench import database_urls
from sql.db import CONNECTION_LOST

if TYPE_CHECKING:
    from server.runtime import Runtime

log = logging.getLogger("ibid")

SIGNALLED = 128  # an exit code above it is that of a signal
LOOK_SECONDS = 3.0  # between looks at the settings
HEAL_SECONDS = 300.0  # between looks for passages without a vector
WORKER_THREADS = 2
WORKER_NICENESS = 10  # whoever waits for an answer comes before files; the processes that parse inherit it
WORKER_CONNECTIONS = 8  # three documents at two each, the queue, and one to spare


def serve(config: Config, *, parent: int | None = None) -> int:
    """Serve until a signal, which is a good end. Prints the owner's link while nobody has claimed it."""
    return _until_stopped(_serve(config), parent)


def _until_stopped(process: Coroutine[Any, Any, int], parent: int | None) -> int:
    if parent:
        follow(parent)
    code = run(process)
    return 0 if code > SIGNALLED else code


async def _serve(config: Config) -> int:
    from server.app import create_app
    from server.garbage import settling
    from server.runtime import open_runtime

    async with database_urls(config) as urls, AsyncExitStack() as stack:
        installation = await prepare(config, urls.owner)
        runtime = await open_runtime(config, urls)
        stack.push_async_callback(runtime.database.close)
        if not installation.claimed:
            await claim_from_environment(config, urls.owner, runtime.database)
            link = await owner_link(config, urls.owner, await prepare(config, urls.owner))
            if link:
                print(f"\nBecome the owner of this Ibid with this one-time link:\n\n  {link}\n", flush=True)
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(runtime),
                host=config.host,
                port=config.port,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=3,
                timeout_keep_alive=65,
                lifespan="on",
            )
        )
        tidying = asyncio.create_task(settling(), name="garbage")
        stack.callback(tidying.cancel)
        await server.serve()
    return 0


def work(config: Config, *, parent: int | None = None) -> int:
    """Ingest until a signal, which is a good end; jobs in hand are given back."""
    os.nice(WORKER_NICENESS)
    return _until_stopped(_work(config), parent)


async def _work(config: Config) -> int:
    from server.runtime import open_runtime

    async with database_urls(config) as urls:
        await prepare(config, urls.owner)
        runtime = await open_runtime(config, urls, pool_size=WORKER_CONNECTIONS, threads=WORKER_THREADS)
        try:
            await ingesting(runtime)
        finally:
            await runtime.database.close()
    return 0


async def ingesting(runtime: "Runtime") -> None:
    """Ingest until cancelled, with the embedding model of the vectors in use; build another one's beside it."""
    from ingestion.parse.child import shared_nursery
    from ingestion.pipeline import Tools
    from ingestion.worker import Worker
    from server.linking import Linker, relinking

    async def embedder_for(_workspace: UUID) -> Embedder:
        await runtime.refresh()
        return runtime.models.embedder

    tools = Tools(runtime.database, runtime.blobs, embedder_for, linker=Linker(runtime))
    worker = Worker(tools, listen_url=runtime.urls.direct)
    shared_nursery().warm()  # the first Word file need not wait for docling's import
    async with asyncio.TaskGroup() as duties:
        duties.create_task(worker.run())
        duties.create_task(_rebuilding(runtime))
        duties.create_task(relinking(runtime))


async def _rebuilding(runtime: "Runtime") -> None:
    """Bring up the space of another embedding model that an administrator has chosen (N8).

    Now and then also the one in use, should a passage ever be searchable without its vector.
    """
    from ingestion.rebuild import bring_up, complete

    checked = -math.inf
    while True:
        try:
            await runtime.refresh()
            wanted = runtime.models.wanted
            if runtime.models.changing:
                await bring_up(runtime.database, runtime.workspace_id, wanted)
            elif time.monotonic() - checked > HEAL_SECONDS:
                if not await complete(runtime.database, runtime.workspace_id, wanted.key):
                    await bring_up(runtime.database, runtime.workspace_id, wanted)
                checked = time.monotonic()
        except ProviderError as error:
            log.warning("the embedding model cannot be used yet: %s", error)
        except CONNECTION_LOST as error:
            log.warning("the settings cannot be read: %s", error)
        await asyncio.sleep(LOOK_SECONDS)
