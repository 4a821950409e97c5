"""The page of figures: written by one command, the same for the same figures."""

import pytest

from server.evaluation.retrieval import Report
from server.evaluation.table import BEGIN, END, NoPlace, page

SCORES = {"ndcg@10": 0.5, "recall@5": 0.25, "recall@100": 1.0, "success@1": 0.0}
REPORT = Report(
    set="zzyzx",
    documents=1200,
    queries=3,
    arms={"default": SCORES},
    ci95={"default": dict.fromkeys(SCORES, (0.1, 0.9))},
    by={"lang": {"de": {"queries": 2, "arms": {"default": SCORES}}}},
)


def test_figures_take_the_place_of_the_last_ones() -> None:  # P8
    text = f"# Measured\n\n{BEGIN}\nold\n{END}\n\nAnd why.\n"
    written = page(text, [REPORT])
    assert "old" not in written
    assert "**zzyzx**: 3 queries, 1,200 documents" in written
    assert "| default | 0.500 (0.100-0.900) | 0.250" in written
    assert "| de | 2 | 0.500 |" in written
    assert written.startswith("# Measured\n")
    assert written.endswith("\n\nAnd why.\n")
    assert page(written, [REPORT]) == written


def test_a_page_without_a_place_is_left_alone() -> None:
    with pytest.raises(NoPlace):
        page("# Measured\n", [REPORT])
