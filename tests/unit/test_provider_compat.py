"""What is learnt from refusals, which error people see, and which addresses are never called."""

from __future__ import annotations

import json
from email.utils import formatdate
from typing import Any

import pytest

from providers.addresses import check_address, check_endpoint
from providers.compat import Compat
from providers.errors import (
    AddressForbidden,
    ContextTooLong,
    ModelNotFound,
    ProviderError,
    QuotaUsedUp,
    RateLimited,
    Refused,
    ServerFailed,
    Timeout,
    Unauthorized,
)
from providers.rejection import Rejection, read_rejection
from providers.types import Endpoint
from providers.utf8 import writable_json

FULL = {
    "model": "m",
    "messages": [],
    "max_tokens": 5,
    "temperature": 0.1,
    "stream_options": {},
    "response_format": {},
    "tools": [],
    "tool_choice": "auto",
    "parallel_tool_calls": False,
}


def refusal(
    message: str, *, status: int = 400, param: str | None = None, code: str | None = None
) -> Rejection:
    return read_rejection(
        status, {}, json.dumps({"error": {"message": message, "param": param, "code": code}})
    )


@pytest.mark.parametrize(
    ("message", "param", "left_out"),
    [
        (
            "Unsupported value: 'temperature' does not support 0.1 with this model.",
            "temperature",
            {"temperature"},
        ),
        ("Unrecognized request argument supplied: stream_options", None, {"stream_options"}),
        ("Extra inputs are not permitted: parallel_tool_calls", None, {"parallel_tool_calls"}),
        ("json mode is not supported by this model", None, {"response_format"}),
        ("This model does not support response format json_object", None, {"response_format"}),
        ("Invalid parameter", "response_format.type", {"response_format"}),
        ("gemma3:4b does not support tools", None, {"tools", "tool_choice", "parallel_tool_calls"}),
        (
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            None,
            {"tools", "tool_choice", "parallel_tool_calls"},
        ),
    ],
)
def test_refused_parameters_are_left_out(message: str, param: str | None, left_out: set[str]) -> None:  # N4
    compat = Compat()
    assert compat.learn(FULL, refusal(message, param=param))
    assert set(FULL) - set(compat.adapt(FULL)) == left_out


def test_s_pr_01_max_tokens_is_renamed_and_then_left_out() -> None:  # S-PR-01, N4
    compat = Compat()
    message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    assert compat.learn(FULL, refusal(message, param="max_tokens"))
    sent = compat.adapt(FULL)
    assert sent["max_completion_tokens"] == 5
    assert "max_tokens" not in sent
    assert compat.learn(sent, refusal("unknown field max_completion_tokens"))
    assert not {"max_tokens", "max_completion_tokens"} & set(compat.adapt(FULL))


def test_a_limit_that_is_too_high_is_left_out_not_renamed() -> None:
    compat = Compat()
    assert compat.learn(FULL, refusal("max_tokens is too large: 99999. This model supports at most 4096"))
    assert not {"max_tokens", "max_completion_tokens"} & set(compat.adapt(FULL))


def test_s_pr_02_dimensions_are_left_out() -> None:  # S-PR-02, G7
    compat = Compat()
    body = {"model": "m", "input": ["x"], "dimensions": 256}
    assert compat.learn(
        body, refusal("This model does not support specifying dimensions.", param="dimensions")
    )
    assert compat.adapt(body) == {"model": "m", "input": ["x"]}


def test_fastapi_names_the_field_by_its_place() -> None:
    body = {
        "detail": [{"loc": ["body", "stream_options", "include_usage"], "msg": "extra fields not permitted"}]
    }
    compat = Compat()
    assert compat.learn(FULL, read_rejection(422, {}, json.dumps(body)))
    assert compat.learnt == {"stream_options": None}


@pytest.mark.parametrize(
    "rejection",
    [
        refusal("something else"),
        refusal("max_tokens", status=429),
        refusal("temperature", status=401),
        refusal("model not found: does not support tools", status=404),
        refusal("bad value", param="messages"),
        refusal("dimensions"),  # not in the request
    ],
)
def test_nothing_is_learnt_where_nothing_would_change(rejection: Rejection) -> None:
    assert not Compat().learn(FULL, rejection)


