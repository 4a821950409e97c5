"""What one endpoint does not accept: learnt from its refusals, remembered, left out from then on (N4, G7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from providers.rejection import Rejection

RENAMES = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
TOOLS = ("tools", "tool_choice", "parallel_tool_calls")

# What may be left out of a request, and how servers name it when they do not use the parameter's own name.
HINTS = {
    "dimensions": r"matryoshka|output dimension|changing.{0,20}dimension",
    "encoding_format": r"encoding format",
    "response_format": r"json.?mode|json_object|json_schema|structured output|guided decoding",
    "temperature": r"sampling parameter",
    "max_tokens": "",
    "max_completion_tokens": "",
    "stream_options": r"include_usage",
    "parallel_tool_calls": r"parallel tool",
    "tools": r"support.{0,20}tool|tool.{0,20}(not|n't) support|enable-auto-tool-choice|function.?calling",
    "tool_choice": r"tool.choice",
}
ADAPTABLE = frozenset({400, 404, 405, 415, 422, 500, 501})  # some servers raise on what they do not know
TOO_LARGE = re.compile(r"too large|too high|at most|less than or equal|exceeds|maximum value")


class Compat:
    """The memory of one endpoint: parameter -> its other name, or None when it is left out."""

    def __init__(self, learnt: Mapping[str, str | None] | None = None) -> None:
        self.learnt: dict[str, str | None] = dict(learnt or {})

    def adapt(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The request as this endpoint takes it."""
        adapted: dict[str, Any] = {}
        for name, value in body.items():
            while name in self.learnt and (renamed := self.learnt[name]):
                name = renamed
            if name not in self.learnt:
                adapted[name] = value
        return adapted

    def learn(self, sent: Mapping[str, Any], rejection: Rejection) -> bool:
        """Note the parameter that was refused; False when none was: sending again would change nothing."""
        name = refused_parameter(sent, rejection)
        if name is None:
            return False
        if name == "tools":
            self.learnt.update(dict.fromkeys(TOOLS))
            return True
        other = RENAMES.get(name)
        rename = other is not None and other not in self.learnt and not TOO_LARGE.search(rejection.text)
        self.learnt[name] = other if rename else None
        return True


def refused_parameter(sent: Mapping[str, Any], rejection: Rejection) -> str | None:
    """The optional parameter of `sent` that the refusal is about, if it names one."""
    if rejection.status not in ADAPTABLE or rejection.names_no_model():
        return None
    if rejection.parameter:  # such as response_format.type
        name = re.split(r"[.\[]", rejection.parameter)[0]
        return name if name in HINTS and name in sent else None
    named = [name for name in HINTS if name in sent and re.search(rf"\b{name}\b", rejection.text)]
    hinted = [
        name for name, hint in HINTS.items() if name in sent and hint and re.search(hint, rejection.text)
    ]
    return next(iter(named + hinted), None)
