"""Whole documents as a person may use them: found by name, strictly, and read from beginning to end."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from uuid import UUID

from retrieval.passages import Passage, passage
from server.chat.sentences import STOP, word_set
from sql.db import Database, Identity, Row
from sql.queries import query

MOST_PASSAGES = 30_000  # 25 MB of plain text at 1,000 characters a passage
CANDIDATES = 30
NEAR = 3
NAMES = 500  # of the newest documents, compared letter by letter for a near miss
PLAIN = word_set(
    """
    document documents file files pdf docx doc xlsx pptx txt md csv html copy original attachment upload uploaded whole
    entire full complete text my our this that it its them these those all latest newest current please two both
    here mine called named dokument datei dieses diese das der die le la les ce cet cette fichier el los este esta
    archivo documento und et y
    """
)
SPLIT = re.compile(r"[^\w]+|_", re.UNICODE)
PAIR = re.compile(r"\s+(?:and|with|to|against|versus|vs\.?|und|mit|et|avec|y|con)\s+", re.I)


@dataclass(frozen=True, slots=True)
class Document:
    """A document that may be evidence for this person."""

    id: UUID
    name: str
    title: str | None


@dataclass(frozen=True, slots=True)
class Match:
    """Documents of a name, or the names that come near it. `words`: the name had words of its own."""

    documents: tuple[Document, ...]
    near: tuple[str, ...]
    words: bool


async def named(database: Database, identity: Identity, phrase: str) -> Match:
    """The documents whose name or title holds every word of the phrase (L5); none is guessed (L6)."""
    wanted = significant(phrase)
    if not wanted:
        return Match((), (), words=False)
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("library_by_words"), sorted(wanted), CANDIDATES)
        names = await connection.fetch(query("library_names"), NAMES)
    whole = [row for row in rows if row["name"].casefold() in phrase.casefold()]
    fitting = whole or [row for row in rows if wanted <= _words_of(row)]
    close = get_close_matches(phrase.strip(), [row["name"] for row in names], NEAR, 0.6)
    near = [row["name"] for row in rows if wanted & _words_of(row)]
    return Match(
        tuple(_document(row) for row in fitting), tuple(dict.fromkeys([*near, *close]))[:NEAR], words=True
    )


async def pair(database: Database, identity: Identity, phrase: str) -> tuple[Document, ...]:
    """The two documents that a phrase names; empty when it names others."""
    parts = PAIR.split(phrase, maxsplit=1)
    if len(parts) == 2:
        sides = [await named(database, identity, part) for part in parts]
        if all(side.documents for side in sides):
            found = tuple(dict.fromkeys(side.documents[0] for side in sides))
            return found if len(found) == 2 else ()
    match = await named(database, identity, phrase)
    return match.documents if len(match.documents) == 2 else ()


async def by_ids(database: Database, identity: Identity, ids: Sequence[str]) -> tuple[Document, ...]:
    """These documents in their order, without those that this person may not draw on."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("library_by_ids"), list(dict.fromkeys(ids)))
    return tuple(_document(row) for row in rows)


async def only(database: Database, identity: Identity) -> tuple[Document, ...]:
    """The one document of somebody who has one; "the document" cannot mean another."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("library_list"), 2)
    return (_document(rows[0]),) if len(rows) == 1 else ()


async def passages(database: Database, identity: Identity, document_id: UUID) -> list[Passage]:
    """A whole document in its order; empty when it may not be evidence."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("document_passages"), document_id, MOST_PASSAGES)
    return [passage(row, evidence="sure") for row in rows]


def significant(phrase: str) -> set[str]:
    """The words of a phrase that can be part of a name."""
    return {word for word in _words(phrase) if word not in PLAIN | STOP and len(word) > 1}


def _words(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    return {word for word in SPLIT.split(plain) if word}


def _words_of(row: Row) -> set[str]:
    return _words(f"{row['name']} {row['title'] or ''}")


def _document(row: Row) -> Document:
    return Document(UUID(int=row["id"].int), row["name"], row["title"])
