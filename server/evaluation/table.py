"""Evaluations as tables that people read, and the page that holds them."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.evaluation.metrics import METRICS
from server.evaluation.retrieval import Report

BEGIN, END = "<!-- figures: written by `make eval` -->", "<!-- end of figures -->"


class NoPlace(ValueError):
    """The page has no place for figures."""


def table(report: Report) -> str:
    """Markdown: an arm a row, a metric a column, each with its 95 % interval."""
    lines = [
        f"**{report.set}**: {report.queries:,} queries, {report.documents:,} documents",
        "",
        "| arm | " + " | ".join(METRICS) + " |",
        "|---|" + "---|" * len(METRICS),
    ]
    for arm, values in report.arms.items():
        cells = []
        for metric in METRICS:
            low, high = report.ci95[arm][metric]
            cells.append(f"{values[metric]:.3f} ({low:.3f}-{high:.3f})")
        lines.append(f"| {arm} | " + " | ".join(cells) + " |")
    for key, groups in report.by.items():
        lines += ["", *_groups(key, groups)]
    return "\n".join(lines)


def page(text: str, reports: Sequence[Report]) -> str:
    """The page with these figures in the place of the last ones. Raises NoPlace."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoPlace(f"The page has no line {BEGIN} before a line {END}.")
    tables = "\n\n".join(table(report) for report in reports)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"


def _groups(key: str, groups: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Of the search as people get it, by metadata: a value a row."""
    lines = [f"| {key} | queries | " + " | ".join(METRICS) + " |", "|---|---|" + "---|" * len(METRICS)]
    for value, group in groups.items():
        if default := group["arms"].get("default"):
            cells = [f"{default[metric]:.3f}" for metric in METRICS]
            lines.append(f"| {value} | {group['queries']} | " + " | ".join(cells) + " |")
    return lines
