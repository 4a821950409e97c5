"""One turn, from a message to its grounding: classify, search, answer, check."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from providers import events as model_events
from providers.events import ToolCall
from providers.tracing import Tracer
from providers.types import Embedder
from server.chat import extract, history
from server.chat.characters import Joiner, whole
from server.chat.citations import Attributor, CitationFilter
from server.chat.events import Event, Grounding, TextDelta, ThinkingDelta, TurnKnown, Usage, Waiting
from server.chat.loop import ChatModel, Message, answered, asked, converse
from server.chat.prompts import prompt
from server.chat.refusal import is_refusal
from server.chat.sources import Sources, as_context
from server.chat.support import evidence, ground
from server.chat.tools import TOOLS
from server.chat.tools.search_documents import SearchTool
from server.chat.turn import Past, Turn, classify
from server.searcher import Searcher
from sql.db import Database, Identity

NO_ANSWER = (
    "The model returned no answer. Ask again, put the question in other words, "
    "or choose another model in Settings."
)
HISTORY_SHARE = 0.3  # of the context; passages and the question need the rest


@dataclass(frozen=True, slots=True)
class Means:
    """What a turn works with. Without a model it quotes."""

    database: Database
    identity: Identity
    searcher: Searcher
    tracer: Tracer
    embedder: Embedder
    model: ChatModel | None
    model_name: str
    passages: int
    context_tokens: int
    max_tokens: int


@dataclass(slots=True)
class Outcome:
    """What the turn came to, filled in while its events stream."""

    text: str = ""
    kind: str = "answer"  # or refusal, which is never replayed (C2)
    finish: str = "complete"
    found: str = "none"
    reasons: tuple[str, ...] = ()
    sources: Sources = field(default_factory=Sources)


async def answer(
    message: str, past: list[history.Exchange], means: Means, outcome: Outcome
) -> AsyncIterator[Event]:
    """The events of one turn, from `turn` to `grounding` and `usage`. Raises ProviderError."""
    turn = classify(message, Past(past[-1].question, past[-1].answer) if past else None)
    yield TurnKnown(turn.kind, turn.query)
    tool = SearchTool(means.searcher, means.identity, means.passages, outcome.sources, [], [])
    call = ToolCall(f"call_{uuid4().hex[:12]}", "search_documents", json.dumps({"query": turn.query}))
    if turn.searches:
        # Structural: a question is searched whatever the model would have done (B9).
        async for found in tool.run(call.id, turn.query):
            yield found
    events = _quote(message, turn, means, tool) if means.model is None else _ask(
        means.model, message, past, turn, means, tool, call, outcome
    )  # fmt: skip
    async for event in events:
        if isinstance(event, TextDelta):
            outcome.text += event.delta
        yield event
    if not outcome.text.strip():
        outcome.text = NO_ANSWER
        yield TextDelta(NO_ANSWER)
    if outcome.text in (NO_ANSWER, extract.NOTHING) or is_refusal(outcome.text):
        outcome.kind = "refusal"
    yield _grounding(turn, tool, outcome)


def _grounding(turn: Turn, tool: SearchTool, outcome: Outcome) -> Grounding:
    if not turn.searches:
        return Grounding("general", ("small_talk",))
    return ground(outcome.text, outcome.sources.texts(), found=tool.grounding, reasons=tool.reasons)


async def _quote(message: str, turn: Turn, means: Means, tool: SearchTool) -> AsyncIterator[Event]:
    if not turn.searches:
        yield TextDelta(extract.GREETING)
    elif not tool.found:
        yield TextDelta(extract.NOTHING)
    else:
        async for piece in extract.quotations(message, tool.found, means.embedder):
            yield TextDelta(piece)


async def _ask(
    model: ChatModel,
    message: str,
    past: list[history.Exchange],
    turn: Turn,
    means: Means,
    tool: SearchTool,
    call: ToolCall,
    outcome: Outcome,
) -> AsyncIterator[Event]:
    shown = Shown(outcome.sources)
    runner = SearchRunner(tool, means)
    messages = _messages(message, past, turn, means, runner, call)
    tools = [TOOLS["search_documents"]] if turn.searches else []
    shown.refresh()
    async for event in converse(model, messages, tools, runner, max_tokens=means.max_tokens):
        match event:
            case model_events.Text(delta):
                text = shown.feed(delta)
                if text:
                    yield TextDelta(text)
            case model_events.Thinking(delta):
                yield ThinkingDelta(whole(delta))
            case model_events.Waiting(seconds, reason):
                yield Waiting(seconds, reason)
            case model_events.Usage(prompt_tokens, completion_tokens, used):
                yield Usage(prompt_tokens, completion_tokens, used or means.model_name)
            case model_events.Finished(reason):
                outcome.finish = "length" if reason == "length" else "complete"
                outcome.kind = "refusal" if reason == "content_filter" else "answer"
            case model_events.ToolCalls():
                pass
            case _:
                yield event
                shown.refresh()
    rest = shown.flush()
    if rest:
        yield TextDelta(rest)


def _messages(
    message: str,
    past: list[history.Exchange],
    turn: Turn,
    means: Means,
    runner: "SearchRunner",
    call: ToolCall,
) -> list[Message]:
    """The request: system prompt, replayed history, the question, and the search as a recorded tool call."""
    system = prompt("answer" if turn.searches else "talk")
    question = history.trim(message, means.context_tokens * 2)
    room = means.context_tokens - means.max_tokens - history.tokens(system) - history.tokens(question)
    replayed = history.replay(past, budget=int(max(room, 0) * HISTORY_SHARE))
    room -= sum(history.tokens(m["content"]) for m in replayed)
    messages: list[Message] = [
        {"role": "system", "content": system},
        *replayed,
        {"role": "user", "content": question},
    ]
    if turn.searches:
        runner.budget = max(room, 600)
        messages += [asked((call,)), answered(call.id, runner.read())]
    return messages


class Shown:
    """The text as the reader gets it: characters whole, unknown markers gone, missing ones added."""

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


class SearchRunner:
    """Runs the searches that the model asks for itself."""

    def __init__(self, tool: SearchTool, means: Means) -> None:
        self._tool = tool
        self.budget = means.context_tokens // 3
        self.output = ""

    def read(self) -> str:
        """The passages of the last search as the model reads them, within what is left of the budget."""
        text = as_context(self._tool.found, self._tool.numbers, budget=self.budget)
        self.budget = max(self.budget - history.tokens(text), 300)
        return text

    async def run(self, call: ToolCall, arguments: dict[str, Any]) -> AsyncIterator[Event]:
        query = whole(str(arguments.get("query") or "")).replace("\ufffd", " ").strip()[:1000]
        if call.name != "search_documents" or not query:
            self.output = "This tool does not exist or was called without a query. Answer from what you have."
            return
        async for event in self._tool.run(call.id, query):
            yield event
        self.output = self.read()
