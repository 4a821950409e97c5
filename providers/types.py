"""The values and the one protocol that the rest of the house knows of model providers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # numpy costs 20 MB and these types are imported everywhere
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind an OpenAI-compatible address such as https://host/v1; the key is not in its repr."""

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SpaceKey:
    """What makes two vectors comparable (G1, G3): all of it must be equal, not the dimensions alone."""

    provider: str
    model: str
    dimensions: int
    query_prefix: str = ""
    document_prefix: str = ""


class Embedder(Protocol):
    """Turns text into vectors of one space: float32, unit length, finite; raises ProviderError."""

    @property
    def key(self) -> SpaceKey: ...

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), dimensions), in the order given."""
        ...

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """(dimensions,)"""
        ...
