"""A worker as a process of its own, to be killed: worker_process.py URL STORE SPOOL MODELS."""

import asyncio
import sys
from pathlib import Path
from uuid import UUID

from ingestion.blobs import Blobs
from ingestion.pipeline import Tools
from ingestion.worker import Worker
from providers.local import LocalEmbedder
from providers.types import Embedder
from sql.db import Database


async def main(url: str, store: str, spool: str, models: str) -> None:
    embedder = LocalEmbedder(cache=Path(models), threads=1)

    async def embedder_for(_workspace: UUID) -> Embedder:
        return embedder

    database = await Database.connect(url, size=6)
    tools = Tools(database, Blobs.open(Path(store).as_uri(), spool=Path(spool)), embedder_for)
    await Worker(tools, listen_url=url).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
