"""What a message asks to be done, beyond a question."""

import pytest

from server.chat.turn import Past, classify
from server.chat.wishes import plain, wish


@pytest.mark.parametrize(
    ("message", "task", "about"),
    [
        ("Summarise the handbook", "summarise", "the handbook"),
        ("Could you please summarize the handbook?", "summarise", "the handbook?"),
        ("Give me a short summary of the handbook", "summarise", "the handbook"),
        ("I need an overview of the lease", "summarise", "the lease"),
        ("Bitte fasse das Handbuch zusammen", "summarise", "das Handbuch zusammen"),
        ("tl;dr of the lease", "summarise", "the lease"),
        ("Compare the lease with the handbook", "compare", "the lease with the handbook"),
        ("What are the differences between lease-a and lease-b?", "compare", "lease-a and lease-b?"),
        ("Extract all deadlines from the lease", "extract", "the lease"),
        ("Classify the letter as complaint or praise", "classify", "the letter "),
        ("Send me the CV", "send", "the CV"),
        ("send the file lease.pdf", "send", "the file lease.pdf"),
        ("Download the lease.pdf", "send", "the lease.pdf"),
        ("Schicke mir die Datei Pachtvertrag", "send", "die Datei Pachtvertrag"),
        ("Which documents do I have?", "list", ""),
        ("List all my files", "list", ""),
        ("Can I talk to a human?", "hand_over", ""),
        ("please pass this on to a colleague", "hand_over", ""),
    ],
)
def test_tasks(message: str, task: str, about: str) -> None:
    found = wish(message)
    assert (found.task, found.about) == (task, about)


@pytest.mark.parametrize(
    "message",
    [
        "What does the summary of chapter 3 say?",
        "Who wrote the letter?",
        "How is the fee compared with 2019?",
        "What is the classification of berth nine?",
        "Where do I send the form?",
        "Who can see this document?",
        "What is in the extract?",
        "Is there a table of fees?",
        "list price of the winch",
        "Resume is late: why?",
        "What does the report say about people who talk too much?",
    ],
)
def test_questions_are_questions(message: str) -> None:
    assert wish(message).task == ""


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Write an e-mail to the warden about the crane", "artefact"),
        ("make a table of all fees", "artefact"),
        ("Schreibe eine E-Mail an den Hafenmeister", "artefact"),
        ("How should I prepare for an interview?", "advisory"),
        ("Any tips for a long sea journey?", "advisory"),
        ("tell me a joke", "out_of_scope"),
        ("What's the weather like today?", "out_of_scope"),
        ("what weather does the log record for May?", "question"),
        ("what time does the harbour open?", "question"),
        ("how do I reset the pump?", "question"),  # what a manual is asked
        ("how many berths are there?", "question"),
    ],
)
def test_kinds(message: str, kind: str) -> None:  # D1, D3
    assert classify(message).kind == kind


def test_structured_turns_need_tables() -> None:  # B7
    assert classify("How many invoices per month?").kind == "question"
    assert classify("How many invoices per month?", tables=True).kind == "structured"


@pytest.mark.parametrize(
    ("offer", "kind", "task"),
    [
        ("Shall I summarise the lease?", "whole_document", "summarise"),
        ("Would you like me to compare the lease with the handbook?", "whole_document", "compare"),
        ("Should I draft an e-mail to the warden?", "artefact", "write"),
        ("Do you want me to pass your question on to a person?", "out_of_scope", "hand_over"),
        ("Shall I look up the tide model too?", "follow_up", ""),
    ],
)
def test_yes_is_what_was_offered(offer: str, kind: str, task: str) -> None:  # D2
    turn = classify("yes", Past("Who keeps it?", f"Anna does [1]. {offer}"))
    assert (turn.kind, turn.wish.task) == (kind, task)


def test_yes_to_the_web_searches_what_the_person_asked() -> (
    None
):  # X14: an answer could hold a document's words
    past = Past("What does a zorbal cost?", "I do not know. Shall I search the web for “7719-heron”?")
    turn = classify("yes", past)
    assert turn.web
    assert turn.own == "What does a zorbal cost?"
    assert "heron" not in turn.query


def test_politeness_is_no_part_of_a_wish() -> None:
    assert plain("Could you please, now, show me the lease?") == "show me the lease?"
