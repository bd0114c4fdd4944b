"""Schedules timed as what was run bears out, on machines whose times are known."""

import numpy as np
import pytest

from contend.models.prediction.catalogue import shared_ports
from contend.schedules import algorithms
from contend.schedules.fitting.record import Parameters, ScheduleFit
from contend.schedules.timing.predict import nearest_times
from contend.tune.choose.runs import Run
from contend.tune.choose.validation import validated
from support import networks

PLOGP = networks.plogp()
KNOWN = Parameters(PLOGP)
WAYS = {"single": nearest_times, "shared": shared_ports}
NAMES = ("flat", "chain", "binomial", "binary", "knomial", "scatter_ring_allgather")
COUNTS, SIZES = (4, 8, 16), (256, 4096, 65536)


def seconds(timing, algorithm, n, m, **options):
    return float(timing(algorithm, PLOGP, n, m, **options)[0].seconds)


def planted(timing=nearest_times, rng=None, common=0.0, own=0.0, names=NAMES, counts=COUNTS):
    """Runs that take the time of a way, times a factor of the call and one of the algorithm."""
    rng = rng or np.random.default_rng(1)
    factors = {(n, m): np.exp(common * rng.standard_normal()) for n in counts for m in SIZES}
    found = []
    for name in names:
        algorithm = algorithms("bcast").get(name)
        options = {"segment": 65536} if "segment" in algorithm.options else {}
        for (n, m), factor in factors.items():
            noise = np.exp(own * rng.standard_normal())
            time = seconds(timing, algorithm, n, m, **options) * factor * noise
            found.append(Run(algorithm, options, n, m, time))
    return found


def of(found, ways=WAYS):
    return validated("bcast", KNOWN, ways, found)


@pytest.mark.parametrize("name", ["single", "shared"])
def test_the_way_that_is_true_is_found(name):
    found = of(planted(WAYS[name], own=0.02))
    assert (found.way.name, found.way.is_corrected) == (name, False)
    assert 0.01 < found.doubt(8, 4096) < 0.05


def test_the_first_way_stays_where_another_is_no_better():
    same = {"levels": nearest_times, "single": nearest_times}
    assert of(planted(own=0.1), same).way.name == "levels"


def test_what_all_algorithms_of_a_call_meet_is_taken_off():
    found = of(planted(shared_ports, common=0.5, own=0.02))
    assert (found.way.name, found.way.is_corrected) == ("shared", True)
    assert found.doubt(8, 4096) < 0.06
    assert found.doubt(7, 4096) > 3 * found.doubt(8, 4096)  # that of another call is of little use
    assert found.doubt(8, 1000) > 3 * found.doubt(8, 4096)


def test_an_algorithm_that_was_not_run_takes_the_factor_of_its_call():
    every = planted(shared_ports, common=0.5)
    tree = algorithms("bcast").get("binomial")
    found = of([run for run in every if run.algorithm.name != "binomial"])
    for run in every:
        if run.algorithm.name == "binomial":
            times, _ = found(tree, PLOGP, run.n, run.m)
            assert float(times.seconds) == pytest.approx(run.seconds, rel=1e-6)
            assert times.low <= run.seconds * 1.0001
            assert times.high >= run.seconds * 0.9999


@pytest.mark.full
def test_nine_of_ten_intervals_hold_what_was_not_run():
    """Of launches drawn anew: factors of calls and of algorithms, which the fit has not seen."""
    inside, widths = [], []
    for seed in range(60):
        every = planted(nearest_times, np.random.default_rng(seed), common=0.3, own=0.1)
        left_out = NAMES[seed % len(NAMES)]
        found = of([run for run in every if run.algorithm.name != left_out])
        for run in every:
            if run.algorithm.name == left_out:
                times, _ = found(run.algorithm, PLOGP, run.n, run.m, **run.options)
                inside.append(times.low <= run.seconds <= times.high)
                widths.append(float(times.high / times.low))
    assert 0.82 <= np.mean(inside) <= 0.97
    assert np.median(widths) < np.exp(2.8 * 1.645 * 0.1)


@pytest.mark.full
def test_nine_of_ten_intervals_hold_what_was_not_run_at_an_n_that_was_not_run():
    inside = []
    for seed in range(60):
        every = planted(nearest_times, np.random.default_rng(seed), common=0.2, own=0.1)
        left_out = NAMES[seed % len(NAMES)]
        others = [run for run in every if run.algorithm.name != left_out and run.n != 16]
        found = of(others)
        for run in every:
            if run.algorithm.name == left_out and run.n == 16:
                times, _ = found(run.algorithm, PLOGP, run.n, run.m, **run.options)
                inside.append(times.low <= run.seconds <= times.high)
    assert 0.82 <= np.mean(inside) <= 0.99


