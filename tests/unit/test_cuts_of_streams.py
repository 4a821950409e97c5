"""The short cuts of the stream: a text shows the same however it is cut."""

import itertools
import json
import random

import pytest

from providers.tags import TagSplitter
from server.chat.citations import Attributor, CitationFilter
from server.chat.support import evidence
from server.stream.sse import as_data, delta_data

TEXT = (
    "Solar panels feed the old barn [1]. It was built in 1904  by hand, e.g. from oak [9] .\n\nCode `x[1]` and "
    "```\n[2]\n``` stay.  The panels on the roof feed power to the old barn every day! (See 【2】, “so”.) [1, 9] End"
)


def shown(pieces: list[str]) -> str:
    filter_, attributor = CitationFilter(), Attributor()
    filter_.known = {1, 2}
    attributor.passages = [evidence(2, "The panels on the roof feed power to the old barn every day.")]
    out = "".join(attributor.feed(filter_.feed(piece)) for piece in pieces)
    return out + attributor.feed(filter_.flush()) + attributor.flush()


def test_markers_are_the_same_wherever_the_text_is_cut() -> None:  # M2, S-ST-08
    one_by_one, chance = shown(list(TEXT)), random.Random(3)
    assert "[9]" not in one_by_one
    for _ in range(200):
        cuts = [0, *sorted(chance.sample(range(1, len(TEXT)), 30)), len(TEXT)]
        assert shown([TEXT[a:b] for a, b in itertools.pairwise(cuts)]) == one_by_one
    assert shown([TEXT]) == one_by_one


def test_tags_are_the_same_wherever_the_text_is_cut() -> None:  # S-ST-08
    text = '  Hi <think>no</think> a < b\n{"name": "other"}\nx <tool_call>{"name":"t"}</tool_call>y'
    chance = random.Random(3)

    def split(pieces: list[str]) -> tuple[str, list[str]]:
        splitter = TagSplitter(tools=["t"])
        events = [event for piece in pieces for event in splitter.feed(piece)] + list(splitter.finish())
        kinds = "".join(type(event).__name__[1] + character for event in events for character in event.delta)
        return kinds, [call.name for call in splitter.calls]

    whole = split(list(text))
    for _ in range(200):
        cuts = [0, *sorted(chance.sample(range(1, len(text)), 12)), len(text)]
        assert split([text[a:b] for a, b in itertools.pairwise(cuts)]) == whole


@pytest.mark.parametrize("delta", ["", "a", 'q"\\\n\t\0\x7f', "北京 🌊", "\ud83c", "</script>\u2028"])
def test_a_delta_is_framed_as_any_payload(delta: str) -> None:
    assert delta_data(delta) == as_data({"delta": delta})
    assert "\n" not in delta_data(delta)
    json.loads(delta_data(delta))
