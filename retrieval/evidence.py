"""What counts as evidence: close enough in meaning, or the query's own words (D5, D6). Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from providers.types import SpaceKey
from retrieval.passages import Evidence, Grounding, Passage


@dataclass(frozen=True, slots=True)
class Floors:
    """Below `likely`, a cosine of an embedding model, nothing is evidence by meaning, below `held` by its words."""

    likely: float
    sure: float
    held: float = 0.45


# 40 queries each of five sets asked of three corpora, two thirds of which cannot answer them. Of the answerable,
# the share whose judged passage passes; of the unanswerable, the share for which anything passes (similarity or
# coverage at least, docs/evaluation.md has the grid):
#   .30/.40  1.00  .140      .35/.45  1.00  .062 likely      .45/.50  .992  .012      .50/.60  .949  .004 sure
FLOORS = {"all-MiniLM-L6-v2": Floors(likely=0.35, sure=0.50)}
SURE_COVERAGE = 0.60
# The first of a walk from what the query clearly names: of the unanswerable none has one (walks from what is
# merely mentioned would let through .104 in all).
LIKELY_LINKS = 10
# Some models put everything above .7, so from a model nobody measured, meaning alone is never sure.
UNKNOWN = Floors(likely=0.30, sure=math.inf)
# A question in a language that the model does not read has few words in common with what answers it, and no
# meaning: every word counts. nDCG@10 of the eleven other languages .119 with the floors above, .342 with any
# word, .356 with .20 too, where the keyword arm makes .345; let through .083 instead of .062.
FOREIGN = Floors(likely=0.20, sure=0.50, held=0.001)
READ = 0.5  # of a query, at least, and it is no foreign one: .328 at .3, .348 at .7, but .088 let through
WORDS = 4  # fewer may be names or codes
_SMALL = (
    "the of and is are be been can by to for on into than more between during with this that from have has which "
    "were what who how when where why does did their its or not an it"
)
ENGLISH = frozenset(_SMALL.split())
word = re.compile(r"[^\W\d_]+")


def floors_of(key: SpaceKey, *, query: str = "", trust: float = 1.0) -> Floors:
    """The floors measured for a model, or careful ones; low ones for a query in a language that it does not read."""
    return FOREIGN if trust < READ and foreign(query) else FLOORS.get(key.model, UNKNOWN)


def foreign(query: str) -> bool:
    """Whether this is a sentence, and not an English one; names and codes are neither."""
    words = word.findall(query.lower())
    if not ENGLISH.isdisjoint(words):
        return False
    return len(query.split()) >= WORDS or any(not text.isascii() for text in words)


def judge(
    *,
    similarity: float | None,
    coverage: float | None,
    exact: bool,
    floors: Floors,
    linked: int | None = None,
) -> Evidence | None:
    """How far one passage can be relied on; None: it is not handed to a model. `linked`: its place in the graph arm."""
    near, held = similarity or 0.0, coverage or 0.0
    if exact or near >= floors.sure or held >= SURE_COVERAGE:
        return "sure"
    reached = linked is not None and linked < LIKELY_LINKS
    if reached or near >= floors.likely or held >= floors.held:
        return "likely"
    return None


def grounding(passages: Sequence[Passage], *, found: int) -> tuple[Grounding, tuple[str, ...]]:
    """The verdict on a whole search of `found` candidates, with its reasons in words of code."""
    if any(passage.evidence == "sure" for passage in passages):
        return "grounded", ("strong_evidence",)
    if passages:
        return "partly", ("weak_evidence_only",)
    return "none", ("nothing_relevant" if found else "nothing_found",)
