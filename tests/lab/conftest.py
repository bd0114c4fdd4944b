"""Fixtures for what needs namespaces."""

import pytest

from contend.lab.running import why_impossible
from contend.lab.specification import parse_lab

THREE = """
minimum_rto = "20ms"
[[clusters]]
name = "node"
hosts = 3
rate = "50Mbit/s"
buffer = "64KiB"
latency = "1ms"
"""


@pytest.fixture(scope="session")
def allowed():
    """Skips where this machine allows no lab."""
    if (reason := why_impossible()) is not None:
        pytest.skip(f"no lab here: {reason}")


@pytest.fixture
def three(allowed):
    """A lab of three hosts, 1 ms apart."""
    return parse_lab(THREE, "three", "three.toml")
