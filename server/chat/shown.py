"""The text as the reader gets it: characters whole, unknown markers gone, missing ones added."""

from server.chat.characters import Joiner
from server.chat.citations import Attributor, CitationFilter
from server.chat.sources import Sources
from server.chat.support import evidence


class Shown:
    """Feed it a model's deltas; what comes back can be shown and stored."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._joiner = Joiner()
        self._filter = CitationFilter()
        self._attributor = Attributor()

    def refresh(self) -> None:
        """Take in sources that a further search has brought."""
        self._filter.known = self._sources.numbers()
        self._attributor.passages = [evidence(n, text) for n, text in self._sources.texts().items()]

    def feed(self, delta: str) -> str:
        return self._attributor.feed(self._filter.feed(self._joiner.feed(delta)))

    def flush(self) -> str:
        rest = self._filter.feed(self._joiner.flush()) + self._filter.flush()
        return self._attributor.feed(rest) + self._attributor.flush()
