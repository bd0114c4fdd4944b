import numpy as np
import pandas as pd
import pytest
from scipy import stats

from contend.base.statistics.student import NORMAL_90
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.fitting.gains import gains_of
from contend.samples.origin import Unsaved
from contend.tune.choose.decide import decide
from support import libraries
from support.timeouts import SIZES as SIZES_WITH_TIMEOUTS
from support.timeouts import beside_pairwise, exchange


def only(network, setting):
    (found,) = [one for one in network.operations if one.algorithm == setting]
    return found.gains


def series_of(samples):
    """Tables of the points of each algorithm."""
    points = sorted({(s.n, s.processes_per_node or 0, s.m) for s in samples})
    rows = pd.DataFrame(points, columns=["n", "processes_per_node", "m"])
    return [(name, None, rows) for name in sorted({s.algorithm for s in samples})]


def test_a_gain_is_the_mean_ratio_of_launches():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    samples = libraries.launched(laws, rng, counts=(8,), launches=4)
    found = only(libraries.network_of(samples), "openmpi:chain")
    own = {
        name: [one.median for one in samples if one.algorithm == name and one.m == found.m[2]]
        for name in laws
    }
    ratios = np.log(np.divide(own["native"], own["openmpi:chain"]))
    assert np.log(found.gain[2]) == pytest.approx(ratios.mean())


def test_of_two_points_each_error_is_that_of_student():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    samples = libraries.launched(laws, rng, counts=(8,), launches=4)
    two = sorted({s.m for s in samples})[:2]
    samples = [s for s in samples if s.m in two]
    found = gains_of(samples, series_of(samples))["openmpi:chain", None]
    own = {
        name: [s.median for s in samples if s.algorithm == name and s.m == two[0]] for name in laws
    }
    ratios = np.log(np.divide(own["native"], own["openmpi:chain"]))
    wide = stats.t.ppf(0.95, 3) / NORMAL_90
    assert found.error[0] == pytest.approx(ratios.std(ddof=1) / 2 * wide)


def test_intervals_of_two_launches_hold_the_truth_as_often_as_they_claim():
    rng = np.random.default_rng(7)
    laws = {"native": libraries.default} | {
        f"openmpi:{name}": libraries.times(0.5) for name in ("chain", "binary", "binomial")
    }
    inside, widths = [], []
    for _ in range(12):
        samples = libraries.launched(laws, rng, launches=2)
        for found in gains_of(samples, series_of(samples)).values():
            error = np.array(found.error)
            off = np.abs(np.log(found.gain) - np.log(2.0))
            inside.extend(off <= NORMAL_90 * error)
            widths.extend(error)
    assert 0.82 <= np.mean(inside) <= 0.97
    assert np.median(widths) < 2 * libraries.OWN  # Student's of one degree of freedom: 3.8 times


def test_what_a_launch_meets_as_a_whole_is_not_in_the_error():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    found = only(libraries.network_of(libraries.launched(laws, rng, launches=30)), "openmpi:chain")
    expected = libraries.OWN * np.sqrt(2 / 30)
    assert np.median(found.error) == pytest.approx(expected, rel=0.2)
    assert libraries.COMMON * np.sqrt(2 / 30) > 2 * np.median(found.error)


def test_a_single_launch_tells_no_error():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    network = libraries.network_of(libraries.launched(laws, rng, launches=1))
    assert only(network, "openmpi:chain") is None
    assert only(network, "native") is None


def test_a_fit_keeps_the_gains_and_options_are_series_of_their_own():
    rng = np.random.default_rng(1)
    laws = {
        "native": libraries.default,
        "openmpi:chain,segment=1024": libraries.times(0.5),
        "openmpi:chain,segment=8192": libraries.times(2.0),
    }
    samples = libraries.launched(laws, rng, counts=(8,), launches=3)
    network = fit_network(samples, Unsaved("planted", b""), FitOptions("bcast"))
    gains = [np.median(only(network, name).gain) for name in laws if name != "native"]
    assert gains == pytest.approx([2.0, 0.5], rel=0.05)


def test_operations_of_one_file_have_gains_of_their_own():
    rng = np.random.default_rng(1)
    samples = []
    for operation, share in (("bcast", 0.5), ("reduce", 2.0)):
        laws = {"native": libraries.default, "openmpi:binomial": libraries.times(share)}
        own = libraries.launched(laws, rng, counts=(8,), launches=3)
        samples += [one.model_copy(update={"experiment": operation}) for one in own]
    for operation, gain in (("bcast", 2.0), ("reduce", 0.5)):
        network = fit_network(samples, Unsaved("planted", b""), FitOptions(operation))
        assert np.median(only(network, "openmpi:binomial").gain) == pytest.approx(gain, rel=0.05)


def means_of_launches(samples, algorithm, n, m):
    """Mean seconds of a call in each launch."""
    chosen = [s for s in samples if (s.algorithm, s.n, s.m) == (algorithm, n, m)]
    return [np.mean(s.times_s) for s in chosen]


def test_a_gain_counts_the_time_outs_that_an_algorithm_spares():
    default, samples = beside_pairwise(1)
    found = only(fit_network(samples, Unsaved("planted", b""), FitOptions()), "openmpi:pairwise")
    assert set(found.m) == set(SIZES_WITH_TIMEOUTS)
    for n, m, gain, seconds in zip(found.n, found.m, found.gain, found.default_s, strict=True):
        own, other = (
            means_of_launches(samples, name, n, m) for name in ("native", "openmpi:pairwise")
        )
        assert gain == pytest.approx(np.exp(np.log(own).mean() - np.log(other).mean()), rel=0.03)
        assert seconds == pytest.approx(np.exp(np.log(own).mean()), rel=0.03)
        waits = default.share(n, m) * default.cost * (1 + default.again)
        if waits > 0.9 * default.cost:
            assert gain == pytest.approx(1 + waits / exchange(n, m), rel=0.1)
    assert max(found.gain) > 10


def test_a_gain_counts_calls_that_take_much_longer_than_most():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.8)}
    usual = libraries.launched(laws, rng, counts=(8,), launches=4)
    calls = {"native": (1.0, 1.0, 1.0, 1.1, 1.1), "openmpi:chain": (1.0, 1.0, 1.0, 1.0, 2.5)}
    samples = [
        one.model_copy(
            update={
                "statistic": "repetition",
                "times_s": tuple(one.median * factor for factor in calls[one.algorithm]),
            }
        )
        for one in usual
    ]
    (of_medians, of_means) = (
        np.median(gains_of(own, series_of(own))["openmpi:chain", None].gain)
        for own in (usual, samples)
    )
    assert of_medians == pytest.approx(1 / 0.8, rel=0.03)
    assert of_means == pytest.approx(of_medians * 1.04 / 1.3)


def test_decisions_take_what_spares_time_outs_even_where_every_call_of_the_default_waits():
    _, samples = beside_pairwise(2)
    network = fit_network(samples, Unsaved("planted", b""), FitOptions())
    found = decide(network)
    assert found.rule("alltoall", 12, 65536).algorithm == "pairwise"  # every call waits there
    assert found.rule("alltoall", 4, 2048).is_default  # and here none does
