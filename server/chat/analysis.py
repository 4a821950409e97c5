"""A whole document read in windows by a model of its own context: notes on each part, then one conclusion (L1, L2)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from time import monotonic, perf_counter

from providers.degrade import degraded
from providers.errors import ProviderError
from providers.events import Finished, Text, Usage
from retrieval.passages import Passage
from server.chat import events
from server.chat.complete import complete
from server.chat.events import Event, TextDelta, ToolState
from server.chat.history import tokens, trim
from server.chat.loop import ChatModel, Message
from server.chat.prompts import prompt
from server.chat.sources import quoted
from server.chat.wishes import Task

MOST_WINDOWS = (
    24  # at 6,000 tokens each about 500,000 characters; a longer document is read at even distances
)
SECONDS = 300.0  # for all windows; what is not read by then is left out, and the conclusion says so
AT_ONCE = 2  # windows read side by side; a local server answers one after the other anyway
NOTES_TOKENS = 400
SHARE = 0.75  # of the context after the answer's own part: prompts and estimates need the rest

TASKS: dict[Task, str] = {
    "summarise": "Summarise the document: what it is, what it says, what follows from it.",
    "compare": "Compare the documents: what they share, where they differ, what only one of them says.",
    "classify": "Classify the document, and give the passages that decide it.",
    "extract": "Extract what is asked for, complete, one item a line.",
}


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with which passages, of one document or of two. Passage k is `passages[k - 1]`."""

    task: Task
    instruction: str
    passages: Sequence[Passage]

    def request(self) -> str:
        return TASKS[self.task] + (f"\nThe user's words: {self.instruction}" if self.instruction else "")


@dataclass(slots=True)
class Reading:
    """How much was read."""

    windows: int = 0
    read: int = 0
    skipped: int = 0  # windows beyond the most that are read
    cut: bool = False  # the conclusion reached the model's limit


def windows(passages: Sequence[Passage], budget: int) -> list[list[int]]:
    """Indexes of passages in runs of at most `budget` tokens, each at least one passage long."""
    found: list[list[int]] = []
    room = 0
    for index, passage in enumerate(passages):
        price = tokens(passage.text) + 20
        if price > room:
            found.append([])
            room = budget
        found[-1].append(index)
        room -= price
    return found


def spread(found: list[list[int]], most: int) -> list[list[int]]:
    """At most `most` windows, at even distances, the first and the last among them."""
    if len(found) <= most:
        return found
    return [found[round(i * (len(found) - 1) / (most - 1))] for i in range(most)]


def text_of(passages: Sequence[Passage], indexes: Sequence[int]) -> str:
    """The passages of a window as a model reads them: number, file, page, text."""
    parts = []
    for index in indexes:
        p = passages[index]
        page = f", page {p.page_start}" if p.page_start else ""
        parts.append(f"[{index + 1}] {p.name}{page}\n{p.text}")
    return quoted("\n\n".join(parts))


async def analyse(
    model: ChatModel, job: Job, call_id: str, reading: Reading, *, context_tokens: int, max_tokens: int
) -> AsyncIterator[Event]:
    """Nested tool events for each window, then the conclusion as text, whose [k] are numbers of `job.passages`.

    Raises ProviderError when the conclusion cannot be written; a window that cannot be read is left out, counted.
    """
    budget = int(max(context_tokens - max_tokens, 800) * SHARE)
    every = windows(job.passages, budget)
    chosen = spread(every, MOST_WINDOWS)
    reading.windows, reading.skipped = len(every), len(every) - len(chosen)
    if len(chosen) == 1:
        reading.read = 1
        material = text_of(job.passages, chosen[0])
    else:
        notes: dict[int, str] = {}
        async with aclosing(_read(model, job, chosen, call_id, notes)) as happened:
            async for event in happened:
                yield event
        reading.read = len(notes)
        material = _gathered(notes, len(every), budget)
    async for event in _conclude(model, job, material, reading, max_tokens):
        yield event


async def _read(
    model: ChatModel, job: Job, chosen: list[list[int]], call_id: str, notes: dict[int, str]
) -> AsyncGenerator[Event, None]:
    """Read the windows, a few at once, into `notes`; progress as it happens."""
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    gate = asyncio.Semaphore(AT_ONCE)
    deadline = monotonic() + SECONDS

    async def one(number: int, indexes: list[int]) -> None:
        async with gate:
            left = deadline - monotonic()
            if left > 0:
                async for event in _window(model, job, (number, indexes), call_id, notes, left):
                    queue.put_nowait(event)

    async def everything() -> None:
        try:
            await asyncio.gather(*(one(number, indexes) for number, indexes in enumerate(chosen, 1)))
        finally:
            queue.put_nowait(None)

    task = asyncio.create_task(everything())
    try:
        ended = 0
        while (event := await queue.get()) is not None:
            yield event
            if isinstance(event, ToolState) and event.state != "started":
                ended += 1
                counts = {"done": ended, "total": len(chosen)}
                yield ToolState(call_id, "analyze_document", "progress", {"task": job.task}, counts)
        await task
    finally:
        task.cancel()


async def _window(
    model: ChatModel,
    job: Job,
    window: tuple[int, list[int]],
    call_id: str,
    notes: dict[int, str],
    seconds: float,
) -> AsyncIterator[Event]:
    """Notes on one window, as a call inside the call; one that fails is left out, counted."""
    number, indexes = window
    id_, shown = f"{call_id}.{number}", _place(job, number, indexes)
    began = perf_counter()
    yield ToolState(id_, "read_window", "started", shown, parent_id=call_id)
    content = f"{job.request()}\n\nThis part:\n{text_of(job.passages, indexes)}"
    state = "done"
    try:
        notes[number] = await complete(
            model, _messages("notes", content), max_tokens=NOTES_TOKENS, seconds=seconds
        )
    except ProviderError as error:
        degraded("window left out", error)
        state = "failed"
    ms = round((perf_counter() - began) * 1000)
    yield ToolState(id_, "read_window", state, shown, None, ms, call_id)


def _place(job: Job, number: int, indexes: list[int]) -> dict[str, object]:
    first, last = job.passages[indexes[0]], job.passages[indexes[-1]]
    return {
        "window": number, "document": first.name, "page_start": first.page_start, "page_end": last.page_end,
        "passages": len(indexes),
    }  # fmt: skip


def _gathered(notes: dict[int, str], total: int, budget: int) -> str:
    """All notes within the budget; each gives way alike."""
    most = int(budget * 3.6 / max(len(notes), 1))
    parts = [f"Part {number}:\n{trim(notes[number], most)}" for number in sorted(notes)]
    told = "" if len(notes) == total else f"Only {len(notes)} of {total} parts were read.\n"
    return told + quoted("\n\n".join(parts))


async def _conclude(
    model: ChatModel, job: Job, material: str, reading: Reading, max_tokens: int
) -> AsyncIterator[Event]:
    messages = _messages("conclude", f"{job.request()}\n\n{material}")
    async with aclosing(model.stream(messages, max_tokens=max_tokens)) as stream:
        async for event in stream:
            if isinstance(event, Text):
                yield TextDelta(event.delta)
            elif isinstance(event, Usage):
                yield events.Usage(event.prompt_tokens, event.completion_tokens, event.model or "")
            elif isinstance(event, Finished):
                reading.cut = event.reason == "length"


def _messages(name: str, content: str) -> list[Message]:
    return [{"role": "system", "content": prompt(name)}, {"role": "user", "content": content}]
