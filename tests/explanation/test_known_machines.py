"""Machines of known structure are recognised by name, and others are given none, over seeds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from machines import (
    Machine,
    Times,
    bruck,
    cheaper,
    direct,
    even,
    local,
    odd,
    saturating,
    switched,
    torus,
)

from contend.base.document import Floats
from contend.models.explanation.finding import Analysis, Finding

SEEDS = 10
STRAIGHT = 100
ALL_COUNTS = ((8, 64), (4, 8), (16, 24, 32), (8, 16, 32, 64), (8, 12, 16, 24, 32))
TOLD = {"algorithm", "gamma"}  # what is said of a machine without structure
PER_NODE = (48, 96, 192, 384)


def both(first: Times, second: Times) -> Times:
    """What both change of a direct exchange."""

    def times(n: Floats, m: Floats) -> Floats:
        return np.asarray(first(n, m) * second(n, m) / direct(n, m))

    return times


@cache
def found(machine: Machine, seed: int) -> tuple[Finding, ...]:
    return tuple(Analysis(machine.measured(seed)).findings)


def kinds(machine: Machine, seed: int) -> set[str]:
    return {one.kind for one in found(machine, seed)} - TOLD - {"not known"}


RECOGNISED = [
    ("algorithm switch", Machine(switched)),
    ("algorithm switch", Machine(switched, (8, 64))),
    ("local messages", Machine(local, PER_NODE, processes_per_node=24)),
    ("saturation", Machine(saturating)),
    ("powers of two", Machine(even)),
    ("powers of two", Machine(even, (8, 12, 16, 24))),
    ("growth for good", Machine(torus)),
    ("odd size", Machine(odd)),
    ("odd size", Machine(odd, (8, 64))),
    ("falling slope", Machine(cheaper)),
    ("falling slope", Machine(cheaper, (32,))),
    ("algorithm switch, growth for good", Machine(both(switched, torus))),
    ("odd size, powers of two", Machine(both(odd, even))),
    ("algorithm switch, saturation", Machine(both(switched, saturating))),
    (
        "falling slope, local messages",
        Machine(both(cheaper, local), PER_NODE, processes_per_node=24),
    ),
    ("odd size, saturation", Machine(both(odd, saturating))),
]


@pytest.mark.full
@pytest.mark.parametrize(("names", "machine"), RECOGNISED)
def test_a_known_machine_is_recognised_and_nothing_else_is_said(
    names: str, machine: Machine
) -> None:
    wanted = set(names.split(", "))
    assert sum(kinds(machine, seed) == wanted for seed in range(SEEDS)) >= 0.9 * SEEDS


def of_kind(machine: Machine, kind: str) -> list[Finding]:
    every = (one for seed in range(SEEDS) for one in found(machine, seed))
    return [one for one in every if one.kind == kind]


@pytest.mark.parametrize(
    ("machine", "kind", "name", "truth"),
    [
        (Machine(odd), "odd size", "factor", 1.6),
        (Machine(even), "powers of two", "factor", 1.5),
        (Machine(cheaper), "falling slope", "byte", 0.5),
        (Machine(torus), "growth for good", "exponent", 0.29),  # n^0.3 as a power of n-1
        (Machine(saturating), "saturation", "factor at the largest n", 1.6),
        (
            Machine(local, PER_NODE, processes_per_node=24),
            "local messages",
            "local over remote",
            0.2,
        ),
    ],
)
def test_the_interval_of_what_is_found_holds_the_truth(
    machine: Machine, kind: str, name: str, truth: float
) -> None:
    known = [one.values[name] for one in of_kind(machine, kind)]
    holds = [
        one.low <= truth <= one.high
        for one in known
        if isinstance(one.low, float) and isinstance(one.high, float)
    ]
    assert len(holds) >= 0.9 * SEEDS
    assert sum(holds) >= 0.85 * len(holds)


def test_a_switch_is_where_the_algorithm_changes_and_names_both() -> None:
    for one in of_kind(Machine(switched), "algorithm switch"):
        assert one.sizes[0] == 512
        assert "from store-and-forward (Bruck) to direct or pairwise exchange" in one.sentence


def test_saturation_sets_in_between_the_n_around_it() -> None:
    places = [
        float(one.values["last n before"]) for one in of_kind(Machine(saturating), "saturation")
    ]
    assert sum(place in (32, 48) for place in places) >= 0.9 * len(places)


def test_a_size_that_is_odd_at_one_n_alone_is_told_with_that_n() -> None:
    def times(n: Floats, m: Floats) -> Floats:
        return np.asarray(direct(n, m) * (1 + 2.0 * ((m == 4096) & (n == 32))))

    told = of_kind(Machine(times), "odd size")
    assert len(told) >= 0.9 * SEEDS
    assert all(one.counts == (32,) and "n = 32" in one.sentence for one in told)


def test_what_a_finding_is_worth_is_the_error_with_it_and_without_it() -> None:
    (one, *_) = of_kind(Machine(odd), "odd size")
    assert one.error == pytest.approx(0.03, abs=0.015)  # noise of 4 %, the median of two launches
    assert one.error_without == pytest.approx(0.47, abs=0.05)  # log 1.6
    assert one.times_better is not None
    assert one.times_better > 8


@pytest.mark.parametrize("times", [saturating, torus])
def test_two_n_tell_growth_but_not_its_cause(times: Times) -> None:
    for seed in range(5):
        said = found(Machine(times, (8, 64)), seed)
        assert {one.kind for one in said} == {"algorithm", "gamma", "growth"}
        assert "do not tell why" in said[-1].sentence


def test_one_n_tells_regimes_and_says_that_growth_is_not_known() -> None:
    for seed in range(5):
        said = found(Machine(both(switched, torus), (64,)), seed)
        assert {one.kind for one in said} == {"level jump", "gamma", "not known"}


@pytest.mark.parametrize(
    ("machine", "kind"),
    [
        (Machine(even, (8, 16, 32, 64)), "powers of two"),  # there are no others
        (Machine(torus, (4, 8, 16, 24), processes_per_node=None), "local messages"),
    ],
)
def test_what_these_n_cannot_tell_is_not_said(machine: Machine, kind: str) -> None:
    assert all(kind not in kinds(machine, seed) for seed in range(5))


def test_an_n_that_stands_out_is_named_alone_with_its_factor() -> None:
    def times(n: Floats, m: Floats) -> Floats:
        return direct(n, m) * np.where(n == 24, 1.6, 1.0)

    machine = Machine(times, (8, 12, 16, 24, 32, 48))
    assert all(kinds(machine, seed) == {"outlier n"} for seed in range(SEEDS))
    for outlier in of_kind(machine, "outlier n"):
        assert outlier.counts == (24,)
        assert float(outlier.values["factor"]) == pytest.approx(1.6, rel=0.1)


@pytest.mark.parametrize("counts", [(8, 16, 32), (8, 16, 32, 64)])
def test_a_part_that_does_not_depend_on_n_is_told_and_is_no_growth(counts: tuple[int, ...]) -> None:
    def times(n: Floats, m: Floats) -> Floats:
        return direct(n, m) + 60e-6

    told = of_kind(Machine(times, counts), "algorithm")
    known = [float(one.values["fixed"]) for one in told if "fixed" in one.values]
    assert len(known) >= 0.9 * SEEDS
    assert np.median(known) == pytest.approx(60e-6, rel=0.15)
    assert all(kinds(Machine(times, counts), seed) == set() for seed in range(5))


@pytest.mark.full
def test_bruck_is_told_beside_a_part_that_does_not_depend_on_n() -> None:
    def times(n: Floats, m: Floats) -> Floats:
        return switched(n, m) + np.where(m < 512, 10e-6, 0.0)

    assert len(of_kind(Machine(times), "algorithm switch")) >= 0.9 * SEEDS


def test_a_change_that_moves_with_n_is_told_by_the_total_and_by_no_size() -> None:
    def times(n: Floats, m: Floats) -> Floats:
        return direct(n, m) * np.where(n * m < 2**18, 4.0, 1.0)

    machine = Machine(times, (8, 16, 32, 64, 128))
    told = of_kind(machine, "change at a total size")
    assert len(told) >= 0.9 * SEEDS
    assert all("256 KiB" in each.sentence for each in told)
    by_size = {"algorithm switch", "level jump", "falling slope", "rising slope", "odd size"}
    assert sum(bool(kinds(machine, seed) & by_size) for seed in range(SEEDS)) <= 0.1 * SEEDS


def straight(seed: int, noise: float) -> Machine:
    """Direct, of 2 to 5 n, 8 to 18 sizes and 1 to 3 launches."""
    sizes = tuple(2**power for power in range(3, 11 + seed % 11))
    return Machine(direct, ALL_COUNTS[seed % 5], sizes, noise, 1 + seed % 3, 1 + 3 * (seed % 2))


@pytest.mark.full
@pytest.mark.parametrize("noise", [0.02, 0.05, 0.1])
def test_a_straight_machine_is_given_structure_in_five_of_a_hundred_at_most(noise: float) -> None:
    invented = 0
    for seed in range(STRAIGHT):
        found = Analysis(straight(seed, noise).measured(seed))
        is_plain = all(regime.explanation.is_plain for regime in found.regimes)
        invented += not is_plain or bool({one.kind for one in found.findings} - TOLD)
    assert invented <= 0.05 * STRAIGHT


@pytest.mark.full
@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_gamma_of_a_straight_machine_is_one(noise: float) -> None:
    sizes = tuple(2**power for power in range(3, 21))
    holds = 0
    for seed in range(20):
        machine = replace(straight(seed, noise), sizes=sizes)
        (gamma,) = (one for one in Analysis(machine.measured(seed)).findings if one.kind == "gamma")
        (known,) = gamma.values.values()
        assert float(known) == pytest.approx(1, abs=0.15)
        assert isinstance(known.low, float)
        assert isinstance(known.high, float)
        holds += known.low <= 1 <= known.high
    assert holds >= 18


def test_a_machine_that_forwards_at_all_sizes_is_one_regime_of_that_algorithm() -> None:
    recognised = 0
    for seed in range(20):
        found = Analysis(Machine(bruck, sizes=tuple(2**p for p in range(13))).measured(seed))
        said = [one.sentence for one in found.findings if one.kind == "algorithm"]
        recognised += len(said) == 1 and "like those of store-and-forward (Bruck)" in said[0]
    assert recognised >= 18


def test_noise_that_one_n_alone_has_makes_no_structure() -> None:
    invented = 0
    for seed in range(20):
        exchange = Machine(direct, (8, 16, 32, 64), noise=0.02).measured(seed)
        noise = np.random.default_rng(1000 + seed).standard_normal(exchange.sizes.size)
        logarithms = exchange.logarithms.copy()
        logarithms[3] += 0.2 * noise
        found = Analysis(replace(exchange, logarithms=logarithms))
        invented += bool({one.kind for one in found.findings} - TOLD)
    assert invented <= 2
