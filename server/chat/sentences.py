"""Sentences and words of an answer or a passage."""

import re


def word_set(text: str) -> frozenset[str]:
    """A list of words as it is best read in code."""
    return frozenset(text.split())


# An end is a stop with a space behind it, or a line's end; "e.g. ", "No. 5" and "3.5" are not ends.
END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*(?=\s)|(?<=[。！？])|\n+")
ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|no|nos|fig|mr|mrs|ms|dr|prof|inc|ltd|co|corp|u\.s|approx|st)\.$", re.I
)
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MARKER = re.compile(r"\[(\d+)\]")
STOP = word_set(
    """
    a an and are as at be been but by can could did do does for from had has have how i if in into is it its
    may of on or our should so such than that the their them then there these they this those to was we were
    what when where which who will with would you your not no according document documents passage source
    states stated says mentions also
    """
)


def sentences(text: str) -> list[str]:
    """Sentences in order, blank ones left out, abbreviations kept whole."""
    found: list[str] = []
    start = 0
    for end in END.finditer(text):
        piece = text[start : end.end()]
        if "\n" not in end.group() and ABBREVIATION.search(piece.strip()):
            continue
        if piece.strip():
            found.append(piece.strip())
        start = end.end()
    if text[start:].strip():
        found.append(text[start:].strip())
    return found


def content_words(text: str) -> set[str]:
    """Words that carry meaning, cut to six letters so that endings do not matter."""
    words = (w.casefold() for w in WORD.findall(MARKER.sub(" ", text)))
    return {w[:6] for w in words if w not in STOP and len(w) > 1}


def numbers(text: str) -> set[str]:
    """Numbers with their grouping taken out: 1,234.50 is 1234.5."""
    found = set()
    for number in NUMBER.findall(MARKER.sub(" ", text)):
        plain = number.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number) else number
        found.add(plain.rstrip("0").rstrip(".") if "." in plain else plain)
    return found
