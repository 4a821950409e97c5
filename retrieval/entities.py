"""Entities as people review them: a name with its other names, its support, its neighbours, and decisions on it.

An entity is a name under a sense. Its id is made of both, so it needs no row of its own and tells nobody more
than the passages they see; names that stand for one another are shown as one, under the longest.
"""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from providers.spelling import key_of
from retrieval.errors import BadEntity, EntityNotFound
from sql.db import Connection, Row, UniqueViolation
from sql.queries import query as named

MOST_ENTITIES = 50
MOST_PASSAGES = 50
MOST_NEIGHBOURS = 50
MOST_MERGES = 200
ALIASES = 20
LAST = "\U0010ffff"  # comes after every name that begins with a prefix
SEPARATOR = "\x1f"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entity:
    """A group of names that are one, under the name it is shown by."""

    name: str
    sense: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def id(self) -> str:
        return entity_id(self.name, self.sense)

    @property
    def best(self) -> Row:
        """The spelling and the kind that most passages give the name."""
        return max(self.rows, key=lambda row: (row["name"] == self.name, row["passages"]))

    @property
    def kind(self) -> str:
        return str(self.best["kind"])

    def json(self) -> Json:
        best = self.best
        spellings = {surface for row in self.rows for surface in row["surfaces"]}
        return {
            "id": self.id,
            "name": best["surface"],
            "kind": best["kind"],
            "sense": self.sense,
            "aliases": sorted(spellings - {best["surface"]})[:ALIASES],
            "support": sum(row["passages"] for row in self.rows),
            "documents": max(row["documents"] for row in self.rows),
        }


def entity_id(name: str, sense: str = "") -> str:
    """Name and sense as one word for addresses."""
    return base64.urlsafe_b64encode(f"{name}{SEPARATOR}{sense}".encode()).decode().rstrip("=")


def read_id(value: str) -> tuple[str, str]:
    """Raises EntityNotFound for what is no id."""
    try:
        text = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).decode()
    except (binascii.Error, ValueError):
        raise EntityNotFound from None
    name, separator, sense = text.partition(SEPARATOR)
    if not separator or "\0" in text:
        raise EntityNotFound
    return name, sense


async def find_entities(connection: Connection, q: str, *, limit: int = MOST_ENTITIES) -> list[Json]:
    """Entities with a name that begins with `q`, or those that most passages mention."""
    return [entity.json() for entity in await entity_groups(connection, q, limit=limit)]


async def entity_groups(connection: Connection, q: str = "", *, limit: int) -> list[Entity]:
    """As find_entities, with the names of each."""
    prefix = key_of(q.replace("\0", "")) or None
    rows = await _names(connection, prefix=prefix, most=4 * limit)
    alike = await _alike(connection, {row["name"] for row in rows}, steps=2)
    missing = alike.keys() - {row["name"] for row in rows}
    rows = [*rows, *(await _names(connection, names=sorted(missing)) if missing else [])]
    return _grouped(rows, _shown(alike, rows))[:limit]


async def get_entity(connection: Connection, id_: str) -> Json:
    """One entity with its neighbours and passages. Raises EntityNotFound."""
    entity = await _entity(connection, id_)
    found = await connection.fetch(named("name_passages"), list(entity.names), MOST_PASSAGES)
    passages = [row for row in found if not entity.sense or row["sense"] in ("", entity.sense)]
    chunk_ids = list(dict.fromkeys(row["id"] for row in passages))
    neighbours = await connection.fetch(
        named("name_neighbours"), list(entity.names), chunk_ids, MOST_NEIGHBOURS
    )
    return {
        **entity.json(),
        "names": [{"id": entity_id(name), "name": name} for name in entity.names],
        "neighbours": [
            {
                "id": entity_id(row["name"]),
                "name": row["spelling"] or row["name"],
                "kind": row["kind"],
                "outgoing": row["outgoing"],
                "support": row["support"],
            }
            for row in neighbours
        ],
        "passages": [_passage_json(row) for row in {row["id"]: row for row in reversed(passages)}.values()][
            ::-1
        ],
    }


async def list_merges(connection: Connection) -> list[Json]:
    """Decisions on names, newest first, also those undone."""
    return [_merge_json(row) for row in await connection.fetch(named("list_merges"), MOST_MERGES)]


