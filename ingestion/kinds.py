"""What kind of document a file is, by its format and by the words such documents use (pure)."""

import re
from collections.abc import Sequence

KINDS = (
    "email", "spreadsheet", "presentation", "code", "data", "book", "image", "web_page", "invoice", "contract",
    "resume", "minutes", "paper", "report", "manual", "policy", "letter", "notes", "document",
)  # fmt: skip
HEAD_LINES = 60  # the first page says what a document is; later pages quote others

_OFFICE = "application/vnd.openxmlformats-officedocument."
_BY_FORMAT = {
    "message/rfc822": "email",
    "application/vnd.ms-outlook": "email",
    _OFFICE + "spreadsheetml.sheet": "spreadsheet",
    "text/csv": "spreadsheet",
    "text/tab-separated-values": "spreadsheet",
    _OFFICE + "presentationml.presentation": "presentation",
    "application/json": "data",
    "application/jsonl": "data",
    "application/xml": "data",
    "application/yaml": "data",
    "application/toml": "data",
    "text/x-ini": "data",
    "text/x-log": "data",
    "application/epub+zip": "book",
}
_OTHERWISE = {"text/html": "web_page", "image/png": "image", "image/jpeg": "image", "text/markdown": "notes"}


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)", re.IGNORECASE)


# A name or title that says it is enough.
_NAMED = (
    (
        "invoice",
        _words("invoice", "rechnung", "facture", "factura", "fattura", "fatura", "receipt", "quittung"),
    ),
    ("resume", _words("curriculum vitae", "résumé", "resume", "lebenslauf", "cv")),
    ("minutes", _words("minutes", "protokoll", "procès-verbal", "meeting notes")),
    (
        "contract",
        _words(r"\w*agreement", "contract", r"\w*vertrag", "contrat", "contrato", "contratto", "lease"),
    ),
    ("policy", _words("policy", "policies", "richtlinie", "code of conduct", "terms of (?:use|service)")),
    (
        "manual",
        _words(
            "manual",
            "handbook",
            "handbuch",
            "guide",
            "tutorial",
            "instructions",
            "anleitung",
            "mode d'emploi",
        ),
    ),
    (
        "report",
        _words(
            "report",
            "bericht",
            r"\w+bericht",
            "rapport",
            "informe",
            "relatório",
            "white ?paper",
            "(?:8-?k|10-?[kq])",
        ),
    ),
)
# And words that only such documents have together, one of each line.
_WORDED = (
    (
        "invoice",
        _words("invoice (?:no|number|date)", "rechnungs(?:nummer|datum)", "amount due", "facture n°"),
        _words("total", "summe", r"gesamt\w*", "amount", "montant", "importe"),
    ),
    ("paper", _words("abstract"), _words("doi", "arxiv", "et al", "introduction", "keywords")),
    (
        "contract",
        _words("hereinafter", "hereby", "vertragsparteien", "by and between"),
        _words("part(?:y|ies)", r"vertrag\w*"),
    ),
    (
        "minutes",
        _words("attendees", "present", "teilnehmer"),
        _words("agenda", "action items", "tagesordnung"),
    ),
    (
        "resume",
        _words("work experience", "professional experience", "berufserfahrung"),
        _words("education", "skills", "ausbildung"),
    ),
    (
        "letter",
        re.compile(r"^(?:dear|sehr geehrte\w*|chère?|estimad[oa]s?|gentile)\s", re.IGNORECASE | re.MULTILINE),
        _words("sincerely", "regards", "grüßen", "grüße", "cordialement", "atentamente", "yours"),
    ),
)


def type_of(named: str, lines: Sequence[str], *, media_type: str) -> str:
    """One of KINDS. `named`: the name and title; `lines`: the text from its start."""
    if media_type in _BY_FORMAT:
        return _BY_FORMAT[media_type]
    if media_type.startswith("text/x-") and media_type != "text/x-rst":
        return "code"
    for kind, pattern in _NAMED:
        if pattern.search(named):
            return kind
    head = "\n".join(lines[:HEAD_LINES])
    for kind, *patterns in _WORDED:
        if all(pattern.search(head) for pattern in patterns):
            return kind
    return _OTHERWISE.get(media_type, "document")
