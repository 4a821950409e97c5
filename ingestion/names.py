"""The name a file is shown under: the client's word, cleaned. It never becomes a path of ours (X6)."""

import re
from pathlib import PurePosixPath

from ingestion.parse.characters import one_line

MAX_BYTES = 255  # what file systems take, so that a download keeps the whole name
UNTITLED = "untitled"

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]+")


def clean_name(name: str) -> str:
    """NFC, the last part of a path, one line, no control characters, at most 255 bytes, never empty.

    Markup, quotes and emoji stay: they are text, and whoever shows them escapes them.
    """
    last = re.split(r"[/\\]", _CONTROLS.sub(" ", name))[-1]
    text = one_line(last)
    if text.strip(". ") == "":
        return UNTITLED
    return _shorten(text)


def _shorten(name: str) -> str:
    if len(name.encode()) <= MAX_BYTES:
        return name
    suffix = PurePosixPath(name).suffix
    if len(suffix.encode()) > 20:
        suffix = ""
    kept = name.removesuffix(suffix).encode()[: MAX_BYTES - len(suffix.encode())]
    return kept.decode("utf-8", "ignore").rstrip() + suffix
