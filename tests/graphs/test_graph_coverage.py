"""A small share of benchmarks/coverage: intervals over three launches hold the truth."""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from contend.simulate.graphs.measurements import bandwidth_alone
from support.graphs import BANDWIDTH, SMALL, launched

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "coverage"))
from graphs import campaign

CAMPAIGNS = 30


@pytest.mark.full
def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    rng = np.random.default_rng(1)
    held: dict[str, list[float]] = defaultdict(list)
    for _ in range(CAMPAIGNS):
        of_campaign: dict[str, list[bool]] = defaultdict(list)
        for name, truth, _, low, high in campaign(rng):
            of_campaign[name].append(low <= truth <= high)
        for name, of in of_campaign.items():
            held[name].append(float(np.mean(of)))
    assert {"bandwidth", "penalty3 gamma", "alpha-fair alpha"} <= held.keys()
    for name, shares in held.items():
        assert 0.87 <= np.mean(shares) <= 1.0, name


@pytest.mark.parametrize("launches", [2, 3, 4])
def test_the_bandwidth_of_many_graphs_is_that_of_few_launches(launches: int) -> None:
    """A lone message stands in 16 graphs of its launch, which are no 16 measurements."""
    graphs = {f"copy {number}": SMALL["fan-out-2"] for number in range(20)}
    rng = np.random.default_rng(launches)
    held = 0
    for _ in range(200):
        found = bandwidth_alone(launched(graphs, "maxmin", None, rng, launches))
        assert found is not None
        low, high = found.quantity.low, found.quantity.high
        assert isinstance(low, float)
        assert isinstance(high, float)
        held += low <= BANDWIDTH <= high
    assert 0.90 <= held / 200 <= 0.985
