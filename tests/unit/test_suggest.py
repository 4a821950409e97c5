"""Example questions out of headings, and titles out of questions."""

from server.chat.ask import title
from server.chat.suggest import _questions


def test_headings_that_say_something_become_questions() -> None:
    headings = [
        "Table of Contents",
        "1. Introduction",
        "Mooring fees",
        "  Berth   limits: ",
        "12.4",
        "§§ 12–14",
        "ABC",
    ]
    assert _questions("harbour.pdf", headings) == [
        "What does harbour say about “Mooring fees”?",
        "What does harbour say about “Berth limits”?",
    ]


def test_a_document_without_telling_headings_is_asked_about_as_a_whole() -> None:
    assert _questions("notes.2024.txt", ["Contents", "Appendix", "Page 3"]) == ["What is notes.2024 about?"]
    assert _questions("x" * 80 + ".pdf", []) == [f"What is {'x' * 49}… about?"]


def test_a_title_is_the_start_of_the_question() -> None:
    assert title("  how heavy\n is the anchor? ") == "how heavy is the anchor?"
    long = title("word " * 40)
    assert long.endswith("word…")
    assert len(long) <= 61
