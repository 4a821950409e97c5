"""The commands as a person runs them on the machine: what they do, and the sentence where they cannot."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from cryptography.fernet import Fernet

from server.cli import main
from server.settings.crypto import Sealer
from tests.db.conftest import Urls

Run = Callable[..., tuple[int, str, str]]
OWNER = "ada@zzyzx.example"
PASSWORD = "zzyzx correct horse"


@pytest.fixture
def run(
    urls: Urls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """`ibid ...` on a fresh database with an owner: exit code, output, errors."""
    environment = {
        "IBID_HOME": str(tmp_path / "home"), "DATABASE_URL": urls.owner, "DATABASE_APP_URL": urls.app,
        "DATABASE_READER_URL": urls.reader, "IBID_OWNER_EMAIL": OWNER, "IBID_OWNER_PASSWORD": PASSWORD,
        "IBID_PUBLIC_URL": "https://ibid.example", "PORT": "9",
    }  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def ibid(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return ibid


def execute(urls: Urls, statement: str, *values: Any) -> Any:
    async def go() -> Any:
        connection = await asyncpg.connect(urls.owner)
        try:
            return await connection.fetchval(statement, *values)
        finally:
            await connection.close()

    return asyncio.run(go())


def test_a_member_is_invited_and_then_given_a_new_password(run: Run, urls: Urls) -> None:
    code, out, _ = run("user", "add", "Bob@zzyzx.example", "--role", "admin")
    assert code == 0
    assert out.startswith("https://ibid.example/welcome#token=")
    code, out, errors = run("user", "add", OWNER)
    assert code == 0
    assert out.startswith("https://ibid.example/welcome#token=")
    assert "new password" in errors
    kinds = "SELECT array_agg(kind ORDER BY kind) FROM invitations WHERE accepted_at IS NULL"
    assert execute(urls, kinds) == ["member", "reset"]


def test_user_add_says_what_it_cannot_do(run: Run, urls: Urls) -> None:
    for address in ("nobody", "a b@zzyzx.example", "@", ""):
        code, out, errors = run("user", "add", address)
        assert (code, out) == (1, "")
        assert "is not an e-mail address" in errors
    execute(urls, "INSERT INTO users (email, name) VALUES ('bob@zzyzx.example', 'bob')")
    execute(
        urls, "INSERT INTO memberships (workspace_id, user_id, role, disabled_at)"
        " SELECT i.workspace_id, u.id, 'member', now() FROM installation i, users u WHERE u.name = 'bob'",
    )  # fmt: skip
    code, _, errors = run("user", "add", "bob@zzyzx.example")
    assert code == 1
    assert "disabled" in errors
    for word in ("--as=bob@zzyzx.example", "--as=zzyzx@zzyzx.example"):
        assert run("user", "add", "carol@zzyzx.example", word)[0] == 1
    execute(urls, "UPDATE memberships SET disabled_at = NULL")
    code, _, errors = run("user", "add", "carol@zzyzx.example", "--as", "bob@zzyzx.example")
    assert code == 1
    assert "role" in errors


def test_commands_go_on_without_the_first_owner(run: Run, urls: Urls) -> None:
    assert run("migrate")[0] == 0
    assert run("user", "add", "bob@zzyzx.example")[0] == 0
    execute(urls, "UPDATE memberships SET disabled_at = now()")
    code, out, _ = run("doctor", "--json")
    assert code in (0, 1)
    assert {check["name"]: check["ok"] for check in json.loads(out)["checks"]}["database"]
    assert run("user", "add", "carol@zzyzx.example")[0] == 0


def test_a_check_that_fails_leaves_the_others(run: Run, urls: Urls) -> None:
    assert run("migrate")[0] == 0
    values = (
        ("embedding.base_url", "http://127.0.0.1:9/v1"), ("embedding.model", "zzyzx"), ("embedding.dimensions", 8),
    )  # fmt: skip
    run("user", "add", "bob@zzyzx.example")
    for name, value in values:
        execute(
            urls, "INSERT INTO settings (workspace_id, name, value) SELECT workspace_id, $1, $2::jsonb"
            " FROM installation", name, json.dumps(value),
        )  # fmt: skip
    code, out, _ = run("doctor", "--json")
    report = json.loads(out)
    checks = {check["name"]: check for check in report["checks"]}
    assert code == 1
    assert not checks["embedding"]["ok"]
    assert checks["orphans"]["ok"]
    assert checks["server"] == {"name": "server", "ok": True, "detail": "not running"}
    assert report["orphans"] == 0
    code, _, errors = run("search", "anything at all")
    assert (code, bool(errors.strip())) in ((1, True), (0, False), (0, True))  # by words alone, or a sentence


def test_a_password_too_short_for_an_owner_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBID_OWNER_PASSWORD", "short")
    code, _, errors = run("user", "add", "bob@zzyzx.example")
    assert code == 2
    assert "IBID_OWNER_PASSWORD" in errors
    assert "at least 10 characters" in errors


def test_a_home_that_cannot_be_one_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zzyzx").write_text("a file")
    monkeypatch.setenv("IBID_HOME", str(tmp_path / "zzyzx"))
    code, _, errors = run("migrate")
    assert code == 1
    assert "IBID_HOME" in errors


def test_an_unreachable_database_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://zzyzx@127.0.0.1:9/zzyzx")
    code, _, errors = run("search", "anything")
    assert code == 1
    assert errors.startswith("Cannot open the database")


def test_stored_keys_move_to_the_newest_encryption_key(
    run: Run, urls: Urls, monkeypatch: pytest.MonkeyPatch
) -> None:  # N3
    old, new, lost = (Fernet.generate_key().decode() for _ in range(3))
    monkeypatch.setenv("SETTINGS_ENCRYPTION_KEY", old)
    assert run("user", "add", "bob@zzyzx.example")[0] == 0
    put = "INSERT INTO settings (workspace_id, name, sealed) SELECT workspace_id, $1, $2 FROM installation"
    execute(urls, put, "chat.key", Sealer((old,)).seal("zzyzx-secret"))
    monkeypatch.setenv("SETTINGS_ENCRYPTION_KEY", f"{new},{old}")
    code, out, _ = run("key", "rotate")
    assert code == 0
    assert out.startswith("1 ")
    sealed = execute(urls, "SELECT sealed FROM settings WHERE name = 'chat.key'")
    assert Sealer((new,)).open(sealed) == "zzyzx-secret"
    execute(urls, put, "rerank.key", Sealer((lost,)).seal("zzyzx"))
    code, out, errors = run("key", "rotate")
    assert code == 1
    assert "rerank.key" in errors


@pytest.mark.parametrize("inside", ["..", "hidden"])
def test_a_folder_is_ingested_wherever_it_lies(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    files = tmp_path / ".zzyzx" / "files"
    for name in ("one.md", "below/two.md", ".cache/three.md", "below/.four.md"):
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(f"# {name}\n\nThe anchor of {name} weighs 40 kg.")
    (tmp_path / ".zzyzx" / "here").mkdir()
    monkeypatch.chdir(tmp_path / ".zzyzx" / "here")
    code, out, _ = run("ingest", "../files" if inside == ".." else str(files), "--json")
    assert code == 0
    assert sorted(item["name"] for item in json.loads(out)) == ["one.md", "two.md"]
