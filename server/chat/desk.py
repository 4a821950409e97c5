"""What the tools of one turn share: who asks, what was found, what may still be read, what has been read."""

from dataclasses import dataclass, field

from providers.web import WebResult
from retrieval.passages import Passage
from server.chat.history import tokens
from server.chat.means import Means
from server.chat.sources import Sources, as_context
from server.chat.turn import Turn

LEAST_READ = 300  # tokens; a tool's answer is never cut to less


@dataclass(slots=True)
class Desk:
    """One turn's working table. `output` is what the model reads of the last call.

    `found` and `numbers` are of the last search; `grounding` and `reasons` of the best one. `private`: text of
    documents has been read, in this turn or for an answer that is replayed, so nothing that a model words may leave
    the house any more (X14).
    """

    means: Means
    message: str
    turn: Turn
    sources: Sources
    budget: int = 2000  # tokens that tools may still give to the model
    found: list[Passage] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    grounding: str = "none"
    reasons: tuple[str, ...] = ()
    output: str = ""
    private: bool = False
    pages: dict[int, WebResult] = field(default_factory=dict)  # results of this turn's web search, by n
    finish: str = "complete"  # of the model's answer, or length
    refused: bool = False  # the provider's filter cut the answer off

    def passages(self) -> str:
        """The passages of the last search as the model reads them, within what is left of the budget."""
        return self.spend(as_context(self.found, self.numbers, budget=self.budget))

    def spend(self, text: str) -> str:
        """The text, cut to the budget, which it takes from."""
        most = int(max(self.budget, LEAST_READ) * 3.6)
        text = text if len(text) <= most else text[:most].rsplit("\n", 1)[0] + "\n[cut]"
        self.budget = max(self.budget - tokens(text), LEAST_READ)
        return text

    def judge(self, grounding: str, reasons: tuple[str, ...]) -> None:
        """Take in what a search found: the best one counts."""
        if self.grounding == "none" or grounding == "grounded":
            self.grounding, self.reasons = grounding, reasons
