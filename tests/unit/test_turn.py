"""What kind of turn a message is, and what is searched for it."""

from pathlib import Path

import pytest

from server.chat.turn import LONGEST_QUERY, Past, classify

SOCIAL = ("greeting", "small_talk", "acknowledgement")

ANSWERED = Past("who built the tide model?", "The tide model was built at Corvane Instruments in Dunholt.")


@pytest.mark.parametrize(
    "message",
    [
        "hey what's up", "thanks!", "good morning", "ok cool",  # S-CI-04
        "Hi", "hello there", "how are you?", "Thank you so much for your help!", "see you later", "good night",
        "Guten Morgen", "guten Tag", "Hallo!", "vielen Dank", "danke schön", "¡hola!", "Buenos días",
        "muchas gracias", "bonjour", "merci beaucoup", "bonsoir", "buongiorno", "grazie mille", "olá",
        "bom dia", "obrigada", "привет", "добрый день", "большое спасибо", "こんにちは", "ありがとうございます",
        "おはようございます", "你好！", "谢谢你", "안녕하세요", "감사합니다", "👍", "…", "?",
    ],
)  # fmt: skip
def test_small_talk_is_not_searched(message: str) -> None:  # D1, M5
    for past in (None, ANSWERED):
        turn = classify(message, past)
        assert turn.kind in SOCIAL
        assert (turn.query, turn.searches) == ("", False)


@pytest.mark.parametrize(
    "message",
    [
        "how heavy is the anchor?",
        "What does the lease say about rent",
        "hi, how heavy is the anchor of the Bittern?",
        "thanks, and what is the mooring fee of berth nine?",
        "good day rates of the harbour",
        "Wie schwer ist der Anker?",
        "锚有多重？",
        "ERR-4417",
        "42",
        "the budget is 180k, does that work?",  # D12
    ],
)
def test_a_question_is_searched_as_it_stands(message: str) -> None:  # B9, D7
    turn = classify(f"  {message} ")
    assert (turn.kind, turn.query, turn.searches) == ("question", message, True)


def test_a_follow_up_names_what_it_refers_to() -> None:  # S-CM-02, C8
    past = Past("tell me about modelling work", "The tide model was built at Corvane Instruments.")
    turn = classify("where was that, which company?", past)
    assert turn.kind == "follow_up"
    assert turn.query.startswith("where was that, which company?")
    assert "Corvane Instruments" in turn.query
    assert "modelling work" in turn.query


@pytest.mark.parametrize("message", ["yes", "Yes please", "sure, go ahead", "ja", "oui", "sí", "OK do it"])
def test_yes_to_an_offer_searches_what_was_offered(message: str) -> None:  # S-CM-03, D2
    past = Past("who ran the lighthouse survey?", "A small team. Shall I look up the tide model too?")
    turn = classify(message, past)
    assert turn.kind == "follow_up"
    assert "tide model" in turn.query


def test_yes_without_an_offer_is_small_talk() -> None:  # D2
    assert classify("yes", ANSWERED).kind == "acknowledgement"
    assert classify("yes").kind == "acknowledgement"


@pytest.mark.parametrize(
    "message", ["What else?", "why?", "and the second one?", "who signed it", "what about 2019?"]
)
def test_short_and_pointing_messages_are_never_blocked(message: str) -> None:  # D7
    turn = classify(message, ANSWERED)
    assert turn.kind == "follow_up"
    assert turn.query.startswith(message)
    assert "Corvane Instruments" in turn.query


def test_a_whole_question_after_another_is_searched_alone() -> None:
    question = "what is the largest ship that berth nine of the old harbour can take?"
    assert classify(question, ANSWERED).query == question


def test_a_query_is_bounded() -> None:  # C6
    past = Past("x " * 4000, "Y" * 9000 + " Bittern")
    turn = classify("and that?", past)
    assert turn.query.startswith("and that?")
    assert len(turn.query) <= LONGEST_QUERY


def test_of_a_paste_the_start_and_the_question_at_the_end_are_searched(shared: Path) -> None:  # S-CM-05, C5
    paste = (shared / "cases/files/S-CM-05/paste.txt").read_text()
    for past in (None, ANSWERED):
        query = classify(paste, past).query
        assert query.startswith("Title: stowage plan of the Bittern.")
        assert query.endswith("Question: which bay holds crate 17?")
        assert len(query) <= LONGEST_QUERY
