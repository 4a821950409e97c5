"""Tier 2: a real Postgres for the whole run, and for each test a clone of a migrated template."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
import pytest_asyncio
import uvicorn
from starlette.applications import Starlette

from providers.local import LocalEmbedder
from providers.scripted import running, scripted_app
from providers.tokens import TokenEncoder
from server import bootstrap
from server.app import create_app
from server.config import load
from server.identity.accounts import hash_password
from server.processes import ingesting
from server.runtime import Runtime, open_runtime
from sql.db import Database, Identity, owner_transaction, with_database, with_login
from sql.embedded import EmbeddedPostgres
from sql.migrate import Logins, migrate
from sql.queries import query
from tests.db.conversation import Asker

LOGINS = Logins(app_password="zzyzx-app", reader_password="zzyzx-reader")
TEMPLATE = "zzyzx_template"
NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Urls:
    """The logins of one test's database."""

    owner: str
    app: str
    reader: str


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The administrator's URL of an embedded Postgres that lives as long as the run."""
    with tempfile.TemporaryDirectory(prefix="ibid-test-", dir="/var/tmp", ignore_cleanup_errors=True) as home:
        Path(home).chmod(0o755)
        server = EmbeddedPostgres(Path(home))
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


@pytest.fixture(scope="session")
def template(cluster: str) -> str:
    """A migrated, empty database that tests clone."""

    async def make() -> None:
        connection = await asyncpg.connect(cluster)
        try:
            await connection.execute(f"CREATE DATABASE {TEMPLATE}")
        finally:
            await connection.close()
        await migrate(with_database(cluster, TEMPLATE), LOGINS)

    with asyncio.Runner() as runner:  # of its own: pytest-asyncio would make it anew for each kind of loop
        runner.run(make())
    return TEMPLATE


@asynccontextmanager
async def clone(cluster: str, template: str) -> AsyncIterator[Urls]:
    """A fresh database, dropped afterwards."""
    name = f"zzyzx_{os.getpid()}_{next(NUMBERS)}"
    connection = await asyncpg.connect(cluster)
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        owner = with_database(cluster, name)
        yield Urls(
            owner=owner,
            app=with_login(owner, "ibid_app", LOGINS.app_password),
            reader=with_login(owner, "ibid_reader", LOGINS.reader_password),
        )
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


@pytest_asyncio.fixture
async def urls(cluster: str, template: str) -> AsyncIterator[Urls]:
    """A fresh database for one test."""
    async with clone(cluster, template) as fresh:
        yield fresh


@pytest_asyncio.fixture
async def database(urls: Urls) -> AsyncIterator[Database]:
    """The application's own pool on the test's database."""
    opened = await Database.connect(urls.app, size=8)
    yield opened
    await opened.close()


@dataclass(frozen=True, slots=True)
class People:
    """Two members of one workspace, who share nothing, and one of another workspace."""

    workspace: UUID
    owner: Identity
    other: Identity
    stranger: Identity


@pytest_asyncio.fixture
async def people(urls: Urls) -> People:
    return await settle(urls)


async def settle(urls: Urls) -> People:
    """Make ada and bob of one workspace and eve of another."""
    connection = await asyncpg.connect(urls.owner)
    try:
        first = await connection.fetchval("INSERT INTO workspaces (name) VALUES ('zzyzx one') RETURNING id")
        second = await connection.fetchval("INSERT INTO workspaces (name) VALUES ('zzyzx two') RETURNING id")
        found = []
        for name, workspace, role in (
            ("ada", first, "owner"),
            ("bob", first, "member"),
            ("eve", second, "owner"),
        ):
            user = await connection.fetchval(
                "INSERT INTO users (email, name) VALUES ($1, $2) RETURNING id", f"{name}@zzyzx.example", name
            )
            await connection.execute(
                "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)",
                workspace,
                user,
                role,
            )
            found.append(Identity(workspace_id=workspace, user_id=user, role=role))
    finally:
        await connection.close()
    return People(first, *found)


@pytest.fixture
def owner(people: People) -> Identity:
    return people.owner


@pytest.fixture
def other(people: People) -> Identity:
    return people.other


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    """The embedded model, loaded once for the run."""
    return LocalEmbedder(cache=Path("/var/tmp/ibid-test-models"), threads=2)


TOKENS = TokenEncoder(Path("/var/tmp/ibid-test-models"))  # loaded by the first search of the run

PASSWORD = "zzyzx correct horse"
PASSWORD_HASH = hash_password(PASSWORD)


