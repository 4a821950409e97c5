"""What is installed: the wheel's contents, the command from anywhere, and what importing it costs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("server", "retrieval", "ingestion", "providers", "sql")


def run(*words: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("zzyzx-wheel")
    run("-m", "hatchling", "build", "-t", "wheel", "-d", target, cwd=CHECKOUT)
    (built,) = target.glob("*.whl")
    return built


def test_the_wheel_carries_every_file_of_the_packages(wheel: Path) -> None:
    carried = set(zipfile.ZipFile(wheel).namelist())
    kinds = (".py", ".sql", ".md", ".json", ".txt")
    sources = {
        str(path.relative_to(CHECKOUT))
        for package in PACKAGES
        for path in (CHECKOUT / package).rglob("*")
        if path.suffix in kinds and "static" not in path.parts
    }
    assert sources - carried == set()
    assert any(name.startswith("sql/migrations/0001") for name in carried)
    assert any(name.endswith("licenses/LICENSE") for name in carried)
    assert not [name for name in carried if name.startswith(("tests/", "web/"))]


def test_the_wheel_carries_the_web_build(wheel: Path) -> None:
    if not (CHECKOUT / "server" / "static" / "index.html").exists():
        pytest.skip("the web pages are not built here: `make test` builds them")
    carried = zipfile.ZipFile(wheel).namelist()
    assert "server/static/index.html" in carried
    assert [name for name in carried if name.startswith("server/static/assets/") and name.endswith(".js")]


def test_the_unpacked_wheel_runs_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "zzyzx-site"
    zipfile.ZipFile(wheel).extractall(installed)
    where = "import server.cli, sql.migrate; print(server.cli.__file__, len(sql.migrate.migrations()))"
    file, migrations = run("-c", where, cwd=tmp_path, PYTHONPATH=str(installed)).split()
    assert Path(file).is_relative_to(installed)
    assert int(migrations) > 0
    assert "serve" in run("-m", "server", "--help", cwd=tmp_path, PYTHONPATH=str(installed))


def test_the_command_runs_from_another_folder(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("ibid")
    assert command.exists(), "`ibid` is not installed beside this Python: run the tests with `make test`"
    assert "serve" in run(command, "--help", cwd=tmp_path)


def test_the_server_imports_neither_docling_nor_torch(tmp_path: Path) -> None:
    heavy = ("docling", "docling_core", "docling_parse", "torch", "pandas", "scipy", "pypdfium2")
    program = (
        "import sys, server.app, server.processes, server.runtime; "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    assert run("-c", program, cwd=tmp_path, PYTHONPATH=str(CHECKOUT)).strip() == "[]"


def test_docling_imports_where_there_is_no_torch(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = None; "  # any import of it fails
        "from docling.document_converter import DocumentConverter; import ingestion.parse.docling; print('fine')"
    )
    assert run("-c", program, cwd=tmp_path, PYTHONPATH=str(CHECKOUT)).strip() == "fine"
