"""Named queries and the code that uses them."""

import re
from pathlib import Path

import pytest

import sql.queries as queries
from sql.queries import PART, UnknownQuery, load, parameters, query, query_with

ROOT = Path(__file__).parents[2]
PACKAGES = ("server", "ingestion", "retrieval", "providers", "sql")
USE = re.compile(r"""\b(?:query|named|query_with)\(\s*["'](\w+)["']""")


def used() -> dict[str, str]:
    """Query names in the code, each with a file that uses it."""
    return {
        name: str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for name in USE.findall(path.read_text(encoding="utf-8"))
    }


def test_every_query_in_the_code_exists() -> None:
    missing = {name: path for name, path in used().items() if name not in load()}
    assert missing == {}
    assert len(used()) > 80


def test_every_query_is_used() -> None:
    assert load().keys() - used().keys() == set()


def test_statements_live_in_sql_files_only() -> None:  # house style 6
    statement = re.compile(r"""["'](?:SELECT .*\bFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b""")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if statement.search(line)
    ]
    assert found == []


def test_a_heading_names_the_parameters_that_its_text_has() -> None:
    for name, text in load().items():
        numbers = {int(n) for n in re.findall(r"\$(\d+)", re.sub(r"--[^\n]*", "", text))}
        assert numbers == set(range(1, len(parameters(name)) + 1)), name


def test_a_statement_holds_the_parts_it_is_asked_for() -> None:
    few, whole = query_with("keyword_arm", "few"), query("keyword_arm")
    assert "UNION ALL\n    SELECT c.document_id" in few
    assert "IN (SELECT id FROM searchable_documents" not in few
    assert not re.search("-- (end )?if", few)
    assert {found["part"] for found in PART.finditer(whole)} == {"few", "narrow", "capped"}
    assert query_with("keyword_arm") == PART.sub("", whole)
    with pytest.raises(ValueError, match="narow"):
        query_with("keyword_arm", "narow")


def test_an_unknown_query_is_an_error() -> None:
    with pytest.raises(UnknownQuery):
        query("no_such_query")
    with pytest.raises(UnknownQuery):
        parameters("no_such_query")


def test_a_name_used_twice_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.sql").write_text("-- name: twice()\nSELECT 1;\n")
    (tmp_path / "b.sql").write_text("-- name: twice()\nSELECT 2;\n")
    monkeypatch.setattr(queries, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="twice"):
        load.__wrapped__()
