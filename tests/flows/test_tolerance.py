"""Rates of small random networks against the definition of max-min, and what a tolerance costs."""

import numpy as np
import pytest
from benchmarks.maxmin_networks import KINDS, TOLERANCES, worst_of

from contend.base.errors import ContendError
from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import names

# The largest that 20 000 networks showed was 2.1 (docs/sharing.md).
MOST_OFF = 5.0


@pytest.mark.parametrize("kind", KINDS)
def test_no_link_carries_too_much_and_every_flow_has_a_bottleneck(kind):
    worst = worst_of(kind, 12, seed=5)
    assert worst.steps > 50
    assert worst.over_full < 1e-9
    assert worst.unfair < 1e-9
    assert worst.bytes < 1e-9
    assert all(worst.ends[tolerance] < MOST_OFF for tolerance in TOLERANCES)


@pytest.mark.parametrize("model", [name for name in names() if name != "measured"])
def test_ends_into_one_host_are_off_by_at_most_the_tolerance(model):
    random = np.random.default_rng(2)
    flows = {
        "src": np.arange(1, 61),
        "dst": np.zeros(60, dtype=int),
        "bytes": random.uniform(0.5, 1.5, 60),
        "start": np.full(60, 3.0),
    }
    exact = solve(flows, model, bandwidth=1.0)
    merged = solve(flows, model, bandwidth=1.0, tolerance=0.05)
    off = np.abs(merged.end - exact.end) / exact.seconds
    assert merged.events < exact.events
    assert 0 < off.max() <= 0.05


def test_a_flow_alone_begins_early_by_no_more_than_the_tolerance_of_its_time():
    flows = {
        "src": [0, 2, 0],
        "dst": [1, 3, 1],
        "bytes": [1.0, 1.001, 1.0],
        "requires": [[], [], [1]],
    }
    merged = solve(flows, bandwidth=1.0, tolerance=0.01)
    assert merged.end[:2] == pytest.approx([1.0, 1.001], rel=1e-12)
    assert 2.001 - 0.01 <= merged.end[2] <= 2.001


def test_a_tolerance_out_of_range_is_refused():
    with pytest.raises(ContendError, match=r"tolerance must be from 0 to 0\.1"):
        solve({"src": [0], "dst": [1], "bytes": [1]}, bandwidth=1.0, tolerance=0.5)
