"""The graph arm: passages reached from the query's names, and from the best passages found so far, in two hops."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from providers.entities import Asked, asked_names
from providers.spelling import folded_text
from retrieval.candidates import Candidate, candidate
from retrieval.passages import Filters
from retrieval.within import within
from sql.db import Connection
from sql.queries import query as named

FAN_OUT = 80  # passages of a name of the query; one that occurs in more says little about any of them
# recall@5 of the walk on 2wikimultihopqa is .906 with 60 passages, 250 names and a later fan-out of 80, .906 with
# 30 passages, .906 with 100 names, .911 with a later fan-out of 40; at 100,000 passages these take a third.
FRONTIER = 40  # passages after the first hop
KEPT_NAMES = 100  # names that the second hop goes through
LATER_FAN_OUT = 40
# Of the mass; the seeds have the rest. recall@5 before the second look with .5, .6, .7, .8: musique .672, .674, .676,
# .666, 400 queries of 2wikimultihopqa .925, .927, .928, .929.
QUERY_SHARE = 0.7
SEEDS = (2 / 3, 1 / 3)  # the first two fused passages by rank
DECAY = 1.0
# By fused weight 1, 2, 3 (k = 10) on queries of one kind or the other, nDCG@10:
#                    without  1     2     3
#   named titles     2wiki .745 .835 .897 .911   musique .569 .685 .721 .731   identifiers .979 .984 .989 .995
#   other names      scifact .707 .706 .679 .660   xquad-en .984 .984 .962 .931
STRONG = 1.0
# Of a weight of 6 (retrieval/fusion.py), with 0, .10, .15, .20, .33: scifact .717 .725 .724 .722 .713, musique recall@5
# .670 .675 .676 .678 .678, xquad-en .973 .974 .972 .968 .961.
WEAK = 0.15
FEW = 2  # passages about a name: xquad-en has five under each title, where a walk finds nothing that words do not
# What a name counts that heads more, with 1, .7, .5, .25: musique recall@5 .673, .673, .676, .676; elsewhere the same.
HEADS_MANY = 0.5
REACH = 6  # times the candidates that are looked up in their documents


@dataclass(frozen=True, slots=True)
class Known:
    """A name of the query: how many passages mention it, how many are about it, what the query's words give it."""

    name: str
    passages: int
    about: int
    asked: float

    @property
    def mass(self) -> float:
        """What it has to give: rare names more, those that head many passages less."""
        return self.asked * math.log(1 + 10_000 / self.passages) * (HEADS_MANY if self.about > FEW else 1)


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found, best first, and how far its order deserves to be followed (0 to 1)."""

    candidates: list[Candidate]
    strength: float


async def walk(
    connection: Connection,
    query: str,
    seeds: Sequence[UUID],
    filters: Filters,
    *,
    candidates: int,
    cap: int,
    asked: Sequence[Asked] | None = None,
) -> Walk:
    """Passages linked to what the query names; none when it names nothing that the graph knows.

    Args:
        connection: one that keeps its plans: the walk's does not depend on its values and takes longer than the walk.
        seeds: the first fused passages, best first; two are used.
        cap: passages of one document that are found beyond the best `candidates`.
        asked: the query's names where they are known already (H4).
    """
    names = await known(connection, query, asked_names(query) if asked is None else asked)
    if not names:
        return Walk([], 0.0)
    masses, starts = await _masses(connection, names), _starts(seeds)
    rows = await within(
        connection,
        named("graph_walk"),
        filters,
        list(masses),
        list(masses.values()),
        list(starts),
        list(starts.values()),
        FAN_OUT,
        FRONTIER,
        KEPT_NAMES,
        DECAY,
        REACH * candidates,
        candidates,
        cap,
        LATER_FAN_OUT,
    )
    return Walk([candidate(row) for row in rows], strength(names))


def _starts(seeds: Sequence[UUID]) -> dict[UUID, float]:
    """Where the walk starts beside the query's names, and with what mass."""
    starts = dict(zip(seeds, SEEDS, strict=False))
    share = (1 - QUERY_SHARE) / (sum(starts.values()) or 1.0)
    return {seed: mass * share * 2 for seed, mass in starts.items()}


def strength(names: Sequence[Known]) -> float:
    """The gate: a query is for the graph when it names what one or two passages are about.

    A name that is only mentioned, or that heads many passages, is one that words find as well.
    """
    return STRONG if any(0 < one.about <= FEW for one in names) else WEAK


async def known(connection: Connection, query: str, names: Sequence[Asked]) -> list[Known]:
    """The query's names that the caller's passages mention and that are selective, longest first."""
    asked = {one.key: one for one in names}
    if not asked:
        return []
    rows = await connection.fetch(named("known_names"), list(asked), FAN_OUT)
    found = [
        Known(row["name"], row["passages"], row["about"], asked[row["name"]].weight)
        for row in rows
        if row["passages"] <= FAN_OUT and (asked[row["name"]].sure or row["about"])  # small words name titles
    ]
    return without_parts(sorted(found, key=lambda one: (-len(one.name), one.name)), query)


def without_parts(names: Sequence[Known], query: str) -> list[Known]:
    """Without those that occur only within a longer one: `Fix (film)` is not what "Can't Fix My Love" means.

    Args:
        names: longest first.
    """
    left = f" {folded_text(query)} "
    kept: list[Known] = []
    for one in names:
        within, itself = any(f" {one.name} " in f" {longer.name} " for longer in kept), f" {one.name} "
        if not within or itself in left:
            kept.append(one)
            left = left.replace(itself, " | ")
    return kept


async def _masses(connection: Connection, names: Sequence[Known]) -> Mapping[str, float]:
    """How the query's share is spread over its names and their other names, rare ones first."""
    masses = {one.name: one.mass for one in names}
    for row in await connection.fetch(named("names_alike"), list(masses)):
        masses[row["other"]] = max(masses.get(row["other"], 0.0), masses[row["name"]])
    total = sum(masses.values())
    return {name: QUERY_SHARE * mass / total for name, mass in masses.items()}
