"""Token vectors of the embedded model, for late interaction: encoded when asked for, in threads of their own."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from providers import minilm
from providers.local import open_session, open_tokenizer, trust
from providers.utf8 import writable

THREADS = 2
KEPT_BYTES = 128 * 1024 * 1024  # a passage of 200 tokens has 150 KB: the last 850 or so
OVERLAP = 32  # tokens that two pieces of a long passage share, so that each word has a context

Vectors = NDArray[np.float16]
"""(tokens, 384), each row of unit length; the marks at the ends of a text are left out."""

Nearest = NDArray[np.float32]
"""(passages, tokens of the query): the cosine of the nearest token that the passage has."""


class TokenEncoder:
    """Compares passages with a query token by token and keeps their vectors for the next search.

    Nothing is built or loaded before the first call (or `warm`).
    """

    def __init__(self, cache: Path, *, threads: int = THREADS, kept_bytes: int = KEPT_BYTES) -> None:
        self._cache = cache
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tokens")
        self._kept: OrderedDict[bytes, Vectors] = OrderedDict()
        self.kept_bytes, self._most_bytes = 0, kept_bytes
        self._lock = threading.Lock()
        self._model: tuple[Any, Any] | None = None

    async def warm(self) -> None:
        """Load the model now instead of with the first search; raises LocalModelMissing."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self._load)

    async def nearest(self, query: str, passages: Sequence[str]) -> Nearest:
        """How near each passage, read whole, comes to each token of the query (J4)."""
        asked, *read = await self._vectors([query, *passages])
        run = asyncio.get_running_loop().run_in_executor
        return await run(self._pool, nearest, asked, read)

    async def reads(self, text: str) -> float:
        """How far the model can be trusted with a query, 0 to 1; raises LocalModelMissing."""
        if self._model is None:
            await self.warm()
        return trust(self._load()[1], text)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _vectors(self, texts: Sequence[str]) -> list[Vectors]:
        keys = [hashlib.sha256(writable(text).encode()).digest() for text in texts]
        known = {key: self._kept[key] for key in keys if key in self._kept}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        run = asyncio.get_running_loop().run_in_executor
        made = await asyncio.gather(*(run(self._pool, self._encode, text) for text in missing.values()))
        known |= zip(missing, made, strict=True)
        for key in keys:
            self._keep(key, known[key])
        return [known[key] for key in keys]

    def _keep(self, key: bytes, vectors: Vectors) -> None:
        if key not in self._kept:
            self._kept[key] = vectors
            self.kept_bytes += vectors.nbytes
        self._kept.move_to_end(key)
        while self.kept_bytes > self._most_bytes:
            self.kept_bytes -= self._kept.popitem(last=False)[1].nbytes

    def _encode(self, text: str) -> Vectors:
        """Blocks for 21 ms of CPU at 214 tokens; one text a call, as batches are no faster."""
        session, tokenizer = self._load()
        first = tokenizer.encode(writable(text))
        pieces = []
        for piece in (first, *first.overflowing):
            ids = np.array([piece.ids], np.int64)
            (tokens,) = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            pieces.append(tokens[0, 1:-1])
        return np.concatenate(pieces)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._model is None:
                folder = minilm.build(self._cache)
                tokenizer = open_tokenizer(folder / "tokenizer.json", overlap=OVERLAP)
                self._model = open_session(folder / "tokens.onnx"), tokenizer
            return self._model


def nearest(query: Vectors, passages: Sequence[Vectors]) -> Nearest:
    """The largest cosine of each token of the query with a token of each passage; 0 where one has none."""
    found = np.zeros((len(passages), max(len(query), 1)), np.float32)
    there = [number for number, passage in enumerate(passages) if len(passage)]
    if there and len(query):
        rows = np.concatenate([passages[number] for number in there]).astype(np.float32)
        starts = np.cumsum([0, *(len(passages[number]) for number in there[:-1])])
        found[there] = np.maximum.reduceat(query.astype(np.float32) @ rows.T, starts, axis=1).T
    return found


def maxsim(near: Nearest) -> NDArray[np.float32]:
    """(passages,): the mean over the query's tokens (Khattab and Zaharia, SIGIR 2020)."""
    means: NDArray[np.float32] = near.mean(axis=1)
    return means
