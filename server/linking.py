"""How a worker finds names: as the settings say, by the rules or by the chat model, or not at all (E16)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ingestion.extract import Finder, by_model, by_rules, link
from ingestion.queue import Job
from ingestion.relink import link_rest
from sql.db import CONNECTION_LOST, Database

if TYPE_CHECKING:
    from server.runtime import Runtime

log = logging.getLogger("ibid")

LOOK_SECONDS = 60.0  # between looks for documents of before that are not linked


class Linker:
    """Implements ingestion.beside.Linker; false while the graph is off. Settings count from the next document on."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def __bool__(self) -> bool:
        return bool(self._runtime.settings["graph.enabled"])

    async def __call__(self, database: Database, job: Job, version: int) -> None:
        await link(database, job, version, find=self._finder())

    def _finder(self) -> Finder:
        chat = self._runtime.models.chat
        return by_model(chat) if chat and self._runtime.settings["graph.extraction"] == "model" else by_rules


async def relinking(runtime: Runtime) -> None:
    """Link what is not linked, by the rules: what a model would cost is asked for documents that come in."""
    while True:
        try:
            await runtime.refresh()
            if runtime.settings["graph.enabled"]:
                await link_rest(runtime.database, runtime.workspace_id, find=by_rules)
        except CONNECTION_LOST as error:
            log.warning("documents of before cannot be linked now: %s", error)
        await asyncio.sleep(LOOK_SECONDS)
