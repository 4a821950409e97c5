"""The graph arm: two hops over names, weighted, bounded, gated, and only over what the caller sees (K1-K8)."""

import math
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from ingestion.documents import patch_document
from ingestion.extract import by_rules, linked, store_links
from providers.local import LocalEmbedder
from providers.spelling import key_of
from retrieval import graph
from retrieval.entities import decide, entity_id, undo
from retrieval.graph import WEAK, walk
from retrieval.passages import Filters
from retrieval.within import within
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Connection, Database, Identity
from sql.queries import query as named

Place = dict[str, UUID]


async def put(
    database: Database, embedder: LocalEmbedder, person: Identity, *texts: tuple[str, str]
) -> Place:
    """Documents by name, (title, text) each, ingested and linked."""
    entries = [
        Entry(f"zzyzx-{number}-{title or text}", title, text) for number, (title, text) in enumerate(texts)
    ]
    ids = await store(database, person, embedder, entries)
    by_entry = {entry.id: entry.title or entry.text for entry in entries}
    return {by_entry[name]: document_id for document_id, name in ids.items()}


async def reached(
    database: Database,
    person: Identity,
    query: str,
    *,
    seeds: Sequence[UUID] = (),
    filters: Filters | None = None,
) -> list[UUID]:
    async with database.as_user(person) as connection:
        found = await walk(connection, query, seeds, filters or Filters(), candidates=24, cap=3)
    return list(dict.fromkeys(candidate.document_id for candidate in found.candidates))


LOTHAIR = ("Lothair II", "Lothair II was the son of Lothair I and Ermengarde of Tours.")
ERMENGARDE = ("Ermengarde of Tours", "She died on 20 March 851.")
BOSO = ("Boso", "Boso was a count of nowhere in particular.")


async def test_two_hops_lead_to_what_the_question_does_not_name(  # K1 K2
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)
    found = await reached(database, owner, "When did Lothair II's mother die?")
    assert found == [documents["Lothair II"], documents["Ermengarde of Tours"]]
    assert (
        await reached(database, owner, "when did lothair ii's mother die?") == found
    )  # a title, written small


