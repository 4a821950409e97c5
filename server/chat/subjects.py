"""Subjects that an administrator declines, recognised by meaning and not by words of ours (D12, L12)."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from providers.types import Embedder, SpaceKey
from server.chat.sentences import sentences

Vectors = NDArray[np.float32]

# Cosine similarity of a message to the nearest example of a subject, and what it must have over the nearest
# harmless request. Measured with the built-in model on pay as the subject with four examples: 8 of 10 ways to speak
# of it are recognised (one that is not is German, which the model is not), and none of 23 questions about other
# sums, offers and posts, nor of 63 look-alikes. A floor of .45 loses another one, .38 takes two of the look-alikes.
FLOOR = 0.40
MARGIN = 0.03
MOST_UNITS = 6  # of a message: as a whole, and its last sentences
MOST_KEPT = 64  # sets of vectors that are kept, a few KB each

# What people ask of a document library whatever it holds. A subject is near to itself, and farther from these.
HARMLESS = (
    "Summarise this document for me.",
    "What does the contract say about termination?",
    "Who wrote this report and when?",
    "Compare these two files.",
    "Translate this paragraph into German.",
    "Where can I find the instructions for the machine?",
    "What are the main points of the meeting?",
    "List the documents about this project.",
    "Please send me the file.",
    "How does this work?",
    "What is the deadline?",
    "Can you explain this in simple words?",
    "Which page mentions the test results?",
    "Rewrite this text so that it is shorter.",
    "What happened in the last quarter?",
    "Hello, how are you?",
    "Thank you, that helps.",
    "What else is there?",
    "Which version is the newest?",
    "What does this error mean and how do I fix it?",
    "Draft a reply to this e-mail.",
    "What is the name of the person responsible?",
    "Here is a job description: which skills does it ask for?",
    "What was the revenue of the company in that year?",
    "What does the chapter on the budget say?",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject in a few words, sentences as people put it, and what is said instead of an answer (may be empty)."""

    name: str
    examples: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    text: str = ""


def parse_subjects(lines: str) -> tuple[Subject, ...]:
    """Subjects from lines like `pay and salaries: What do you earn? | Is 90k fine? | not: the budget report`.

    `say: …` as a part gives the words of the answer. Lines that begin with # are notes.
    """
    found = []
    for line in lines.splitlines():
        name, _, rest = line.strip().partition(":")
        if not name.strip() or line.lstrip().startswith("#"):
            continue
        parts = [part.strip() for part in rest.split("|") if part.strip()]
        found.append(
            Subject(
                name.strip(),
                tuple(p for p in parts if not re.match(r"(?:not|say):", p, re.I)),
                tuple(p[4:].strip() for p in parts if p.lower().startswith("not:")),
                next((p[4:].strip() for p in parts if p.lower().startswith("say:")), ""),
            )
        )
    return tuple(found)


class Recogniser:
    """Knows the vectors of subjects, made once for each model."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[SpaceKey, tuple[str, ...]], Vectors] = OrderedDict()

    async def recognise(self, own: str, subjects: Sequence[Subject], embedder: Embedder) -> Subject | None:
        """The declined subject that somebody's own words are about, if any. Raises ProviderError."""
        parts = units(own)
        if not parts or not subjects:
            return None
        asked = await embedder.embed_documents(parts)
        best: tuple[float, Subject] | None = None
        for subject in subjects:
            near = await self._vectors((subject.name, *subject.examples), embedder)
            far = await self._vectors((*HARMLESS, *subject.harmless), embedder)
            score, margin = closeness(asked, near, far)
            if score >= FLOOR and margin >= MARGIN and (best is None or score > best[0]):
                best = score, subject
        return best[1] if best else None

    async def _vectors(self, texts: tuple[str, ...], embedder: Embedder) -> Vectors:
        key = (embedder.key, texts)
        if key not in self._kept:
            self._kept[key] = await embedder.embed_documents(list(texts))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def closeness(asked: Vectors, near: Vectors, far: Vectors) -> tuple[float, float]:
    """Of the part of a message that is nearest to a subject: its similarity, and its margin over the harmless."""
    similar = (asked @ near.T).max(axis=1)
    i = int(similar.argmax())
    return float(similar[i]), float(similar[i] - (asked[i] @ far.T).max())


def units(own: str) -> list[str]:
    """A message as a whole and by sentence: a subject may hide behind a friendly opening."""
    whole = " ".join(own.split())
    if not re.search(r"\w", whole):
        return []
    parts = [" ".join(s.split()) for s in sentences(own)]
    parts = [p for p in parts if len(p.split()) >= 3]
    return list(dict.fromkeys([whole, *parts[-(MOST_UNITS - 1) :]]))
