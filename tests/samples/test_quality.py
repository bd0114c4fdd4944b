import ast
from pathlib import Path
from string import Formatter
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.samples import LabConditions, Provenance, Sample, quality, warnings
from contend.samples.quality import (
    BIMODAL_ASHMAN_D,
    BIMODAL_RATIO,
    BIMODAL_SHARE,
    check,
    drift,
    split_modes,
    trusted,
)
from contend.samples.warnings import Kind
from contend.schedules.pointtopoint.hockney import given as hockney_given
from support.synthesis import SOURCE, noisy, pingpong, plogp, sample

MEASURED_AT = 1e-3
HOME = Path(warnings.__file__).parent.parent


def kinds(*samples):
    return [warning.kind for warning in check(samples)]


def calm(seed=0, repetitions=50, **fields):
    """A sample with nothing wrong."""
    times = noisy(MEASURED_AT, np.random.default_rng(seed), 0.03, repetitions)
    return sample(times_s=times, **fields)


def under(**fields):
    """A calm sample taken under other conditions."""
    return calm(provenance=Provenance(source="planted", **fields))  # type: ignore[arg-type]


def emulated(**counters):
    """What a switch that counted this says."""
    return LabConditions.from_counters({"frames": 1000, **counters})


def bimodal(seed=0, ratio=2.0, share=0.3, **fields):
    rng = np.random.default_rng(seed)
    times = np.array(noisy(MEASURED_AT, rng, 0.03, 50))
    times[rng.permutation(50)[: round(50 * share)]] *= ratio
    return sample(times_s=times.tolist(), **fields)


def drifting(seed=0, growth=1.5):
    times = np.array(noisy(MEASURED_AT, np.random.default_rng(seed), 0.03, 50))
    return sample(times_s=(times * np.linspace(1, growth, 50)).tolist())


