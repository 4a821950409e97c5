"""An evaluation as a table that people read."""

from server.evaluation.metrics import METRICS
from server.evaluation.retrieval import Report


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
    return "\n".join(lines)
