"""How often something may be tried."""

from server.limits import MOST_KEYS, RateLimit, SignInLimit


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


def test_many_accounts_from_one_address_are_one_flood() -> None:
    limit = SignInLimit(account=10, address=20, all_together=30)
    assert [limit.allow("192.0.2.1", f"zzyzx{n}@example.org") for n in range(21)] == [True] * 20 + [False]
    assert limit.allow("192.0.2.2", "zzyzx0@example.org")  # somebody else is not held up by it


def test_many_addresses_have_a_bound_together() -> None:
    limit = SignInLimit(account=10, address=20, all_together=30)
    assert [limit.allow(f"192.0.2.{n}", "zzyzx@example.org") for n in range(31)] == [True] * 30 + [False]


def test_what_an_address_is_refused_does_not_use_up_the_bound() -> None:
    limit = SignInLimit(account=1, address=5, all_together=6)
    for n in range(50):
        limit.allow("192.0.2.1", f"zzyzx{n}@example.org")
    assert limit.allow("192.0.2.2", "zzyzx@example.org")


def test_a_success_forgives_the_account_and_not_the_address() -> None:
    limit = SignInLimit(account=2, address=3, all_together=9)
    for _ in range(3):
        assert limit.allow("192.0.2.1", " Zzyzx@example.org")
        limit.forget("192.0.2.1", "zzyzx@example.org")
    assert not limit.allow("192.0.2.1", "zzyzx@example.org")