class Service:
    """A real server on a free port with a real worker, over the test's database."""

    def __init__(self, runtime: Runtime, people: People, base_url: str) -> None:
        self.runtime = runtime
        self.people = people
        self.base_url = base_url
        self._clients: list[httpx.AsyncClient] = []
        self.admin = self.client(people.owner)

    def client(self, identity: Identity | None = None) -> httpx.AsyncClient:
        """A client signed in as this person, or as nobody."""
        headers = {}
        if identity and identity.user_id:
            token = self.runtime.tokens.issue(user_id=identity.user_id, workspace_id=identity.workspace_id)
            headers["authorization"] = f"Bearer {token}"
        # Loading certificates takes 30 ms, and nothing here is encrypted.
        client = httpx.AsyncClient(base_url=self.base_url, headers=headers, timeout=30, verify=False)  # noqa: S501
        self._clients.append(client)
        return client

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def written(self, run_id: str) -> None:
        """Wait until the whole log of a finished run is in the database."""
        async with asyncio.timeout(5):
            while (run := self.runtime.runs._runs.get(UUID(run_id))) is not None:
                if run.state != "running" and run.flushed == len(run.log):
                    return
                await asyncio.sleep(0.02)

    async def newcomer(self, role: str = "member") -> Identity:
        """A new member of ada's workspace, for a test that shares its server and must share nothing else."""
        name = f"zzyzx-{uuid4().hex[:12]}"
        async with owner_transaction(self.runtime.urls.owner) as connection:
            user = await connection.fetchval(query("create_first_owner"), f"{name}@zzyzx.example", name)
            await connection.execute(query("insert_membership"), self.people.workspace, user, role)
        return Identity(workspace_id=self.people.workspace, user_id=user, role=role)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(
    cluster: str, template: str, embedder: LocalEmbedder, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    """Server and worker of ada's workspace for a whole module; tests bring newcomers of their own."""
    async with clone(cluster, template) as fresh:
        home = tmp_path_factory.mktemp("house")
        async with serving(fresh, await settle(fresh), embedder, home) as opened:
            yield opened


@dataclass(frozen=True, slots=True)
class Scripted:
    """The scripted model server, and how a house is told to use it."""

    app: Starlette
    base_url: str

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Bodies of the requests so far, in order."""
        found: list[dict[str, Any]] = self.app.state.requests
        return found

    async def answers(self, house: Service, model: str) -> None:
        """From here on this scripted model answers, and requests count from 0 (see providers/scenarios.py)."""
        values = {"chat.base_url": self.base_url, "chat.model": model}
        saved = await house.admin.put("/api/settings", json={"values": values})
        assert saved.status_code == 200, saved.text
        self.app.state.queue.clear()
        self.app.state.requests.clear()
        self.app.state.closed.clear()
        self.app.state.seen.clear()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scripted() -> AsyncIterator[Scripted]:
    app = scripted_app()
    async with running(app) as base_url:
        yield Scripted(app, base_url)


@pytest_asyncio.fixture(loop_scope="module")
async def asker(house: Service) -> Asker:
    """A newcomer in the module's house, who shares nothing with other tests."""
    identity = await house.newcomer()
    return Asker(identity, house.client(identity))


@pytest_asyncio.fixture(loop_scope="module")
async def thread(asker: Asker) -> str:
    return await asker.thread()


@pytest_asyncio.fixture
async def service(
    urls: Urls, people: People, embedder: LocalEmbedder, tmp_path: Path
) -> AsyncIterator[Service]:
    """Server and worker of ada's workspace for one test; everybody's password is PASSWORD."""
    async with serving(urls, people, embedder, tmp_path / "home") as opened:
        yield opened


async def move_in(urls: Urls, people: People) -> None:
    """The installation is ada's, and everybody has PASSWORD."""
    connection = await asyncpg.connect(urls.owner)
    try:
        await connection.execute(
            "INSERT INTO installation (workspace_id, owner_id, claimed_at) VALUES ($1, $2, now())",
            people.workspace,
            people.owner.user_id,
        )
        for person in (people.owner, people.other, people.stranger):
            await connection.execute(
                "INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)",
                person.user_id,
                PASSWORD_HASH,
            )
    finally:
        await connection.close()


@asynccontextmanager
async def serving(urls: Urls, people: People, embedder: LocalEmbedder, home: Path) -> AsyncIterator[Service]:
    """A server and a worker of ada's workspace."""
    await move_in(urls, people)
    config = load({"IBID_HOME": str(home), "PORT": "0"})
    bound = bootstrap.Urls(owner=urls.owner, app=urls.app, reader=urls.reader, direct=urls.app)
    runtime = await open_runtime(config, bound)
    runtime.shelf.local.close()
    runtime.shelf.local, runtime.shelf.tokens = embedder, TOKENS
    runtime.models = runtime.shelf.pick(runtime.settings, None)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(runtime),
            port=0,
            log_level="warning",
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
    )
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    working = asyncio.create_task(ingesting(runtime))
    opened = Service(runtime, people, f"http://127.0.0.1:{port}")
    try:
        yield opened
    finally:
        await opened.close()
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        server.should_exit = True
        await serving
