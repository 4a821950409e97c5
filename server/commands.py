"""Commands that act on the library: migrate, ingest, ask, user add and key rotate."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic_core import to_json

import ingestion.documents as library
from ingestion.errors import IngestionError, LibraryError
from ingestion.folders import ensure_folder
from ingestion.intake import accept
from ingestion.parse.filetype import ACCEPTED
from server.bootstrap import prepare
from server.chat.ask import ask as open_run
from server.chat.means import means_of
from server.chat.run import produce
from server.config import Config
from server.identity import members
from server.processes import ingesting
from server.stream.sse import one_by_one
from server.workbench import Workbench, database_urls, workbench
from sql.queries import query

FINAL = ("completed", "partial", "failed", "cancelled", "needs_ocr")
READ_BYTES = 1024 * 1024


def say(value: Any) -> None:
    """One JSON value on a line of standard output."""
    print(to_json(value).decode(), flush=True)


async def migrate(config: Config) -> int:
    async with database_urls(config) as urls:
        await prepare(config, urls.owner)
    print("The database is up to date.")
    return 0


async def add_user(config: Config, address: str, *, role: str, email: str | None) -> int:
    """Print a one-time link: to come in, or for a member to set a new password."""
    async with workbench(config, email=email) as bench:
        acting = bench.member
        async with bench.runtime.database.as_user(acting.identity) as connection:
            known = await members.find(connection, acting.workspace_id, address)
            if known:
                made = await members.reset_link(connection, acting, known)
            else:
                made = await members.invite_member(connection, acting, email=address, role=role)
    if known:
        print(f"{made.email} is a member already; this link sets a new password.", file=sys.stderr)
    print(made.link(config.base_url))
    return 0


async def rotate_keys(config: Config) -> int:
    """Put every stored provider key under the newest of SETTINGS_ENCRYPTION_KEY."""
    async with workbench(config) as bench:
        done, lost = await bench.runtime.store.reseal(bench.member.identity)
    print(f"{done} stored keys are under the newest encryption key.")
    for name in lost:
        print(f"{name} was sealed with a key that is lost: enter it again.", file=sys.stderr)
    return 1 if lost else 0


async def ask(config: Config, question: str, *, email: str | None, as_json: bool) -> int:
    """Ask in a new thread; events as they come with --json, else the answer and its sources."""
    async with workbench(config, email=email) as bench:
        return await _ask(bench, question, as_json=as_json)


async def _ask(bench: Workbench, question: str, *, as_json: bool) -> int:
    identity, runtime = bench.member.identity, bench.runtime
    async with runtime.database.as_user(identity) as connection:
        thread = await connection.fetchrow(
            query("create_thread"), identity.workspace_id, identity.user_id, ""
        )
    asked = await open_run(runtime.database, identity, thread["id"], question)
    means = means_of(runtime, identity)
    run = runtime.runs.start(asked.run_id, identity, lambda run: produce(run, asked, means))
    failed = False
    sources: list[dict[str, Any]] = []
    async for frame in one_by_one(runtime.runs.follow(identity, run.id)):
        data = json.loads(frame.data)
        failed = failed or frame.event == "error"
        if as_json:
            say({"event": frame.event, "id": frame.seq, "data": data})
        elif frame.event == "text":
            print(data["delta"], end="", flush=True)
        elif frame.event == "sources":
            sources = data["items"]
        elif frame.event == "error":
            print(data["message"], file=sys.stderr)
    if not as_json:
        _print_sources(sources)
    await runtime.runs.close()
    return 1 if failed else 0


def _print_sources(sources: list[dict[str, Any]]) -> None:
    print()
    for source in sources:
        page = f", page {source['page_start']}" if source["page_start"] else ""
        print(f"[{source['n']}] {source.get('url') or source['name']}{page}")


async def ingest(
    config: Config, paths: Sequence[str], *, folder: str | None, wait: bool, email: str | None, as_json: bool
) -> int:
    """Take files in; with `wait`, also work on them until they are searchable."""
    files = _files(paths)
    if not files:
        print("No file of an accepted type was found.", file=sys.stderr)
        return 1
    async with workbench(config, email=email) as bench:
        folder_id = None
        if folder:
            folder_id = await ensure_folder(bench.runtime.database, bench.member.identity, name=folder)
        items = [await _accept(bench, path, folder_id, as_json=as_json) for path in files]
        if wait:
            await _finish(bench, items, as_json=as_json)
    if as_json:
        say(items)
    bad = sum(item["status"] in ("refused", "failed") for item in items)
    if not as_json:
        print(f"{len(items) - bad} of {len(items)} files taken in.", file=sys.stderr)
    return 1 if bad else 0


def _files(paths: Sequence[str]) -> list[Path]:
    """Files as named, and those of an accepted type below folders; hidden ones are left out."""
    found: list[Path] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            inside = (p for p in sorted(path.rglob("*")) if not _hidden(p.relative_to(path)))
            found += [p for p in inside if p.is_file() and p.suffix.lower() in ACCEPTED]
        else:
            found.append(path)
    return found


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


async def _accept(bench: Workbench, path: Path, folder_id: UUID | None, *, as_json: bool) -> dict[str, Any]:
    try:
        accepted = await accept(
            bench.runtime.database,
            bench.runtime.blobs,
            bench.member.identity,
            name=path.name,
            stream=_read(path),
            folder_id=folder_id,
            max_bytes=bench.runtime.max_upload_bytes,
        )
        item: dict[str, Any] = dict(accepted.json())
    except (IngestionError, LibraryError) as error:
        item = {"id": None, "name": path.name, "status": "refused", "error": error.message}
    except OSError as error:
        item = {"id": None, "name": path.name, "status": "refused", "error": error.strerror or str(error)}
    if not as_json and item["status"] == "refused":
        print(f"{path}: {item['error']}", file=sys.stderr)
    return item


async def _read(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    with file:
        while piece := await asyncio.to_thread(file.read, READ_BYTES):
            yield piece


async def _finish(bench: Workbench, items: list[dict[str, Any]], *, as_json: bool) -> None:
    """Work beside whatever worker there is, until every document is in a final state."""
    work = asyncio.create_task(ingesting(bench.runtime))
    try:
        waiting = [item for item in items if item["id"]]
        while waiting and not work.done():
            for item in waiting:
                document = await library.get_document(
                    bench.runtime.database, bench.member.identity, UUID(item["id"])
                )
                item["status"], item["chunks"] = document["status"], document["chunks"]
                if document["error"]:
                    item["error"] = document["error"]["message"]
            waiting = [item for item in waiting if item["status"] not in FINAL]
            if not as_json:
                _bar(len(items) - len(waiting), len(items))
            await asyncio.sleep(0.2)
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work
    if not as_json:
        print(file=sys.stderr)
        for item in items:
            if item["status"] not in ("completed", "refused"):
                print(f"{item['name']}: {item['status']}. {item.get('error', '')}", file=sys.stderr)


def _bar(done: int, total: int) -> None:
    if sys.stderr.isatty():
        width = 30 * done // total
        print(f"\r[{'=' * width}{' ' * (30 - width)}] {done}/{total}", end="", file=sys.stderr, flush=True)
