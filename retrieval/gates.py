"""The gates at the boundary of retrieval: what they kept out of one search, and the rules of redaction.

Visibility is row-level security's; use and trust are in searchable_documents, so no arm meets what they keep
out; redaction looks at the candidates' words, before any of them is ranked for an answer (D14 to D17).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from retrieval.candidates import Fused
from retrieval.errors import BadRule
from retrieval.passages import Filters, Gated
from sql.db import Connection
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


async def through_gates(
    connection: Connection, filters: Filters, fused: Sequence[Fused]
) -> tuple[list[Fused], Gated]:
    """The candidates that this audience may read, in order, and what was kept out, in passages."""
    row = await connection.fetchrow(
        named("at_the_gates"), filters.json(), [candidate.chunk_id for candidate in fused]
    )
    assert row is not None  # noqa: S101 the statement returns one row whatever there is
    held = {UUID(int=id_.int) for id_ in row["protected"]}
    admitted = [candidate for candidate in fused if candidate.chunk_id not in held]
    return admitted, Gated(use=row["use"], trust=row["trust"], redaction=len(held))


async def protected(connection: Connection, chunk_ids: Sequence[UUID]) -> set[UUID]:
    """Which of these passages the acting audience must not read (D17)."""
    row = await connection.fetchrow(named("at_the_gates"), {"document_ids": []}, list(chunk_ids))
    assert row is not None  # noqa: S101 the statement returns one row whatever there is
    return {UUID(int=id_.int) for id_ in row["protected"]}


def expression_of(kind: Kind, value: str) -> str:
    """The regular expression that a rule is matched with, over text with its accents folded. Raises BadRule.

    A name is found as whole words in this order, however they are joined: "Anna Müller" also in
    "anna-muller's". A pattern is taken as it is, in Postgres's dialect.
    """
    value = value.strip()
    if kind == "pattern":
        if _REFERS_BACK.search(value):
            raise BadRule("A pattern cannot refer back to a group of its own.")
        return value
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
