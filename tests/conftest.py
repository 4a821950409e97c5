"""What every tier shares: where the read-only shared data lies."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop


def pytest_configure() -> None:
    """Started in the background of a script, everything inherits a SIGINT that is ignored; people's does not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests run on the loop that every command runs on."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of evaluation sets, real files and cases beside the checkout."""
    folder = Path(os.environ.get("IBID_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}: set IBID_SHARED")
    return folder
