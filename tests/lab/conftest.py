"""Fixtures for what needs namespaces."""

import pytest

from contend.lab.running import why_impossible
from contend.lab.specification import parse_lab
from planted import LAB_OF_THREE


@pytest.fixture(scope="session")
def allowed():
    """Skips where this machine allows no lab."""
    if (reason := why_impossible()) is not None:
        pytest.skip(f"no lab here: {reason}")


@pytest.fixture
def three(allowed):
    """A lab of three hosts, 1 ms apart."""
    return parse_lab(LAB_OF_THREE, "three", "three.toml")
