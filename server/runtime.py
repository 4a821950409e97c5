"""The composition root: everything that lives as long as the process, built once and handed down."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any
from uuid import UUID

from ingestion.blobs import Blobs
from ingestion.rebuild import active_key
from providers.errors import ProviderError
from providers.http import Http
from providers.tracing import Tracer
from providers.web import Web
from server.bootstrap import Urls
from server.chat.guests import GuestConversations
from server.chat.subjects import Recogniser
from server.chat.summary import Summaries
from server.config import Config
from server.errors import Unauthorized
from server.identity.accounts import current
from server.identity.guests import Guest, Guests
from server.identity.secrets import sealing_key, signing_key
from server.identity.tokens import Claims, TokenIssuer
from server.lag import LoopLag
from server.limits import SignInLimit
from server.models import Models, ModelShelf
from server.pulse import Pulse
from server.searcher import Searcher
from server.settings.crypto import Sealer
from server.settings.store import Settings, SettingsStore
from server.stream.events import EventHub
from server.stream.runs import RunHub
from sql.db import CONNECTION_LOST, Database
from sql.queries import query

log = logging.getLogger("ibid")

# Queries are embedded one at a time in 3 ms: one thread is enough beside Postgres and the worker.
QUERY_THREADS = 1
SWEEP_SECONDS = 60.0  # guests stay this much longer than their idle limit at the most


@dataclass(slots=True)
class Runtime:
    """What operations work with. `settings` and `models` change under it when an administrator saves."""

    config: Config
    urls: Urls
    database: Database
    blobs: Blobs
    http: Http
    web: Web
    tracer: Tracer
    tokens: TokenIssuer
    store: SettingsStore
    shelf: ModelShelf
    models: Models
    events: EventHub
    runs: RunHub
    workspace_id: UUID
    pulse: Pulse
    guests: Guests
    sign_in_limit: SignInLimit = field(default_factory=SignInLimit)
    conversations: GuestConversations = field(default_factory=GuestConversations)
    lag: LoopLag = field(default_factory=LoopLag)
    summaries: Summaries = field(default_factory=Summaries)
    recogniser: Recogniser = field(default_factory=Recogniser)

    @property
    def version(self) -> str:
        return version("ibid")

    @property
    def settings(self) -> Settings:
        return self.store.current

    @property
    def searcher(self) -> Searcher:
        models = self.models
        return Searcher(self.database, models.embedder, models.reranker, self.tracer, models.judge)

    @property
    def max_upload_bytes(self) -> int:
        return int(self.settings["uploads.max_megabytes"]) * 1024 * 1024

    def forget(self, guest: Guest) -> None:
        """Nothing is left of a guest: not their threads, not what is being written for them (A10)."""
        for asked in self.conversations.forget(guest.id):
            self.runs.forget(asked.run_id)

    def forget_guests(self) -> None:
        """Forget whoever has been silent for too long."""
        for guest in self.guests.sweep():
            self.forget(guest)

    async def refresh(self) -> None:
        """Take in the stored settings (N1: in every process, without a restart)."""
        await self.store.reload()
        self.models = self.shelf.pick(self.settings, await active_key(self.database, self.workspace_id))


async def open_runtime(
    config: Config, urls: Urls, *, pool_size: int = 10, threads: int = QUERY_THREADS
) -> Runtime:
    """Connect and build. The database has been migrated."""
    database = await Database.connect(urls.app, size=pool_size, pooled=config.pooled)
    try:
        return await _build(config, urls, database, threads)
    except BaseException:
        await database.close()
        raise


async def _build(config: Config, urls: Urls, database: Database, threads: int) -> Runtime:
    async with database.transaction() as connection:
        workspace_id = (await connection.fetchrow(query("find_installation")))["workspace_id"]
    sealer = Sealer(config.settings_keys or (sealing_key(config.home),))
    store = SettingsStore(database, workspace_id, sealer)
    http = Http()
    shelf = ModelShelf(config.home, http, threads=threads)
    settings = await store.reload()
    return Runtime(
        config=config,
        urls=urls,
        database=database,
        blobs=Blobs.open(config.blobs, spool=config.home / "spool"),
        http=http,
        web=Web(http),
        tracer=Tracer(api_key=config.langsmith_api_key, api_url=config.langsmith_url),
        tokens=TokenIssuer(signing_key(config.home)),
        store=store,
        shelf=shelf,
        models=shelf.pick(settings, await active_key(database, workspace_id)),
        events=EventHub(urls.direct),
        runs=RunHub(database),
        workspace_id=workspace_id,
        pulse=Pulse(database),
        guests=Guests(workspace_id),
    )


@asynccontextmanager
async def running(runtime: Runtime) -> AsyncIterator[None]:
    """The background of a server: notices, settings that change, stops asked for elsewhere."""
    tasks = [
        _watched("events", runtime.events.run()),
        _watched("settings", _follow_settings(runtime)),
        _watched("stops", runtime.runs.listen(runtime.urls.direct)),
        _watched("memberships", _follow_memberships(runtime)),
        _watched("warm-up", _warm(runtime)),
        _watched("lag", runtime.lag.run()),
        _watched("guests", _forget_idle_guests(runtime)),
    ]
    try:
        yield
    finally:
        await runtime.runs.close()
        await runtime.summaries.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await runtime.tracer.close()
        await runtime.shelf.close()
        await runtime.http.close()
        await runtime.database.close()


def _watched(name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A background task whose end is never silent."""
    task = asyncio.create_task(work, name=name)

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception():
            log.error("background task %s failed", name, exc_info=task.exception())

    task.add_done_callback(ended)
    return task


async def _follow_settings(runtime: Runtime) -> None:
    while True:
        await runtime.events.settings_changed.wait()
        runtime.events.settings_changed.clear()
        try:
            await runtime.refresh()
        except CONNECTION_LOST as error:
            log.warning("the settings cannot be read, trying again: %s", error)
            await asyncio.sleep(1)
            runtime.events.settings_changed.set()
        await _warm_chat(runtime)


async def _follow_memberships(runtime: Runtime) -> None:
    """Streams and runs of whoever was disabled end at once (X16), once the database has confirmed it (X5)."""
    while True:
        workspace_id, user_id = await runtime.events.memberships_changed.get()
        try:
            await current(runtime.database, Claims(user_id, workspace_id, session_id=""))
        except Unauthorized:
            runtime.events.close_streams_of(workspace_id, user_id)
            runtime.runs.stop_all_of(workspace_id, user_id)
        except CONNECTION_LOST:
            await asyncio.sleep(1)
            runtime.events.memberships_changed.put_nowait((workspace_id, user_id))


async def _forget_idle_guests(runtime: Runtime) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        runtime.forget_guests()


async def _warm(runtime: Runtime) -> None:
    """Load the models' programs now, so that the first question does not wait for them."""
    with suppress(asyncio.CancelledError):
        await runtime.shelf.local.warm()
        await runtime.shelf.tokens.warm()
        await _warm_chat(runtime)


async def _warm_chat(runtime: Runtime) -> None:
    if runtime.models.chat is not None:
        with suppress(ProviderError):  # the question will say so
            await runtime.models.chat.warm()
