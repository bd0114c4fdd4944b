"""A machine without structure is given none, and gamma is found to be 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from machines import Machine, bruck, direct

from contend.structure.finding import Analysis

pytestmark = pytest.mark.full
SEEDS = 200
ALL_COUNTS = ((8, 64), (4, 8), (16, 24, 32), (8, 16, 32, 64), (8, 12, 16, 24, 32))
TOLD = {"algorithm", "gamma"}  # what is said of a machine without structure


def straight(seed: int, noise: float) -> Machine:
    """Direct, of 2 to 5 n, 8 to 18 sizes and 1 to 3 launches."""
    sizes = tuple(2**power for power in range(3, 11 + seed % 11))
    return Machine(direct, ALL_COUNTS[seed % 5], sizes, noise, 1 + seed % 3, 1 + 3 * (seed % 2))


@pytest.mark.parametrize("noise", [0.02, 0.05, 0.1])
def test_a_straight_machine_is_given_structure_in_five_of_a_hundred_at_most(noise: float) -> None:
    invented = 0
    for seed in range(SEEDS):
        found = Analysis(straight(seed, noise).measured(seed))
        is_plain = all(regime.explanation.is_plain for regime in found.regimes)
        invented += not is_plain or bool({one.kind for one in found.findings} - TOLD)
    assert invented <= 0.05 * SEEDS


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_gamma_of_a_straight_machine_is_one(noise: float) -> None:
    sizes = tuple(2**power for power in range(3, 21))
    holds = 0
    for seed in range(40):
        machine = replace(straight(seed, noise), sizes=sizes)
        (gamma,) = (one for one in Analysis(machine.measured(seed)).findings if one.kind == "gamma")
        (known,) = gamma.values.values()
        assert float(known) == pytest.approx(1, abs=0.15)
        assert isinstance(known.low, float)
        assert isinstance(known.high, float)
        holds += known.low <= 1 <= known.high
    assert holds >= 36


def test_a_machine_that_forwards_at_all_sizes_is_one_regime_of_that_algorithm() -> None:
    recognised = 0
    for seed in range(20):
        found = Analysis(Machine(bruck, sizes=tuple(2**p for p in range(13))).measured(seed))
        said = [one.sentence for one in found.findings if one.kind == "algorithm"]
        recognised += len(said) == 1 and "like those of store-and-forward (Bruck)" in said[0]
    assert recognised >= 18


def test_noise_that_one_n_alone_has_makes_no_structure() -> None:
    invented = 0
    for seed in range(40):
        exchange = Machine(direct, (8, 16, 32, 64), noise=0.02).measured(seed)
        noise = np.random.default_rng(1000 + seed).standard_normal(exchange.sizes.size)
        logarithms = exchange.logarithms.copy()
        logarithms[3] += 0.2 * noise
        found = Analysis(replace(exchange, logarithms=logarithms))
        invented += bool({one.kind for one in found.findings} - TOLD)
    assert invented <= 4
