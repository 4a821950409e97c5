"""The model's side of a turn: what it is sent, and its answer as the reader gets it."""

from collections.abc import AsyncIterator, Sequence

from providers import events as model_events
from providers.events import ToolCall
from server.chat import history
from server.chat.characters import whole
from server.chat.desk import Desk
from server.chat.events import Event, SourcesKnown, TextDelta, ThinkingDelta, Usage, Waiting
from server.chat.history import Exchange
from server.chat.loop import ChatModel, Message, answered, asked, converse
from server.chat.prompts import prompt
from server.chat.shown import Shown
from server.chat.tools import Toolbox

HISTORY_SHARE = 0.3  # of the context; passages and the question need the rest
PROMPTS = {"artefact": "artefact", "advisory": "advice"}
LEAST_ROOM = 600  # tokens for what is found; below that a context is too small to answer from anything
TOOLS_PRICE = 500  # tokens that the contracts of the tools take of the context
Recorded = tuple[ToolCall, str]  # a call of ours, and what the model reads of it


def opening(desk: Desk, past: list[Exchange], style: str = "") -> list[Message]:
    """The request up to the question: system prompt with samples of style, replayed history, question. Sets what
    tools may still give."""
    means, searches = desk.means, desk.turn.searches
    system = prompt(PROMPTS.get(desk.turn.kind, "answer") if searches else "talk")
    system = f"{system}\n\n{style}" if style else system
    question = history.trim(desk.message, means.context_tokens * 2)
    room = means.context_tokens - means.max_tokens - history.tokens(system) - history.tokens(question)
    room -= TOOLS_PRICE if searches else 0
    replayed = history.replay(past, budget=int(max(room, 0) * HISTORY_SHARE))
    room -= sum(history.tokens(m["content"]) for m in replayed)
    desk.budget = max(room, LEAST_ROOM)
    return [{"role": "system", "content": system}, *replayed, {"role": "user", "content": question}]


async def ask(
    model: ChatModel, desk: Desk, messages: list[Message], recorded: Sequence[Recorded]
) -> AsyncIterator[Event]:
    """The answer to an opened request, after the calls that the turn has made by itself."""
    for call, output in recorded:
        messages += [asked((call,)), answered(call.id, output)]
    shown, toolbox = Shown(desk.sources), Toolbox(desk)
    shown.refresh()
    async for event in converse(model, messages, toolbox, max_tokens=desk.means.max_tokens):
        match event:
            case model_events.Text(delta):
                yield TextDelta(shown.feed(delta))
            case model_events.Thinking(delta):
                yield ThinkingDelta(whole(delta))
            case model_events.Waiting(seconds, reason):
                yield Waiting(seconds, reason)
            case model_events.Usage(prompt_tokens, completion_tokens, used):
                yield Usage(prompt_tokens, completion_tokens, used or desk.means.model_name)
            case model_events.Finished(reason):
                desk.finish = "length" if reason == "length" else "complete"
                desk.refused = reason == "content_filter"
            case model_events.ToolCalls():
                pass
            case _:
                yield event
                if isinstance(event, SourcesKnown):
                    shown.refresh()
    yield TextDelta(shown.flush())
