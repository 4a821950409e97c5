"""The lock files: every package pinned by hash, no address in them, and nothing in the tree that must not be."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

CHECKOUT = Path(__file__).parents[2]
LOCKS = sorted(CHECKOUT.glob("requirements*.lock"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", re.MULTILINE)
ADDRESS = re.compile(r"https?://|file:|--(extra-)?index-url|--find-links|\b[\w-]+\.(org|com|io|net|dev)\b")


def pins(name: str) -> dict[str, Version]:
    """Pinned versions by canonical name; the lowest where markers make several."""
    found: dict[str, Version] = {}
    for package, version in PIN.findall((CHECKOUT / name).read_text()):
        key = canonicalize_name(package)
        found[key] = min(Version(version), found.get(key, Version(version)))
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_holds_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert not [line for line in lines if ADDRESS.search(line)]
    blocks = re.split(r"\n(?=[A-Za-z0-9])", "\n".join(lines).strip())
    assert blocks
    assert not [block.split("\n")[0] for block in blocks if "--hash=sha256:" not in block]
    assert len(blocks) == len(PIN.findall(text))


def test_the_web_lock_holds_hashes_and_no_address() -> None:
    packages = json.loads((CHECKOUT / "web" / "package-lock.json").read_text())["packages"]
    installed = {name: entry for name, entry in packages.items() if name}
    assert installed
    assert not [name for name, entry in installed.items() if "resolved" in entry]
    assert not [
        name for name, entry in installed.items() if not entry.get("integrity", "").startswith("sha512-")
    ]


def test_no_framework_comes_in() -> None:  # B1
    unwanted = (
        "langchain",
        "langgraph",
        "llama-index",
        "haystack",
        "farm-haystack",
        "torch",
        "triton",
        "nvidia",
    )
    for lock in ("requirements.lock", "requirements-dev.lock", "requirements-model.lock"):
        assert not [name for name in pins(lock) if name.startswith(unwanted)]


@pytest.mark.parametrize(
    ("package", "floor"),
    [("starlette", "0.49.1"), ("python-multipart", "0.0.27"), ("python-jose", "3.5")],
)
def test_floors_of_safety(package: str, floor: str) -> None:  # X10
    assert pins("requirements.lock")[package] >= Version(floor)


def test_the_locks_answer_the_project_file() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    base = [Requirement(text) for text in project["dependencies"]]
    dev = [Requirement(text) for text in project["optional-dependencies"]["dev"]]
    for lock, requirements in (("requirements.lock", base), ("requirements-dev.lock", base + dev)):
        pinned = pins(lock)
        stale = [str(r) for r in requirements if pinned.get(canonicalize_name(r.name)) not in r.specifier]
        assert not stale, f"run `make lock`: {lock} does not hold {stale}"


def test_development_runs_on_the_versions_of_the_product() -> None:
    product = pins("requirements.lock")
    for lock in ("requirements-dev.lock", "requirements-tools.lock"):
        pinned = pins(lock)
        assert not {name for name in product.keys() & pinned.keys() if product[name] != pinned[name]}
