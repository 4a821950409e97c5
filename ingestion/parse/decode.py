"""The one rule that turns the bytes of a text file into text: marks, then proof, then judgement."""

import codecs
import re
import unicodedata
from dataclasses import dataclass

from ingestion.errors import UnknownEncoding
from ingestion.parse.blocks import Warning_
from ingestion.parse.characters import clean
from ingestion.parse.charset import CERTAIN, SAMPLE_BYTES, guess

BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Below this no language explains the bytes and the text would be mojibake (see charset.CERTAIN).
READABLE = 0.3

_UNLIKELY = frozenset(("Cc", "Cn", "Co", "Cs"))
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})[\"']")
# What the web means by these labels (WHATWG Encoding Standard).
_LABELS = {"iso-8859-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252", "us-ascii": "cp1252",
           "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
           "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "iso-8859-9": "cp1254", "tis-620": "cp874",
           "iso-8859-11": "cp874", "x-mac-roman": "mac_roman", "macintosh": "mac_roman"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decoded:
    """Clean text, the encoding it was in, and what a person should know about that."""

    text: str
    encoding: str
    warnings: tuple[Warning_, ...] = ()


def decode(data: bytes, *, markup: bool = False) -> Decoded:
    """Decode by BOM, strict UTF-8, NUL pattern, declared charset (`markup`), then by the letters used.

    Raises UnknownEncoding when no encoding gives text that a language explains.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], encoding)
    wide = wide_encoding(data)
    if wide:
        return _lenient(data, wide)
    text = _strict(data, "utf-8")
    if text is not None:
        return Decoded(clean(text), "utf-8")
    declared = _declared(data) if markup else None
    if declared:
        text = _strict(data, declared)
        if text is not None:
            return Decoded(clean(text), declared)
    return _guessed(data)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _lenient(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    if broken > 0.05 * len(text) + 2:
        raise UnknownEncoding(detail=f"{broken} of {len(text)} characters are invalid {encoding}")
    return Decoded(clean(text.replace("\ufffd", "")), encoding, _note_broken(broken))


def _note_broken(broken: int) -> tuple[Warning_, ...]:
    if not broken:
        return ()
    return (Warning_("invalid_bytes", f"{broken} invalid byte sequences were left out."),)


def wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, by where the zero bytes are."""
    sample = data[:4096]
    if len(data) % 2 or len(sample) < 4 or 0 not in sample:
        return None
    shares = [sample[offset::4].count(0) / max(1, len(sample[offset::4])) for offset in range(4)]
    even, odd = (shares[0] + shares[2]) / 2, (shares[1] + shares[3]) / 2
    if len(data) % 4 == 0 and min(shares[2:]) > 0.9 and shares[0] < 0.2:
        return "utf-32-le" if _plausible(sample, "utf-32-le") else None
    if len(data) % 4 == 0 and min(shares[:2]) > 0.9 and shares[3] < 0.2:
        return "utf-32-be" if _plausible(sample, "utf-32-be") else None
    # Chinese prose has a space or line feed (a zero byte) in fifty characters; stray NULs take no side.
    for high, low, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if low <= 0.3 * high and (high > 0.2 or (high > 0.01 and _unlike_utf8(data))):
            return encoding if _plausible(sample, encoding) else None
    return None


def _plausible(sample: bytes, encoding: str) -> bool:
    """Whether a sample decodes to characters that texts hold: few controls, private or unassigned ones."""
    text = sample.decode(encoding, "replace")
    odd = sum(1 for char in text if unicodedata.category(char) in _UNLIKELY and char not in "\t\n\r\f")
    return odd + text.count("\ufffd") <= 1 + 0.03 * len(text)


def _unlike_utf8(data: bytes) -> bool:
    text = _strict(data, "utf-8")
    if text is None:
        return True
    controls = sum(1 for char in text[:4096] if char < " " and char not in "\t\n\r\f")
    return controls > 2 + len(text[:4096]) // 20


def _declared(data: bytes) -> str | None:
    match = _META.search(data[:4096]) or _XML.match(data[:4096])
    if not match:
        return None
    label = match[1].decode("ascii").lower()
    return _LABELS.get(label, label)


def _guessed(data: bytes) -> Decoded:
    broken = data.decode("utf-8", "replace").count("\ufffd")
    if broken * 200 < sum(1 for byte in data if byte >= 0x80):
        return _lenient(data, "utf-8")  # UTF-8 with a few damaged bytes
    encoding, score = guess(data)
    if not encoding or score < READABLE or not _plausible(data[:SAMPLE_BYTES], encoding):
        raise UnknownEncoding(detail=f"best guess {encoding or 'none'} covers {score:.2f}")
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    warnings = _note_broken(broken)
    if score < CERTAIN:
        message = f"The encoding was not certain and was read as {encoding}; check that the text looks right."
        warnings += (Warning_("encoding_uncertain", message),)
    return Decoded(clean(text.replace("\ufffd", "")), encoding, warnings)
