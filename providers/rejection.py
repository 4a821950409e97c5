"""What a model server said when it refused a request: used to adapt and to choose an error, never shown."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import mktime_tz, parsedate_tz
from typing import Any

from providers.errors import (
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

LONGEST_BODY = 4096  # characters looked at; a proxy's error page can be megabytes

too_long = re.compile(
    r"context.?length|context.?window|context size|maximum context|too many tokens|(prompt|input) is too long"
    r"|maximum (sequence|input) length"
)
no_model = re.compile(
    r"model.{0,80}(not found|does not exist|not exist|unknown)|(no such|unknown|invalid) model"
)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A status outside 2xx, or an error event in a stream; `text` is lower case and in no repr."""

    status: int
    text: str = field(default="", repr=False)
    parameter: str | None = None
    code: str | None = None
    retry_after: float | None = None

    def error(self) -> ProviderError:
        """The error that people see; it carries nothing of `text`."""
        if self.status == 429:
            quota = self.code == "insufficient_quota"
            return QuotaUsedUp() if quota else RateLimited(retry_after=self.retry_after)
        if self.status in (401, 403):
            return Unauthorized()
        if self.status in (408, 504):
            return Timeout()
        if self.status == 413 or too_long.search(self.text):
            return ContextTooLong()
        if self.status == 404 or self.status // 100 == 3 or self.names_no_model():
            return ModelNotFound()
        return ServerFailed() if self.status >= 500 else Refused()

    def names_no_model(self) -> bool:
        return self.code == "model_not_found" or bool(no_model.search(self.text))


class Rejected(Exception):
    """Raised where a request was refused, caught where it may be adapted; shows nothing of the refusal."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(f"refused with status {rejection.status}")
        self.rejection = rejection


def read_rejection(status: int, headers: Mapping[str, str], body: str) -> Rejection:
    """The parts of an error response that matter, from OpenAI's form, FastAPI's, or any text."""
    try:
        error = json.loads(body)
    except ValueError:
        error = None
    return from_payload(error, status=status, text=body, retry_after=seconds_to_wait(headers))


def from_payload(
    payload: Any, *, status: int | None = None, text: str = "", retry_after: float | None = None
) -> Rejection:
    """A rejection from decoded JSON; without a status (in a stream) the payload's own code stands for it."""
    error = payload.get("error", payload) if isinstance(payload, dict) else payload
    fields = error if isinstance(error, dict) else {}
    code, parameter = fields.get("code"), fields.get("param")
    if parameter is None:
        parameter = fastapi_parameter(fields.get("detail"))
    if status is None:
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return Rejection(
        status=status,
        text=(text or json.dumps(payload, ensure_ascii=False))[:LONGEST_BODY].lower(),
        parameter=parameter if isinstance(parameter, str) else None,
        code=code if isinstance(code, str) else None,
        retry_after=retry_after,
    )


def fastapi_parameter(detail: Any) -> str | None:
    """The field that FastAPI's validation refuses: detail[0].loc is ("body", name, ...)."""
    match detail:
        case [{"loc": ["body", str(name), *_]}, *_]:
            return name
    return None


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Retry-After in seconds: milliseconds, a number or an HTTP date."""
    milliseconds = number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = number(value)
    if seconds is not None or value is None:
        return seconds
    date = parsedate_tz(value)
    return max(0.0, mktime_tz(date) - time.time()) if date else None


def number(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value else None
    except ValueError:
        return None
