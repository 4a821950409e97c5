"""Text that a model streams, made fit to be sent and stored: whole characters, none that text cannot hold."""

HALF = range(0xD800, 0xDC00)  # the first half of a character beyond the basic plane


class Joiner:
    """Joins characters that were cut in two between deltas; a half that stays alone becomes U+FFFD."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, delta: str) -> str:
        text = self._half + delta
        self._half = text[-1:] if text and ord(text[-1]) in HALF else ""
        return whole(text[: len(text) - len(self._half)])

    def flush(self) -> str:
        half, self._half = self._half, ""
        return whole(half)


def whole(text: str) -> str:
    """The text with pairs of halves joined, lone ones and NUL replaced."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")