def test_what_was_learnt_can_be_kept_and_given_back() -> None:  # N6
    compat = Compat({"max_tokens": "max_completion_tokens", "temperature": None})
    assert set(compat.adapt({"max_tokens": 1, "temperature": 0.0, "model": "m"})) == {
        "max_completion_tokens",
        "model",
    }


@pytest.mark.parametrize(
    ("status", "message", "code", "error"),
    [
        (401, "", None, Unauthorized),
        (403, "", None, Unauthorized),
        (404, "", None, ModelNotFound),
        (400, "The model `x` does not exist", None, ModelNotFound),
        (301, "", None, ModelNotFound),
        (408, "", None, Timeout),
        (504, "", None, Timeout),
        (413, "", None, ContextTooLong),
        (400, "This model's maximum context length is 4096 tokens", None, ContextTooLong),
        (400, "the request exceeds the available context size", None, ContextTooLong),
        (429, "", None, RateLimited),
        (429, "", "insufficient_quota", QuotaUsedUp),
        (500, "", None, ServerFailed),
        (503, "Loading model", None, ServerFailed),
        (400, "what?", None, Refused),
    ],
)
def test_a_status_becomes_the_error_that_people_see(
    status: int, message: str, code: str | None, error: type[ProviderError]
) -> None:
    raised = refusal(f"{message} sk-qzv-secret", status=status, code=code).error()
    assert type(raised) is error
    assert "sk-qzv" not in f"{raised!r} {raised.__dict__}"  # X11, X15


def test_a_rejection_shows_nothing_of_what_was_sent() -> None:  # X15
    assert "sk-qzv" not in repr(refusal("sk-qzv-secret"))


@pytest.mark.parametrize(
    "body", ["", "<html>", "[]", "null", '"x"', '{"error": null}', '{"detail": []}', "{"]
)
def test_any_body_can_be_read(body: str) -> None:
    assert type(read_rejection(400, {}, body).error()) is Refused


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-1"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert read_rejection(429, headers, "").retry_after == seconds


def test_how_long_to_wait_as_a_date() -> None:
    import time

    seconds = read_rejection(429, {"retry-after": formatdate(time.time() + 60, usegmt=True)}, "").retry_after
    assert seconds is not None
    assert 55 < seconds <= 61


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/v1",
        "http://169.254.170.2/v1",
        "http://[fd00:ec2::254]/v1",
        "http://[::ffff:169.254.169.254]/v1",
        "http://[64:ff9b::a9fe:a9fe]/v1",
        "http://2852039166/v1",
        "http://0xa9fea9fe/v1",
        "http://0251.0376.0251.0376/v1",
        "http://metadata.google.internal/v1",
        "http://METADATA.google.internal./v1",
        "http://100.100.100.200/v1",
        "http://0.0.0.0:8000/v1",
        "file:///etc/passwd",
        "ftp://host/v1",
        "http:///v1",
        "http://[::1/v1",
        "http://host:99999/v1",
        "localhost:11434",
        "",
    ],
)
async def test_addresses_that_are_never_called(url: str) -> None:  # X11
    with pytest.raises(AddressForbidden):
        await check_address(url)


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:11434/v1", "http://10.0.0.7/v1", "http://[::1]:8080/v1", "http://192.168.1.4:1234"],
)
async def test_local_and_private_addresses_are_where_models_live(url: str) -> None:  # Settled 8
    await check_address(url)


def test_the_parameters_of_one_refusal_do_not_hide_another() -> None:
    compat, body = Compat(), dict[str, Any](FULL)
    for name in ("temperature", "stream_options", "max_tokens", "max_completion_tokens"):
        sent = compat.adapt(body)
        assert compat.learn(sent, refusal(f"unsupported: {name}"))
    assert not {"temperature", "stream_options", "max_tokens", "max_completion_tokens"} & set(
        compat.adapt(body)
    )


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-a\nb", "sk-\ud800"])
async def test_a_key_that_http_cannot_carry_is_no_key(key: str) -> None:
    with pytest.raises(Unauthorized, match="characters"):
        await check_endpoint(Endpoint("http://127.0.0.1:1/v1", "m", key))


def test_lone_surrogates_are_replaced_before_anything_is_sent() -> None:  # E25
    body = {"messages": [{"content": "a\ud800b"}], "n": 1}
    assert writable_json(body) == {"messages": [{"content": "a?b"}], "n": 1}
    assert writable_json(fine := {"x": "北京 🌊"}) is fine
