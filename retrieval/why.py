"""Why a document was not used for a question: the stage that lost it, and the cheapest remedy (O2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from retrieval.passages import Considered, Filters, SearchRequest, SearchResult
from retrieval.relax import Search
from sql.db import Database, Identity, Row
from sql.queries import query as named

Stage = Literal[
    "not_visible", "not_parsed", "gated", "filtered_out", "below_candidates", "below_floor", "capped", "outranked",
    "reranked_out", "judged_out", "used",
]  # fmt: skip
STAGES: tuple[str, ...] = (
    "visible",
    "parsed",
    "admitted",
    "inside_filters",
    "candidate",
    "evidence",
    "ranked",
    "used",
)
# How many of them a document has passed that was lost at this stage.
PASSED: dict[Stage, int] = {
    "not_visible": 0, "not_parsed": 1, "gated": 2, "filtered_out": 3, "below_candidates": 4, "below_floor": 5,
    "capped": 6, "outranked": 6, "reranked_out": 6, "judged_out": 7, "used": 8,
}  # fmt: skip
# Tried in this order until one shows the document; more passages cost a model's attention.
MORE = (12, 16, 24, 32, 50)
# Of several passages of a document, the one that got furthest tells the stage.
FURTHEST = ("shown", "gone", "judged_out", "reranked_out", "over_cap", "beyond_k", "below_floor")
WAITING = ("pending", "processing")


@dataclass(frozen=True, slots=True)
class Why:
    """`best` is the document's best passage in the search, or the one that a search of it alone finds."""

    stage: Stage
    remedy: str
    detail: str = ""
    best: Considered | None = None

    @property
    def reached(self) -> tuple[str, ...]:
        """The stages that the document passed, in order."""
        return STAGES[: PASSED[self.stage]]


async def why(
    database: Database, identity: Identity, search: Search, request: SearchRequest, document_id: UUID
) -> Why:
    """Ask the question again and follow one document through every stage.

    Args:
        search: one search as this person, without relaxing of filters.
    """
    async with database.as_user(identity) as connection:
        row = await connection.fetchrow(named("why_document"), document_id, request.filters.json())
    before = _before_search(row, request.filters, document_id)
    if before:
        return before
    assert row is not None  # noqa: S101 told by _before_search
    request = replace(request, explain=True)
    result = await search(request)
    best = furthest(result, document_id)
    if best is None or best.fate == "below_floor":  # one arm's word for it may not be the whole story
        return await _not_found(search, request, document_id, row)
    if best.fate in ("shown", "gone"):
        return Why("used", "Nothing to do: its passage is among the results.", _where(best), best)
    if best.fate == "judged_out":
        remedy = "Ask more exactly, or with words that the document uses."
        return Why("judged_out", remedy, f"The judge found no answer in it. {_nearness(best)}", best)
    return await _lower(search, request, document_id, best)


def furthest(result: SearchResult, document_id: UUID) -> Considered | None:
    """The document's candidate that got furthest, the best-ranked of equals."""
    found = [item for item in result.trace if item.document_id == document_id]
    return min(found, key=lambda c: (FURTHEST.index(c.fate), c.fused or 0)) if found else None


def _before_search(row: Row | None, filters: Filters, document_id: UUID) -> Why | None:
    """What can be told without searching."""
    if row is None:
        return Why(
            "not_visible",
            "Ask its owner to share it with you, or add the file yourself.",
            "There is no such document, or you may not see it.",
        )
    if not row["indexed"] or not row["passages"]:
        return _unparsed(row)
    if row["use"] != "evidence":
        return Why(
            "gated",
            "Set its use to evidence, if answers may rest on it.",
            "It is kept for style only, and style is never evidence.",
        )
    if row["distrusted"]:
        return Why(
            "gated",
            "Let its owner raise its trust, or an administrator lower what is asked of sources.",
            f"Its trust is {row['trust']}, which is less than answers to you may draw on.",
        )
    if row["protected"] >= row["passages"]:
        return Why(
            "gated",
            "An administrator can change the rules of redaction.",
            "Each of its passages holds protected words.",
        )
    if not row["inside_filters"]:
        outside = ", ".join(_outside(row, filters, document_id)) or "folder"
        return Why("filtered_out", f"Search without this filter: {outside}.", f"It is outside of: {outside}.")
    return None


