"""The gate of vectors on their way in: finite, not zero, as long as expected, of unit length (G2, G9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from providers.errors import UnusableVector

SMALLEST_NORM = 1e-6  # below this a float32 vector is rounding noise, not a direction


def unit(
    vectors: NDArray[np.float32] | Sequence[Sequence[float]], *, dimensions: int | None = None
) -> NDArray[np.float32]:
    """(n, d) float32 rows of length one; raises UnusableVector when any row cannot be searched."""
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:  # ragged rows, or something that is not a number
        raise UnusableVector from error
    if rows.ndim != 2 or rows.shape[1] == 0 or (dimensions is not None and rows.shape[1] != dimensions):
        raise UnusableVector("The embedding model returned vectors of another length than the index holds.")
    norms = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms < SMALLEST_NORM).any():
        raise UnusableVector
    return np.asarray(rows / norms, dtype=np.float32)
