"""The model clients that the current settings call for, built once and kept until the settings change."""

from dataclasses import dataclass
from pathlib import Path

from providers.chat import ChatClient
from providers.local import LocalEmbedder
from providers.types import Embedder
from server.settings.store import Settings

QUOTATIONS = "Quotations (no model connected)"


@dataclass(frozen=True, slots=True)
class Models:
    """What answers and what embeds, with labels for people."""

    chat: ChatClient | None
    chat_label: str
    embedder: Embedder
    embedding_label: str
    embedding_detail: str

    @property
    def chat_kind(self) -> str:
        return "endpoint" if self.chat else "extractive"


class ModelShelf:
    """Keeps clients across settings that do not concern them, so that connections stay warm (B12)."""

    def __init__(self, home: Path, *, threads: int) -> None:
        self.local = LocalEmbedder(home / "models", threads=threads)
        self._chat: ChatClient | None = None

    def pick(self, settings: Settings) -> Models:
        """The models of these settings. Building a client connects to nothing yet."""
        endpoint = settings.endpoint("chat")
        if endpoint is None:
            self._chat = None
        elif self._chat is None or self._chat.endpoint != endpoint:
            self._chat = ChatClient(endpoint)
        return Models(
            chat=self._chat,
            chat_label=endpoint.model if endpoint else QUOTATIONS,
            embedder=self.local,
            embedding_label="all-MiniLM-L6-v2",
            embedding_detail="Built in, English. Other languages are found by their words only.",
        )
