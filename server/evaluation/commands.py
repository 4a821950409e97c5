"""`ibid eval retrieval` and `ibid eval all`: evaluation sets through the real pipeline, as figures or as a page."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from providers.local import LocalEmbedder
from providers.tokens import TokenEncoder
from retrieval.rerank import ByTokens
from server.bootstrap import prepare
from server.config import Config
from server.evaluation.beir import BadSet
from server.evaluation.retrieval import Report, evaluate
from server.evaluation.table import page, table
from server.workbench import database_urls

KEPT_BYTES = 1 << 30  # an evaluation asks about the same passages again and again
SAMPLE = 1_000  # queries of a set: the largest has 13,090, and each costs 100 ms


async def one(config: Config, options: Namespace) -> int:
    """Score a BEIR-layout folder in a throw-away database beside the product's own."""
    key, _, value = (options.where or "").partition("=")
    where = {key: value} if key else None
    arms = options.arms.split(",")
    try:
        async with _pipeline(config) as models:
            report = await evaluate(
                Path(options.folder),
                **models,
                arms=arms,
                where=where,
                sample=options.sample,
                on_progress=partial(_show, quiet=options.json),
            )
    except (BadSet, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(report.json()) if options.json else f"\n{table(report)}")
    return 0


async def every(config: Config, options: Namespace) -> int:
    """Score every set in a folder, print a table each, and write them all into a page if one is named."""
    reports: list[Report] = []
    try:
        for folder in folders(Path(options.sets)):
            async with _pipeline(config) as models:  # the passages kept in memory are one set's
                reports.append(await evaluate(folder, **models, sample=SAMPLE, on_progress=_show))
            print(f"\n{table(reports[-1])}\n", flush=True)
    except (BadSet, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if options.write:
        write(Path(options.write), reports)
    return 0


def folders(parent: Path) -> list[Path]:
    """Every folder in this one, by name."""
    return sorted(path for path in parent.iterdir() if path.is_dir())


def write(path: Path, reports: Sequence[Report]) -> None:
    """Put the figures into the page. Raises NoPlace and OSError."""
    path.write_text(page(path.read_text(encoding="utf-8"), reports), encoding="utf-8")


@asynccontextmanager
async def _pipeline(config: Config) -> AsyncIterator[dict[str, Any]]:
    """What an evaluation works with: the database's logins and the built-in models."""
    cache = config.home / "models"
    embedder, tokens = LocalEmbedder(cache), TokenEncoder(cache, kept_bytes=KEPT_BYTES)
    try:
        async with database_urls(config) as urls:
            await prepare(config, urls.owner)  # makes the roles that the throw-away database is used with
            yield {
                "owner_url": urls.owner,
                "app_url": urls.direct,
                "embedder": embedder,
                "reranker": ByTokens(tokens),
            }
    finally:
        embedder.close()
        tokens.close()


def _show(stage: str, done: int, total: int, *, quiet: bool = False) -> None:
    if not quiet and sys.stderr.isatty():
        print(f"\r{stage} {done}/{total}   ", end="", file=sys.stderr, flush=True)
