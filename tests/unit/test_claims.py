"""Claims are written into the statement that begins a transaction: nothing but ids and known words gets there."""

from uuid import uuid4

import pytest

from sql.db import _opening


def test_claims_are_written_out_as_they_are() -> None:  # A6
    user, house = str(uuid4()), str(uuid4())
    text = _opening(user, house, "member", "auto")
    assert text.startswith("BEGIN; ")
    assert f"SET LOCAL ibid.user_id = '{user}'; " in text
    assert f"SET LOCAL ibid.workspace_id = '{house}'; " in text
    assert "SET LOCAL ibid.role = 'member'; " in text


def test_what_is_not_claimed_is_claimed_empty() -> None:  # A6
    text = _opening("", str(uuid4()), "guest", "auto")
    for claim in ("user_id", "sign_in_email", "invitation"):
        assert f"SET LOCAL ibid.{claim} = ''; " in text


def test_a_guest_only_reads() -> None:  # A9
    assert _opening("", str(uuid4()), "guest", "auto").startswith("BEGIN READ ONLY; ")


@pytest.mark.parametrize(
    "claims",
    [
        ("x'); DROP TABLE documents; --", str(uuid4()), "member"),
        (str(uuid4()), "'", "member"),
        (str(uuid4()), str(uuid4()), "member', true); --"),
    ],
)
def test_what_is_no_id_and_no_role_is_refused(claims: tuple[str, str, str]) -> None:  # A6, X3
    with pytest.raises(ValueError, match=r"no such role|badly formed"):
        _opening(*claims, "auto")
