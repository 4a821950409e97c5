"""What is seen to before a turn begins: somebody in danger, and subjects that an administrator declines.

Only the newest message is judged (D10), and of a long one only what the person says themselves: a pasted document
is somebody else's words (D11). Nothing else is gated: there is no list of subjects that are allowed (D7).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from providers.types import Embedder
from server.chat.crisis import SELF_HARM, TEXTS, VIOLENCE, VIOLENCE_TEXT
from server.chat.subjects import Recogniser, Subject, parse_subjects
from server.settings.store import Settings

SHORT = 600  # characters; a longer message holds something pasted
OWN_PARAGRAPH = 300  # characters of a first or last paragraph that somebody wrote to us
# A question, a colon before what follows, or somebody who says I, you or please.
SPOKEN = re.compile(
    r"[?:？：]\s*$|\b(?:i|i['’]m|im|me|my|you|your|please|ich|mir|mein\w*|du|dir|sie|bitte|je|j['’]|moi|mon|ma|vous|"
    r"yo|mi|me|tú|usted|por favor|io|mio|mia|tu|eu|meu|minha|você|ik|mij|mijn|jij|u)\b",
    re.I,
)
QUOTED = re.compile(r"```.*?```|^>.*$|[\"“«„][^\"”»“\n]{12,}[\"”»“]", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Rules:
    """What an administrator has set: texts by language for people in danger, and subjects to decline."""

    crisis: Mapping[str, str] = field(default_factory=dict)
    subjects: tuple[Subject, ...] = ()
    hand_over: str = ""  # who takes questions over, when somebody does
    recogniser: Recogniser = field(default_factory=Recogniser, compare=False)


NO_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Flag:
    """`text` is the answer as it stands; no model is asked and nothing is searched."""

    kind: Literal["crisis", "declined"]
    subject: str
    text: str


def rules_of(settings: Settings, recogniser: Recogniser) -> Rules:
    """The rules of these settings."""
    label = settings["handover.label"] or "a person" if settings["handover.base_url"] else ""
    return Rules(
        crisis=parse_texts(settings["safety.crisis"]),
        subjects=parse_subjects(settings["safety.declined"]),
        hand_over=label,
        recogniser=recogniser,
    )


def parse_texts(lines: str) -> dict[str, str]:
    """Texts by language from lines like `de: Bitte rufe an …`; `\\n` in one is a new line."""
    found = (re.match(r"\s*([a-z]{2})\s*:\s*(.+)", line) for line in lines.splitlines())
    return {m[1]: m[2].strip().replace("\\n", "\n") for m in found if m}


async def check(message: str, rules: Rules, embedder: Embedder) -> Flag | None:
    """What must be answered before anything else, if anything.

    Raises ProviderError when subjects are set and the embedder fails: an unjudged message is not let through.
    """
    own = own_words(message)
    language = in_danger(own)
    if language:
        return Flag("crisis", "self_harm", {**TEXTS, **rules.crisis}.get(language) or _default(rules))
    if VIOLENCE.search(own):
        return Flag("declined", "violence", VIOLENCE_TEXT)
    if rules.subjects:
        subject = await rules.recogniser.recognise(own, rules.subjects, embedder)
        if subject:
            return Flag("declined", subject.name, decline(subject, rules.hand_over))
    return None


def in_danger(own: str) -> str:
    """The language in which somebody speaks of harming themselves, else nothing."""
    return next((language for language, pattern in SELF_HARM.items() if pattern.search(own)), "")


def _default(rules: Rules) -> str:
    return rules.crisis.get("en") or TEXTS["en"]


def own_words(message: str) -> str:
    """What the person says themselves: without quotations, and of a long message its first and last paragraph."""
    text = QUOTED.sub(" ", message).strip()
    if len(message) <= SHORT:
        return text
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n|\n", text) if p.strip()]
    if not paragraphs:
        return ""
    ends = [paragraphs[0], *([paragraphs[-1]] if len(paragraphs) > 1 else [])]
    short = [p for p in ends if len(p) <= OWN_PARAGRAPH]
    # Of two short ends the one that speaks to us is theirs, and the other one the beginning of what they pasted.
    own = [p for p in short if SPOKEN.search(p)] or short
    if len(own) > 1 and re.search(r"[:：]$", own[0]):  # "Here is the contract:" only hands it over
        own = own[1:]
    return "\n".join(own) or _last_sentence(text)


def _last_sentence(text: str) -> str:
    """Of one long paragraph: its end, where a question usually stands."""
    return re.split(r"(?<=[.!?])\s+", text)[-1][-OWN_PARAGRAPH:]


def decline(subject: Subject, hand_over: str) -> str:
    """A refusal as a person would put it, with somebody to turn to where there is one (L12)."""
    if subject.text:
        return subject.text
    if hand_over:
        return (
            f"I would rather not go into {subject.name} here; that is better talked over with {hand_over}. "
            "Shall I pass your question on?"
        )
    return (
        f"I would rather not go into {subject.name} here. Is there something else in the documents that I can "
        "look up for you?"
    )
