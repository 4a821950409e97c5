"""Which legacy encoding some bytes are in, judged by the letters that languages really use.

charset-normalizer needs about 100 characters to be right: on one sentence it took GB2312 for Thai, koi8-r
for Japanese, Big5 for Korean and cp1252 for cp1250. Coverage of a language's own letters decides those.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from charset_normalizer import from_bytes

SAMPLE_BYTES = 64_000
# One sentence each in 20 languages: the right decoding scores .80 at the least and .97 or more for all but one;
# the best wrong one .85 at the median and 1.00 for four, which the order below and MARGIN decide rightly.
CERTAIN = 0.8
DOUBTFUL = 0.5  # below this a general detector knows better
# A later candidate must beat an earlier one by this: é and ó alone are covered by six code pages.
MARGIN = 0.08

_WEST = (
    "àâæçéèêëîïôœùûüÿ",  # French
    "äöüß",
    "áéíñóúü¿¡",  # Spanish
    "àèéìîòóù",  # Italian
    "áâãàçéêíóôõú",  # Portuguese
    "æøåäöéü",  # Nordic
    "àçèéíïòóúü·",  # Catalan
)
_ALONE = ("áðéíóúýþæö",)  # Icelandic: with another language beside it, it would explain Turkish and Baltic
_CENTRAL = (
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýžäĺľôŕ",  # Czech, Slovak
    "áéíóöőúüű",  # Hungarian
    "ăâîșțşţ",  # Romanian
    "čćđšž",  # Croatian, Slovene
)
# Scripts of their own: letters by falling frequency, so that the first ten make up half of any text.
_RUSSIAN = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё№",
    "оанивертсклідумзпяьбгчйхжцюєїшфщґ",
    "аоиентсрвдукмлпјзгбшчцжњхћљђџф",
)
_GREEK = ("αοιετσνηυρκπμςλωόάγίέδχθφβήύώξζψϊϋΐΰ",)
_TURKISH = (
    "",
    "çğıöşüâîiİ",
)
_BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž")
_HEBREW = ("יוהלאתרמבשנדעחקכפםטגסזצןךףץ",)
_ARABIC = ("اليمنوتربعدسفهكةقحجشصىطخزأذضثغءآإئؤظپچژگ،؛؟",)
_THAI = ("านรอกเงมยลวดทสตะปบคหแจพชขใไโผซณธศถภษฐญฟฉฬฆฤฎฏฒฑฌ่้์ิีึืุู็ั๋๊ำฯๆ",)

# In the order they are tried: a tie goes to the earlier.
SINGLE_BYTE: dict[str, tuple[str, ...]] = {
    "cp1252": _WEST,
    "cp1251": _RUSSIAN,
    "koi8_u": _RUSSIAN,
    "cp866": _RUSSIAN,
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1254": _TURKISH,
    "cp1253": _GREEK,
    "iso8859_7": _GREEK,
    "cp1257": _BALTIC,
    "cp1255": _HEBREW,
    "cp1256": _ARABIC,
    "cp874": _THAI,
    "cp850": _WEST,
    "mac_roman": _WEST,
    "cp852": _CENTRAL,
}
OWN_SCRIPT = frozenset(("cp1251", "koi8_u", "cp866", "cp1253", "iso8859_7", "cp1255", "cp1256", "cp874"))
# Encoding, the codec and lead bytes of its everyday ideographs or syllables. Korean syllables end where
# half of the Chinese ideographs have yet to come, so cp949 is asked first.
MULTI_BYTE: dict[str, tuple[str, range]] = {
    "cp949": ("euc_kr", range(0xB0, 0xC9)),
    "gb18030": ("gb2312", range(0xB0, 0xD8)),
    "cp932": ("euc_jp", range(0xB0, 0xD0)),
    "euc_jp": ("euc_jp", range(0xB0, 0xD0)),
    "big5": ("big5", range(0xA4, 0xC7)),
}
_PUNCTUATION = frozenset("–—‘’‚“”„†‡•…‰‹›€£¥§«»©®°±·¶µ×÷½¼¾²³™¡¿\u00a0\u00ad")
_EAST = re.compile("[\u3000-\u30fe\uff01-\uff5e…—“”‘’·]")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_INNER_PUNCTUATION = re.compile("(?<=[^\\W\\d_])[^\\w\\s\x00-\x7f’·\u00ad\u2013\u2014-](?=[^\\W\\d_])")
_CASE_BREAK = re.compile("(?<=[^\\W\\d_a-zA-Z])[^\\W\\d_a-zA-Z]")
_MIXED = re.compile("[^\\W\\d_\x00-\x7f][a-zA-Z]|[a-zA-Z][^\\W\\d_\x00-\x7f]")


def guess(data: bytes) -> tuple[str, float]:
    """The encoding of `data` and how well a language covers it, 0 to 1; ("", 0.0) when none decodes."""
    sample = data[:SAMPLE_BYTES]
    best, best_score = "", 0.0
    for encoding, score in _candidates(sample):
        if score > best_score + (MARGIN if best else 0.0):
            best, best_score = encoding, score
    if best_score < DOUBTFUL:
        match = from_bytes(sample).best()
        if match is not None and match.coherence > 0:
            return str(match.encoding), max(best_score, float(match.coherence))
    return best, best_score


def _candidates(sample: bytes) -> Iterator[tuple[str, float]]:
    for encoding in MULTI_BYTE:
        text = _decode(sample, encoding)
        if text is not None:
            yield encoding, _everyday_share(text, encoding)
    for encoding in SINGLE_BYTE:
        text = _decode(sample, encoding)
        if text is not None:
            yield encoding, _coverage(text, encoding)


def _decode(sample: bytes, encoding: str) -> str | None:
    for cut in range(4):  # the sample may end inside a character
        try:
            return sample[: len(sample) - cut].decode(encoding)
        except UnicodeDecodeError as error:
            if error.end < len(sample) - 4:
                return None
    return None


def _everyday_share(text: str, encoding: str) -> float:
    """Share of the non-ASCII characters that are common in the writing the encoding was made for."""
    foreign = _FOREIGN.findall(text)
    if len(foreign) < 2:
        return 0.0
    everyday = _everyday(encoding)
    hits = sum(1 for char in foreign if char in everyday or _EAST.match(char))
    kana = sum(1 for char in foreign if "\u3041" <= char <= "\u30fe") / len(foreign)
    if (kana > 0.2) != (encoding in ("cp932", "euc_jp")):
        return 0.0
    return hits / len(foreign)


@cache
def _everyday(encoding: str) -> frozenset[str]:
    codec, leads = MULTI_BYTE[encoding]
    trails = range(0x40, 0xFF)
    pairs = (bytes((lead, trail)).decode(codec, "ignore") for lead in leads for trail in trails)
    return frozenset(char for char in pairs if len(char) == 1 and not char.isascii())


def _coverage(text: str, encoding: str) -> float:
    """Share of the non-ASCII characters that a language explains, less what no spelling explains."""
    foreign = Counter(_FOREIGN.findall(text.lower()))
    total = foreign.total()
    if not total:
        return 0.0
    letters = {char: count for char, count in foreign.items() if char not in _PUNCTUATION}
    punctuation = total - sum(letters.values())
    broken = 2 * len(_INNER_PUNCTUATION.findall(text))
    if encoding in OWN_SCRIPT:
        known = max(_frequent(letters, language) for language in SINGLE_BYTE[encoding])
        broken += len(_MIXED.findall(text)) + 2 * _capitals_inside(text)
    else:
        pairs = combinations(SINGLE_BYTE[encoding], 2)  # real files mix two languages, seldom three
        known = max(_explained(letters, language) for language in (*map("".join, pairs), *_ALONE))
        known = max(known, 0.85 * _explained(letters, "".join(SINGLE_BYTE[encoding])))
    return max(0.0, (known + punctuation - broken) / total)


def _explained(letters: dict[str, int], language: str) -> int:
    return sum(count for char, count in letters.items() if char in language)


def _frequent(letters: dict[str, int], language: str) -> float:
    """Letters explained, scaled down where the ten most frequent are not half of them."""
    known, frequent = _explained(letters, language), _explained(letters, language[:10])
    return known * min(1.0, 0.4 + frequent / max(1, known))


def _capitals_inside(text: str) -> int:
    return sum(1 for m in _CASE_BREAK.finditer(text) if m[0].isupper() and text[m.start() - 1].islower())
