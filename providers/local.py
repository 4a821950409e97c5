"""The embedded embedding model: MiniLM on ONNX Runtime, in threads of its own; the event loop never waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from providers import minilm
from providers.bert import DIMENSIONS
from providers.types import SpaceKey
from providers.utf8 import writable
from providers.vectors import unit

T = TypeVar("T")

BATCH = 2  # at 213 tokens: 57 ms of CPU a chunk at 2, 59 at 4, 61 at 8; peak memory 212, 246, 300 MB
UNKNOWN = "[UNK]"  # the tokenizer's word for what its vocabulary has not even in pieces
ALWAYS_FITS = (minilm.MAX_TOKENS - 2) // 3  # a Hangul syllable can become three tokens, no character more


class LocalEmbedder:
    """Implements Embedder with all-MiniLM-L6-v2; `cache` keeps the graph, `threads` batches run at a time.

    Nothing is imported, built or loaded before the first call (or `warm`).
    """

    key = SpaceKey(provider="local", model=minilm.NAME, dimensions=DIMENSIONS)

    def __init__(self, cache: Path, *, threads: int = 2) -> None:
        self._cache = cache
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="minilm")
        self._lock = threading.Lock()
        self._tokenizer: Any = None
        self._session: Any = None

    async def warm(self) -> None:
        """Load the model now instead of with the first text; raises LocalModelMissing."""
        await self._run(self._load)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), 384); text after the 256th token is not seen, which is what `fits` is for."""
        tokens = await self._run(self._encode, texts)
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))  # little padding
        batches = iter([order[i : i + BATCH] for i in range(0, len(order), BATCH)])
        out = np.empty((len(texts), DIMENSIONS), np.float32)

        async def drain() -> None:  # one batch in flight each: a query waits for a batch, not for a document
            for batch in batches:
                out[batch] = await self._run(self._forward, [tokens[i] for i in batch])

        drains = [asyncio.create_task(drain()) for _ in range(min(self._threads, len(texts)))]
        try:
            await asyncio.gather(*drains)
        finally:
            for task in drains:
                task.cancel()
        return out

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """(384,)"""
        vector: NDArray[np.float32] = (await self.embed_documents([text]))[0]
        return vector

    def fits(self, text: str) -> bool:
        """Whether the model reads the whole text; blocks for the tokeniser, about 0.4 ms a chunk."""
        if len(text) <= ALWAYS_FITS:
            return True
        return len(self._load_tokenizer().encode(writable(text)).overflowing) == 0

    def reads(self, text: str) -> float:
        """How far the model can be trusted with a query; blocks for the tokeniser, about 0.1 ms a sentence."""
        return trust(self._load_tokenizer(), text)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        tokenizer = self._load_tokenizer()
        return [tokenizer.encode(writable(text)).ids for text in texts]

    def _forward(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        session = self._load()
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        mask = np.zeros_like(ids)
        for row, token_ids in enumerate(tokens):
            ids[row, : len(token_ids)] = token_ids
            mask[row, : len(token_ids)] = 1
        (vectors,) = session.run(None, {"input_ids": ids, "attention_mask": mask})
        return unit(vectors, dimensions=DIMENSIONS)

    def _load(self) -> Any:
        with self._lock:
            if self._session is None:
                self._session = open_session(minilm.build(self._cache) / "embedding.onnx")
            return self._session

    def _load_tokenizer(self) -> Any:
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = open_tokenizer(minilm.build(self._cache) / "tokenizer.json")
            return self._tokenizer


def open_session(graph: Path) -> Any:
    """An onnxruntime.InferenceSession of one thread a call: calls run side by side, no idle thread spins."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def open_tokenizer(path: Path, *, overlap: int = 0) -> Any:
    """A tokenizers.Tokenizer cut at 256 tokens; the file says 128, padded, which loses half of a chunk.

    What follows is in `overflowing`, in pieces that begin `overlap` tokens before the last one's end.
    """
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(minilm.MAX_TOKENS, stride=overlap)
    tokenizer.no_padding()
    return tokenizer


# Shares of words known whole (5th, 50th, 95th percentile): English questions .75 .93 1, of science .45 .77 1;
# German .12 .38 .67, Vietnamese .19 .40 .67, Turkish 0 .14 .43, Russian, Arabic, Chinese, Hindi, Thai 0.
# nDCG@10 of identifiers, scifact and the other languages before the second look: always all .981 .722 .308, 0/.5 .983
# .722 .312, .2/.6 .983 .722 .312, .4/.8 .983 .726 .313, .5/.9 .984 .721 .312.
UNREAD, READ = 0.4, 0.8


def trust(tokenizer: Any, text: str) -> float:
    """How far an English model reads a text, 0 to 1, by the share of its words that the vocabulary has whole.

    Other languages, and codes, fall into pieces that mean little.
    """
    encoding = tokenizer.encode(writable(text), add_special_tokens=False)
    words: dict[int, list[str]] = {}
    for token, word in zip(encoding.tokens, encoding.word_ids, strict=True):
        words.setdefault(word, []).append(token.removeprefix("##"))
    written = [pieces for pieces in words.values() if any(map(str.isalpha, "".join(pieces)))]
    if not written:
        return 1.0
    known = sum(1 for pieces in written if len(pieces) == 1 and pieces[0] != UNKNOWN and len(pieces[0]) > 1)
    return min(1.0, max(0.0, (known / len(written) - UNREAD) / (READ - UNREAD)))
