"""How a spreadsheet shows a number: the format codes of Office Open XML part 1, 18.8.31, as far as they are used.

Dates are written as their format says, with English names; the formats that follow the reader's own region
(14 and 22, and the long forms marked [$-F800]) as ISO dates, which nobody misreads. What is not understood
falls back to the plain number.
"""

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache

# The built-in formats by id that files use without spelling them out.
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "0.0E+0",
}  # fmt: skip
LAST_DAY = 2_958_465  # 9999-12-31
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<symbol>[^\]-]*)[^\]]*\]|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]'
    r"|(?P<noon>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+)|(?P<power>E[+-]0+)|(?P<mask>[0#?.,]+)|(?P<next>;)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_REGIONAL = re.compile(r"\[\$-F[48]00\]", re.IGNORECASE)

Token = tuple[str, str]  # its kind and its text


def shown(raw: str, code: str, *, from_1904: bool = False) -> str:
    """The number written `raw` in the file, as format `code` shows it."""
    if not code or code.lower() == "general" or "@" in code:
        return plain(raw)
    try:
        value = float(raw)
        if _REGIONAL.search(code):
            code = "h:mm:ss" if "F400" in code.upper() else "yyyy-mm-dd"
        tokens, negated = _section(code, value)
        if _is_date(tokens):
            return _date(value, tokens, from_1904=from_1904) or plain(raw)
        text = _number(Decimal(raw), tokens)
    except (ValueError, InvalidOperation, OverflowError):
        return plain(raw)
    if not text.strip():
        return plain(raw)
    return f"-{text}" if negated and any(char in "123456789" for char in text) else text


def plain(raw: str) -> str:
    """Without a format: whole numbers whole, others to the 15 digits that a spreadsheet keeps."""
    try:
        value = float(raw)
    except ValueError:
        return raw
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.15g}".upper()


def _section(code: str, value: float) -> tuple[list[Token], bool]:
    """The tokens that apply to the value, and whether a minus sign goes before them."""
    parts: list[list[Token]] = [[]]
    for token in _tokens(code):
        if token[0] == "next":
            parts.append([])
        else:
            parts[-1].append(token)
    if value < 0 and len(parts) > 1:
        return parts[1], False
    if value == 0 and len(parts) > 2:
        return parts[2], False
    return parts[0], value < 0


@cache
def _tokens(code: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup
        if kind:
            found.append((kind if kind not in ("quoted", "escaped", "symbol") else "other", match[kind]))
    return found


def _is_date(tokens: list[Token]) -> bool:
    return any(kind in ("date", "elapsed") for kind, _ in tokens)


def _date(value: float, tokens: list[Token], *, from_1904: bool) -> str:
    """A moment, or a duration where the format counts hours beyond a day; "" where there is none."""
    if not 0 <= value <= LAST_DAY:
        return ""
    seconds = round(value * 86_400)
    # Day 60 of the 1900 system is a 29 February that never was.
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if value >= 60 else 31)
    moment = start + timedelta(seconds=seconds)
    noon = any(kind == "noon" for kind, _ in tokens)
    parts = []
    for index, (kind, text) in enumerate(tokens):
        if kind == "date":
            letters = text.lower()
            if letters[0] == "m" and len(letters) < 3 and _is_minute(tokens, index):
                parts.append(f"{moment.minute:0{len(letters)}}")
            else:
                parts.append(_moment_part(moment, letters, noon=noon))
        elif kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[text[0].lower()]
            parts.append(f"{seconds // unit:0{len(text)}}")
        elif kind == "noon":
            parts.append("AM" if moment.hour < 12 else "PM")
        elif kind == "other" or text in (".", ","):
            parts.append(text)
    return "".join(parts).strip()


def _is_minute(tokens: list[Token], index: int) -> bool:
    """Whether an m beside hours or seconds is a minute and no month."""
    units = [text[0].lower() if kind in ("date", "elapsed") else "" for kind, text in tokens]
    before = next((unit for unit in reversed(units[:index]) if unit), "")
    after = next((unit for unit in units[index + 1 :] if unit), "")
    return before == "h" or after == "s"


def _moment_part(moment: datetime, letters: str, *, noon: bool) -> str:
    number = {"m": moment.month, "d": moment.day, "s": moment.second, "h": moment.hour}.get(letters[0], 0)
    if letters[0] == "y":
        return f"{moment.year:04}" if len(letters) > 2 else f"{moment.year % 100:02}"
    if letters[0] == "m" and len(letters) > 2:
        return MONTHS[moment.month - 1][: 3 if len(letters) == 3 else None]
    if letters[0] == "d" and len(letters) > 2:
        return DAYS[moment.weekday()][: 3 if len(letters) == 3 else None]
    if letters[0] == "h" and noon:
        number = moment.hour % 12 or 12
    return f"{number:02}" if len(letters) > 1 else str(number)


def _number(value: Decimal, tokens: list[Token]) -> str:
    """Digits in their places, with the signs and words around them."""
    masks = [text for kind, text in tokens if kind == "mask"]
    if any(kind == "other" and text == "/" for kind, text in tokens) and any("?" in mask for mask in masks):
        raise ValueError("a fraction")
    power = next((text for kind, text in tokens if kind == "power"), "")
    value = abs(value)
    value = value.scaleb(2 * sum(1 for kind, text in tokens if (kind, text) == ("other", "%")))
    mask = "".join(masks)
    if power:
        return _scientific(value, mask, power)
    whole, _, fraction = mask.partition(".")
    value = value.scaleb(-3 * (len(whole) - len(whole.rstrip(","))))
    digits, decimals = _digits(value, whole, fraction)
    places = sum(1 for char in whole if char != ",")
    parts: list[str] = []
    split = len(masks) > 1
    for kind, text in tokens:
        if kind == "other":
            parts.append(text)
        elif kind == "mask" and split and "." not in mask:
            parts.append(digits[: len(digits) - places + len(text)])
            digits, places = digits[len(parts[-1]) :], places - len(text)
        elif kind == "mask":
            parts.append(digits + decimals)
            digits = decimals = ""
    return "".join(parts).strip()


def _digits(value: Decimal, whole: str, fraction: str) -> tuple[str, str]:
    """The digits before the point, grouped where the format groups them, and the point with what follows."""
    rounded = value.quantize(Decimal(1).scaleb(-len(fraction)), ROUND_HALF_UP)
    digits, _, decimals = f"{rounded:f}".partition(".")
    digits = digits.lstrip("0").rjust(whole.count("0"), "0")
    while decimals.endswith("0") and len(decimals) > fraction.count("0"):
        decimals = decimals[:-1]
    if "," in whole.rstrip(",") and digits:
        digits = f"{int(digits):0{len(digits)},}" if digits.strip("0") else digits
    return digits, f".{decimals}" if decimals else ""


def _scientific(value: Decimal, mask: str, power: str) -> str:
    mantissa, _, exponent = f"{value:.{len(mask.partition('.')[2])}E}".partition("E")
    sign = "-" if exponent.startswith("-") else "+" if power[1] == "+" else ""
    return f"{mantissa}E{sign}{exponent.lstrip('+-').zfill(len(power) - 2)}"
