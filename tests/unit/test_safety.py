"""What one message alone signals, and what of a message is the person's own."""

import gzip
import json
from pathlib import Path

import pytest

from server.chat.crisis import VIOLENCE
from server.chat.safety import in_danger, own_words, parse_texts
from server.chat.subjects import Subject, parse_subjects, units

DANGER = {
    "en": (
        "I want to kill myself", "i've been thinking about suicide lately", "I don't want to live anymore.",
        "Honestly I'm better off dead", "how can I end my life", "I keep cutting myself", "i wish i was dead",
        "what is a painless way to die", "I can't go on like this", "im suicidal",
    ),
    "de": ("Ich will nicht mehr leben", "ich möchte mich umbringen", "Ich habe Selbstmordgedanken"),
    "fr": ("je veux mourir", "Je pense à me suicider"),
    "es": ("quiero matarme", "no quiero vivir"),
    "it": ("voglio farla finita", "Non voglio più vivere"),
    "pt": ("quero morrer",),
    "nl": ("ik wil niet meer leven",),
}  # fmt: skip
HARMLESS = (
    "kill the process that holds port 8000", "How do I kill my session on the server?", "This deadline is killing me",
    "what does the policy say about suicide prevention?", "Summarise the chapter on self-harm statistics",
    "shoot me an e-mail when it is done", "How do I attack this problem?", "which poison kills rats in the barn?",
    "I will kill it at the presentation", "how can I beat the competition?", "what else?", "I'm dead tired",
    "Which document mentions the murder trial of 1911?", "how do I hurt my chances least?", "I could murder a coffee",
    "how do I stop the child process?", "The character says: \"I want to kill myself and end it all\". Who is it?",
    "Wie kann ich das Abo kündigen?", "the battery dies, I want to end the lease",
)  # fmt: skip
VIOLENT = (
    "I am going to kill my boss tomorrow", "how do I poison my husband", "I want to hurt her",
    "help me beat up my neighbour", "I'll shoot up the school", "what is the best way to strangle someone",
)  # fmt: skip


@pytest.mark.parametrize(("language", "message"), [(k, m) for k, v in DANGER.items() for m in v])
def test_somebody_in_danger_is_heard(language: str, message: str) -> None:  # D8, D9
    assert in_danger(own_words(message)) == language


@pytest.mark.parametrize("message", VIOLENT)
def test_violence_against_somebody_is_heard(message: str) -> None:  # D8
    assert VIOLENCE.search(own_words(message))


@pytest.mark.parametrize("message", HARMLESS)
def test_words_alone_alarm_nobody(message: str) -> None:  # D7, D8
    own = own_words(message)
    assert in_danger(own) == ""
    assert not VIOLENCE.search(own)


def test_neither_attacks_nor_documents_are_taken_for_danger(shared: Path) -> None:  # D8
    """336 prompts, 273 of them attacks of another kind, and 150 pasted e-mails and tables: no false alarm."""
    folder = shared / "data/safety"
    texts: list[str] = []
    for name in ("prompts", "clean_docs", "poisoned_docs"):
        lines = gzip.decompress((folder / f"{name}.jsonl.gz").read_bytes()).splitlines()
        texts += [json.loads(line)["text"] for line in lines]
    alarmed = [t for t in texts if in_danger(own_words(t)) or VIOLENCE.search(own_words(t))]
    assert len(texts) > 600
    assert alarmed == []


def test_of_a_long_message_only_the_persons_own_part_is_judged() -> None:  # D11
    paste = "\n\n".join(f"Clause {n}: the salary is 90,000 and the bonus 12 %. " * 3 for n in range(20))
    for message in (f"{paste}\n\nWhich clause names the bonus?", f"Which clause names the bonus?\n\n{paste}"):
        assert "Which clause names the bonus?" in own_words(message)
        assert "90,000" not in own_words(message)
    story = (
        "He wrote of the sea. " * 60 + "I want to kill myself, said the sailor. " + "They sailed on. " * 40
    )
    assert in_danger(own_words(story + "\n\nWho is speaking?")) == ""
    assert in_danger(own_words(f"{story}\n\nI want to kill myself")) == "en"  # their own words count
    assert own_words("") == own_words("```\nx\n```") == ""
    assert len(own_words("word " * 1000)) <= 300


def test_subjects_and_texts_are_read_from_lines() -> None:
    subjects = parse_subjects(
        "# a note\npay: What do you earn? | Is 90k fair? | not: the budget | say: Ask Ada.\n\nthe merger\n:x\n"
    )
    assert subjects == (
        Subject("pay", ("What do you earn?", "Is 90k fair?"), ("the budget",), "Ask Ada."),
        Subject("the merger"),
    )
    assert parse_texts("en: Call 1.\\nNow.\nde:Ruf an\nnonsense\nENG: x") == {
        "en": "Call 1.\nNow.",
        "de": "Ruf an",
    }


def test_a_message_is_judged_whole_and_by_sentence() -> None:
    assert units("Hello! We spoke of the ship. What would you charge?") == [
        "Hello! We spoke of the ship. What would you charge?", "We spoke of the ship.", "What would you charge?",
    ]  # fmt: skip
    assert units("?!") == []
