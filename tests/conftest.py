"""What every tier shares: where the read-only shared data lies."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of evaluation sets, real files and cases beside the checkout."""
    folder = Path(os.environ.get("IBID_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}: set IBID_SHARED")
    return folder
