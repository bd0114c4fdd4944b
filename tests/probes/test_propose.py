"""What is proposed for a network, and that it comes about once it is measured."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Cost
from contend.measure.probes.greedy import Limits
from contend.measure.probes.proposal import Proposal, Step
from contend.measure.probes.propose import propose
from contend.measure.probes.text import summary
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.predict import predict
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.samples.reader import READERS
from support import synthesis

SOURCE = Unsaved("planted", b"")
SOME = (64, 1024, 8192, 65536)


def seconds(n: int, m: int) -> float:
    """Of a direct exchange, half as slow again beyond 32 processes."""
    return (n - 1) * (1e-5 + 2e-9 * m) * (1.5 if n > 32 else 1.0)


def samples(counts: tuple[int, ...] = (8, 16), sizes: tuple[int, ...] = SOME) -> list[Sample]:
    return synthesis.alltoall(counts, seconds, sizes, np.random.default_rng(1), 0.03)


def fitted(found: list[Sample], at: int | None = 16) -> Network:
    return fit_network(found, SOURCE, FitOptions(n_fit=at))


def proposed(network: Network, *n: int, **given: object) -> Proposal:
    (operation,) = network.operations
    return propose(network, operation, n, **given)  # type: ignore[arg-type]


def high_over_low(network: Network, n: int, sizes: tuple[int, ...] = SOME) -> float:
    """Median, of predictions."""
    rows = predict(network, network.operations[0], n, sizes, "growth")
    return float(np.exp(np.log(rows["high"] / rows["low"]).median()))


def test_before_is_what_is_predicted_and_after_what_is_predicted_then() -> None:
    network = fitted(samples())
    found = proposed(network, 64, limits=Limits(points=2))
    assert found.before == pytest.approx(high_over_low(network, 64))
    assert found.after < 0.8 * found.before
    rng = np.random.default_rng(2)
    probes = [
        synthesis.sample(step.m, step.n, synthesis.noisy(seconds(step.n, step.m), rng, 0.03, 5))
        for step in found.steps
    ]
    assert {probe.n for probe in probes} == {64}
    then = high_over_low(fitted([*samples(), *probes]), 64)
    assert then < found.before  # by as much as was foreseen, or less: the machine surprised
    assert np.log(then) == pytest.approx(np.log(found.after), rel=0.5)


def test_the_nearer_to_the_target_the_more_a_point_tells() -> None:
    network = fitted(samples())
    ends = [
        proposed(network, 128, at=[n], limits=Limits(points=1, least=0.0)).after
        for n in (4, 32, 64, 128)
    ]
    assert (np.diff(ends) < 0).all()


def test_where_all_is_known_nothing_is_worth_it() -> None:
    network = fitted(samples((8, 16, 32)))
    found = proposed(network, 16, at=[4, 16])
    assert not found.steps and not found.is_worth_it
    assert "no point narrows it by 0.5 %. Nothing is worth a measurement" in summary(found)
    assert 1.05 < found.before < 1.6
    none = proposed(network, 16)
    assert "every point that could be measured is known" in summary(none)


@pytest.mark.parametrize(("part", "is_worth_it"), [(0.92, False), (0.88, True)])
def test_a_tenth_of_the_width_is_worth_it_and_less_only_if_asked_for(part, is_worth_it) -> None:
    known = proposed(fitted(samples((8, 16, 32))), 16, at=[4, 16])
    found = replace(known, steps=(Step(4, 64, 1e-3, 1.5, part * known.start),))
    assert found.is_worth_it == is_worth_it
    assert f"1 point, about 1.5 s in all, would narrow it to {found.after:.2f}" in summary(found)
    assert ("Nothing is worth a measurement" in summary(found)) != is_worth_it
    assert replace(found, is_asked=True).is_worth_it


def test_where_the_time_is_too_short_for_a_point_that_is_said() -> None:
    found = proposed(fitted(samples()), 64, limits=Limits(seconds=0.5))
    assert not found.steps and not found.is_worth_it
    assert "no point that is worth it can be measured in 500 ms" in summary(found)


def test_a_single_point_is_shown_where_several_are_worth_it() -> None:
    network = fitted(samples())
    few = proposed(network, 16, 24, 64, limits=Limits(points=1))
    assert len(few.steps) == 1 and few.is_worth_it
    assert "1 point, about" in summary(few)


def test_a_width_that_is_there_already_asks_for_no_point() -> None:
    found = proposed(fitted(samples()), 16, limits=Limits(until=3.0))
    assert not found.steps
    assert "no wider than the 3 that was asked for" in summary(found)


def test_a_width_that_cannot_be_had_is_told() -> None:
    found = proposed(fitted(samples()), 64, limits=Limits(until=1.01))
    assert "cannot be had" in summary(found)
    assert f"{np.exp(found.least):.2f} is left" in summary(found)


def test_the_costs_add_up_and_the_launch_is_paid_once_for_each_n() -> None:
    cost = Cost(repetitions=7, warmup=2, launch_seconds=100.0, point_seconds=1.0)
    found = proposed(fitted(samples()), 64, limits=Limits(points=5), cost=cost, at=[32, 64])
    rows = found.table()
    counts = rows["n"].nunique()
    own = (10 * rows["seconds"] + 1.0).sum() + 100.0 * counts
    assert rows["spent"].iloc[-1] == pytest.approx(own) == pytest.approx(found.seconds)
    assert (rows["before"].iloc[1:].to_numpy() == rows["after"].iloc[:-1].to_numpy()).all()


def test_dear_launches_keep_points_together() -> None:
    network = fitted(samples())
    dear, cheap = (
        proposed(network, 6, 64, limits=Limits(points=4), cost=Cost(launch_seconds=one))
        for one in (10_000.0, 0.0)
    )
    assert len(dear.counts) < len(cheap.counts)


def test_targets_are_beyond_what_was_measured_unless_told_otherwise() -> None:
    found = proposed(fitted(samples()))
    assert sorted(set(found.targets.n)) == [32, 64]
    assert sorted(set(found.targets.m)) == list(SOME)


def test_the_widest_interval_becomes_less_where_that_is_wanted() -> None:
    network, (operation,) = fitted(samples()), fitted(samples()).operations
    limits = Limits(points=3)
    ends = {
        what: propose(network, operation, [32, 256], limits=limits, criterion=what).steps[-1].widths
        for what in ("mean", "largest")
    }
    start = propose(network, operation, [32, 256]).start
    assert ends["largest"].max() <= ends["mean"].max() < start.max()


def test_a_lab_has_room_for_so_many_processes_only() -> None:
    network = fitted(samples((4, 8)), 8)
    origin = network.origin.model_copy(update={"labs": ("fast-ethernet",)})
    there = network.model_copy(update={"origin": origin})
    assert max(proposed(network, 24).counts) == 24
    found = proposed(there, 24)
    assert max(found.counts, default=0) <= 12


def test_a_file_of_before_there_was_growth_is_to_be_fitted_again() -> None:
    network = fitted(samples())
    (operation,) = network.operations
    forms = {name: fit for name, fit in operation.forms.items() if name != "growth"}
    old = operation.model_copy(update={"forms": forms})
    with pytest.raises(InvalidInputError, match="no fit of growth") as raised:
        propose(network, old, [64])
    assert "fit its samples again: contend fit" in raised.value.remedy


def test_more_targets_than_can_be_held_against_each_other_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="3000 are the most"):
        proposed(fitted(samples()), *range(2, 2000))


def test_on_a_measured_machine_intervals_become_what_was_foreseen(shared_data) -> None:
    """Fitted at 8 and 32; then some points of 128 are known: many tell that these scatter more."""
    path = shared_data("lassen_alltoall/alltoall.csv")
    every = list(READERS.get("csv_columns").read(path, synthesis.LASSEN))
    network = fitted([one for one in every if one.n in (8, 32)], 32)
    measured = fitted(every, 32).operations[0].measured
    (operation,) = network.operations
    assert measured is not None and operation.measured is not None
    rows = measured.table()
    own = rows[rows["n"] == 128]
    for points, near in ((1, 0.15), (3, 0.15), (12, 0.25)):
        found = propose(network, operation, [128], sorted(own["m"]), Limits(points=points))
        chosen = rows[[pair in {(s.n, s.m) for s in found.steps} for pair in
                       zip(rows["n"], rows["m"], strict=True)]]  # fmt: skip
        assert len(chosen) == points
        known = pd.concat([operation.measured.table(), chosen])
        then = operation.model_copy(update={"measured": type(measured).of(known)})
        told = predict(network, then, 128, own["m"], "growth")
        actual = np.exp(np.log(told["high"] / told["low"]).median())
        assert found.after == pytest.approx(actual, rel=near)
        assert found.after < 0.8 * found.before
