"""Markers in a stream: the model writes [n], the server owns n."""

import random
import re

import pytest

from server.chat.citations import Attributor, CitationFilter
from server.chat.support import evidence

KNOWN = {1, 2, 3, 12}
# What models write, and what a reader gets when passages 1, 2, 3 and 12 were found.
REWRITTEN = {
    "The anchor weighs 940 kg [1] and it was cast in Dunholt [5][7]. See [0], [-1] and [99].": (
        "The anchor weighs 940 kg [1] and it was cast in Dunholt. See, and."  # S-CI-01
    ),
    "Both [1][2]. One of two [1, 9]; both [2,3]. Semicolon [1;12].": (
        "Both [1][2]. One of two [1]; both [2][3]. Semicolon [1][12]."
    ),
    "Spaces [ 1 ], twice [2, 2], leading zero [01].": "Spaces [1], twice [2], leading zero [1].",
    "Wide brackets 【3】 and 【8】.": "Wide brackets [3] and.",
    "Many [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] at once.": "Many [1][2][3][12] at once.",
    "Words [see note], a link [text](http://x) and [ ] stay.": (
        "Words [see note], a link [text](http://x) and [ ] stay."
    ),
    "Unfinished [1": "Unfinished [1",
    "Double [[1]] and [[9]].": "Double [[1]] and [].",
    "Two  spaces  [9] kept.": "Two  spaces  kept.",
    "Code `a[5]` stays, [5] goes.": "Code `a[5]` stays, goes.",
    "```\nx = a[7] + b[0]\n```\nOut [7].": "```\nx = a[7] + b[0]\n```\nOut.",
    "``a ` b[9]`` then [9].": "``a ` b[9]`` then.",
    "An unpaired ` is no code.\nGone [9].": "An unpaired ` is no code.\nGone.",
    "重さは940kg【1】です[4]。": "重さは940kg[1]です。",
}


def filtered(pieces: list[str]) -> tuple[str, set[int]]:
    citations = CitationFilter()
    citations.known = set(KNOWN)
    return "".join(citations.feed(piece) for piece in pieces) + citations.flush(), citations.cited


def cuts(text: str, seed: int) -> list[str]:
    """The text in pieces, cut at random places."""
    chance = random.Random(seed)
    points = sorted(chance.sample(range(len(text) + 1), k=min(len(text), chance.randint(0, 12))))
    return [text[a:b] for a, b in zip([0, *points], [*points, len(text)], strict=True)]


@pytest.mark.parametrize("text", REWRITTEN, ids=range(len(REWRITTEN)))
def test_unknown_numbers_vanish_and_code_is_untouched(text: str) -> None:  # S-CI-01, M2
    assert filtered([text])[0] == REWRITTEN[text]


@pytest.mark.parametrize("text", REWRITTEN, ids=range(len(REWRITTEN)))
def test_the_cut_of_the_stream_makes_no_difference(text: str) -> None:  # S-CI-01, B2
    whole = filtered([text])
    assert filtered(list(text)) == whole
    for seed in range(40):
        assert filtered(cuts(text, seed)) == whole


def test_random_text_loses_nothing_but_unknown_markers() -> None:  # M2
    chance = random.Random(7)
    parts = ["word ", "[1]", " [2]", "[77]", "`a[77]`", "\n", ". ", "[", "]", "12", " ", "é"]
    for seed in range(300):
        text = "".join(chance.choices(parts, k=chance.randint(1, 25)))
        shown, cited = filtered(cuts(text, seed))
        assert cited <= KNOWN
        outside_code = re.sub(r"(`+)(?:(?!\1).)*\1", "", shown.replace("\n", "\n\n"))
        if "`" not in outside_code:
            assert {int(n) for n in re.findall(r"\[(\d+)\]", outside_code)} <= KNOWN
        assert re.sub(r"[\[\]\d\s]", "", shown.replace("`a[77]`", "")) == re.sub(
            r"[\[\]\d\s]", "", text.replace("`a[77]`", "")
        )


def test_a_plain_word_is_not_held_back() -> None:  # B2
    citations = CitationFilter()
    assert citations.feed("word") == "word"
    assert citations.feed(" [") == ""
    assert citations.feed("x") == " [x"


def test_sources_of_a_later_search_become_known() -> None:
    citations = CitationFilter()
    assert citations.feed("[1]") == ""
    citations.known = {1}
    assert citations.feed("[1]") == "[1]"
    assert citations.cited == {1}


ANCHOR = evidence(1, "The anchor of the Bittern weighs 940 kg and was cast in Dunholt in 1911.")
WINCH = evidence(2, "The winch of the Bittern was serviced by Corvane Instruments in March 2021.")


def attributed(text: str, seed: int | None = None) -> str:
    attributor = Attributor()
    attributor.passages = [ANCHOR, WINCH]
    pieces = [text] if seed is None else cuts(text, seed)
    return "".join(attributor.feed(piece) for piece in pieces) + attributor.flush()


ATTRIBUTED = {
    "The anchor of the Bittern weighs 940 kg. That is a lot.": (
        "The anchor of the Bittern weighs 940 kg. [1] That is a lot."
    ),
    "Corvane Instruments serviced the winch in March 2021": (
        "Corvane Instruments serviced the winch in March 2021 [2]"
    ),
    "The anchor of the Bittern weighs 940 kg. [2] Next.": "The anchor of the Bittern weighs 940 kg. [2] Next.",
    "The anchor of the Bittern weighs 950 kg.": "The anchor of the Bittern weighs 950 kg.",  # another number
    "# The anchor of the Bittern weighs 940 kg\n": "# The anchor of the Bittern weighs 940 kg\n",
    "Heavy.": "Heavy.",
    "- The anchor of the Bittern weighs 940 kg\n- The harbour is old\n": (
        "- The anchor of the Bittern weighs 940 kg [1]\n- The harbour is old\n"
    ),
    "Set `mass = 940` first.\nThe anchor of the Bittern weighs 940 kg.": (
        "Set `mass = 940` first.\nThe anchor of the Bittern weighs 940 kg. [1]"
    ),
    "```\nThe anchor of the Bittern weighs 940 kg.\n```\nThe anchor of the Bittern weighs 940 kg.\n": (
        "```\nThe anchor of the Bittern weighs 940 kg.\n```\nThe anchor of the Bittern weighs 940 kg. [1]\n"
    ),
}


@pytest.mark.parametrize("text", ATTRIBUTED, ids=range(len(ATTRIBUTED)))
def test_a_near_quotation_gets_the_marker_it_lacks(text: str) -> None:  # M7, M2
    assert attributed(text) == ATTRIBUTED[text]
    for seed in range(30):
        assert attributed(text, seed) == ATTRIBUTED[text]


def test_attribution_changes_nothing_else() -> None:
    text = "\n\n  Odd   spacing.\t\nThe anchor of the Bittern weighs 940 kg!  \n\n> quoted\n"
    assert attributed(text).replace(" [1]", "") == text
