"""The gates at the boundary of retrieval: what they kept out of one search, and the rules of redaction.

Visibility is row-level security's; use and trust are in searchable_documents, so no arm meets what they keep
out; redaction looks at the candidates' words, before any of them is ranked for an answer (D14 to D17).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Literal
from uuid import UUID

from retrieval.candidates import Fused
from retrieval.errors import BadRule
from retrieval.passages import Filters, Gated
from sql.db import Connection, Row
from sql.queries import query as named

Kind = Literal["name", "pattern"]

# Scripts that write no spaces have no word boundaries either.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_BETWEEN = r"[\s,.\-–]+"
_MARKS = re.compile(r"([^\w\s])")
# Back-references would count the groups of all rules together, and have no bound on their time.
_REFERS_BACK = re.compile(r"\\[1-9]")
# Of an expression as a whole, in Postgres; amid others they are an error in every search.
_OPTIONS = re.compile(r"\*\*\*|\(\?[a-zA-Z]+\)")


async def through_gates(
    connection: Connection, filters: Filters, fused: Sequence[Fused], wanted: Collection[UUID]
) -> tuple[list[Fused], Gated, list[Row]]:
    """The candidates that this audience may read, in order, what was kept out, in passages, and the wanted passages.

    One round trip: a passage that has gone or is protected is not among the wanted.
    """
    rows = await connection.fetch(
        named("past_the_gates"), filters.json(), [candidate.chunk_id for candidate in fused], list(wanted)
    )
    first = rows[0]  # there is one whatever there is
    held = set(first["protected"])
    admitted = [candidate for candidate in fused if candidate.chunk_id not in held] if held else list(fused)
    gated = Gated(use=first["use"], trust=first["trust"], redaction=len(held))
    return admitted, gated, [row for row in rows if row["id"] is not None]


async def protected(connection: Connection, chunk_ids: Sequence[UUID]) -> set[UUID]:
    """Which of these passages the acting audience must not read (D17)."""
    row = await connection.fetchrow(named("at_the_gates"), {"document_ids": []}, list(chunk_ids))
    assert row is not None  # noqa: S101 the statement returns one row whatever there is
    return {UUID(int=id_.int) for id_ in row["protected"]}


def expression_of(kind: Kind, value: str) -> str:
    """The regular expression that a rule is matched with, over text with its accents folded. Raises BadRule.

    A name is found as whole words in this order, however they are joined: "Anna Müller" also in
    "anna-muller's". A pattern is in Postgres's dialect, and its accents are folded as those of the text are.
    """
    value = value.strip()
    if kind == "pattern":
        if _REFERS_BACK.search(value):
            raise BadRule("A pattern cannot refer back to a group of its own.")
        if _OPTIONS.match(value):
            raise BadRule("A pattern has no options such as (?i). Capital and small letters are the same.")
        return _fold(value)
    words = _fold(value).replace(",", " ").split()
    if not any(character.isalnum() for character in value):
        raise BadRule("A name needs letters.")
    joined = _BETWEEN.join(_MARKS.sub(r"\\\1", word) for word in words)
    if _SPACELESS.search(value):
        return joined
    first = r"\m" if words[0][0].isalnum() else ""
    last = r"\M" if words[-1][-1].isalnum() else ""
    return f"{first}{joined}{last}"


def _fold(value: str) -> str:
    """As fold_accents in SQL does it, for what can stand in a name."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", value) if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", plain).translate(str.maketrans("øØłŁđĐı’", "oOlLdDi'"))
