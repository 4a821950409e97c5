"""Puts tool calls together from deltas that omit, repeat or invent indexes (S-ST-05)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from providers.events import ToolCall


@dataclass(slots=True)
class Draft:
    """A call of which more may come."""

    index: int | None
    id: str
    name: str
    arguments: str = ""

    def whole(self) -> bool:
        return is_json(self.arguments)


class CallCollector:
    """Feed it the `tool_calls` of each delta; `calls` are whole at the end."""

    def __init__(self) -> None:
        self._drafts: list[Draft] = []

    def feed(self, entries: Any) -> None:
        for entry in entries if isinstance(entries, list) else [entries]:
            if isinstance(entry, dict):
                self._take(entry)

    def calls(self) -> tuple[ToolCall, ...]:
        """Calls with a name, each with an id of its own and arguments that are at least an empty object."""
        named = [draft for draft in self._drafts if draft.name]
        seen: set[str] = set()
        calls = []
        for number, draft in enumerate(named, 1):
            id_ = draft.id if draft.id and draft.id not in seen else f"call_{number}"
            seen.add(id_)
            calls.append(ToolCall(id_, draft.name, draft.arguments.strip() or "{}"))
        return tuple(calls)

    def _take(self, entry: dict[str, Any]) -> None:
        function = entry.get("function")
        function = function if isinstance(function, dict) else {}
        index, id_, name = entry.get("index"), str(entry.get("id") or ""), str(function.get("name") or "")
        arguments = function.get("arguments")
        if arguments is not None and not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        draft = self._find(index, id_, name)
        if draft is None:
            draft = Draft(index if isinstance(index, int) else None, id_, name)
            self._drafts.append(draft)
        draft.id, draft.name = draft.id or id_, draft.name or name
        if draft.whole() and is_json(arguments or ""):
            draft.arguments = arguments or ""  # the finished call, sent once more
        else:
            draft.arguments += arguments or ""

    def _find(self, index: Any, id_: str, name: str) -> Draft | None:
        """The draft that an entry goes on with; None when it begins a call."""
        if index is not None:
            same = [draft for draft in self._drafts if draft.index == index]
        else:
            same = [draft for draft in self._drafts if draft.id == id_] if id_ else self._drafts
        if not same:
            return None
        draft = same[-1]
        if id_ and draft.id and draft.id != id_ and name:  # every parallel call numbered 0
            return next((other for other in same if other.id == id_), None)
        if name and draft.name and not id_ and (name != draft.name or draft.whole()):
            return None
        return draft


def is_json(text: str) -> bool:
    """Whether text is a whole JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
