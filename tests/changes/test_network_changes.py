"""Networks compared: parameters by their bounds, predictions by their intervals, the rest named."""

from math import inf, log

import numpy as np
import pytest
from scipy import stats

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.models.changes.bounds import Bounded, ratio_of
from contend.models.changes.networks import network_changes
from contend.models.changes.parameters import parameters_of
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.samples.origin import Unsaved
from support.synthesis import noisy, sample

SIZES = tuple(4**power for power in range(3, 11))


def campaign(seed, slow=1.0, counts=(4, 8), algorithm="native", launches=3):
    rng, found = np.random.default_rng(seed), []
    for launch in range(launches):
        for m in SIZES:
            alone = 1e-5 + 1e-9 * m
            found.append(sample(m, 2, noisy(alone, rng, 0.02, 5), experiment="pingpong",
                                algorithm="half_round_trip", launch=launch))  # fmt: skip
            for n in counts:
                time = (n - 1) * (alone + slow * 1.5e-9 * m)
                found.append(sample(m, n, noisy(time, rng, 0.02, 5), launch=launch,
                                    algorithm=algorithm))  # fmt: skip
    return found


def network(*words, **options):
    samples = campaign(*words, **options)
    at = FitOptions(n_fit=max(one.n for one in samples), sizes=SIZES, name="planted")
    return fit_network(samples, Unsaved("planted", b""), at)


def test_the_interval_of_a_ratio_of_alike_bounds_is_wider_by_the_root_of_two():
    found = ratio_of(Bounded(1.0, 0.8, 1.25), Bounded(3.0, 2.4, 3.75))
    assert log(found.high / found.ratio) == pytest.approx(np.sqrt(2) * log(1.25))
    assert log(found.ratio / found.low) == pytest.approx(np.sqrt(2) * log(1.25))


def test_a_bound_goes_with_the_opposite_one_of_the_other():
    exact = Bounded(1.0, 1.0, 1.0)
    up = ratio_of(exact, Bounded(1.0, 1.0, 2.0))
    assert (up.low, up.high) == (1.0, 2.0)
    down = ratio_of(Bounded(1.0, 1.0, 2.0), exact)
    assert (down.low, down.high) == (0.5, 1.0)
    assert ratio_of(Bounded(1.0, 0.0, 2.0), exact).high == inf


@pytest.mark.parametrize("freedom", [2, 30])
def test_an_interval_that_ends_at_1_has_a_chance_of_5_percent(freedom):
    """Whatever the number of launches its width is told by."""
    factor = float(stats.t.ppf(0.975, freedom))
    found = ratio_of(Bounded(1.0, 1.0, 1.0), Bounded(1.2, 1.0, 1.44))
    change, worse = found.chances(freedom, factor, 0.0, 1)
    assert (change, worse) == pytest.approx((0.05, 0.025))
    assert found.chances(freedom, factor, 0.2, 1)[1] == pytest.approx(0.5)
    assert found.chances(freedom, factor, 0.0, -1)[1] == pytest.approx(0.975)
    assert np.isnan(found.chances(freedom, factor, 0.0, 0)[1])


def test_less_of_a_bandwidth_is_worse():
    found = ratio_of(Bounded(1.2, 1.0, 1.44), Bounded(1.0, 1.0, 1.0))
    assert found.chances(30, 2.0, 0.0, -1)[1] < 0.05 < found.chances(30, 2.0, 0.0, 1)[1]


def test_another_fit_of_the_same_network_has_not_changed():
    found = network_changes(network(1), network(2))
    assert not found.rows["changed"].any() and not found.rows["is_worse"].any()
    assert {"alpha", "beta", "gamma"} <= set(found.rows["name"])
    assert all("M " in one or "delta " in one for one in found.not_compared)  # a jump by chance


def test_a_slower_exchange_is_found_in_its_predictions_and_a_message_has_not_changed():
    found = network_changes(network(1), network(2, slow=1.6), 0.1).rows
    worse = found[found["is_worse"]]
    assert set(worse["part"]) <= {"predicted alltoall/native", "alltoall/native (hockney_2007)"}
    assert any(name.endswith("1 MiB") for name in worse["name"])
    alone = found[found["part"] == "message (all)"]
    assert not alone["changed"].any()
    gamma = found[found["name"] == "gamma"].iloc[0]
    assert gamma["low"] > 1.0
    faster = network_changes(network(2, slow=1.6), network(1), 0.1).rows
    assert faster["changed"].any() and not faster["is_worse"].any()


def test_of_one_launch_parameters_are_shown_and_not_judged():
    found = network_changes(network(1, launches=1), network(2, launches=1)).rows
    alone = found[found["part"] == "message (all)"]
    assert alone["ratio"].notna().all()
    assert alone["chance_of_worse"].isna().all()


def test_what_one_file_alone_has_is_named():
    both = network_changes(network(1), network(2, algorithm="rotated")).not_compared
    assert "alltoall/native is in the old file alone" in both
    assert "alltoall/rotated is in the new file alone" in both
    assert any("gamma" in text and "old file alone" in text for text in both)


def test_predictions_are_of_the_range_that_both_know():
    found = network_changes(network(1, counts=(4, 8)), network(2, counts=(16, 32)))
    assert any("no numbers of processes in the range of both" in one for one in found.not_compared)
    found = network_changes(network(1, counts=(4, 8, 16)), network(2, counts=(8, 16, 32))).rows
    names = found.loc[found["part"].str.startswith("predicted"), "name"]
    assert {name.split(" ")[0] for name in names} == {"n=8", "n=16"}


def test_networks_with_nothing_in_common_cannot_be_compared():
    bare = network(1).model_copy(update={"levels": (), "operations": ()})
    with pytest.raises(InvalidInputError, match="nothing in common"):
        network_changes(bare, network(1))


def test_values_of_a_table_go_by_their_size():
    found = network(1)
    sizes = Quantity(value=(1.0, 8.0), unit="B")
    gap = Quantity(value=(1e-6, 2e-6), unit="s", low=(9e-7, 1e-6), high=(2e-6, 3e-6),
                   bounds="95 % over launches")  # fmt: skip
    plogp = _plogp(sizes, gap)
    level = found.levels[0].model_copy(update={"plogp": plogp})
    known = parameters_of(found.model_copy(update={"levels": (level,)}))
    entries = {name.m: one.bounded for name, one in known.items() if name.name == "g"}
    assert entries[8] == Bounded(2e-6, 1e-6, 3e-6)
    assert entries[1] == Bounded(1e-6, 9e-7, 2e-6)


def _plogp(sizes, gap):
    from contend.schedules.pointtopoint import PLogP

    return PLogP(latency=Quantity(value=1e-5, unit="s"), size=sizes, gap=gap, method="schedules")
