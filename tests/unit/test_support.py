"""Whether a sentence rests on its passage, and what the grounding of an answer is."""

import asyncio

import pytest

from server.chat.events import Grounding
from server.chat.sentences import content_words, numbers, sentences
from server.chat.support import attribute, coverage, evidence, ground

PASSAGES = {
    1: "Berths\nBerth nine takes ships up to 88 metres. The mooring fee is 1,250.00 crowns a day.",
    2: "The anchor of the Bittern weighs 940 kg.",
}


def grounded(
    answer: str,
    passages: dict[int, str] = PASSAGES,
    *,
    found: str = "grounded",
    reasons: tuple[str, ...] = (),
) -> Grounding:
    return asyncio.run(ground(answer, passages, found=found, reasons=reasons))


def grounding(answer: str, found: str = "grounded", reasons: tuple[str, ...] = ()) -> tuple[str, set[str]]:
    result = grounded(answer, found=found, reasons=reasons)
    return result.state, set(result.reasons)


def test_an_answer_whose_citations_hold_is_grounded() -> None:  # M6, M7
    assert grounding("Berth nine takes ships of up to 88 metres [1]. The anchor weighs 940 kg [2].") == (
        "grounded",
        set(),
    )


def test_a_marker_behind_the_stop_belongs_to_the_sentence_before_it() -> None:  # M7
    result = grounded("The anchor weighs 940 kg. [2] The cook comes from Dunholt.")
    assert (result.state, result.unsupported) == ("grounded", ())


def test_a_wrong_number_is_named_as_unsupported() -> None:  # M7
    result = grounded("Berth nine takes ships up to 98 metres [1]. The anchor weighs 940 kg [2].")
    assert result.state == "partly"
    assert result.reasons == ("unsupported_sentences", "other_number")
    assert result.unsupported == ("Berth nine takes ships up to 98 metres .",)


def test_a_citation_of_the_wrong_passage_is_unsupported() -> None:  # M7
    assert grounding("The cook of the harbour inn comes from Dunholt [2].") == (
        "partly",
        {"unsupported_sentences"},
    )


def test_a_search_that_found_part_stays_partly() -> None:  # M6
    assert grounding("The anchor weighs 940 kg [2].", "partly", ("weak",)) == ("partly", {"weak"})


def test_an_answer_without_citations_is_general() -> None:  # D3, M6
    assert grounding("Anchors are heavy.") == ("general", {"no_citations"})


def test_without_passages_there_is_no_evidence() -> None:  # D4, D5
    result = grounded("Anchors are heavy [1].", {}, found="none")
    assert (result.state, result.reasons, result.unsupported) == ("none", ("no_evidence",), ())
    assert grounded("x", {}, found="none", reasons=("below_floor",)).reasons == ("below_floor",)


def test_numbers_count_however_they_are_grouped() -> None:
    assert numbers("1,250.00 crowns, 3.50, 2017, v1.2.3 [4]") == {"1250", "3.5", "2017", "1.2.3"}
    assert grounding("The mooring fee is 1250 crowns a day [1].") == ("grounded", set())


def test_two_passages_may_bear_one_sentence_together() -> None:
    one, two = evidence(1, "Berth nine takes ships."), evidence(2, "The limit is 88 metres.")
    sentence = "Berth nine takes ships; the limit is 88 metres."
    assert coverage(sentence, [one]) == 0.0
    assert coverage(sentence, [one, two]) == 1.0


def test_only_a_near_quotation_is_attributed() -> None:
    anchor = evidence(2, PASSAGES[2])
    assert attribute("The anchor of the Bittern weighs 940 kg", [anchor]) == 2
    assert attribute("The anchor", [anchor]) is None  # too few words to tell
    assert attribute("The anchor of the Bittern weighs 941 kg", [anchor]) is None
    assert attribute("Ships of the northern line carry grain and timber", [anchor]) is None
    assert attribute("The anchor of the Bittern weighs 940 kg", []) is None
    twin = evidence(1, PASSAGES[2])
    assert attribute("The anchor of the Bittern weighs 940 kg", [anchor, twin]) == 1  # the first of equals


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It costs 3.5 million, e.g. for Smith & Co. Ltd. of No. 5.", None),
        ("He said “stop.” Then left.", ["He said “stop.”", "Then left."]),
        ("一号。二号！", ["一号。", "二号！"]),
        ("line one\nline two\n\n", ["line one", "line two"]),
        ("", []),
    ],
)
def test_sentences(text: str, found: list[str] | None) -> None:
    assert sentences(text) == ([text] if found is None else found)


def test_content_words_ignore_endings_markers_and_small_words() -> None:
    assert (
        content_words("The services are serviced [12]") == content_words("serviced servicing") == {"servic"}
    )


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("The anchor weighs 940 kg [1].", None),
        ("The winch weighs 310 kg [1].", None),
        ("The anchor weighs 940 kg and the winch 310 kg [1].", None),
        (
            "The anchor weighs 310 kg [1].",
            "number",
        ),  # both numbers stand in the passage, each with its own thing
        ("Anna Meier signed the lease of berth nine [1].", None),
        ("The lease of berth nine was signed by Olaf Brandt [1].", "name"),
        ("Dogs are not allowed on the pier [1].", None),
        ("Dogs are allowed on the pier [1].", "negation"),
        ("The pier is not open to visitors [1].", "negation"),
        ("The pier is open to visitors [1].", None),
        ("Visitors may come, and dogs are not allowed [1].", None),
    ],
)
def test_the_same_words_with_another_number_name_or_not(claim: str, why: str | None) -> None:  # M7
    passage = (
        "The anchor of the Bittern weighs 940 kg. The winch of the Bittern weighs 310 kg.\n"
        "The lease of berth nine was signed by Anna Meier. Olaf Brandt keeps the tide tables.\n"
        "The pier is open to visitors. Dogs are not allowed on the pier."
    )
    result = grounded(claim, {1: passage})
    assert (result.state, f"other_{why}" in result.reasons) == (
        ("partly", True) if why else ("grounded", False)
    )
