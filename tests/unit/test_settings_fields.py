"""Settings: what a field takes, when a key has to be entered again, how secrets are sealed."""

from typing import Any, get_args

import pytest
from cryptography.fernet import Fernet

from server.config import BadConfig
from server.errors import Unprocessable
from server.settings.crypto import Sealer
from server.settings.fields import BY_NAME, FIELDS, SECTIONS, BadValue, parse
from server.settings.schemas import SectionOut
from server.settings.store import Settings, describe, parse_changes

KEYED = Settings(
    {"chat.base_url": "http://one.example:8000/v1", "chat.model": "m"}, {"chat.key": "qzv-key-1"}
)


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("chat.base_url", " https://host/v1/ ", "https://host/v1"),
        ("chat.base_url", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("chat.base_url", "http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("chat.base_url", "", ""),
        ("chat.model", "  qwen ", "qwen"),
        ("embedding.query_prefix", "query: ", "query: "),  # the space belongs to it
        ("chat.max_tokens", 64, 64),
        ("chat.max_tokens", 1200.0, 1200),
        ("uploads.max_megabytes", 500, 500),
    ],
)
def test_good_values(name: str, value: Any, stored: Any) -> None:
    assert parse(BY_NAME[name], value) == stored


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chat.base_url", "ftp://host"),
        ("chat.base_url", "host:8000"),
        ("chat.base_url", "http://"),
        ("chat.base_url", "http://host:port/v1"),
        ("chat.base_url", "http://[::1/v1"),
        ("chat.base_url", "http://user:secret@host/v1"),
        ("chat.base_url", "javascript:alert(1)"),
        ("chat.base_url", "http://169.254.169.254/latest"),  # X11
        ("chat.base_url", "http://2852039166/latest"),
        ("rerank.base_url", "http://[::ffff:169.254.169.254]/"),
        ("embedding.base_url", "http://metadata.google.internal/v1"),
        ("chat.base_url", 7),
        ("chat.model", None),
        ("chat.model", "x" * 2001),
        ("chat.model", "a\0b"),
        ("chat.max_tokens", 63),
        ("chat.max_tokens", 32001),
        ("chat.max_tokens", 100.5),
        ("chat.max_tokens", "100"),
        ("chat.max_tokens", True),
        ("chat.max_tokens", float("inf")),
        ("chat.max_tokens", float("nan")),
    ],
)
def test_bad_values_say_why(name: str, value: Any) -> None:
    with pytest.raises(BadValue) as refused:
        parse(BY_NAME[name], value)
    assert str(refused.value).endswith(".")


def test_every_bad_field_is_named_at_once() -> None:
    with pytest.raises(Unprocessable) as refused:
        parse_changes(Settings(), {"chat.max_tokens": 1, "nothing.here": 1, "chat.model": "fine"})
    assert set(refused.value.detail["fields"]) == {"chat.max_tokens", "nothing.here"}


@pytest.mark.parametrize(
    "address",
    [
        "http://two.example:8000/v1",
        "http://one.example:8001/v1",
        "https://one.example:8000/v1",
        "http://one.example.evil:8000/v1",
        "",
        None,
    ],
)
def test_another_address_asks_for_the_key_again(address: str | None) -> None:  # N9, X11, S-SI-06
    with pytest.raises(Unprocessable) as refused:
        parse_changes(KEYED, {"chat.base_url": address})
    assert set(refused.value.detail["fields"]) == {"chat.key"}
    assert parse_changes(KEYED, {"chat.base_url": address, "chat.key": "new"})["chat.key"] == "new"
    assert parse_changes(KEYED, {"chat.base_url": address, "chat.key": None})["chat.key"] is None


def test_another_path_of_the_same_server_does_not() -> None:
    changes = {"chat.base_url": "http://ONE.example:8000/other/"}
    assert parse_changes(KEYED, changes) == {"chat.base_url": "http://ONE.example:8000/other"}


def test_a_key_that_cannot_be_opened_now_is_guarded_too() -> None:  # N9: its sealing key may come back
    lost = Settings(KEYED.values, {}, frozenset({"chat.key"}))
    with pytest.raises(Unprocessable):
        parse_changes(lost, {"chat.base_url": "http://two.example/v1"})


def test_changes_lie_on_top_and_none_is_the_default() -> None:
    changed = KEYED.changed_by({"chat.model": None, "chat.key": None, "chat.max_tokens": 99})
    assert changed["chat.model"] == ""
    assert changed["chat.max_tokens"] == 99
    assert changed.endpoint("chat") is None
    assert changed.secrets == {}
    endpoint = KEYED.endpoint("chat")
    assert endpoint is not None
    assert (endpoint.base_url, endpoint.model, endpoint.api_key) == (
        "http://one.example:8000/v1",
        "m",
        "qzv-key-1",
    )


def test_secrets_are_never_shown() -> None:  # N3, X15
    assert "qzv-key-1" not in repr(describe(KEYED, "chat"))
    assert "qzv-key-1" not in repr(KEYED)
    assert "qzv-key-1" not in repr(KEYED.endpoint("chat"))
    [key] = [f for f in describe(KEYED, "chat") if f["kind"] == "secret"]
    assert (key["value"], key["is_set"], key["lost"]) == (None, True, False)
    [lost] = [f for f in describe(Settings(lost=frozenset({"chat.key"})), "chat") if f["kind"] == "secret"]
    assert (lost["is_set"], lost["lost"]) == (False, True)


def test_every_field_belongs_to_a_section_and_has_help() -> None:
    sections = {section.id for section in SECTIONS}
    assert {field.section for field in FIELDS} == sections
    assert [field.name for field in BY_NAME.values() if not field.hidden] == [field.name for field in FIELDS]
    for field in FIELDS:
        assert field.help.endswith(".")
        if field.kind != "secret":
            assert parse(field, field.default) == field.default


def test_what_the_page_does_not_show_cannot_be_set() -> None:  # N9: serving.key belongs to another address
    for field in BY_NAME.values():
        if field.hidden:
            with pytest.raises(Unprocessable):
                parse_changes(Settings(), {field.name: "x"})


def test_keys_are_rotated_and_a_lost_one_is_no_error() -> None:  # N3
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    sealed = Sealer((old,)).seal("qzv-key-1")
    assert b"qzv-key-1" not in sealed
    both = Sealer((new, old))
    assert both.open(sealed) == "qzv-key-1"
    again = both.reseal(sealed)
    assert Sealer((new,)).open(again) == "qzv-key-1"
    assert Sealer((old,)).open(again) is None
    assert Sealer((new,)).open(sealed) is None


def test_a_bad_sealing_key_is_named() -> None:
    with pytest.raises(BadConfig, match="SETTINGS_ENCRYPTION_KEY"):
        Sealer(("short",))


def test_every_section_is_one_that_the_api_tells_of() -> None:
    told = get_args(SectionOut.model_fields["id"].annotation)
    assert sorted(told) == sorted(section.id for section in SECTIONS)
