"""How often something may be tried."""

from server.limits import MOST_KEYS, RateLimit


def test_the_eleventh_attempt_of_a_minute_is_one_too_many() -> None:
    limit = RateLimit(attempts=10, seconds=60)
    assert [limit.allow("ada", now=float(n)) for n in range(11)] == [True] * 10 + [False]
    assert limit.allow("bob", now=10.0)
    assert not limit.allow("ada", now=59.9)
    assert limit.allow("ada", now=60.0)  # the attempt at 0 is a minute old
    assert not limit.allow("ada", now=60.5)


def test_refused_attempts_do_not_prolong_the_wait() -> None:
    limit = RateLimit(attempts=1, seconds=10)
    assert limit.allow("a", now=0)
    assert not any(limit.allow("a", now=n) for n in range(1, 10))
    assert limit.allow("a", now=10)


def test_a_success_starts_the_count_again() -> None:
    limit = RateLimit(attempts=2, seconds=60)
    assert limit.allow("a", now=0)
    assert limit.allow("a", now=1)
    limit.forget("a")
    limit.forget("never seen")
    assert limit.allow("a", now=2)
    assert limit.allow("a", now=3)
    assert not limit.allow("a", now=4)


def test_made_up_names_do_not_fill_the_memory() -> None:
    limit = RateLimit(attempts=1, seconds=1e9)
    for n in range(MOST_KEYS + 500):
        limit.allow(f"name {n}", now=0)
    assert len(limit._seen) == MOST_KEYS
    assert limit.allow("name 0", now=1)  # the longest untouched was forgotten
    assert not limit.allow(f"name {MOST_KEYS + 499}", now=1)
