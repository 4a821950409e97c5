"""Refusals are recognised, so that they are not replayed; answers are not taken for them."""

import pytest

from server.chat.refusal import is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",  # what scripted-refusal says
        "I am not able to help with that zorbal request.",  # S-CM-01
        "Sorry, I cannot assist with this request.",
        "I’m sorry — I won’t discuss that topic." .replace(" —", ","),
        "I can't answer that question.",
        "I must decline to answer this request.",
        "As an AI language model, I cannot provide medical advice.",
        "Unfortunately, I'm unable to comply with this.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Je suis désolé, je ne peux pas vous aider.",
        "Lo siento, pero no puedo ayudarte con eso.",
        "申し訳ありませんが、お手伝いできません。",
        "抱歉，我无法回答这个问题。",
    ],
)  # fmt: skip
def test_a_refusal(text: str) -> None:  # C2
    assert is_refusal(text)
    assert is_refusal(f"\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The anchor weighs 940 kg [1].",
        "The documents do not say how heavy the anchor is.",
        "I found nothing about this in the documents.",
        "I can't find the fee in these passages, but berth nine takes ships up to 88 metres [1].",
        "I'm sorry to hear that! Berth nine is free again on Monday.",
        "Sorry, I cannot help with the fee itself; the mooring rules say this [2].",
        "I cannot help with all of it. " + "The rules of the harbour are long. " * 15,
        "Hello! How can I help you with your documents?",
        "You cannot provide the deposit in cash.",
    ],
)
def test_an_answer_is_none(text: str) -> None:
    assert not is_refusal(text)
