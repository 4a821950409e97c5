"""`ibid serve` and `ibid worker`: the two long-lived processes."""

import asyncio
import logging
import signal
from typing import TYPE_CHECKING
from uuid import UUID

import uvicorn

from providers.errors import ProviderError
from providers.types import Embedder
from server.bootstrap import claim_from_environment, owner_link, prepare
from server.config import Config
from server.supervise import follow
from server.workbench import database_urls
from sql.db import CONNECTION_LOST

if TYPE_CHECKING:
    from server.runtime import Runtime

log = logging.getLogger("ibid")

LOOK_SECONDS = 3.0  # between looks at the settings
WORKER_THREADS = 2
WORKER_CONNECTIONS = 8  # three documents at two each, the queue, and one to spare


def serve(config: Config, *, parent: int | None = None) -> int:
    """Serve until SIGTERM or SIGINT. Prints the owner's one-time link while nobody has claimed it."""
    if parent:
        follow(parent)
    asyncio.run(_serve(config))
    return 0


async def _serve(config: Config) -> None:
    from server.app import create_app
    from server.runtime import open_runtime

    async with database_urls(config) as urls:
        installation = await prepare(config, urls.owner)
        runtime = await open_runtime(config, urls)
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
        await server.serve()


def work(config: Config, *, parent: int | None = None) -> int:
    """Ingest until SIGTERM or SIGINT; jobs in hand are given back."""
    if parent:
        follow(parent)
    asyncio.run(_work(config))
    return 0


async def _work(config: Config) -> None:
    from server.runtime import open_runtime

    async with database_urls(config) as urls:
        await prepare(config, urls.owner)
        runtime = await open_runtime(config, urls, pool_size=WORKER_CONNECTIONS, threads=WORKER_THREADS)
        work = asyncio.create_task(ingesting(runtime))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, work.cancel)
        await asyncio.wait({work})
        await runtime.database.close()
        if not work.cancelled() and work.exception():
            log.error("the worker failed", exc_info=work.exception())
            raise SystemExit(1)


async def ingesting(runtime: "Runtime") -> None:
    """Ingest until cancelled, with the embedding model of the vectors in use; build another one's beside it."""
    from ingestion.parse.child import shared_nursery
    from ingestion.pipeline import Tools
    from ingestion.worker import Worker

    async def embedder_for(_workspace: UUID) -> Embedder:
        await runtime.refresh()
        return runtime.models.embedder

    tools = Tools(runtime.database, runtime.blobs, embedder_for)
    worker = Worker(tools, listen_url=runtime.urls.direct)
    shared_nursery().warm()  # the first Word file need not wait for docling's import
    async with asyncio.TaskGroup() as duties:
        duties.create_task(worker.run())
        duties.create_task(_rebuilding(runtime))


async def _rebuilding(runtime: "Runtime") -> None:
    """Notice that an administrator has chosen another embedding model, and bring its space up (N8)."""
    from ingestion.rebuild import bring_up

    while True:
        try:
            await runtime.refresh()
            if runtime.models.changing:
                await bring_up(runtime.database, runtime.workspace_id, runtime.models.wanted)
                continue
        except ProviderError as error:
            log.warning("the new embedding model cannot be used yet: %s", error)
        except CONNECTION_LOST as error:
            log.warning("the settings cannot be read: %s", error)
        await asyncio.sleep(LOOK_SECONDS)
