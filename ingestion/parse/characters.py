"""Which characters a stored text may hold: one cleaning rule for the output of every parser."""

import re
import unicodedata

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SPACES = re.compile("[\x1f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Alphabetic presentation forms: Latin and Armenian ligatures, Hebrew and Arabic shapes that PDF fonts use.
_FORMS = re.compile("[\ufb00-\ufb4f\ufb50-\ufdcf\ufdf0-\ufdfd\ufe70-\ufefc]+")
# Invisible characters that split words or hide text: soft hyphen, zero-width space and BOM, directional
# overrides, and tags (kept inside flag emoji, where they are visible).
_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
_INVISIBLE = re.compile(
    f"({_FLAG})|[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069"
    "\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_TRAILING = re.compile("[ \t]+(?=\n)")


def clean(text: str) -> str:
    """Text that Postgres stores and a typed word matches: NFC, no controls, plain spaces, ligatures folded.

    Line feeds and tabs stay; joiners (ZWJ, ZWNJ) stay because emoji and Persian need them.
    """
    text = _NEWLINES.sub("\n", text)
    if text.isascii():
        return _TRAILING.sub("", _INVISIBLE.sub("", text))
    text = _PAIR.sub(lambda match: match[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    text = _INVISIBLE.sub(lambda match: match[1] or "", text)
    text = _SPACES.sub(" ", text)
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _TRAILING.sub("", unicodedata.normalize("NFC", text))


def one_line(text: str) -> str:
    """Clean text with every run of white space collapsed to one space."""
    return " ".join(clean(text).split())
