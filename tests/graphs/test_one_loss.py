"""Relative errors are logarithms: noise does not move what is fitted."""

import numpy as np
import pytest

from contend.simulate.graphs.measurements import measured_graphs
from contend.simulate.graphs.parameters import Observations, fit
from support.graphs import BANDWIDTH, SIZE, SMALL, Edges, planted

TRUE = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 3.0}
SEEDS = range(100, 120)


def full(destinations: int) -> Edges:
    """Three sources that send to each of so many destinations: gamma holds to the end."""
    return tuple((src, 10 + dst) for src in range(3) for dst in range(destinations))


def fitted(noise: float, bandwidth: float | None, seeds: range = SEEDS) -> dict[str, float]:
    """Average of the parameters that come back, over seeds."""
    shapes = {"a": full(2), "b": full(3), "out": SMALL["fan-out-3"], "in": SMALL["fan-in-3"]}
    graphs = {f"{name} {copy}": edges for name, edges in shapes.items() for copy in range(30)}
    if bandwidth is None:
        graphs |= {f"pair {copy}": ((0, 1), (2, 3)) for copy in range(60)}
    found = []
    for seed in seeds:
        samples = planted(
            graphs, "penalty3", TRUE, noise, 1, np.random.default_rng(seed), alone_s=()
        )
        seen = Observations(tuple(measured_graphs(samples)), bandwidth)
        known = fit(seen, "penalty3", np.random.default_rng(1))
        found.append(known.parameters | {"bandwidth": known.bandwidth})
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


def test_thirty_percent_noise_moves_no_parameter_by_two_percent() -> None:
    found = fitted(0.3, BANDWIDTH)
    assert found["gamma"] == pytest.approx(3.0, rel=0.02)
    assert found["beta_s"] == pytest.approx(0.8, rel=0.02)
    assert found["beta_e"] == pytest.approx(1.25, rel=0.02)


def test_nor_a_bandwidth_that_is_fitted_with_them() -> None:
    assert fitted(0.3, None, SEEDS[:6])["bandwidth"] == pytest.approx(BANDWIDTH, rel=0.02)


def test_messages_that_stalled_do_not_move_the_bandwidth() -> None:
    pairs: dict[str, Edges] = {f"pair {copy}": ((0, 1), (2, 3)) for copy in range(20)}
    samples = planted(pairs, "maxmin", alone_s=())
    stalled = [
        sample.model_copy(update={"times_s": ((SIZE / BANDWIDTH, 20 * SIZE / BANDWIDTH),)})
        for sample in samples[:4]
    ]
    seen = Observations(tuple(measured_graphs([*stalled, *samples[4:]])), None)
    assert seen.predicted("maxmin", {})[1] == pytest.approx(BANDWIDTH, rel=0.01)
