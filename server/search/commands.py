"""`ibid search` and `ibid eval golden`."""

import sys
from argparse import Namespace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic_core import to_json

from ingestion.kinds import KINDS
from ingestion.parse.filetype import BY_EXTENSION
from retrieval.passages import Filters, SearchRequest, SearchResult
from server.config import Config
from server.evaluation.golden import Report, list_golden, run_golden
from server.search.shapes import as_json
from server.workbench import Workbench, workbench
from sql.queries import query

ZONES = "/zoneinfo/"


class BadFilter(Exception):
    """This filter cannot be used."""


async def search(config: Config, options: Namespace) -> int:
    """Passages for a query, on standard output."""
    async with workbench(config, email=options.email) as bench:
        try:
            filters = await _filters(bench, options)
        except BadFilter as error:
            print(error, file=sys.stderr)
            return 2
        request = SearchRequest(options.query, k=options.k, filters=filters, explain=options.explain)
        result = await bench.runtime.searcher.search(bench.member.identity, request)
    if options.json:
        print(to_json(as_json(result)).decode(), flush=True)
    else:
        _print(result)
    return 0


async def golden(config: Config, *, email: str | None, json: bool) -> int:
    """Ask the workspace's golden questions and score what is found."""

    def show(done: int, total: int) -> None:
        if not json and sys.stderr.isatty():
            print(f"\r{done}/{total}", end="", file=sys.stderr, flush=True)

    async with workbench(config, email=email) as bench:
        identity = bench.member.identity
        questions = await list_golden(bench.runtime.database, identity)
        searching = partial(bench.runtime.searcher.search, identity)
        report = await run_golden(questions, searching, on_progress=show)
    if json:
        print(to_json(report.json()).decode(), flush=True)
    else:
        _print_report(report)
    return 0


async def _filters(bench: Workbench, options: Namespace) -> Filters:
    """What the options ask for. Raises BadFilter."""
    media_types, types = _types(options.type or [])
    since, until = _day(options.since), _day(options.until)
    return Filters(
        folder_id=await _folder(bench, options.folder) if options.folder else None,
        document_ids=await _documents(bench, options.document) if options.document else None,
        media_types=media_types or None,
        types=types or None,
        languages=tuple(options.language or ()) or None,
        topics=tuple(topic.lower() for topic in options.topic or ()) or None,
        since=since,
        until=until,
        time_zone=time_zone() if since or until else "UTC",
    )


def _types(names: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Media types and kinds of documents: `pdf` is the one, `invoice` the other."""
    media_types, kinds = [], []
    for name in names:
        if kind := BY_EXTENSION.get("." + name.lower().removeprefix(".")):
            media_types.append(kind.media_type)
        elif name.lower() in KINDS:
            kinds.append(name.lower())
        else:
            raise BadFilter(
                f"There is no type {name}. Name the ending of a file, such as pdf, or one of: {', '.join(KINDS)}."
            )
    return tuple(media_types), tuple(kinds)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadFilter(f"{text} is not a day. Write it as 2026-03-31.") from None


async def _folder(bench: Workbench, name: str) -> UUID:
    async with bench.runtime.database.as_user(bench.member.identity) as connection:
        found = await connection.fetchval(query("find_folder"), None, name)
    if found is None:
        raise BadFilter(f"There is no folder {name}.")
    return UUID(int=found.int)


async def _documents(bench: Workbench, names: list[str]) -> tuple[UUID, ...]:
    async with bench.runtime.database.as_user(bench.member.identity) as connection:
        rows = await connection.fetch(query("documents_named"), names)
    missing = set(names) - {row["name"] for row in rows}
    if missing:
        raise BadFilter(f"There is no document {', '.join(sorted(missing))}.")
    return tuple(UUID(int=row["id"].int) for row in rows)


def time_zone() -> str:
    """The name of this machine's time zone, else its distance from UTC in the form of POSIX."""
    here = datetime.now().astimezone()
    link = str(Path("/etc/localtime").resolve())
    name = link.partition(ZONES)[2]
    if name and here.utcoffset() == datetime.now(ZoneInfo(name)).utcoffset():
        return name
    offset = here.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset else 0
    sign = "-" if minutes >= 0 else "+"  # POSIX counts westward
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _print(result: SearchResult) -> None:
    if result.relaxed:
        print(
            f"Nothing was found inside every filter: {', '.join(result.relaxed)} left out.", file=sys.stderr
        )
    for number, passage in enumerate(result.passages, 1):
        page = f", page {passage.page_start}" if passage.page_start else ""
        print(f"[{number}] {passage.name}{page}  ({passage.score:.4f})")
        print("    " + " ".join(passage.text.split())[:300])
    print(f"{result.grounding}: {', '.join(result.reasons) or 'evidence found'}")
    kept_out = {"style": result.gated.use, "trust": result.gated.trust, "redaction": result.gated.redaction}
    if told := [f"{name} {count}" for name, count in kept_out.items() if count]:
        print(f"kept out: {', '.join(told)}")
    for item in result.trace:
        ranks = " ".join(
            f"{arm} {rank + 1}" for arm in ("dense", "keyword", "graph", "exact")
            if (rank := getattr(item.ranks, arm)) is not None
        )  # fmt: skip
        print(f"    {item.fate:12} {item.score:.4f} {ranks:32} {item.chunk_id}")


def _print_report(report: Report) -> None:
    told = report.json()
    for outcome in report.outcomes:
        rank = f"rank {outcome.rank}" if outcome.rank else "not found"
        print(f"{rank:10} {outcome.golden.question}")
    if not report.outcomes:
        print("There are no golden questions yet.")
        return
    for name, value in told["metrics"].items():
        low, high = told["ci95"][name]
        print(f"{name:10} {value:.3f}  ({low:.3f} to {high:.3f})")
