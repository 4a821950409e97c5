"""Text that can be sent: JSON and tokenisers take UTF-8 only, and a lone surrogate is none (E25)."""

from __future__ import annotations

import json
from typing import TypeVar

T = TypeVar("T")


def writable(text: str) -> str:
    """The text with a question mark for each lone surrogate."""
    return text.encode("utf-8", "replace").decode()


def writable_json(value: T) -> T:
    """The same for every text inside a JSON value; the value itself where nothing has to change."""
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        cleaned: T = json.loads(writable(written))
        return cleaned
    return value
