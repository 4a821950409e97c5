"""Whether an answer is nothing but a refusal: kept for people, never replayed to the model (C2)."""

import re

from server.chat.sentences import MARKER

LONGEST = 400  # characters; what goes on after its apology is an answer

# An apology or none, then "I cannot", then what is refused. "The documents do not say" is no refusal.
SORRY = r"(?:i['’]?m (?:very |so |truly )?sorry|i am sorry|sorry|i apologi[sz]e|unfortunately|as an ai[\w ]*)"
CANNOT = (
    r"i (?:can['’]?t|cannot|can not|won['’]?t|will not|must decline|have to decline|"
    r"(?:am|['’]m) (?:not able|unable|not allowed|not permitted)|don['’]?t feel comfortable)|i['’]m (?:not able|unable)"
)
WHAT = r"(?:help|assist|answer|comply|discuss|provide|do that|share|fulfil|continue|engage|support|respond|request)"
ENGLISH = re.compile(rf"^(?:{SORRY}\b[,.!:; ]*)?(?:but )?(?:{CANNOT})\b.{{0,80}}\b{WHAT}", re.I | re.S)
OTHERS = re.compile(
    r"^(?:(?:es )?tut mir leid\b.{0,40}\bkann|leider kann ich\b|ich kann (?:dir|ihnen)? ?(?:dabei|hierbei|damit) nicht|"
    r"(?:je suis )?désolée?\b.{0,40}\bne peux pas|lo siento\b.{0,40}\bno puedo|mi dispiace\b.{0,40}\bnon posso|"
    r"(?:sinto muito|desculpe)\b.{0,40}\bnão posso|申し訳(?:ありません|ございません)|抱歉|很抱歉|对不起|죄송)",
    re.I | re.S,
)


def is_refusal(text: str) -> bool:
    """True for a short text that declines and cites nothing."""
    text = text.strip()
    if not text or len(text) > LONGEST or MARKER.search(text):
        return False
    return bool(ENGLISH.search(text) or OTHERS.search(text))