async def decide(connection: Connection, kind: str, source: str, target: str) -> Json:
    """Say that two entities are one ("merge"), or that two names are not ("split"), by their ids.

    Raises EntityNotFound, BadEntity.
    """
    first, second = await _entity(connection, source), await _entity(connection, target)
    one, other = first.name, second.name
    if kind == "split":  # two names of one entity, perhaps
        one, other = read_id(source)[0], read_id(target)[0]
    if one == other:
        raise BadEntity("These are one already." if kind == "merge" else "These are one and the same name.")
    await connection.execute(named("undo_decisions"), one, other)
    try:
        id_ = await connection.fetchval(named("insert_merge"), kind, one, other)
    except UniqueViolation:  # at this moment, or as the administrator that one no longer is
        raise BadEntity("These two have been decided on already.") from None
    return {"id": str(id_), "kind": kind, "source": one, "target": other}


async def undo(connection: Connection, id_: UUID) -> Json:
    """Take a decision back. Raises EntityNotFound when there is none in force that the caller may undo."""
    row = await connection.fetchrow(named("undo_merge"), id_)
    if row is None:
        raise EntityNotFound("This decision does not exist, or has been undone.")
    return {"id": str(row["id"]), "kind": row["kind"], "source": row["source"], "target": row["target"]}


async def _entity(connection: Connection, id_: str) -> Entity:
    name, sense = read_id(id_)
    alike = await _alike(connection, [name], steps=2)
    rows = await _names(connection, names=sorted({name, *alike}))
    for entity in _grouped(rows, _shown(alike, rows)):
        if name in entity.names and (not sense or sense == entity.sense):
            return entity
    raise EntityNotFound


async def _names(
    connection: Connection,
    *,
    names: Sequence[str] | None = None,
    prefix: str | None = None,
    most: int = 500,
) -> list[Row]:
    upto = prefix + LAST if prefix else None
    return list(await connection.fetch(named("count_names"), names, prefix, upto, most))


async def _alike(connection: Connection, names: Iterable[str], *, steps: int) -> Mapping[str, set[str]]:
    """Other names by name; two steps also find those that the short form of a name leads to over the long one."""
    found: dict[str, set[str]] = defaultdict(set)
    known: set[str] = set()
    for _ in range(steps):
        asked = {*names, *found} - known
        known |= asked
        for row in await connection.fetch(named("names_alike"), sorted(asked)) if asked else ():
            found[row["name"]].add(row["other"])
            found[row["other"]].add(row["name"])
    return found


def _shown(alike: Mapping[str, set[str]], rows: Sequence[Row]) -> Mapping[str, set[str]]:
    """Without the other names that the gates keep from this audience, of which there are no rows (D17)."""
    seen = {row["name"] for row in rows}
    return {name: others & seen for name, others in alike.items() if name in seen}


def _grouped(rows: Sequence[Row], alike: Mapping[str, set[str]]) -> list[Entity]:
    """Rows by the entity they belong to, best supported first.

    A mention whose sense is one of its own other names (an abbreviation, a surname) belongs to that name; one
    without a sense belongs to the only sense there is, and stands alone where there are several.
    """
    senses: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["sense"] and not _stands_for(row, alike):
            senses[row["name"]].add(row["sense"])
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        name, sense = _home(row, alike)
        only = senses.get(name, set())
        groups[name, sense or (next(iter(only)) if len(only) == 1 else "")].append(row)
    found = [
        Entity(name, sense, tuple(dict.fromkeys([name, *(row["name"] for row in members)])), tuple(members))
        for (name, sense), members in groups.items()
    ]
    return sorted(found, key=lambda one: (-sum(row["passages"] for row in one.rows), one.name, one.sense))


def _stands_for(row: Row, alike: Mapping[str, set[str]]) -> bool:
    words = row["sense"].split()
    return row["sense"] in alike.get(row["name"], ()) or (len(words) > 1 and row["name"] in words)


def _home(row: Row, alike: Mapping[str, set[str]]) -> tuple[str, str]:
    if row["sense"] and _stands_for(row, alike):
        return row["sense"], ""
    names = {row["name"], *alike.get(row["name"], ())}
    return max(names, key=lambda name: (len(name), name)), row["sense"]


def _passage_json(row: Row) -> Json:
    return {
        "chunk_id": str(row["id"]),
        "document_id": str(row["document_id"]),
        "document": row["document_name"],
        "title": row["title"],
        "page_start": row["page_start"],
        "heading_path": list(row["heading_path"]),
        "text": row["text"],
    }


def _merge_json(row: Row) -> Json:
    return {
        "id": str(row["id"]),
        "kind": row["kind"],
        "source": row["source"],
        "target": row["target"],
        "for_all": row["for_all"],
        "made_by": row["made_by"],
        "made_at": row["made_at"],
        "undone_at": row["undone_at"],
    }
