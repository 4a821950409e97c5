"""Characters that arrive in halves."""

from server.chat.characters import Joiner, whole


def joined(*deltas: str) -> str:
    joiner = Joiner()
    return "".join(joiner.feed(delta) for delta in deltas) + joiner.flush()


def test_halves_are_joined_across_deltas() -> None:  # S-ST-01, E25
    assert joined("wave \ud83c", "\udf0a!") == "wave 🌊!"
    assert joined("\ud83c", "", "\udf0a") == "🌊"
    assert joined("Füße in 北京 🌊 — fin") == "Füße in 北京 🌊 — fin"


def test_what_stays_alone_is_replaced() -> None:
    assert joined("a \ud83c", " b") == "a \ufffd b"
    assert joined("a \udf0a b") == "a \ufffd b"
    assert joined("a \ud83c") == "a \ufffd"
    assert whole("a\0b") == "a\ufffdb"
    for text in (joined("\ud83c\ud83c", "\udf0a\udf0a"), whole("\ud800\0\udfff")):
        text.encode("utf-8")
        assert "\0" not in text


def test_nothing_is_held_without_need() -> None:  # B2
    assert Joiner().feed("plain é") == "plain é"
