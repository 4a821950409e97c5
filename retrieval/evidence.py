"""What counts as evidence: close enough in meaning, or the query's own words (D5, D6). Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from providers.types import SpaceKey
from retrieval.passages import Evidence, Grounding, Passage


@dataclass(frozen=True, slots=True)
class Floors:
    """Cosine similarities of an embedding model: below `likely` nothing is evidence by meaning alone."""

    likely: float
    sure: float


# Queries of scifact, cranfield, xquad-en and identifiers asked of their own corpus, and of the three others,
# which cannot answer them. Of the answerable, the share whose judged passage passes; of the unanswerable, the
# share for which anything passes (similarity or coverage at least, docs/evaluation.md has the grid):
#   .30/.40  .993  .188      .35/.45  .980  .090 likely      .45/.50  .948  .033      .50/.60  .924  .012 sure
FLOORS = {"all-MiniLM-L6-v2": Floors(likely=0.35, sure=0.50)}
LIKELY_COVERAGE = 0.45
SURE_COVERAGE = 0.60
# Some models put everything above .7, so from a model nobody measured, meaning alone is never sure.
UNKNOWN = Floors(likely=0.30, sure=math.inf)


def floors_of(key: SpaceKey) -> Floors:
    """The floors measured for a model, or careful ones."""
    return FLOORS.get(key.model, UNKNOWN)


def judge(
    *, similarity: float | None, coverage: float | None, exact: bool, floors: Floors
) -> Evidence | None:
    """How far one passage can be relied on; None: it is not handed to a model."""
    near, held = similarity or 0.0, coverage or 0.0
    if exact or near >= floors.sure or held >= SURE_COVERAGE:
        return "sure"
    if near >= floors.likely or held >= LIKELY_COVERAGE:
        return "likely"
    return None


def grounding(passages: Sequence[Passage], *, found: int) -> tuple[Grounding, tuple[str, ...]]:
    """The verdict on a whole search of `found` candidates, with its reasons in words of code."""
    if any(passage.evidence == "sure" for passage in passages):
        return "grounded", ("strong_evidence",)
    if passages:
        return "partly", ("weak_evidence_only",)
    return "none", ("nothing_relevant" if found else "nothing_found",)
