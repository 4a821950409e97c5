"""Conversations of guests: in the memory of this process, bounded, gone with their guest, never written (A9)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from server.chat import history
from server.chat.ask import Asked, run_active, title
from server.chat.keep import Answer, Keep
from server.chat.means import Means
from server.errors import NotFound

MOST_THREADS = 20  # of one guest; the oldest goes first
MOST_BYTES = 256 * 1024  # of one guest's messages with sources and traces; about 60 answers


@dataclass(eq=False, slots=True)
class GuestThread:
    id: UUID = field(default_factory=uuid4)
    title: str = ""
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    updated_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    messages: list[dict[str, Any]] = field(default_factory=list)
    running: Asked | None = None

    def outline(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("id", "title", "created_at", "updated_at")}

    def detail(self) -> dict[str, Any]:
        """As `chat.thread.read` has it; a guest's thread has one branch."""
        running = self.running
        active = running and {
            "id": running.run_id, "message_id": running.message_id, "parent_id": running.question_id
        }  # fmt: skip
        return self.outline() | {"messages": list(self.messages), "active_run": active}


class GuestConversations:
    """Threads by guest."""

    def __init__(self) -> None:
        self._threads: dict[UUID, dict[UUID, GuestThread]] = {}

    def threads(self, guest_id: UUID) -> list[GuestThread]:
        """Newest first."""
        return sorted(self._threads.get(guest_id, {}).values(), key=lambda t: t.updated_at, reverse=True)

    def begin(self, guest_id: UUID, name: str) -> GuestThread:
        own = self._threads.setdefault(guest_id, {})
        while len(own) >= MOST_THREADS:
            own.pop(min(own.values(), key=lambda t: t.updated_at).id)
        thread = GuestThread(title=name)
        own[thread.id] = thread
        return thread

    def find(self, guest_id: UUID, thread_id: UUID) -> GuestThread:
        """Raises NotFound, also for another guest's."""
        try:
            return self._threads[guest_id][thread_id]
        except KeyError:
            raise NotFound from None

    def run(self, guest_id: UUID, run_id: UUID) -> None:
        """That a run was this guest's. Raises NotFound."""
        for thread in self._threads.get(guest_id, {}).values():
            if any(m.get("run_id") == run_id for m in thread.messages):
                return
            if thread.running and thread.running.run_id == run_id:
                return
        raise NotFound

    def ask(self, guest_id: UUID, thread_id: UUID, text: str) -> Asked:
        """Take a question in. Raises NotFound, and Conflict while an answer is being written."""
        thread = self.find(guest_id, thread_id)
        if thread.running:
            raise run_active()
        past = history.exchanges(thread.messages)
        parent = thread.messages[-1]["id"] if thread.messages else None
        question = _message("user", "question", text, parent_id=parent)
        thread.messages.append(question)
        thread.title = thread.title or title(text)
        thread.updated_at = question["created_at"]
        thread.running = Asked(uuid4(), thread.id, uuid4(), text, past, question["id"])
        self._bound(guest_id)
        return thread.running

    def keeper(self, guest_id: UUID) -> Keep:
        """What stands in for the database when a guest's answer is kept."""

        async def keep(means: Means, asked: Asked, answer: Answer) -> bool:
            thread = self._threads.get(guest_id, {}).get(asked.thread_id)
            if thread is None:  # gone meanwhile
                return True
            thread.running = None
            thread.messages.append(_answer(means, asked, answer))
            thread.updated_at = datetime.now(UTC)
            self._bound(guest_id)
            return True

        return keep

    def remove(self, guest_id: UUID, thread_id: UUID) -> Asked | None:
        """Delete a thread; its run, if one is going, is returned to be stopped. Raises NotFound."""
        running = self.find(guest_id, thread_id).running
        del self._threads[guest_id][thread_id]
        return running

    def forget(self, guest_id: UUID) -> list[Asked]:
        """Everything of a guest who is gone; the runs that are going are returned to be stopped."""
        return [t.running for t in self._threads.pop(guest_id, {}).values() if t.running]

    def _bound(self, guest_id: UUID) -> None:
        """Drop the oldest messages over the limit, a question with its answer."""
        own = sorted(self._threads[guest_id].values(), key=lambda t: t.updated_at)
        over = sum(size(t.messages) for t in own) - MOST_BYTES
        for thread in own:
            while over > 0 and len(thread.messages) > 2:
                over -= size(thread.messages[:2])
                del thread.messages[:2]
                thread.messages[0]["parent_id"] = None


def size(messages: Sequence[dict[str, Any]]) -> int:
    """Bytes of messages as JSON."""
    return len(json.dumps(messages, default=str, ensure_ascii=False).encode("utf-8", "replace"))


def _answer(means: Means, asked: Asked, answer: Answer) -> dict[str, Any]:
    record = answer.record
    return _message(
        "assistant", answer.kind, answer.text, id=asked.message_id, parent_id=asked.question_id,
        run_id=asked.run_id, model=means.model_name, grounding=record.grounding, error=record.error,
        finish=answer.finish if answer.kind != "error" else None, ms=answer.milliseconds,
        trace=list(record.trace.values()),
        sources=[{k: v for k, v in source.items() if k != "text"} for source in answer.sources],
    )  # fmt: skip


def _message(role: str, kind: str, content: str, **more: Any) -> dict[str, Any]:
    id_ = more.pop("id", None) or uuid4()
    empty: dict[str, Any] = {
        "sources": [], "grounding": None, "trace": [], "model": None, "finish": None, "error": None, "ms": None,
    }  # fmt: skip
    return {
        "id": id_, "role": role, "kind": kind, "content": content, "excluded": False, "feedback": None,
        "siblings": {"index": 0, "count": 1, "ids": [id_]}, "search_ids": [], "created_at": datetime.now(UTC),
    } | empty | more  # fmt: skip
