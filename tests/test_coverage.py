"""A small run of the simulation whose table is in docs/results/coverage.md."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks" / "coverage"
CAMPAIGNS = 24
FEWEST = 0.8  # of 24 campaigns whose intervals go together, with 95 % each
WIDEST = 2.0  # high over low


@pytest.fixture(scope="module")
def coverage():
    """The benchmark, imported from its folder."""
    spec = importlib.util.spec_from_file_location("coverage_benchmark", FOLDER / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path[:] = path


@pytest.mark.parametrize("module", ["messages", "points"])
def test_intervals_hold_the_truth(coverage, module):
    found = coverage.summary(coverage.rows_of(module, CAMPAIGNS, 1))
    assert found
    for name, (number, held, width) in found.items():
        assert number >= CAMPAIGNS, name
        assert held >= FEWEST, name
        assert 1 < width < WIDEST, name


@pytest.mark.parametrize("module", ["schedules", "signatures"])
def test_predictions_hold_the_truth(coverage, module):
    found = coverage.summary(coverage.rows_of(module, 4, 2))
    held = [share for _, share, _ in found.values()]
    assert np.mean(held) >= 0.85


def test_every_module_of_the_folder_has_a_campaign(coverage):
    assert {"messages", "points", "schedules", "signatures"} <= set(coverage.MODULES)
