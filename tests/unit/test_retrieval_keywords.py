"""Which terms of a query drive the keyword arm, and what they weigh."""

from itertools import pairwise

from retrieval.keywords import Term, drivers, weight


def terms(**frequencies: int) -> list[Term]:
    return [Term(text, code=False, frequency=frequency) for text, frequency in frequencies.items()]


def test_rarer_terms_weigh_more() -> None:
    weights = [weight(frequency, 1000) for frequency in (0, 1, 10, 100, 1000)]
    assert all(rare > common > 0 for rare, common in pairwise(weights))


def test_a_stale_count_of_passages_never_makes_a_weight_negative() -> None:
    assert weight(500, 3) > 0


def test_an_absent_term_does_not_silence_the_others() -> None:  # I18
    assert drivers(terms(zanzibar=0, winch=2, warranty=1)) == ["warranty", "winch"]


def test_common_terms_do_not_flood() -> None:  # I18
    assert drivers(terms(the=3000, winch=20, and_=2500), matches=1000) == ["winch"]


def test_terms_are_added_while_the_matches_stay_bounded() -> None:
    assert drivers(terms(a=600, b=300, c=200), matches=1000) == ["c", "b"]


def test_a_query_of_common_terms_only_still_searches_by_the_rarest() -> None:
    assert drivers(terms(often=5000, always=9000), matches=1000) == ["often"]


def test_nothing_that_occurs_is_nothing_to_search_by() -> None:
    assert drivers(terms(zanzibar=0)) == []
    assert drivers([]) == []
