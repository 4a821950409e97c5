"""The questions of the search benchmark: real ones of the sets that its rows are made of."""

import gzip
import json

from server.evaluation.bench_rows import SETS, SHARED
from server.evaluation.bench_texts import texts


def questions(count: int) -> list[str]:
    """So many different questions; made-up ones where the shared corpora are absent."""
    each = count // len(SETS) + 1
    found: list[str] = []
    for name in SETS:
        path = SHARED / "data" / "retrieval" / name / "queries.jsonl.gz"
        if not path.exists():
            found += [
                text.split("\n\n")[1].split(". ")[0] for text in texts(each, chunks=each, seed=len(name))
            ]
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found += [json.loads(line)["text"] for _, line in zip(range(each), lines, strict=False)]
    return list(dict.fromkeys(found))[:count]
