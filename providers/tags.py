"""Splits the running text of a model at <think> and <tool_call>, wherever a tag is cut (S-ST-08)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from providers.events import Text, Thinking, ToolCall

THINK = {"<think>": "</think>", "<thinking>": "</thinking>", "<reasoning>": "</reasoning>"}
CALL = {"<tool_call>": "</tool_call>", "<function_call>": "</function_call>"}
STRAY = (*THINK.values(), *CALL.values())  # closing tags whose opening the server swallowed
FENCE = "```"

# How models that were never taught the protocol begin a call in plain text, white space left out.
KEYS = ('"name"', '"function"', '"tool"', '"type":"function"')
CALL_STARTS = tuple(
    fence + bracket + key
    for fence in ("", "```json", "```", "```tool_call", "[TOOL_CALLS]", "<|python_tag|>")
    for bracket in ("{", "[{")
    for key in KEYS
)


class TagSplitter:
    """Feed it deltas; `calls` holds what the model wrote as calls, when `tools` (names) are offered."""

    def __init__(self, *, tools: Collection[str] = ()) -> None:
        self._tools = frozenset(tools)
        self._tags = (*THINK, *STRAY, *(CALL if tools else ()))
        self._held = ""
        self._inside: str | None = None  # the tag whose block we are in
        self._calling = False  # in a call without a tag
        self._called = False  # just behind one, where the end of its fence may stand
        self._spoken = False  # white space before the first word is not an answer
        self._line_start = True
        self.calls: list[ToolCall] = []

    def feed(self, delta: str) -> Iterator[Text | Thinking]:
        if self._plain(delta):
            yield Text(delta)
            return
        self._held += delta
        yield from self._advance(final=False)

    def finish(self) -> Iterator[Text | Thinking]:
        """What is still held back: text that only looked like the start of something."""
        yield from self._advance(final=True)

    def _plain(self, delta: str) -> bool:
        """Whether this goes on with a text in whose middle we are, and nothing can begin or end in it: nine of
        ten deltas."""
        between = self._inside or self._called or self._calling or not self._spoken
        if between or self._held or not delta or "<" in delta:
            return False
        return not self._tools or not (self._line_start or "\n" in delta)

    def _advance(self, *, final: bool) -> Iterator[Text | Thinking]:
        moved = True
        while moved and self._held:
            if self._calling:
                moved, event = self._in_plain_call(final=final)
            elif self._inside in CALL:
                moved, event = self._in_tagged_call(CALL[self._inside], final=final)
            elif self._inside:
                moved, event = self._in_thought(THINK[self._inside], final=final)
            else:
                moved, event = self._in_text(final=final)
            if event and event.delta:
                yield event

    def _in_thought(self, closing: str, *, final: bool) -> Step:
        before, found, after = self._held.partition(closing)
        if found:
            self._inside, self._held, self._line_start = None, after, True
        else:
            safe = len(before) if final else len(before) - possible_tag(before, (closing,))
            before, self._held = before[:safe], before[safe:]
        return bool(found), Thinking(before)

    def _in_text(self, *, final: bool) -> Step:
        if self._called:
            self._held = self._held.lstrip()
            if len(self._held) < len(FENCE) and FENCE.startswith(self._held) and not final:
                return False, None
            self._called, self._held = False, self._held.removeprefix(FENCE)
        if self._tools and self._line_start:
            self._calling = bool(verdict := looks_like_call(self._held))
            if self._calling or (verdict is None and not final):
                return self._calling, None
        place, tag = first_of(self._held, self._tags)
        line_end = self._held.find("\n") if self._tools else -1
        if 0 <= line_end < place:  # look again at the start of each line, where a call may begin
            return True, self._say(line_end + 1, line_start=True)
        if tag:
            said = self._say(place, line_start=self._line_start)
            self._held = self._held.removeprefix(tag)
            self._inside = None if tag in STRAY else tag
            return True, said
        safe = len(self._held) if final else len(self._held) - possible_tag(self._held, self._tags)
        return False, self._say(safe, line_start=self._line_start and not self._held[:safe].strip())

    def _say(self, length: int, *, line_start: bool) -> Text:
        text, self._held, self._line_start = self._held[:length], self._held[length:], line_start
        text = text if self._spoken else text.lstrip()
        self._spoken = self._spoken or bool(text)
        return Text(text)

    def _in_tagged_call(self, closing: str, *, final: bool) -> Step:
        inside, found, after = self._held.partition(closing)
        if not found and not final:
            return False, None
        value, _ = decode(inside)
        self.calls.extend(read_calls(value, self._tools))  # one that cannot be read is still no answer (B6)
        self._inside, self._held, self._line_start = None, after.lstrip(), True
        return True, None

    def _in_plain_call(self, *, final: bool) -> Step:
        value, end = decode(self._held)
        if not end and not final:
            return False, None
        self._calling = False
        calls = read_calls(value, self._tools)
        if not end and any(f'"{tool}"' in self._held for tool in self._tools):  # a call that was cut off
            self._held = ""
        elif not calls:  # an answer in JSON
            return True, self._say(end or len(self._held), line_start=False)
        self.calls.extend(calls)
        self._called, self._line_start, self._held = True, True, self._held[end:]
        return True, None


Step = tuple[bool, Text | Thinking | None]  # whether there may be more to take, and what came of it


def decode(text: str) -> tuple[Any, int]:
    """The first JSON object or list of objects in text and where it ends; (None, 0) when it is not whole."""
    start = min((i for i in (text.find("{"), text.find("[{")) if i >= 0), default=len(text))
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, 0


def first_of(text: str, tags: Collection[str]) -> tuple[int, str | None]:
    """Where the first of the tags stands, and which it is; (len(text), None) when none does."""
    found = [(place, tag) for tag in tags if (place := text.find(tag)) >= 0]
    return min(found, default=(len(text), None), key=lambda pair: pair[0])


def possible_tag(text: str, tags: Collection[str]) -> int:
    """The length of an end of text that may be the start of a tag."""
    end = text[text.rfind("<") :] if "<" in text else ""
    return len(end) if end and any(tag.startswith(end) for tag in tags) else 0


def looks_like_call(text: str) -> bool | None:
    """Whether text begins a call written as JSON; None while more of it is needed to know."""
    dense = "".join(text[:200].split())
    if any(dense.startswith(start) for start in CALL_STARTS):
        return True
    return None if any(start.startswith(dense) for start in CALL_STARTS) else False


def read_calls(value: Any, tools: Collection[str]) -> list[ToolCall]:
    """The calls in a decoded JSON value; none unless each names a tool that was offered."""
    calls = []
    for item in value if isinstance(value, list) else [value]:
        call = item.get("function", item) if isinstance(item, dict) else None
        if isinstance(call, str):
            call = {**item, "name": call}
        if not isinstance(call, dict):
            return []
        name = call.get("name") or call.get("tool")
        if not isinstance(name, str) or name not in tools:
            return []
        arguments = call.get("arguments", call.get("parameters", {}))
        calls.append(ToolCall("", name, arguments if isinstance(arguments, str) else json.dumps(arguments)))
    return calls
