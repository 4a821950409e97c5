"""Faults: the whole product in a home of its own, killed again and again."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.house import House, opened


@pytest.fixture
def house() -> Iterator[House]:
    with tempfile.TemporaryDirectory(
        prefix="ibid-faults-", dir="/var/tmp", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)  # Postgres runs as an account of its own where we are root
        with opened(Path(folder), calm=False) as found:
            yield found


@pytest.fixture(scope="session")
def kills() -> int:
    """How often to kill; `make faults` says 20, a plain run 4, one of each kind."""
    return int(os.environ.get("IBID_KILLS", "4"))
