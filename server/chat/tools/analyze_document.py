"""Whole-document work: a sub-agent reads everything, the conversation keeps its conclusion (L1, L2, L11)."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from time import perf_counter
from typing import get_args

from providers.errors import ProviderError
from providers.events import ToolCall
from retrieval.passages import Passage
from server.chat import library
from server.chat.analysis import Job, Reading, analyse
from server.chat.characters import Joiner
from server.chat.citations import CitationFilter
from server.chat.desk import Desk
from server.chat.digest import digest
from server.chat.events import Event, SourcesKnown, TextDelta, ToolState, Usage
from server.chat.library import Document
from server.chat.sources import quoted
from server.chat.tools.tool import Arguments, Tool, milliseconds, string, words
from server.chat.turn import DOCUMENT_TASKS
from server.chat.wishes import Task

NAME = "analyze_document"


async def conclude(
    desk: Desk, call: ToolCall, task: Task, instruction: str, documents: Sequence[Document]
) -> AsyncGenerator[Event, None]:
    """Nested events of the reading, and the conclusion as text with [n] of the turn's sources.

    Raises ProviderError.
    """
    shown = {"task": task, "documents": [d.name for d in documents]} | (
        {"instruction": instruction} if instruction else {}
    )
    yield ToolState(call.id, NAME, "started", shown)
    began, reading = perf_counter(), Reading()
    means = desk.means
    passages = [p for d in documents for p in await library.passages(means.database, means.identity, d.id)]
    desk.private = True
    job = Job(task, instruction, passages)
    try:
        async with aclosing(_numbered(desk, job, call.id, reading)) as happened:
            async for event in happened:
                yield event
    except ProviderError as error:
        _as_sources(desk, passages)
        yield ToolState(call.id, NAME, "failed", shown, {"code": error.code}, milliseconds(began))
        raise
    if _as_sources(desk, passages):
        yield SourcesKnown(desk.sources.items())
    desk.finish = "length" if reading.cut else "complete"
    result = {"passages": len(passages), "windows": reading.windows, "read": reading.read}
    desk.judge("grounded" if passages else "none", ("whole_document",) if passages else ("no_text",))
    yield ToolState(call.id, NAME, "done", shown, result, milliseconds(began))


def _as_sources(desk: Desk, passages: Sequence[Passage]) -> bool:
    """Have a document that was read among the sources though nothing cites it: what was sent goes with it (E12)."""
    known = {source.document_id for source in desk.sources.all if isinstance(source, Passage)}
    first = {passage.document_id: passage for passage in reversed(passages)}
    return bool(desk.sources.add([p for id_, p in first.items() if id_ not in known]))


async def _numbered(desk: Desk, job: Job, call_id: str, reading: Reading) -> AsyncGenerator[Event, None]:
    """The events with the numbers of the turn's sources; a source is known before the text that cites it."""
    markers = CitationFilter(lambda k: desk.sources.add([job.passages[k - 1]])[0])
    markers.known = set(range(1, len(job.passages) + 1))
    joiner, known = Joiner(), 0
    async for event in _events(desk, job, call_id, reading):
        if isinstance(event, Usage):
            yield replace(event, model=event.model or desk.means.model_name)
        elif not isinstance(event, TextDelta):
            yield event
        else:
            text = markers.feed(joiner.feed(event.delta))
            if len(desk.sources.all) > known:
                known = len(desk.sources.all)
                yield SourcesKnown(desk.sources.items())
            yield TextDelta(text)
    yield TextDelta(markers.feed(joiner.flush()) + markers.flush())


async def _events(desk: Desk, job: Job, call_id: str, reading: Reading) -> AsyncGenerator[Event, None]:
    means = desk.means
    if means.model is None or not job.passages:
        reading.windows = reading.read = 1
        yield TextDelta(await digest(job.task, job.instruction, job.passages, means.embedder))
        return
    async for event in analyse(
        means.model, job, call_id, reading, context_tokens=means.context_tokens, max_tokens=means.max_tokens
    ):
        yield event


async def run(desk: Desk, call: ToolCall, arguments: Arguments) -> AsyncGenerator[Event, None]:
    """Called by a model: the conclusion is what it reads, not what the reader sees."""
    task: Task = "summarise"
    if arguments.get("task") in DOCUMENT_TASKS:
        task = arguments["task"]
    names = [words(arguments, "document", most=300), words(arguments, "other_document", most=300)]
    documents: list[Document] = []
    for name in filter(None, names):
        match = await library.named(desk.means.database, desk.means.identity, name)
        documents += [d for d in match.documents[:1] if len(match.documents) == 1 and d not in documents]
    if len(documents) < (2 if task == "compare" else 1):
        yield ToolState(call.id, NAME, "failed", {"task": task}, {"code": "no_such_document"}, 0)
        desk.output = "No one document has this name. Use a name as a passage gives it."
        return
    said: list[str] = []
    async for event in conclude(desk, call, task, words(arguments, "instruction"), documents):
        if isinstance(event, TextDelta):
            said.append(event.delta)
        else:
            yield event
    desk.output = desk.spend(quoted("".join(said)))


TOOL = Tool(
    NAME,
    "Have a whole document read from beginning to end, for what a search cannot answer: a summary, a comparison of "
    "two documents, a classification, or everything of a kind. Returns a conclusion that cites passages.",
    offered=lambda desk: desk.turn.searches and desk.sources.has_passages(),
    run=run,
    parameters={
        "document": string("The document's name as a passage gives it."),
        "task": {"type": "string", "enum": [t for t in get_args(Task) if t in DOCUMENT_TASKS]},
        "instruction": string("What to look for or how to sort, in the user's words."),
        "other_document": string("The second document of a comparison."),
    },
    required=("document", "task"),
    seconds=360.0,  # all windows, and a conclusion of a slow model
)
