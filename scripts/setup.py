"""Sets up the checkout in steps, each only when what it depends on has changed: `setup.py STEP...`.

Runs on a bare Python before anything is installed, so it uses the standard library alone.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / "stamps"
WEB = ROOT / "web"
BUILT = ROOT / "server" / "static" / "index.html"
TOOLS, MODEL, OCR = "requirements-tools.lock", "requirements-model.lock", "requirements-ocr.lock"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = (20, 19)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NPM = ("npm", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")


class NotPossible(Exception):
    """This machine lacks something; the message says what, and the way out."""


def product() -> None:
    """What `ibid` needs to run, with `ibid` itself installed in place."""
    wanted = _python_fingerprint("requirements.lock")
    # The development environment holds all of it too.
    if not (_done("product", wanted) or _done("development", _python_fingerprint("requirements-dev.lock"))):
        _install_python("requirements.lock")
        _mark("product", wanted)


def ocr() -> None:
    """Text recognition for scans and pictures, where WITH_OCR is set to anything but 0."""
    if os.environ.get("WITH_OCR", "0") in ("", "0"):
        return
    wanted = _fingerprint([ROOT / OCR], extra=f"{VENV} {sys.version}")
    if not _done("ocr", wanted):
        _say(f"Installing text recognition into .venv ({OCR})")
        _install("--require-hashes", "-r", OCR)
        _mark("ocr", wanted)


def development() -> None:
    """The same and what the tests and checks need."""
    wanted = _python_fingerprint("requirements-dev.lock")
    if not _done("development", wanted):
        _install_python("requirements-dev.lock")
        _mark("development", wanted)


def modules() -> None:
    """The packages of the web build."""
    wanted = _fingerprint([WEB / "package.json", WEB / "package-lock.json"], extra=_node_version())
    if not _done("modules", wanted) or not (WEB / "node_modules").is_dir():
        _say("Installing the packages of the web build (npm ci)")
        _run(*NPM, "ci", "--ignore-scripts", cwd=WEB)
        _mark("modules", wanted)


def web() -> None:
    """The web build, in server/static."""
    modules()
    # Past node_modules: its 14,000 files take a quarter of a second to look through.
    inside = (top for top in WEB.iterdir() if top.name != "node_modules")
    sources = [path for top in inside for path in (top, *top.rglob("*")) if path.is_file()]
    wanted = _fingerprint(sorted(sources), extra=_node_version())
    if not _done("web", wanted) or not BUILT.exists():
        _say("Building the web pages")
        _run(*NPM, "run", "--silent", "build", "--", "--logLevel", "warn", cwd=WEB)
        _mark("web", wanted)


def chromium() -> None:
    """A browser for the browser tests, where Debian's packages can bring one."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _say("Installing Chromium (apt-get)")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            if subprocess.run(
                ["apt-get", "--quiet=2", *words], env=quiet, stdout=subprocess.DEVNULL
            ).returncode:
                break
        else:
            return
    _say("There is no Chromium here, so the browser tests will be skipped. Install one, for example with")
    _say("`sudo apt-get install chromium`, and run `make test` again.")


STEPS = {step.__name__: step for step in (product, ocr, development, modules, web, chromium)}


def _install_python(lock: str) -> None:
    _say(f"Installing Python packages into .venv ({lock})")
    if (
        not PYTHON.exists()
        or subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode
    ):
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
        if made.returncode:
            raise NotPossible(
                f"Python could not make a virtual environment:\n{(made.stdout + made.stderr).strip()}\n"
                "On Debian and Ubuntu: apt-get install python3-venv"
            )
    _run(*_pip(), "--require-hashes", "-r", TOOLS, env=_quiet())
    for words in (
        ("--require-hashes", "-r", lock),
        ("--require-hashes", "--no-deps", "-r", MODEL),
        ("--no-deps", "--no-build-isolation", "--editable", "."),
    ):
        _install(*words)


def _install(*words: str) -> None:
    # uv takes a fraction of pip's time, but does not read pip's configuration: pip is the second try.
    uv = (VENV / "bin" / "uv", "pip", "install", "--quiet", "--python", PYTHON)
    if subprocess.run([*uv, *words], cwd=ROOT).returncode:
        _say("uv could not install them; trying pip, which takes longer")
        _run(*_pip(), *words, env=_quiet())


def _pip() -> tuple[str | Path, ...]:
    return (PYTHON, "-m", "pip", "-qq", "--disable-pip-version-check", "--no-input", "install")


def _quiet() -> dict[str, str]:
    return {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}


def _python_fingerprint(lock: str) -> str:
    files = [ROOT / name for name in (TOOLS, lock, MODEL, "pyproject.toml")]
    return _fingerprint(
        files, extra=f"{VENV} {sys.version}"
    )  # an environment works in one place, for one Python


def _node_version() -> str:
    if not shutil.which("node") or not shutil.which("npm"):
        raise NotPossible(
            f"Ibid's pages are built with Node {_dotted(OLDEST_NODE)} or newer and npm: install both."
        )
    text = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    found = tuple(int(number) for number in re.findall(r"\d+", text)[:2])
    if found < OLDEST_NODE:
        raise NotPossible(f"Node here is {text}; Ibid's pages need {_dotted(OLDEST_NODE)} or newer.")
    return text


def _fingerprint(files: list[Path], *, extra: str) -> str:
    digest = hashlib.sha256(extra.encode())
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _done(step: str, fingerprint: str) -> bool:
    stamp = STAMPS / step
    return stamp.exists() and stamp.read_text() == fingerprint


def _mark(step: str, fingerprint: str) -> None:
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / step).write_text(fingerprint)


def _run(*words: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    if subprocess.run(words, cwd=cwd, env=env).returncode:
        raise NotPossible(f"This failed, for the reason above: {' '.join(str(word) for word in words)}")


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in version)


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    if sys.version_info < OLDEST_PYTHON:
        _say(
            f"Ibid needs Python {_dotted(OLDEST_PYTHON)} or newer; {sys.executable} is "
            f"{platform.python_version()}. If another is installed, name it: make run PYTHON=python3.12"
        )
        return 1
    try:
        for name in sys.argv[1:]:
            STEPS[name]()
    except NotPossible as error:
        _say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
