"""What kind of turn a message is, by rules: whether documents are searched, and for what (D1-D4)."""

import re
from dataclasses import dataclass

WORD = re.compile(r"[\w'’]+", re.UNICODE)

# A message is small talk when all its words are social and at least one of them can stand alone.
ALONE = frozenset(
    [
        "hi",
        "hello",
        "hey",
        "hiya",
        "howdy",
        "yo",
        "greetings",
        "morning",
        "afternoon",
        "evening",
        "goodnight",
        "thanks",
        "thank",
        "thx",
        "ty",
        "cheers",
        "ok",
        "okay",
        "k",
        "cool",
        "great",
        "nice",
        "perfect",
        "awesome",
        "wonderful",
        "lovely",
        "bye",
        "goodbye",
        "ciao",
        "sup",
        "welcome",
        "sorry",
        "lol",
        "haha",
        "yes",
        "yeah",
        "yep",
        "no",
        "nope",
        "hallo",
        "moin",
        "servus",
        "danke",
        "tschüss",
        "hola",
        "gracias",
        "adiós",
        "bonjour",
        "salut",
        "merci",
        "buongiorno",
        "grazie",
        "olá",
        "obrigado",
        "こんにちは",
        "ありがとう",
        "你好",
        "谢谢",
        "привет",
        "спасибо",
    ]
)
SOCIAL = ALONE | frozenset(
    [
        "good",
        "day",
        "night",
        "to",
        "you",
        "there",
        "all",
        "everyone",
        "team",
        "again",
        "so",
        "very",
        "much",
        "a",
        "lot",
        "for",
        "the",
        "help",
        "your",
        "are",
        "how",
        "doing",
        "is",
        "it",
        "going",
        "today",
        "what's",
        "whats",
        "what’s",
        "up",
        "see",
        "ya",
        "later",
        "then",
        "that's",
        "thats",
        "that’s",
        "and",
        "oh",
        "well",
        "my",
        "friend",
        "please",
        "got",
        "guten",
        "tag",
        "morgen",
        "abend",
        "buenos",
        "buenas",
        "días",
        "tardes",
        "noches",
        "bon",
        "bonsoir",
        "muchas",
        "schön",
        "sehr",
    ]
)
PHRASES = ("what's up", "whats up", "what’s up", "how are you", "how's it going", "see you", "got it")
AFFIRMATIONS = frozenset(
    [
        "yes",
        "yeah",
        "yep",
        "sure",
        "please",
        "ok",
        "okay",
        "do",
        "it",
        "go",
        "ahead",
        "of",
        "course",
        "absolutely",
        "ja",
        "oui",
        "sí",
    ]
)

# Words that point back at what was said before.
POINTING = frozenset(
    [
        "it",
        "its",
        "it's",
        "they",
        "them",
        "their",
        "theirs",
        "that",
        "this",
        "those",
        "these",
        "he",
        "she",
        "him",
        "her",
        "his",
        "hers",
        "there",
        "one",
        "ones",
        "former",
        "latter",
        "same",
        "other",
        "others",
        "else",
        "both",
    ]
)
OPENINGS = (
    "and ",
    "what about",
    "how about",
    "also ",
    "why",
    "but ",
    "then ",
    "so ",
    "or ",
    "which one",
    "what else",
)
SHORT = 4  # words; "when was that signed?" points back, "who signed the lease of 2019?" does not
NAME = re.compile(r"\b(?:[A-Z][\w&.-]*|[A-Z0-9][\w.-]*\d[\w.-]*)(?:\s+(?:[A-Z][\w&.-]*))*")


@dataclass(frozen=True, slots=True)
class Past:
    """The exchange before this message."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Turn:
    """kind: small_talk | question | follow_up. `query` is what is searched, empty for small talk."""

    kind: str
    query: str

    @property
    def searches(self) -> bool:
        return bool(self.query)


def classify(message: str, past: Past | None = None) -> Turn:
    """The kind of a turn from its words and the exchange before it."""
    words = [w.casefold() for w in WORD.findall(message)]
    if past and _accepts_an_offer(words, past):
        return Turn("follow_up", _with_referent(past.question, past))
    if _is_small_talk(message, words):
        return Turn("small_talk", "")
    if past and _points_back(message, words):
        return Turn("follow_up", _with_referent(message, past))
    return Turn("question", message.strip())


def _is_small_talk(message: str, words: list[str]) -> bool:
    if not words:
        return True
    if len(words) > 8 or not all(word in SOCIAL for word in words):
        return False
    return any(word in ALONE for word in words) or any(phrase in message.casefold() for phrase in PHRASES)


def _accepts_an_offer(words: list[str], past: Past) -> bool:
    offered = "?" in past.answer[-200:]
    return (
        offered and 0 < len(words) <= 5 and words[0] in AFFIRMATIONS and all(w in AFFIRMATIONS for w in words)
    )


def _points_back(message: str, words: list[str]) -> bool:
    lowered = message.strip().casefold()
    if lowered.startswith(OPENINGS) and len(words) <= 10:
        return True
    return len(words) <= SHORT or (len(words) <= 12 and any(word in POINTING for word in words))


def _with_referent(message: str, past: Past) -> str:
    """The message with the names of the last question and answer, where its pronouns point (C8)."""
    names: list[str] = []
    for text in (past.answer, past.question):
        for name in NAME.findall(text):
            if name not in names and name.casefold() not in SOCIAL and len(name) > 1:
                names.append(name)
    parts = [message.strip(), past.question if message != past.question else "", " ".join(names[:8])]
    return " ".join(part for part in parts if part)[:1000]
