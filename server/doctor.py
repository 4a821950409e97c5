"""`ibid doctor`: is everything there, safe and tidy? Each check says what it found."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from pydantic_core import to_json

from ingestion.removal import orphans
from server.complaints import EXPECTED, complaint
from server.config import Config
from server.supervise import health
from server.workbench import Workbench, workbench
from sql.db import owner_transaction
from sql.queries import query

LEAST_PGVECTOR = (0, 8, 4)  # X10: older ones lose rows under a filter or miss a fix


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str


Look = Callable[[Workbench], Awaitable[Check]]


async def doctor(config: Config, *, as_json: bool) -> int:
    """Run every check; exit code 1 when one fails. A server that is not running is not a failure."""
    checks: list[Check] = []
    found: int | None = None
    try:
        async with workbench(config) as bench:
            checks.append(Check("database", True, "reachable and migrated"))
            for name, look in CHECKS.items():
                checks.append(await _checked(name, look, bench))
            found = await _count_orphans(bench, checks)
    except EXPECTED as error:
        checks.append(Check("database", False, complaint(error)))
    checks += [_pages(), await asyncio.to_thread(_server, config)]
    ok = all(check.ok for check in checks)
    if as_json:
        print(to_json({"ok": ok, "checks": [asdict(c) for c in checks], "orphans": found}).decode())
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:12} {check.detail}")
    return 0 if ok else 1


async def _checked(name: str, look: Look, bench: Workbench) -> Check:
    """A check that cannot be made has failed, and the others go on."""
    try:
        return await look(bench)
    except EXPECTED as error:
        return Check(name, False, complaint(error))


async def _count_orphans(bench: Workbench, checks: list[Check]) -> int | None:
    counts: dict[str, int] = {}

    async def look(bench: Workbench) -> Check:
        async with owner_transaction(bench.urls.owner) as connection:
            counts.update(await orphans(connection, bench.runtime.blobs))
        left = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return Check("orphans", not left, left or "none")

    checks.append(await _checked("orphans", look, bench))
    return sum(counts.values()) if counts else None


async def _isolation(bench: Workbench) -> Check:
    """The catalog shows no gap, and a transaction of nobody's sees nothing (X3)."""
    async with owner_transaction(bench.urls.owner) as connection:
        gaps = [row["gap"] for row in await connection.fetch(query("isolation_gaps"))]
    async with bench.runtime.database.transaction() as connection:
        seen = await connection.fetchval(query("rows_without_identity"))
    if seen:
        gaps.append(f"{seen} rows visible without an identity")
    return Check("isolation", not gaps, "; ".join(gaps) or "row-level security forced on every table")


async def _pgvector(bench: Workbench) -> Check:
    async with bench.runtime.database.transaction() as connection:
        version = await connection.fetchval(query("vector_version"))
    numbers = tuple(int(part) for part in version.split("."))
    newer = numbers >= LEAST_PGVECTOR
    return Check("pgvector", newer, version if newer else f"{version}: update to 0.8.4 or newer")


async def _model(bench: Workbench) -> Check:
    vector = await bench.runtime.models.embedder.embed_query("a quick test")
    return Check("embedding", True, f"{bench.runtime.models.embedder.key.model}, {len(vector)} dimensions")


async def _parser(_bench: Workbench) -> Check:
    installed = find_spec("docling") is not None
    return Check(
        "parser", installed, "docling is installed" if installed else "docling is missing: run `make run`"
    )


def _pages() -> Check:
    built = (Path(__file__).parent / "static" / "index.html").is_file()
    return Check("pages", built, "built" if built else "not built: run `make run`")


def _server(config: Config) -> Check:
    """What a running server had to do without since it started (J3)."""
    said = health(config.address)
    if said is None:
        return Check("server", True, "not running")
    degraded = ", ".join(f"{name} {count} times" for name, count in said.get("degraded", {}).items())
    return Check("server", True, f"running; did without: {degraded}" if degraded else "running")


CHECKS: dict[str, Look] = {
    "isolation": _isolation, "pgvector": _pgvector, "embedding": _model, "parser": _parser,
}  # fmt: skip
