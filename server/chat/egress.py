"""What may leave the house in a web search: this person's own words, and nothing that was read in documents (X14)."""

import re
from collections.abc import Iterable

from server.chat.sentences import MARKER
from server.chat.wishes import plain

LONGEST = 300  # characters; a question is shorter, a pasted text is not
SPAN = 6  # words in a row; questions share four with the passage that answers them, quotations more
CODE = re.compile(r"(?=.*\d)(?!(?:19|20)\d\d$).{4,}")  # a code, the number of a contract; a year is neither
ASK_WEB = re.compile(
    r"^(?:search|look(?: it)? up|google|find|check|ask)\b.{0,30}?\b(?:on |in )?(?:the )?(?:web|internet|online|google)"
    r"\b(?: for| about)?[:,]?\s*",
    re.I,
)
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)


def web_query(own: str) -> str | None:
    """The query made of a person's own words; None when there are so many that they may be a pasted text."""
    text = ASK_WEB.sub("", plain(" ".join(MARKER.sub(" ", own).split()))).strip(" ?!.")
    return text if 0 < len(text) <= LONGEST else None


def leaks(query: str, private: Iterable[str]) -> bool:
    """Whether a query holds a span of these texts: several words in a row, or a code that stands in them."""
    words = _words(query)
    spans = {tuple(words[i : i + SPAN]) for i in range(len(words) - SPAN + 1)}
    codes = {word for word in words if CODE.fullmatch(word)}
    for text in private:
        there = _words(text)
        if codes & set(there):
            return True
        if spans and any(tuple(there[i : i + SPAN]) in spans for i in range(len(there) - SPAN + 1)):
            return True
    return False


def _words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
