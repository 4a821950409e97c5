"""Rules of redaction as expressions, filters as the database takes them, and which filters are dropped first."""

import json
import re
from collections.abc import Awaitable, Callable
from datetime import date
from uuid import UUID

import pytest

from retrieval.errors import BadRule
from retrieval.gates import expression_of
from retrieval.passages import Counts, Filters, Passage, Ranks, SearchRequest, SearchResult
from retrieval.relax import search_relaxed
from server.chat.tools.search_documents import filters_of
from server.operations import known_zone
from server.search.shapes import filters_from


def matches(value: str, text: str) -> bool:
    """As Postgres would: its word boundaries are written otherwise, and its text comes folded."""
    expression = expression_of("name", value).replace(r"\m", r"\b").replace(r"\M", r"\b")
    return re.search(expression, text, re.IGNORECASE) is not None


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("Anna Müller", "we asked ANNA  muller's office", True),
        ("Anna Müller", "anna-muller@zzyzx.example", True),
        ("Anna Müller", "Susanna Muller", False),
        ("Anna Müller", "Anna Mullerova", False),
        ("Ann", "Annual report", False),
        ("O'Neil (UK)", "O'Neil (UK) signed", True),
        ("王小明", "由王小明签署", True),
    ],
)
def test_a_name_is_found_however_it_is_joined(value: str, text: str, found: bool) -> None:  # D17
    assert matches(value, text) is found


def test_a_rule_that_cannot_be_kept_is_refused() -> None:
    # Options are of a whole expression: among other rules they would be an error in every search.
    for kind, value in (
        ("name", "--"),
        ("pattern", r"(a)\1"),
        ("pattern", "(?i)anna"),
        ("pattern", "***=anna"),
    ):
        with pytest.raises(BadRule):
            expression_of(kind, value)  # type: ignore[arg-type]
    assert expression_of("pattern", r"\d{4}-QZV") == r"\d{4}-QZV"
    assert (
        expression_of("pattern", "(?:Zoë|Müller)$") == "(?:Zoe|Muller)$"
    )  # as the text that it is matched with


def test_an_absent_filter_is_absent() -> None:  # I13
    assert Filters().json() == {}
    assert Filters(document_ids=()).json() == {"document_ids": []}
    full = Filters(
        document_ids=(UUID(int=1),), folder_id=UUID(int=2), media_types=("application/pdf",), languages=("de",),
        types=("invoice",), topics=("tax",), since=date(2026, 1, 2), until=date(2026, 3, 4), time_zone="Asia/Tokyo",
    )  # fmt: skip
    assert filters_from(json.loads(json.dumps(full.json()))) == full


def searching(
    answers: Callable[[Filters], bool], asked: list[Filters]
) -> Callable[[SearchRequest], Awaitable[SearchResult]]:
    passage = Passage(
        UUID(int=1), UUID(int=1), 1, "n", None, None, None, (), "t", 0, 0, 0.1, Ranks(), None, "sure"
    )  # fmt: skip

    async def search(request: SearchRequest) -> SearchResult:
        asked.append(request.filters)
        found = (passage,) if answers(request.filters) else ()
        return SearchResult("grounded" if found else "none", (), found, Counts(0, 0, 0, 0))

    return search


async def test_an_over_strict_filter_is_dropped_and_named() -> None:  # E17
    asked: list[Filters] = []
    filters = Filters(folder_id=UUID(int=7), types=("invoice",), since=date(2026, 1, 1), languages=("de",))
    result = await search_relaxed(
        searching(lambda f: f.since is None, asked), SearchRequest("q", filters=filters)
    )
    assert result.relaxed == ("since",)
    assert "filters_relaxed" in result.reasons
    result = await search_relaxed(
        searching(lambda f: f.since is None and f.types is None, asked), SearchRequest("q", filters=filters)
    )
    assert result.relaxed == ("types", "since")
    assert all(f.folder_id == UUID(int=7) for f in asked)  # what somebody chose stays chosen


async def test_without_filters_of_metadata_nothing_is_asked_again() -> None:
    for filters in (Filters(), Filters(folder_id=UUID(int=7)), Filters(document_ids=(UUID(int=1),))):
        asked: list[Filters] = []
        result = await search_relaxed(searching(lambda _: False, asked), SearchRequest("q", filters=filters))
        assert (result.relaxed, len(asked)) == ((), 1)


def test_a_model_filters_only_by_what_can_be_meant() -> None:  # I13
    told = {"query": "q", "type": "Invoice", "language": "DE", "since": "2026-03-01", "until": "soon"}
    assert filters_of(told) == Filters(types=("invoice",), languages=("de",), since=date(2026, 3, 1))
    assert filters_of({"type": "poem", "language": "German", "since": None, "until": 7}) == Filters()


def test_a_time_zone_is_believed_only_by_its_name() -> None:
    assert known_zone("Europe/Berlin")
    assert not [
        name
        for name in ("", "Zzyzx/Nowhere", "../../etc/passwd", "/etc/localtime", "a\0b")
        if known_zone(name)
    ]
