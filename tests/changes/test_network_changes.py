"""Networks compared: parameters by their bounds, predictions by their intervals, the rest named."""

from math import inf, log, nan

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.models.changes.networks import network_changes
from contend.models.changes.parameters import Bounded, parameters_of
from contend.models.changes.ratios import ratios_of_bounds
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


EXACT = (1.0, 1.0, 1.0)


def ratio(old, new, limit=0.0, worse=1, freedom=2, factor=2.0):
    """The row of two values with their bounds."""
    names = [f"{side}{end}" for side in ("old", "new") for end in ("", "_low", "_high")]
    how = {"worse": worse, "freedom": freedom, "factor": factor}
    row = dict(zip(names, (*old, *new), strict=True)) | how
    return ratios_of_bounds(pd.DataFrame([row]), limit).iloc[0]


def test_the_interval_of_a_ratio_of_alike_bounds_is_wider_by_the_root_of_two():
    found = ratio((1.0, 0.8, 1.25), (3.0, 2.4, 3.75))
    assert log(found["high"] / found["ratio"]) == pytest.approx(np.sqrt(2) * log(1.25))
    assert log(found["ratio"] / found["low"]) == pytest.approx(np.sqrt(2) * log(1.25))


def test_a_bound_goes_with_the_opposite_one_of_the_other():
    for old, new, ends in (
        (EXACT, (1.0, 1.0, 2.0), (1.0, 2.0)),
        ((1.0, 1.0, 2.0), EXACT, (0.5, 1.0)),
        (EXACT, (1.0, 0.0, 2.0), (0.0, 2.0)),
        ((1.0, 0.0, 2.0), EXACT, (0.5, inf)),
        (EXACT, (1.0, nan, nan), (nan, nan)),
    ):
        assert tuple(ratio(old, new)[["low", "high"]]) == pytest.approx(ends, nan_ok=True)


@pytest.mark.parametrize("freedom", [2, 30])
def test_an_interval_that_ends_at_1_has_a_chance_of_5_percent(freedom):
    """Whatever the number of launches its width is told by."""
    factor = float(stats.t.ppf(0.975, freedom))

    def chances(limit=0.0, worse=1):
        row = ratio(EXACT, (1.2, 1.0, 1.44), limit, worse, freedom, factor)
        return tuple(row[["chance_of_change", "chance_of_worse"]])

    assert chances() == pytest.approx((0.05, 0.025))
    assert chances(limit=0.2)[1] == pytest.approx(0.5)
    assert chances(worse=-1)[1] == pytest.approx(0.975)
    assert np.isnan(chances(worse=0)[1])


def test_less_of_a_bandwidth_is_worse():
    less, more = (
        ratio((1.2, 1.0, 1.44), EXACT, worse=worse, freedom=30)["chance_of_worse"]
        for worse in (-1, 1)
    )
    assert less < 0.05 < more


def test_bounds_that_are_the_value_leave_no_doubt():
    changed, same = ratio(EXACT, (1.2, 1.2, 1.2)), ratio(EXACT, EXACT)
    assert tuple(changed[["chance_of_change", "chance_of_worse"]]) == (0.0, 0.0)
    assert tuple(same[["chance_of_change", "chance_of_worse"]]) == (1.0, 0.5)


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
