"""READ FIRST: one turn, from a message to its grounding: judge, classify, look things up, answer, check."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from uuid import uuid4

from providers.events import ToolCall
from server.chat import dialogue, extract, hand_overs, history, offers, safety, whole
from server.chat.desk import Desk
from server.chat.dialogue import Recorded
from server.chat.events import Event, Grounding, Proposal, TextDelta, TurnKnown
from server.chat.history import Exchange
from server.chat.means import Means
from server.chat.refusal import is_refusal
from server.chat.rewrite import settle
from server.chat.sources import Sources
from server.chat.style import samples
from server.chat.support import ground
from server.chat.tools import search_documents, search_web
from server.chat.turn import WEB_OFFER, Past, Turn, classify
from server.chat.wishes import Wish

NO_ANSWER = (
    "The model returned no answer. Ask again, put the question in other words, "
    "or choose another model in Settings."
)
SOCIAL = ("greeting", "small_talk", "acknowledgement")


@dataclass(slots=True)
class Outcome:
    """What the turn came to, filled in while its events stream."""

    text: str = ""
    kind: str = "answer"  # or refusal, crisis, declined, which are never replayed (C2)
    finish: str = "complete"
    sources: Sources = field(default_factory=Sources)


async def answer(message: str, past: list[Exchange], means: Means, outcome: Outcome) -> AsyncIterator[Event]:
    """The events of one turn, from `turn` to `grounding` and `usage`. Raises ProviderError."""
    flag = await safety.check(message, means.rules, means.embedder)
    if flag is not None:
        yield TurnKnown(flag.kind, "")
        outcome.kind, outcome.text = flag.kind, flag.text
        yield TextDelta(flag.text)
        yield Grounding("general", (flag.kind,))
        return
    last = history.previous(past)
    before = Past(last.question, last.answer) if last else None
    offer = await offers.standing(message, means)
    if offer and offer.declined:
        turn = Turn("out_of_scope", "", wish=Wish("hand_over"), own=offer.past.question)
    else:
        before = offer.past if offer else before
        turn = await settle(classify(message, before), message, before, means.model)
    desk = Desk(means, message, turn, outcome.sources, private=bool(past))
    plan = await whole.plan(desk, last) if turn.kind == "whole_document" else None
    if turn.kind == "whole_document" and plan is None:
        whole.as_question(desk)
    yield TurnKnown(desk.turn.kind, desk.turn.query)
    events = whole.carry_out(desk, plan) if plan else _answered(desk, past)
    async for event in events:
        if isinstance(event, TextDelta):
            if not event.delta:
                continue  # held back: it may be half a marker
            outcome.text += event.delta
        yield event
    async for event in _ended(desk, outcome):
        yield event


async def _ended(desk: Desk, outcome: Outcome) -> AsyncIterator[Event]:
    """What follows the text: a sentence where there is none, an offer, the grounding."""
    outcome.finish = desk.finish
    if not outcome.text.strip():
        outcome.text = NO_ANSWER
        yield TextDelta(NO_ANSWER)
    if desk.refused or outcome.text in (NO_ANSWER, extract.NOTHING) or is_refusal(outcome.text):
        outcome.kind = "refusal"
    grounding = await _grounding(desk, outcome)
    query = _offered(desk, grounding)
    if query:
        offer = f"\n\n{WEB_OFFER} “{query}”?"
        outcome.text += offer
        yield TextDelta(offer)
        yield Proposal("search_web", query)
        # Kept with the answer, so that the offer can be taken up after a reload too.
        grounding = replace(grounding, reasons=(*grounding.reasons, "web_offered"))
    yield grounding


def _offered(desk: Desk, grounding: Grounding) -> str | None:
    """The query of the web search that an answer without evidence offers, where the policy is to ask first."""
    web = desk.means.web
    if web is None or search_web.allowed(desk) or grounding.state not in ("none", "general"):
        return None
    return search_web.query_of(desk) if desk.turn.searches and desk.turn.kind != "whole_document" else None


async def _grounding(desk: Desk, outcome: Outcome) -> Grounding:
    kind = desk.turn.kind
    if not desk.turn.searches:
        return Grounding("general", ("small_talk",) if kind in SOCIAL else (kind,))
    if kind == "whole_document" and desk.turn.wish.task in ("send", "list"):
        return Grounding("general", (desk.turn.wish.task,))
    if not desk.sources.all and kind in ("advisory", "artefact"):
        return Grounding("general", ("not_from_documents",))  # D3: nothing was claimed about the documents
    return await ground(
        outcome.text,
        desk.sources.texts(),
        found=desk.grounding if desk.sources.has_passages() else "grounded" if desk.pages else "none",
        reasons=(*desk.reasons, *(("web",) if desk.pages else ())),
        embedder=desk.means.embedder,
    )


async def _answered(desk: Desk, past: list[Exchange]) -> AsyncIterator[Event]:
    """Look up what the turn needs, then the model answers, or quotations do."""
    if desk.turn.wish.task == "hand_over":
        async for event in hand_overs.turn(desk, past, desk.turn.own or None):
            yield event
        return
    means = desk.means
    wanted = means.model is not None and desk.turn.searches
    style = await samples(means.database, means.identity) if wanted else ""
    messages = dialogue.opening(desk, past, style)
    recorded: list[Recorded] = []
    if desk.turn.searches:
        async for event in _looked_up(desk, recorded):
            yield event
    if desk.means.model is not None:
        async for event in dialogue.ask(desk.means.model, desk, messages, recorded):
            yield event
        return
    async for text in _quotations(desk):
        yield TextDelta(text)


async def _looked_up(desk: Desk, recorded: list[Recorded]) -> AsyncIterator[Event]:
    """A question is searched whatever the model would have done (B9), and the web when that was in vain (B8)."""
    call = _call(search_documents.NAME, {"query": desk.turn.query})
    async for event in search_documents.search(desk, call, desk.turn.query):
        yield event
    recorded.append((call, desk.passages()))
    wanted = desk.grounding == "none" or desk.turn.web or desk.means.allow_web
    if wanted and search_web.TOOL.offered(desk):
        call = _call(search_web.NAME, {})
        async for happened in search_web.run(desk, call, {}):
            yield happened
        recorded.append((call, desk.output))


async def _quotations(desk: Desk) -> AsyncIterator[str]:
    """The answer of a house without a chat model."""
    if not desk.turn.searches:
        yield extract.GREETING
    elif desk.found:
        async for piece in extract.quotations(desk.message, desk.found, desk.means.embedder):
            yield piece
    elif desk.pages:
        yield extract.web_results(desk.pages)
    else:
        yield extract.NOTHING


def _call(name: str, arguments: dict[str, str]) -> ToolCall:
    return ToolCall(f"call_{uuid4().hex[:12]}", name, json.dumps(arguments, ensure_ascii=False))
