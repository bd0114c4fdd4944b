import numpy as np
import pytest
from scipy import stats

import planted_choice as planted
from contend.fitting.fit import FitOptions, fit_network
from contend.fitting.gains import NORMAL_90
from contend.samples.origin import Unsaved


def only(network, setting):
    (found,) = [one for one in network.operations if one.algorithm == setting]
    return found.gains


def test_a_gain_is_the_mean_ratio_of_launches_and_its_error_that_of_student():
    rng = np.random.default_rng(1)
    laws = {"native": planted.default, "openmpi:chain": planted.times(0.5)}
    samples = planted.launched(laws, rng, counts=(8,), launches=4)
    found = only(planted.network_of(samples), "openmpi:chain")
    own = {
        name: [one.median for one in samples if one.algorithm == name and one.m == found.m[2]]
        for name in laws
    }
    ratios = np.log(np.divide(own["native"], own["openmpi:chain"]))
    assert np.log(found.gain[2]) == pytest.approx(ratios.mean())
    wide = stats.t.ppf(0.95, 3) / NORMAL_90
    assert found.error[2] == pytest.approx(ratios.std(ddof=1) / 2 * wide, rel=1e-3)


def test_what_a_launch_meets_as_a_whole_is_not_in_the_error():
    rng = np.random.default_rng(1)
    laws = {"native": planted.default, "openmpi:chain": planted.times(0.5)}
    found = only(planted.network_of(planted.launched(laws, rng, launches=30)), "openmpi:chain")
    expected = planted.OWN * np.sqrt(2 / 30)
    assert np.median(found.error) == pytest.approx(expected, rel=0.2)
    assert planted.COMMON * np.sqrt(2 / 30) > 2 * np.median(found.error)


def test_a_single_launch_tells_no_error():
    rng = np.random.default_rng(1)
    laws = {"native": planted.default, "openmpi:chain": planted.times(0.5)}
    network = planted.network_of(planted.launched(laws, rng, launches=1))
    assert only(network, "openmpi:chain") is None
    assert only(network, "native") is None


def test_a_fit_keeps_the_gains_and_options_are_series_of_their_own():
    rng = np.random.default_rng(1)
    laws = {
        "native": planted.default,
        "openmpi:chain,segment=1024": planted.times(0.5),
        "openmpi:chain,segment=8192": planted.times(2.0),
    }
    samples = planted.launched(laws, rng, counts=(8,), launches=3)
    network = fit_network(samples, Unsaved("planted", b""), FitOptions("bcast"))
    gains = [np.median(only(network, name).gain) for name in laws if name != "native"]
    assert gains == pytest.approx([2.0, 0.5], rel=0.05)
