"""When the dense arm compares with every visible passage, and when it walks the index."""

from retrieval.dense import exactly


def test_few_passages_are_compared_one_by_one() -> None:  # I16
    assert exactly(1, indexed=1_000_000, reach=96)
    assert exactly(1_000, indexed=1_000, reach=96)


def test_a_hundredth_and_a_thousandth_of_many_are_exact() -> None:  # I16
    assert exactly(2_000, indexed=200_000, reach=96)
    assert exactly(200, indexed=200_000, reach=96)


def test_whoever_sees_most_walks_the_index() -> None:
    assert not exactly(5_000, indexed=5_000, reach=96)
    assert not exactly(100_000, indexed=100_000, reach=96)


def test_an_index_without_statistics_holds_at_least_what_is_visible() -> None:
    assert not exactly(100_000, indexed=0, reach=96)
