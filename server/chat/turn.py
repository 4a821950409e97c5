"""What kind of turn a message is, by rules: whether documents are searched, and for what (D1-D4)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from server.chat.history import trim
from server.chat.sentences import MARKER, STOP, content_words, word_set

WORD = re.compile(r"[\w'’]+", re.UNICODE)

# A message is small talk when all its words are social and at least one of them can stand alone.
ALONE = word_set(
    """
    hi hello hey hiya howdy yo greetings morning afternoon evening goodnight thanks thank thx ty cheers ok
    okay k cool great nice perfect awesome wonderful lovely bye goodbye ciao sup welcome sorry lol haha yes
    yeah yep no nope hallo moin servus danke dank tschüss hola gracias adiós bonjour bonsoir salut merci
    buongiorno buonasera grazie olá obrigado obrigada goedemorgen bedankt hej tack cześć dziękuję ahoj merhaba
    teşekkürler привет здравствуйте спасибо مرحبا شكرا こんにちは こんばんは おはよう おはようございます ありがとう
    ありがとうございます 你好 您好 谢谢 谢谢你 안녕하세요 감사합니다
    """
)
SOCIAL = ALONE | word_set(
    """
    good day night to you there all everyone team again so very much a lot for the help your are how doing
    is it going today what's whats what’s up see ya later then that's thats that’s and oh well my friend
    please got guten gute tag morgen abend nacht vielen schön sehr buenos buenas días tardes noches muchas bon
    beaucoup mille bom boa dia tarde noite добрый доброе день утро вечер большое
    """
)
PHRASES = (
    *("what's up", "whats up", "what’s up", "how are you", "how's it going", "see you", "got it", "good day"),
    *("good night", "guten tag", "guten morgen", "guten abend", "gute nacht", "buenos días", "buenas tardes"),
    *("buenas noches", "bom dia", "boa tarde", "boa noite", "добрый день", "добрый вечер", "доброе утро"),
)
AFFIRMATIONS = word_set(
    """
    yes yeah yep sure please ok okay do it go ahead of course absolutely ja oui sí
    """
)

# Words that point back at what was said before.
POINTING = word_set(
    """
    it its it's they them their theirs that this those these he she him her his hers there one ones former
    latter same other others else both
    """
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
ALMOST_NOTHING = 1  # content words: "which page?" points back; "what is ECONNREFUSED?" has a name of its own
LONGEST_QUERY = 1000  # characters, about the 256 tokens that the embedded model reads of a query
OFFER = re.compile(r"[^.!?\n]*\?")
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
        # What was offered stands in the answer, and "yes" says nothing itself (D2).
        return Turn("follow_up", _with_referent(OFFER.findall(past.answer)[-1], past))
    if _is_small_talk(message, words):
        return Turn("small_talk", "")
    if past and _points_back(message, words):
        return Turn("follow_up", _with_referent(message, past))
    return Turn("question", trim(message.strip(), LONGEST_QUERY))


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
    if len(content_words(message)) <= ALMOST_NOTHING and not NAME.search(message[1:]):
        return True
    return len(words) <= 12 and any(word in POINTING for word in words)


def _with_referent(message: str, past: Past) -> str:
    """The message with the names of the last question and answer, where its pronouns point (C8)."""
    names = list(dict.fromkeys([*_names(past.answer), *_names(past.question)]))[:8]
    parts = [message.strip(), past.question if message != past.question else "", " ".join(names)]
    return " ".join(part for part in parts if part)[:LONGEST_QUERY]


def _names(text: str) -> Iterator[str]:
    """Names and identifiers; a single capitalised word that merely begins a sentence is none."""
    text = MARKER.sub("", text)
    for match in NAME.finditer(text):
        name = match.group()
        begins = not text[: match.start()].rstrip("\n> ") or text[: match.start()].rstrip()[-1:] in ".!?:"
        if " " not in name and (begins or name.casefold() in SOCIAL | STOP or name.isdecimal()):
            continue
        yield name
