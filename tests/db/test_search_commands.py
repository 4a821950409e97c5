"""`ibid search` with filters and `ibid eval golden`, as a person runs them."""

import json
from pathlib import Path

from tests.db.conftest import Urls
from tests.db.test_commands import Run, execute, run

__all__ = ["run"]

ENGLISH = (
    "# Zzyzx manual\n\nThe Zzyzx pump needs a new seal after 900 hours, and the seal is sold with the pump."
)
GERMAN = (
    "# Zzyzx Rechnung\n\nDie Dichtung der Zzyzx pump ist nicht für das Wasser und wird mit der Pumpe bezahlt."
)


def names(run: Run, *words: str) -> set[str]:
    code, out, errors = run("search", "seal of the Zzyzx pump", "--json", *words)
    assert code == 0, errors
    return {result["name"] for result in json.loads(out)["results"]}


def ingest_both(run: Run, files: Path) -> None:
    """An English manual in a folder, and a German invoice."""
    files.mkdir()
    (files / "manual.md").write_text(ENGLISH)
    (files / "rechnung.txt").write_text(GERMAN)
    assert run("ingest", str(files / "manual.md"), "--folder", "zzyzx", "--wait")[0] == 0
    assert run("ingest", str(files / "rechnung.txt"), "--wait")[0] == 0


def test_search_filters_and_golden_questions(run: Run, urls: Urls, tmp_path: Path) -> None:  # I13, E17, P8
    ingest_both(run, tmp_path / "files")
    assert names(run) == {"manual.md", "rechnung.txt"}
    assert names(run, "--folder", "zzyzx") == {"manual.md"}
    assert names(run, "--document", "rechnung.txt") == {"rechnung.txt"}
    assert names(run, "--type", "md") == {"manual.md"}
    assert names(run, "--type", "invoice") == {"rechnung.txt"}
    assert names(run, "--language", "de") == {"rechnung.txt"}
    assert names(run, "--since", "2020-01-01", "--type", "md", "--type", "txt") == {
        "manual.md",
        "rechnung.txt",
    }

    code, out, errors = run("search", "seal of the Zzyzx pump", "--until", "2001-01-01", "--explain")
    assert (code, "manual.md" in out, "until left out" in errors) == (0, True, True)
    for word, value in (
        ("--type", "poem"),
        ("--folder", "nowhere"),
        ("--document", "none"),
        ("--since", "soon"),
    ):
        code, out, errors = run("search", "seal", word, value)
        assert (code, out, value in errors) == (2, "", True), word

    assert run("eval", "golden")[1] == "There are no golden questions yet.\n"
    execute(
        urls,
        "WITH q AS (INSERT INTO golden_questions (workspace_id, owner_id, question)"
        " SELECT workspace_id, owner_id, 'When does the Zzyzx pump need a new seal?' FROM installation RETURNING *)"
        " INSERT INTO golden_documents SELECT q.workspace_id, q.id, d.id FROM q, documents d"
        " WHERE d.name = 'manual.md' RETURNING 1",
    )
    code, out, _ = run("eval", "golden", "--json")
    report = json.loads(out)
    assert (code, report["questions"], report["metrics"]["recall@5"]) == (0, 1, 1.0)
    assert "success@1" in run("eval", "golden")[1]