async def test_a_name_within_a_longer_one_leads_nowhere(  # K2
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    song = ("Never Fix Zzyzx", "Never Fix Zzyzx is a song by Boso Lark.")
    singer = ("Boso Lark", "He was born by the sea.")
    film = ("Fix", "Fix is a film about a road.")
    documents = await put(database, embedder, owner, song, singer, film)
    found = await reached(database, owner, "Where was the singer of Never Fix Zzyzx born?")
    assert found == [documents["Never Fix Zzyzx"], documents["Boso Lark"]]
    assert documents["Fix"] in await reached(database, owner, "Is Never Fix Zzyzx in the film Fix?")


async def test_a_strong_first_hop_beats_a_weak_second(  # K7
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(
        database,
        embedder,
        owner,
        ("Quorn Valley", "Quorn Valley lies beside Ulm."),
        ("", "A letter from Ulm mentions Vex, Tarn, Obel, Wick, Marl and Dray."),
        ("", "In the Quorn Valley live goats."),
    )
    found = await reached(database, owner, "goats of Quorn Valley")
    assert found[0] == documents["Quorn Valley"]
    assert found.index(documents["In the Quorn Valley live goats."]) < found.index(
        documents["A letter from Ulm mentions Vex, Tarn, Obel, Wick, Marl and Dray."]
    )


async def test_seed_passages_lead_on_and_are_not_counted_themselves(
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)
    async with database.as_user(owner) as connection:
        seeds = [await chunk_of(connection, documents[name]) for name in ("Lothair II", "Boso")]
        found = await walk(connection, "Boso", seeds, Filters(), candidates=24, cap=3)
    assert documents["Ermengarde of Tours"] in [candidate.document_id for candidate in found.candidates]


async def chunk_of(connection: Connection, document_id: UUID) -> UUID:
    found: UUID = await connection.fetchval("SELECT id FROM chunks WHERE document_id = $1", document_id)
    return found


async def test_a_name_that_occurs_everywhere_leads_nowhere(  # K2
    database: Database, embedder: LocalEmbedder, owner: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "FAN_OUT", 3)
    monkeypatch.setattr(graph, "LATER_FAN_OUT", 3)
    texts = [("", f"Umbra was seen by Witness{number} there.") for number in range(5)]
    documents = await put(database, embedder, owner, *texts)
    assert await reached(database, owner, "Umbra") == []
    assert await reached(database, owner, "Witness3") == [documents["Umbra was seen by Witness3 there."]]


async def test_aliases_merges_and_their_undoing_change_the_walk(  # K4
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(
        database,
        embedder,
        owner,
        ("", "Advanced Info Service (AIS) runs a network."),
        ("", "We pay AIS every month."),
        ("", "Yarrow Telecom is cheaper."),
    )
    explained, short, other = documents.values()
    assert set(await reached(database, owner, "Who pays Advanced Info Service plc?")) == {explained, short}
    async with database.as_user(owner) as connection:
        made = await decide(
            connection,
            "merge",
            entity_id(key_of("Yarrow Telecom")),
            entity_id(key_of("Advanced Info Service")),
        )
    assert other in await reached(database, owner, "Who pays Advanced Info Service plc?")
    async with database.as_user(owner) as connection:
        await undo(connection, UUID(made["id"]))
    assert other not in await reached(database, owner, "Who pays Advanced Info Service plc?")


async def test_two_meanings_of_an_abbreviation_are_not_joined(  # K4
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(
        database,
        embedder,
        owner,
        ("", "Advanced Info Service (AIS) runs a network."),
        ("", "Ships carry an Automatic Identification System (AIS) at sea."),
    )
    network, ships = documents.values()
    assert await reached(database, owner, "Advanced Info Service") == [network]
    assert set(await reached(database, owner, "AIS")) == {network, ships}


async def test_a_kind_of_a_thing_leads_to_the_thing(  # K6
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(
        database,
        embedder,
        owner,
        ("Diabetes", "A disease of sugar."),
        ("", "In Ulm, type 2 diabetes was treated with Zyxoformin."),
    )
    assert set(await reached(database, owner, "Zyxoformin")) == set(documents.values())
    async with database.as_user(owner) as connection:
        keys = {row["name"] for row in await connection.fetch("SELECT DISTINCT name FROM mentions")}
    assert {"diabetes", "type 2 diabetes"} <= keys


SECRET = ("", "Ermengarde of Tours met Zanzibar Quokka, who knows Boso.")


async def test_anothers_private_document_adds_nothing(  # K1 A6
    database: Database, embedder: LocalEmbedder, owner: Identity, other: Identity
) -> None:
    """Neither its passages, nor its names, nor a way between passages that the caller does see."""
    documents = await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)
    before = await reached(database, owner, "Who met Ermengarde of Tours?")
    [hidden] = (await put(database, embedder, other, SECRET)).values()
    assert await reached(database, owner, "Who met Ermengarde of Tours?") == before
    assert documents["Boso"] not in before
    assert await reached(database, owner, "Zanzibar Quokka") == []
    assert await reached(database, other, "Zanzibar Quokka") == [hidden]


async def test_a_document_that_is_shown_to_all_leads_all_at_once(  # D18 K1
    database: Database, embedder: LocalEmbedder, owner: Identity, other: Identity
) -> None:
    documents = await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)
    [hidden] = (await put(database, embedder, other, SECRET)).values()
    await patch_document(database, other, hidden, {"visibility": "workspace"})
    found = await reached(database, owner, "Who met Ermengarde of Tours?")
    assert {hidden, documents["Boso"]} <= set(found)
    await patch_document(database, other, hidden, {"visibility": "private"})
    assert hidden not in await reached(database, owner, "Who met Ermengarde of Tours?")


async def test_filters_hold_for_what_is_found(  # I13
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    documents = await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)
    only = Filters(document_ids=(documents["Ermengarde of Tours"],))
    found = await reached(database, owner, "When did Lothair II's mother die?", filters=only)
    assert found == [documents["Ermengarde of Tours"]]


async def test_the_gate_is_open_for_titles_and_ajar_for_other_names(
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    await put(database, embedder, owner, LOTHAIR, ERMENGARDE, BOSO)

    async def strength(query: str) -> float:
        async with database.as_user(owner) as connection:
            return (await walk(connection, query, [], Filters(), candidates=24, cap=3)).strength

    assert await strength("When did Lothair II's mother die?") == 1.0
    assert await strength("Who was Lothair I?") == pytest.approx(WEAK)
    assert await strength("what is the weather like?") == 0.0


NAMES = """
    INSERT INTO mentions (workspace_id, name, chunk_id, owner_id, visibility, kind, surface, weight)
    SELECT c.workspace_id, 'name ' || ((n * k * 7919 + k) % 1000), c.id, c.owner_id, 'private', 'name', 'N', 1
      FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM chunks) c, generate_series(1, 10) k
    ON CONFLICT DO NOTHING"""
CHUNKS = """
    INSERT INTO chunks (workspace_id, document_id, version, owner_id, visibility, ordinal, content_hash, text,
                        block_start, block_end, char_start, char_end, tsv)
    SELECT $1, $3, 1, $2, 'private', n, sha256(convert_to('c' || n, 'UTF8')), 'zzyzx', 0, 0, 0, 0, ''
      FROM generate_series(1, $4::integer) n"""


async def fill(url: str, person: Identity, document_id: UUID, chunks: int) -> None:
    """Passages with ten names each, one in ten of a thousand."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(CHUNKS, person.workspace_id, person.user_id, document_id, chunks)
        await connection.execute(NAMES)
        await connection.execute("SET session_replication_role = DEFAULT")
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


async def test_no_hop_reads_a_table_from_end_to_end(  # K2
    database: Database, embedder: LocalEmbedder, owner: Identity, urls: Any
) -> None:
    documents = await put(database, embedder, owner, ("Name 7", "Name 8 and Name 9 met."))
    await fill(urls.owner, owner, documents["Name 7"], 4_000)
    async with database.as_user(owner, keep_plans=True) as connection:
        names, masses = ["name 7", "name 8"], [0.5, 0.2]
        bounds = (
            graph.FAN_OUT,
            graph.FRONTIER,
            graph.KEPT_NAMES,
            graph.DECAY,
            200,
            24,
            3,
            graph.LATER_FAN_OUT,
        )
        plans = [
            await within(
                connection, f"EXPLAIN {named('graph_walk')}", Filters(), names, masses, [], [], *bounds
            ),
            await connection.fetch(f"EXPLAIN {named('known_names')}", names, graph.FAN_OUT),
        ]
        found = await walk(connection, "Name 7 and Name 8", [], Filters(), candidates=24, cap=24)
    for plan in plans:
        text = "\n".join(row[0] for row in plan)
        assert not [table for table in ("mentions", "chunks") if f"Seq Scan on {table}" in text], text
    assert found.candidates
    assert all(math.isfinite(candidate.priority) for candidate in found.candidates)


async def test_linking_again_changes_nothing(  # E21
    database: Database, embedder: LocalEmbedder, owner: Identity
) -> None:
    [document_id] = (await put(database, embedder, owner, LOTHAIR)).values()

    async def all_rows(connection: Connection) -> set[tuple[Any, ...]]:
        rows: Iterable[Any] = await connection.fetch("SELECT name, chunk_id, sense, weight FROM mentions")
        return {tuple(row) for row in rows}

    async with database.as_user(owner) as connection:
        before = await all_rows(connection)
        rows = await connection.fetch(named("passages_to_link"), document_id, 1)
        await store_links(
            connection, document_id, linked(rows, await by_rules([row["text"] for row in rows]))
        )
        assert await all_rows(connection) == before
