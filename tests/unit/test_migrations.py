"""The migration files themselves."""

import hashlib
import re

from sql.migrate import FOLDER, Migration, migrations


def test_migrations_are_numbered_without_gaps_and_named() -> None:
    found = migrations()
    assert [m.version for m in found] == list(range(1, len(found) + 1))
    assert len(found) == len(list(FOLDER.glob("*.sql")))
    assert all(re.fullmatch(r"[a-z][a-z_]*", m.name) for m in found)


def test_a_checksum_is_that_of_the_text() -> None:
    one = Migration(1, "house", "SELECT 1;")
    assert one.checksum == hashlib.sha256(b"SELECT 1;").hexdigest()
    assert one.checksum != Migration(1, "house", "SELECT 1; ").checksum


def test_migrations_go_forward_in_one_transaction() -> None:
    for migration in migrations():
        code = re.sub(r"--[^\n]*", "", migration.text).upper()
        assert not re.search(r"\b(?:COMMIT|ROLLBACK|CONCURRENTLY|VACUUM)\b", code), migration.name
        assert "DROP TABLE" not in code, migration.name