def test_eight_runs_are_too_few_and_nothing_is_added_to_the_bounds():
    few = planted(own=0.5, names=("flat", "chain"))[:8]
    found = of(few)
    assert not found.is_validated
    flat = algorithms("bcast").get("flat")
    plain, claim = nearest_times(flat, PLOGP, 8, 4096)
    assert found(flat, PLOGP, 8, 4096) == (plain, claim)
    assert found.beyond(1000, 1) == []


def test_runs_of_one_schedule_tell_nothing_of_another():
    assert not of(planted(names=("flat",))).is_validated


def test_two_schedules_that_differ_correct_nothing_and_doubt_both():
    found = of(planted(own=0.5, names=("flat", "chain")))
    assert not found.way.is_corrected
    assert found.doubt(8, 4096) > 0.3


def test_runs_at_one_n_leave_the_whole_factor_open_at_others():
    found = of(planted(shared_ports, common=0.5, own=0.02, counts=(8,)))
    assert found.way.is_corrected
    assert found.doubt(16, 4096) > 3 * found.doubt(8, 4096)


def test_between_sizes_the_factor_is_on_a_line():
    every = planted(common=0.0)
    grown = [run._replace(seconds=run.seconds * (1.5 if run.m == 4096 else 3.0)) for run in every]
    found = of([run for run in grown if run.m > 256])
    assert found.way.is_corrected
    between = found.correction(8, 16384)  # half of the way from 4096 to 65536
    assert np.exp(between) == pytest.approx((1.5 * 3.0) ** 0.5)
    assert np.exp(found.correction(8, 1 << 24)) == pytest.approx(3.0)


def test_times_that_parameters_were_fitted_to_tell_nothing():
    known = Parameters(PLOGP, by_algorithm={"flat": fitted("flat")})
    every = planted(own=0.05)
    found = validated("bcast", known, WAYS, every)
    assert {(run.algorithm.name, run.n, run.m) for run in every} - {
        (run.algorithm.name, run.n, run.m) for run in found.runs
    } == {("flat", n, m) for n in COUNTS for m in SIZES}


def fitted(name):
    return ScheduleFit(
        operation="bcast", algorithm=name, plogp=PLOGP, algorithms=(f"bcast/{name}",),
        n_fitted=COUNTS, m_fitted=SIZES, points=9, median_error=0.0,
    )  # fmt: skip


def test_intervals_hold_bounds_and_errors():
    found, flat = of(planted(own=0.05)), algorithms("bcast").get("flat")
    bounds, _ = nearest_times(flat, PLOGP, 8, 4096)
    both, _ = found(flat, PLOGP, 8, 4096)
    assert float(both.high / both.low) > float(bounds.high / bounds.low) ** 0.8
    assert float(both.high / both.low) > np.exp(2 * 0.05 * 1.645)


def test_outside_of_what_was_run_is_beyond():
    found = of(planted())
    assert [found.beyond(n, 300) for n in (2, 4, 7, 16, 17)] == [["n"], [], [], [], ["n"]]
    assert [found.beyond(8, m) for m in (255, 256, 65537)] == [["m"], [], ["m"]]


def test_a_call_of_too_many_messages_is_timed_one_at_a_time():
    found = of(planted(shared_ports, own=0.01))
    flat = algorithms("bcast").get("flat")
    assert found.way.name == "shared"
    assert found(flat, PLOGP, 400, 4096)[1] == nearest_times(flat, PLOGP, 400, 4096)[1]
    assert found(flat, PLOGP, 300, 4096)[1] == "shared ports"


def test_runs_of_very_many_messages_tell_of_single_messages_alone():
    many = planted(own=0.01, names=("flat", "chain"), counts=(4, 8, 16, 512))
    found = of(many)
    shared = validated("bcast", KNOWN, {"shared": shared_ports, **WAYS}, many).way
    assert shared.name == "shared"
    assert found.points == 24
    assert np.isnan(shared.log_errors).sum() == 6


def test_a_barrier_has_no_size():
    every = [
        Run(algorithm, {}, n, 0, seconds(nearest_times, algorithm, n, 0) * 1.5)
        for algorithm in map(algorithms("barrier").get, ("flat", "tree", "dissemination"))
        for n in (2, 4, 8, 16)
    ]
    found = validated("barrier", KNOWN, WAYS, every)
    ring = algorithms("barrier").get("double_ring")
    wanted = 1.5 * seconds(nearest_times, ring, 8, 0)
    assert found.way.is_corrected
    assert float(found(ring, PLOGP, 8, 0)[0].seconds) == pytest.approx(wanted)