def _unparsed(row: Row) -> Why:
    if row["status"] in WAITING:
        return Why("not_parsed", "Wait until it is ready, then ask again.", "It is still being worked on.")
    if row["status"] == "needs_ocr":
        return Why(
            "not_parsed", "Add a version with text, or install text recognition.", "Its pages are pictures."
        )
    detail = row["error_message"] or "No text was found in it."
    return Why("not_parsed", row["error_hint"] or "Try again, or add it as another type of file.", detail)


def _outside(row: Row, filters: Filters, document_id: UUID) -> list[str]:
    checks = {
        "choice of documents": filters.document_ids is None or document_id in filters.document_ids,
        "type of file": filters.media_types is None or row["media_type"] in filters.media_types,
        "language": filters.languages is None or row["language"] in filters.languages,
        "kind of document": filters.types is None or row["doc_type"] in filters.types,
        "topic": filters.topics is None or bool(set(filters.topics) & set(row["topics"] or ())),
        "start date": filters.since is None or row["day"] >= filters.since,
        "end date": filters.until is None or row["day"] <= filters.until,
    }
    return [name for name, inside in checks.items() if not inside]


async def _not_found(search: Search, request: SearchRequest, document_id: UUID, row: Row) -> Why:
    """No arm brought a passage of it that is fit: what a search of it alone comes to says why."""
    alone = await search(replace(request, filters=Filters(document_ids=(document_id,))))
    best = furthest(alone, document_id)
    if best is None:
        detail = "None of its passages has a word of the question or comes near it in meaning."
        if row["protected"]:
            return Why("gated", "An administrator can change the rules of redaction.", "Protected words.")
        return Why("below_candidates", _closer(row), detail)
    if best.fate == "below_floor":
        return Why("below_floor", _closer(row), _nearness(best), best)
    k = await _enough(search, request, document_id)
    remedy = (
        f"Read {k} passages instead of {request.k}: then it is among them."
        if k
        else "Choose it as a filter: alone it has a passage that answers."
    )
    return Why("below_candidates", remedy, f"Other passages came before it. {_nearness(best)}", best)


async def _lower(search: Search, request: SearchRequest, document_id: UUID, best: Considered) -> Why:
    """It was a candidate and fit to be evidence, and others came first."""
    k = await _enough(search, request, document_id)
    more = f"Read {k} passages instead of {request.k}: then it is among them." if k else ""
    alone = "Choose it as a filter, or ask for what only it holds."
    place = f"It came {_ordinal(best.fused)} after fusion. {_nearness(best)}"
    if best.fate == "reranked_out":
        return Why("reranked_out", more or alone, f"{place} The reranker put others before it.", best)
    if best.fate == "over_cap":
        detail = f"{place} Passages of the same document had taken its share of places."
        return Why("capped", more or alone, detail, best)
    return Why("outranked", more or alone, place, best)


async def _enough(search: Search, request: SearchRequest, document_id: UUID) -> int | None:
    """The least number of passages, of those worth trying, with which the document is used."""
    for k in (k for k in MORE if k > request.k):
        best = furthest(await search(replace(request, k=k)), document_id)
        if best and best.fate == "shown":
            return k
    return None


def _closer(row: Row) -> str:
    return f"Ask with words that {row['name']} uses, or with the number, code or name that it holds."


def _nearness(best: Considered) -> str:
    parts: list[str] = []
    if best.similarity is not None:
        parts.append(f"its meaning is {best.similarity:.2f} of 1 near")
    if best.coverage is not None:
        parts.append(f"it holds {best.coverage:.0%} of the question's words by weight")
    return f"Of its best passage: {' and '.join(parts)}." if parts else ""


def _where(best: Considered) -> str:
    return f"It is {_ordinal(best.place)} of the results."


def _ordinal(place: int | None) -> str:
    number = (place or 0) + 1
    endings: Sequence[str] = ("th", "st", "nd", "rd")
    ending = "th" if 10 <= number % 100 <= 20 or number % 10 > 3 else endings[number % 10]
    return f"{number}{ending}"
