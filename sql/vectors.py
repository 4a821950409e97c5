"""Vectors on their way into the database, in the driver's own type."""

from collections.abc import Iterable
from typing import Any

from pgvector import HalfVector


def halfvecs(rows: Iterable[Any]) -> list[Any]:
    """A halfvec[] parameter from rows of floats: the driver would take plain arrays for nested ones."""
    return [HalfVector(row) for row in rows]
