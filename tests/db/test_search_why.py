"""Why a document was not used: every stage that can lose it, with what helps (O2)."""

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest_asyncio

from providers.local import LocalEmbedder
from retrieval.gates import expression_of
from retrieval.passages import Filters, SearchRequest
from retrieval.search import search
from retrieval.why import STAGES, Why, why
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity
from sql.queries import query
from tests.db.test_search_visibility import change

QUERY = "How long is the warranty of the Orlith winch?"
REQUEST = SearchRequest(QUERY, k=4)
# Of one handbook more passages than its share of places; of many letters each a bit further from the question.
HANDBOOK = "\n\n".join(
    f"Chapter {n}. The warranty of the Orlith winch lasts {n + 20} months. " + "Its cable is steel. " * 60
    for n in range(6)
)
LETTERS = [
    Entry(f"letter{n}", "", f"The warranty of the Orlith winch was asked about by customer {n}.")
    for n in range(20)
]
RECIPE = Entry("recipe", "", "Beat three eggs with sugar and fold in the flour.")


@pytest_asyncio.fixture
async def library(database: Database, owner: Identity, embedder: LocalEmbedder) -> dict[str, UUID]:
    entries = [Entry("handbook", "", HANDBOOK), *LETTERS, RECIPE]
    return {name: id_ for id_, name in (await store(database, owner, embedder, entries)).items()}


async def ask(
    database: Database,
    identity: Identity,
    embedder: LocalEmbedder,
    document: UUID,
    request: SearchRequest = REQUEST,
) -> Why:
    once = partial(_search, database, identity, embedder)
    return await why(database, identity, once, request, document)


async def _search(
    database: Database, identity: Identity, embedder: LocalEmbedder, request: SearchRequest
) -> Any:
    return await search(database, identity, embedder, request)


async def test_what_was_used_is_told_so(
    database: Database, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:
    first = (await search(database, owner, embedder, REQUEST)).passages[0]
    told = await ask(database, owner, embedder, first.document_id)
    assert (told.stage, told.reached) == ("used", STAGES)
    assert told.best is not None
    assert told.best.place == 0


async def test_what_may_not_be_seen_is_as_if_it_were_not_there(
    database: Database, people: Any, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:  # X2
    theirs = await ask(database, people.other, embedder, library["recipe"])
    nowhere = await ask(database, people.other, embedder, uuid4())
    assert theirs == nowhere
    assert (theirs.stage, theirs.reached) == ("not_visible", ())


async def test_what_was_not_read_says_what_to_do(
    database: Database, urls: Any, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:
    await change(
        urls,
        "UPDATE documents SET live_version = NULL, status = 'failed', error_message = 'It is locked.',"
        " error_hint = 'Take its password away.' WHERE id = $1",
        library["recipe"],
    )
    told = await ask(database, owner, embedder, library["recipe"])
    assert (told.stage, told.detail, told.remedy) == (
        "not_parsed",
        "It is locked.",
        "Take its password away.",
    )


async def test_every_gate_is_named(
    database: Database, urls: Any, people: Any, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:  # D14
    recipe = library["recipe"]
    await change(urls, "UPDATE documents SET visibility = 'workspace'")
    await change(urls, "UPDATE chunks SET visibility = 'workspace'")
    await change(urls, "UPDATE documents SET use = 'style' WHERE id = $1", recipe)
    assert (await ask(database, people.other, embedder, recipe)).stage == "gated"
    await change(urls, "UPDATE documents SET use = 'evidence', trust = -1 WHERE id = $1", recipe)
    told = await ask(database, people.other, embedder, recipe)
    assert (told.stage, "trust" in told.remedy) == ("gated", True)
    await change(urls, "UPDATE documents SET trust = 0 WHERE id = $1", recipe)
    async with database.as_user(people.owner) as connection:
        await connection.fetchrow(
            query("add_redaction_rule"), "member", "name", "eggs", expression_of("name", "eggs"), ""
        )
    told = await ask(database, people.other, embedder, recipe)
    assert (told.stage, told.reached) == ("gated", STAGES[:2])


async def test_a_filter_that_leaves_it_out_is_named(
    database: Database, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:  # I13
    request = replace(REQUEST, filters=Filters(languages=("fi",), media_types=("text/plain",)))
    told = await ask(database, owner, embedder, library["recipe"], request)
    assert (told.stage, "language" in told.remedy, "type" in told.remedy) == ("filtered_out", True, False)
    request = replace(REQUEST, filters=Filters(document_ids=(library["handbook"],)))
    told = await ask(database, owner, embedder, library["recipe"], request)
    assert (told.stage, "choice of documents" in told.remedy) == ("filtered_out", True)


async def test_what_has_nothing_of_the_question_is_below_the_floor(
    database: Database, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:  # D5
    told = await ask(database, owner, embedder, library["recipe"])
    assert told.stage == "below_floor"
    assert told.best is not None
    assert told.best.similarity is not None
    assert told.best.similarity < 0.35


async def test_what_came_too_late_is_told_how_many_would_do(
    database: Database, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:
    shown = {p.document_id for p in (await search(database, owner, embedder, REQUEST)).passages}
    late = next(id_ for name, id_ in library.items() if name.startswith("letter") and id_ not in shown)
    told = await ask(database, owner, embedder, late)
    assert told.stage in ("outranked", "below_candidates")
    assert told.remedy.startswith("Read ")
    k = int(told.remedy.split()[1])
    more = await search(database, owner, embedder, replace(REQUEST, k=k))
    assert late in {passage.document_id for passage in more.passages}


async def test_a_cap_is_told(
    database: Database, owner: Identity, embedder: LocalEmbedder, library: dict[str, UUID]
) -> None:  # I8: the cap loses passages, and a document only where it is the reason
    result = await search(database, owner, embedder, replace(REQUEST, k=4, explain=True))
    fates = {item.fate for item in result.trace if item.document_id == library["handbook"]}
    told = await ask(database, owner, embedder, library["handbook"])
    assert (told.stage == "used") is ("shown" in fates)
