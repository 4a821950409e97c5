"""The model clients that the current settings call for, built once and kept until the settings change."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from providers.chat import PATIENCE, ChatClient
from providers.embed import EndpointEmbedder
from providers.http import Http
from providers.local import LocalEmbedder
from providers.rerank import Reranker as RerankModel
from providers.tokens import TokenEncoder
from providers.types import Embedder, Endpoint, SpaceKey
from retrieval.judge import ChatJudge, Judge
from retrieval.rerank import ByModel, ByTokens, Reranker
from server.settings.store import Settings

QUOTATIONS = "Quotations (no model connected)"
BUILT_IN = "Built in, English. Other languages are found by their words only."


@dataclass(frozen=True, slots=True)
class Models:
    """What answers, searches, reranks and judges.

    `embedder` belongs to the vectors in use; `wanted` is what the settings say, and differs from it only
    while the documents are being embedded again.
    """

    chat: ChatClient | None
    chat_label: str
    embedder: Embedder
    wanted: Embedder
    reranker: Reranker | None
    judge: Judge | None

    @property
    def chat_kind(self) -> str:
        return "endpoint" if self.chat else "extractive"

    @property
    def changing(self) -> bool:
        return self.embedder.key != self.wanted.key


class ModelShelf:
    """Keeps clients across settings that do not concern them, so that connections stay warm (B12)."""

    def __init__(self, home: Path, http: Http, *, threads: int) -> None:
        self.local = LocalEmbedder(home / "models", threads=threads)
        self.tokens = TokenEncoder(home / "models")
        self._http = http
        self._chat: ChatClient | None = None
        self._reranker: RerankModel | None = None
        self._retired: list[ChatClient | RerankModel] = []
        self._closing: set[asyncio.Task[None]] = set()
        self._embedders: dict[tuple[Endpoint, SpaceKey], EndpointEmbedder] = {}

    def pick(self, settings: Settings, active: SpaceKey | None) -> Models:
        """The models of these settings, given the space in use. Building a client connects to nothing."""
        chat, rerank = settings.endpoint("chat"), settings.endpoint("rerank")
        if self._chat is None or self._chat.endpoint != chat:
            self._retire(self._chat)
            self._chat = ChatClient(chat) if chat else None
        if self._reranker is None or self._reranker.endpoint != rerank:
            self._retire(self._reranker)
            self._reranker = RerankModel(rerank, http=self._http) if rerank else None
        wanted = self.embedder(settings, "embedding")
        choices = (wanted, self.embedder(settings, "serving"), self.local)
        embedder = next((c for c in choices if active is None or c.key == active), wanted)
        return Models(
            chat=self._chat,
            chat_label=chat.model if chat else QUOTATIONS,
            embedder=embedder,
            wanted=wanted,
            reranker=self._second_look(settings["rerank.kind"], embedder),
            judge=ChatJudge(self._chat) if self._chat else None,
        )

    def _second_look(self, kind: str, embedder: Embedder) -> Reranker | None:
        """The model at the address where there is one; the built-in one beside the built-in embeddings."""
        if self._reranker is not None and kind in ("auto", "endpoint"):
            return ByModel(self._reranker)
        if kind == "embedded" or (kind == "auto" and embedder.key == self.local.key):
            return ByTokens(self.tokens)
        return None

    def _retire(self, client: ChatClient | RerankModel | None) -> None:
        """Close a client once no answer can still be streaming through it."""
        if client is not None:
            self._retired.append(client)
            asyncio.get_running_loop().call_later(PATIENCE.total, self._close_oldest)

    def _close_oldest(self) -> None:
        if self._retired:
            task = asyncio.create_task(self._retired.pop(0).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Close every client, at the end of the process."""
        for client in (self._chat, self._reranker, *self._retired):
            if client is not None:
                await client.close()
        self._retired.clear()

    def embedder(self, settings: Settings, section: str) -> Embedder:
        """The embedder of a section; the built-in one when no endpoint is set there."""
        endpoint = settings.endpoint(section)
        if endpoint is None:
            return self.local
        key = SpaceKey(
            provider=urlsplit(endpoint.base_url).netloc.rpartition("@")[2],
            model=endpoint.model,
            dimensions=int(settings[f"{section}.dimensions"]),
            query_prefix=settings[f"{section}.query_prefix"],
            document_prefix=settings[f"{section}.document_prefix"],
        )
        found = self._embedders.get((endpoint, key))
        if found is None:
            found = EndpointEmbedder(endpoint, key, http=self._http)
            self._embedders = {(endpoint, key): found, **dict(list(self._embedders.items())[:3])}
        return found
