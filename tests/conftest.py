"""Fixtures for all tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Path of a file of the shared data sets; skips the test where it is absent."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    root = Path(os.environ.get("CONTEND_DATA", beside))

    def find(name: str) -> Path:
        if not (root / name).is_file():
            pytest.skip(f"{name} is not among the shared data sets; set CONTEND_DATA to them")
        return root / name

    return find
