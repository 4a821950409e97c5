"""Citations in a stream: the model may write [n], the server owns n (M2)."""

import re
from collections.abc import Callable

from server.chat.sentences import ABBREVIATION, MARKER
from server.chat.support import Evidence, attribute

OPEN = "[【"
INSIDE = re.compile(r"[\[【][-\d,;\s]{0,120}")  # twenty numbers with their commas take 70
WHOLE = re.compile(r"[\[【]\s*(-?\d+(?:\s*[,;-]\s*-?\d+)*)\s*[\]】]")
SPECIAL = re.compile(r"[\[【`]")  # what a marker or code begins with
PLAIN_HELD = ("", " ")
ENDING = frozenset(".!?\"'”’)")
PIECES = re.compile(r"\s|\S+")
SENTENCE_END = re.compile(r"[.!?][\"'”’)]*$")


class CitationFilter:
    """Rewrites markers as text streams through: known numbers stay, others vanish, code is left alone.

    `number` gives a known n the number that is shown, where the model was told others.
    """

    def __init__(self, number: Callable[[int], int] = int) -> None:
        self._number = number
        self.known: set[int] = set()
        self.cited: set[int] = set()
        self._held = ""
        self._ticks = 0
        self._code = 0  # the number of backticks that opened the code we are in

    def feed(self, delta: str) -> str:
        """What can be shown now. A marker that may still grow is held back, a few characters at most."""
        if self._ticks or self._code or self._held not in PLAIN_HELD or SPECIAL.search(delta):
            return "".join([self._take(character) for character in delta])
        text = self._held + delta
        self._held = " " if text.endswith(" ") else ""  # one before a marker goes with it
        return text[:-1] if self._held else text

    def flush(self) -> str:
        """What was held, at the end of the text."""
        held, self._held = self._held, ""
        return held

    def _take(self, character: str) -> str:
        self._follow_code(character)
        if self._code:
            return self.flush() + character
        candidate = self._held + character
        marker = candidate.lstrip(" ")
        if WHOLE.fullmatch(marker):
            self._held = ""
            return self._resolve(candidate, marker)
        growing = not marker or (marker[0] in OPEN and INSIDE.fullmatch(marker))
        if growing and len(candidate) - len(marker) <= 1:
            self._held = candidate
            return ""
        held = self.flush()
        if character in OPEN or character == " ":
            self._held = character
            return held
        return held + character

    def _resolve(self, candidate: str, marker: str) -> str:
        wanted = [int(n) for n in re.findall(r"(?<!\d)-?\d+", WHOLE.fullmatch(marker)[1])]  # type: ignore[index]
        kept = [self._number(n) for n in dict.fromkeys(wanted) if n in self.known]
        self.cited.update(kept)
        space = candidate[: len(candidate) - len(marker)]
        return space + "".join(f"[{n}]" for n in kept) if kept else ""

    def _follow_code(self, character: str) -> None:
        if character == "`":
            self._ticks += 1
            return
        if self._ticks:
            if not self._code:
                self._code = self._ticks
            elif self._ticks == self._code:
                self._code = 0
            self._ticks = 0
        if self._code and self._code < 3 and character == "\n":
            self._code = 0  # an unpaired backtick is not code


class Attributor:
    """Adds the marker that a model left out, where a finished sentence nearly quotes one passage."""

    def __init__(self) -> None:
        self.passages: list[Evidence] = []
        self.added: set[int] = set()
        self._sentence = ""
        self._pause = ""  # the white space behind a finished sentence, until we see what follows it

    def feed(self, shown: str) -> str:
        """The same text, with markers behind the sentences that end in it."""
        return "".join([self._piece(piece) for piece in PIECES.findall(shown)])

    def flush(self) -> str:
        """The marker of the last sentence, if it deserves one, and what was held."""
        marker = self._marker() if self._ended("\n") else ""
        pause, self._pause, self._sentence = self._pause, "", ""
        return marker + pause

    def _piece(self, piece: str) -> str:
        """A white space, or a word, whose first character decides."""
        first, rest = self._take(piece[0]), piece[1:]
        self._sentence += rest
        return first + rest

    def _take(self, character: str) -> str:
        if character.isspace() and (self._pause or self._ended(character)):
            self._pause += character
            return ""
        out = ""
        if self._pause:
            # The model's own marker may stand behind the stop: it belongs to the same sentence.
            out = self._pause if character == "[" else self._marker() + self._pause
            self._sentence = self._sentence + self._pause if character == "[" else ""
            self._pause = ""
        self._sentence += character
        return out + character

    def _ended(self, character: str) -> bool:
        text = self._sentence.strip()
        if character != "\n" and text[-1:] not in ENDING:  # nearly always, without searching all of it
            return False
        if not text or text.count("`") % 2:  # inside code, nothing ends
            return False
        return character == "\n" or (bool(SENTENCE_END.search(text)) and not ABBREVIATION.search(text))

    def _marker(self) -> str:
        text = self._sentence.strip()
        if not text or MARKER.search(text) or text.startswith(("#", "|", "```")):
            return ""
        n = attribute(text, self.passages)
        if n is None:
            return ""
        self.added.add(n)
        return f" [{n}]"
