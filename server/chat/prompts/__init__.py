"""System prompts: plain text files without logic, so that they can be read and tested alone (B11)."""

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """The text of a prompt."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()
