"""What kind of turn a message is, by rules: whether documents are searched, and for what (D1-D4)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from server.chat.history import trim
from server.chat.sentences import MARKER, STOP, content_words, word_set
from server.chat.social import SOCIAL, agrees, social_kind, words_of
from server.chat.wishes import ADVICE, NONE, OUTSIDE, TABLE, Wish, plain, wish

# Words that point back at what was said before.
POINTING = word_set(
    """
    it its it's they them their theirs that this those these he she him her his hers there one ones former
    latter same other others else both
    """
)
# Of these, the ones that do not also join clauses, as "that" does in "the ship that berth nine takes".
PRONOUNS = word_set("it its it's they them their theirs this these those he she him her his hers")
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
    *(
        "und ",
        "oder ",
        "aber ",
        "warum",
        "was noch",
        "was ist mit",
        "wie sieht es mit",
        "et ",
        "mais ",
        "pourquoi",
    ),
    *(
        "quoi d'autre",
        "qu'en est-il",
        "y ",
        "pero ",
        "por qué",
        "qué más",
        "e ",
        "ma ",
        "perché",
        "cos'altro",
    ),
)
ALMOST_NOTHING = 1  # content words: "which page?" points back; "what is ECONNREFUSED?" has a name of its own
LONGEST_QUERY = 1000  # characters, about the 256 tokens that the embedded model reads of a query
NAME = re.compile(r"\b(?:[A-Z][\w&.-]*|[A-Z0-9][\w.-]*\d[\w.-]*)(?:\s+(?:[A-Z][\w&.-]*))*")


# An offer is the last question of an answer; what it offers follows "shall I".
OFFER = re.compile(r"[^.!?\n“”]*(?:“[^“”]*”[^.!?\n“”]*)*\?")
WEB_OFFER = "Shall I search the web for"
UNSURE_FROM = (
    8  # words; a shorter message that points back is a follow-up, in a longer one "this" may be its own
)
UNSURE_TO = 40
DOCUMENT_TASKS = ("summarise", "compare", "classify", "extract")


@dataclass(frozen=True, slots=True)
class Past:
    """The exchange before this message."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What a message is.

    kind: greeting | small_talk | acknowledgement | question | follow_up | advisory | whole_document | artefact |
    structured | out_of_scope. `query` is what is searched, empty where nothing is. `sure`: the rules need no
    second opinion. `wish`: what is to be done with which document. `web`: the person said yes to a web search,
    for `own`, which are this person's words and nobody else's.
    """

    kind: str
    query: str
    sure: bool = True
    wish: Wish = NONE
    web: bool = False
    own: str = ""

    @property
    def searches(self) -> bool:
        return bool(self.query)


def classify(message: str, past: Past | None = None, *, tables: bool = False) -> Turn:
    """The kind of a turn from its words and the exchange before it. `tables`: there is data to compute with."""
    turn = _accepted(past) if past and agrees(message) else None
    if turn is not None:
        return turn
    kind = social_kind(message)
    if kind:
        return Turn(kind, "")
    if OUTSIDE.match(plain(message)):
        return Turn("out_of_scope", "")
    turn = _asked(message, past, tables=tables)
    # The previous question belongs to what this person has said; the previous answer does not (X14).
    if not turn.searches:
        return turn
    return replace(turn, own=f"{message} {past.question}" if past and turn.kind == "follow_up" else message)


def _asked(message: str, past: Past | None, *, tables: bool) -> Turn:
    """A turn that looks something up."""
    words, wanted = words_of(message), wish(message)
    query = trim(message.strip(), LONGEST_QUERY)
    if wanted.task == "hand_over":
        return Turn("out_of_scope", "", wish=wanted)
    points = past is not None and _points_back(message, words)
    if wanted.task in (*DOCUMENT_TASKS, "send", "list"):
        searched = _with_referent(message, past) if past and points else query
        return Turn("whole_document", searched, wish=wanted)
    if wanted.task == "write":
        return Turn("artefact", _with_referent(message, past) if past and points else query, wish=wanted)
    if tables and TABLE.search(message):
        return Turn("structured", query)
    if past and points:
        return Turn("follow_up", _with_referent(message, past), sure=len(words) < UNSURE_FROM)
    if ADVICE.match(plain(message)):
        return Turn("advisory", query)
    early = any(word in PRONOUNS for word in words[:8])
    return Turn("question", query, sure=not (past and early and len(words) <= UNSURE_TO))


def _accepted(past: Past | None) -> Turn | None:
    """What a "yes" sets off: the thing offered at the end of the last answer, if anything was (D2)."""
    if past is None or "?" not in past.answer[-300:]:
        return None
    offer = OFFER.findall(past.answer)[-1].strip()
    if offer.startswith(WEB_OFFER):
        # The words to search are read from the question, which a person wrote, never from the answer (X14).
        return Turn("follow_up", trim(past.question.strip(), LONGEST_QUERY), web=True, own=past.question)
    offered = wish(offer.rstrip("?"))
    query = _with_referent(offer, past)
    if offered.task in DOCUMENT_TASKS or offered.task == "send":
        return Turn("whole_document", query, wish=offered)
    if offered.task == "write":
        return Turn("artefact", query, wish=offered)
    if offered.task == "hand_over":
        return Turn("out_of_scope", "", wish=offered)
    return Turn("follow_up", query, own=past.question)


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