# What is planted of a kind, and what is just no such.
CASES: dict[str, tuple[list[Sample], list[Sample]]] = {
    "bimodal": ([bimodal()], [bimodal(share=0.04)]),
    "drifting": ([drifting()], [drifting(growth=1.02)]),
    "oversubscribed": ([under(is_oversubscribed=True)], [under(is_oversubscribed=False)]),
    "timer_resolution": (
        [under(clock_resolution=MEASURED_AT / 50)], [under(clock_resolution=MEASURED_AT / 200)]
    ),
    "interval_not_reached": (
        [calm(interval_relative=0.2, precision=0.05)],
        [calm(interval_relative=0.04, precision=0.05)],
    ),
    "late_starts": ([calm(late_starts=10)], [calm(late_starts=2)]),
    "clocks_apart": (
        [calm(start_skew_s=0.03 * MEASURED_AT, start_skew_bound_s=1e-7)],
        [calm(start_skew_s=0.01 * MEASURED_AT, start_skew_bound_s=1.0)],
    ),
    "no_common_clock": (
        [under(start_note="the clocks could not be synchronised")], [under(clocks=4)]
    ),
    "not_saturated": (
        [calm(parameters={"train": 8192, "is_saturated": False})],
        [calm(parameters={"train": 128, "is_saturated": True})],
    ),
    "launches_disagree": (
        [calm(0), sample(times_s=[1.6 * MEASURED_AT], launch=1)],
        [calm(0), sample(times_s=[1.4 * MEASURED_AT], launch=1)],
    ),
    "lab_late": (
        [calm(lab=emulated(late_ns=60_000_000))], [calm(lab=emulated(late_ns=40_000_000))]
    ),
    "lab_timeouts": (
        [calm(lab=emulated(timeouts=2, retransmissions=5, drops=9))],
        [calm(lab=emulated(retransmissions=5, drops=9))],
    ),
    "cpu_bound": (
        [calm(lab=emulated(), cpu_busy=0.97)],
        [calm(lab=emulated(), cpu_busy=0.94), calm(1, cpu_busy=0.97)],
    ),
    "cpu_awaited": (
        [calm(lab=emulated(), cpu_wait=0.11)],
        [calm(lab=emulated(), cpu_wait=0.09), calm(1, cpu_wait=0.09)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_what_is_planted_is_found_and_nothing_else(kind):
    planted, clean = CASES[kind]
    assert kinds(*planted) == [kind]
    assert kinds(*clean) == []
    for warning in check(planted):
        assert warning.where.startswith("alltoall/native n=4 m=8")
        assert str(warning).endswith(f"({warning.kind}); {warning.hint}")


def test_what_is_another_point_or_too_little_is_not_judged():
    assert kinds(sample(times_s=[1.0, 2.0] * 4 + [2.0])) == []
    assert kinds(calm(processes_per_node=1), sample(times_s=[5e-3], processes_per_node=4)) == []
    other = sample(times_s=[5e-3], experiment="bcast")
    assert kinds(calm(0), sample(16, times_s=[5e-3]), other) == []


def test_a_fit_warns_of_what_it_could_not_know(tmp_path):
    source = tmp_path / "samples"
    source.touch()
    exchange = [sample(m, 8, (7 * (1e-5 + 1e-9 * m),)) for m in (64, 512, 4096, 32768)]
    slow_train = plogp(-1e-6, lambda m: 5e-6 + 1e-9 * m, (lambda m: 1e-6, lambda m: 1e-6))

    def found(*more, **options):
        chosen = FitOptions(**options)  # type: ignore[arg-type]
        return [w.kind for w in fit_network([*exchange, *more], source, chosen).warnings]

    assert found() == ["no_point_to_point", "not_fitted"]
    assert found(*pingpong(1e-6, 1e-9)) == []
    assert found(*pingpong(2e-5, 1e-9)) == ["faster_than_bound"]
    assert found(known_hockney=hockney_given(1e-6, 1e-8)) == ["faster_than_bound"]
    assert "latency_not_positive" in found(*pingpong(1e-6, 1e-9), *slow_train)


def test_sharing_cores_is_no_doubt_where_a_lab_shares_them_by_design():
    crowded = Provenance(source="planted", is_oversubscribed=True)
    assert kinds(calm(provenance=crowded, lab=emulated())) == []
    named = crowded.model_copy(update={"lab": "two-racks"})
    assert kinds(calm(provenance=named)) == []
    assert kinds(calm(provenance=named, cpu_busy=0.99)) == ["cpu_bound"]
    assert kinds(calm(provenance=named, cpu_wait=0.4)) == ["cpu_awaited"]
    alone = crowded.model_copy(update={"is_oversubscribed": False})
    assert kinds(calm(provenance=alone, cpu_wait=0.4)) == ["cpu_awaited"]
    assert kinds(calm(provenance=crowded, cpu_wait=0.4)) == ["oversubscribed"]


def test_what_was_lost_is_told():
    (warning,) = check(CASES["lab_timeouts"][0])
    assert warning.message == (
        "2 retransmission time-outs in 50 repetitions, 5 retransmissions, 9 drops"
    )
    (plain,) = check([bimodal()])
    (warning,) = check([bimodal(lab=emulated(retransmissions=5, drops=9))])
    assert warning.message == f"{plain.message}, 9 drops and 5 retransmissions"


def test_flagged_samples_are_not_trusted_but_none_left_is_an_error():
    good, bad = calm(0), calm(1, lab=emulated(unread=1))
    assert trusted([good, bad], {"alltoall"}) == [good]
    assert trusted([good, bad], {"alltoall"}, include_flagged=True) == [good, bad]
    assert trusted([], {"alltoall"}) == []
    single = sample(experiment="pingpong", n=2)
    with pytest.raises(InvalidInputError, match=r"any of the 1 samples of alltoall; .* --include"):
        trusted([bad, single], {"alltoall"})
    with pytest.raises(InvalidInputError, match="1 samples of alltoall"):
        trusted([bad], {"bcast"})
    assert trusted([good, bad], {"bcast"}) == [good]


@pytest.mark.parametrize(
    ("noise", "repetitions"),
    [("normal", 10), ("normal", 50), ("lognormal", 20), ("lognormal", 50), ("skewed", 50)],
)
def test_clean_noise_seldom_raises_an_alarm(noise, repetitions):
    rng = np.random.default_rng(20)
    draws = {
        "normal": lambda: 1 + 0.05 * rng.standard_normal(repetitions),
        "lognormal": lambda: np.exp(0.3 * rng.standard_normal(repetitions)),
        "skewed": lambda: 1 + 0.2 * rng.standard_exponential(repetitions),
    }
    alarms = sum(bool(kinds(sample(times_s=draws[noise]().tolist()))) for _ in range(200))
    assert alarms <= 6


def brute_force(times):
    """The split with the least squared distance to the two means of the logarithms."""
    logs = np.sort(np.log(times))
    least = max(2, int(np.ceil(BIMODAL_SHARE * logs.size)))
    splits = [(logs[:cut], logs[cut:]) for cut in range(least, logs.size - least + 1)]
    low, high = min(splits, key=lambda parts: sum(part.var() * part.size for part in parts))
    distance = high.mean() - low.mean()
    ashman = np.sqrt(2) * distance / max(np.sqrt(low.var() + high.var()), 1e-9)
    if ashman < BIMODAL_ASHMAN_D or np.exp(distance) < BIMODAL_RATIO:
        return None
    return float(np.exp(low.mean())), float(np.exp(high.mean())), high.size / logs.size


@given(st.integers(0, 10**6), st.integers(10, 60), st.floats(1.0, 4.0), st.floats(0.001, 0.5))
def test_split_modes_is_the_best_of_all_splits(seed, repetitions, ratio, noise):
    rng = np.random.default_rng(seed)
    times = np.array(noisy(1e-5, rng, noise, repetitions))
    times[rng.random(repetitions) < rng.random()] *= ratio
    expected = brute_force(times.tolist())
    found = split_modes(times)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(expected)


def test_two_constant_times_are_two_modes():
    assert split_modes(np.array([1.0, 3.0] * 10)) == pytest.approx((1.0, 3.0, 0.5))
    assert split_modes(np.ones(20)) is None
    assert split_modes(np.array([0.0, 1.0] * 10)) is None


@given(st.lists(st.floats(1e-6, 1e-3), min_size=12, max_size=40), st.floats(1e-3, 1e3))
def test_neither_judgement_depends_on_the_unit_of_time(times, factor):
    values = np.array(times)
    for judge in (split_modes, drift):
        before, after = judge(values), judge(values * factor)
        assume((before is None) == (after is None))  # rounding at the very threshold
        if isinstance(before, float):
            assert after == pytest.approx(before)


@given(st.lists(st.integers(0, 30), min_size=10, max_size=60))
def test_the_rank_correlation_is_that_of_scipy(drawn):
    values = np.array(drawn, float)
    assume(np.ptp(values) > 0)
    assert quality.spearman(values) == pytest.approx(
        tuple(stats.spearmanr(np.arange(values.size), values)), rel=1e-9, abs=1e-12
    )


def test_drift_is_the_last_third_over_the_first():
    assert drift(np.repeat([1.0, 2.0, 4.0], 10)) == 4.0
    assert drift(np.repeat([4.0, 2.0, 1.0], 10)) == 0.25
    assert drift(np.tile([1.0, 2.0, 4.0], 10)) is None
    assert drift(np.ones(30)) is None


def test_every_entry_of_the_table_is_used_with_the_values_that_it_names():
    table = warnings.table()
    assert {name.partition(":")[0] for name in table} == set(get_args(Kind))
    assert all(entry.keys() == {"message", "hint"} for entry in table.values())
    trees = [ast.parse(path.read_text()) for path in HOME.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert table.keys() <= named
    calls = [
        one
        for one in nodes
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "warning"
    ]
    given = {
        call.args[0].value: {word.arg for word in call.keywords}
        for call in calls
        if isinstance(call.args[0], ast.Constant)
    }
    assert len(given) > 30
    for name, words in given.items():
        needed = {
            field for text in table[name].values() for _, field, _, _ in Formatter().parse(text)
        }
        assert None in words or needed - {None} == words, name


def test_launches_whose_ranks_waited_are_left_out_where_another_one_was_calm():
    busy, other = calm(launch=0, cpu_wait=0.9), calm(1, launch=1, cpu_wait=0.02)
    assert trusted([busy, other], ()) == [other]
    assert quality.waited([busy, other]) == [busy]
    assert trusted([busy, other], (), include_flagged=True) == [busy, other]
    # Not where none was calm, where it is not known, nor at another point.
    for fields in ({"cpu_wait": 0.4}, {"cpu_wait": None}, {"cpu_wait": 0.02, "m": busy.m + 1}):
        both = [busy, calm(1, launch=1, **fields)]
        assert trusted(both, ()) == both
    late = calm(1, launch=1, cpu_wait=0.02, lab=emulated(late_ns=60_000_000))
    assert trusted([busy, late], ()) == [busy]


def test_single_messages_that_waited_are_left_out_between_calm_sizes():
    def launches(algorithm, **waits):
        return [
            calm(
                m=int(m[1:]), n=2, experiment="plogp", algorithm=algorithm, launch=launch,
                cpu_wait=wait,
            )
            for m, wait in waits.items()
            for launch in (0, 1)
        ]  # fmt: skip

    for algorithm, busy in {"round_trip": {8}, "receive_overhead": {0, 8}}.items():
        some = launches(algorithm, m0=0.9, m1=0.0, m8=0.9, m64=0.1, m512=0.8)
        assert {one.m for one in quality.waited(some)} == busy
    assert quality.waited([one.model_copy(update={"experiment": "alltoall"}) for one in some]) == []


def test_a_fit_says_how_many_busy_launches_it_left_out():
    rows = [
        one.model_copy(update={"launch": launch, "cpu_wait": wait})
        for launch, wait in ((0, 0.9), (1, 0.0))
        for one in pingpong(1e-5, 1e-8, (1, 1000, 100_000))
    ]
    found = [str(one) for one in fit_network(rows, SOURCE, FitOptions()).warnings]
    assert any("3 of 6 samples were left out: their ranks waited" in one for one in found), found
