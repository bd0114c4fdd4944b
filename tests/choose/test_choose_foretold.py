import numpy as np
import pytest

import network_files
import planted_choice as planted
from contend.choose.decide import decide
from contend.choose.rivals import contests
from contend.network import Level
from contend.schedules import algorithms

PLOGP = network_files.plogp()
FLAT, TREE, CHAIN = (
    algorithms("bcast").get(name) for name in ("flat", "segmented_binomial", "segmented_chain")
)


def flat(n, m):
    return float(FLAT.uniform_seconds(PLOGP, int(n), int(m)))


def tree(n, m, algorithm=TREE):
    return float(algorithm.uniform_seconds(PLOGP, int(n), int(m), segment=int(m)))


def known(error=0.02, counts=(4, 8, 16), has_messages=True):
    """A default that is the flat tree; a flat tree was run, off by `error`, and a chain."""
    laws = {
        "native": flat,
        "openmpi:basic_linear": lambda n, m: flat(n, m) * np.exp(error),
        "openmpi:pipeline": lambda n, m: tree(n, m, CHAIN),
    }
    network = planted.network_of(planted.launched(laws, np.random.default_rng(1), counts))
    level = Level(name="all", plogp=PLOGP)
    return network.model_copy(update={"levels": (level,) if has_messages else ()})


def rival(network, name):
    (contest,) = contests(network)
    found = [one for one in contest.rivals if one.setting == name]
    return found[0] if found else None


def test_an_algorithm_that_nobody_ran_is_taken_by_its_schedule():
    found = decide(known(), [], (16,), (4096,)).rules[0]
    assert found.algorithm != "default"
    assert "by its schedule: it was not run" in found.why
    assert found.points == 0


def test_its_gain_is_that_of_the_schedule():
    one = rival(known(), "openmpi:binomial")
    mean, deviation = one.gain.told(np.array([16.0]), np.array([4096.0]))
    assert np.exp(mean[0]) == pytest.approx(flat(16, 4096) / tree(16, 4096), rel=0.1)
    assert deviation[0] > 0.02


def test_the_worse_schedules_are_the_less_is_sure():
    doubts = [
        rival(known(error), "openmpi:binomial").gain.told(np.array([16.0]), np.array([4096.0]))[1]
        for error in (0.05, 0.5)
    ]
    assert doubts[1] > 2 * doubts[0]
    gain = flat(4, 4096) / tree(4, 4096)
    assert gain < np.exp(1.645 * doubts[1][0])
    assert decide(known(0.5), [], (4,), (4096,)).rules[0].is_default


def test_without_parameters_or_errors_there_is_no_interval_and_no_departure():
    assert rival(known(has_messages=False), "openmpi:binomial") is None
    few = known()
    operations = tuple(one for one in few.operations if one.algorithm == "native")
    assert rival(few.model_copy(update={"operations": operations}), "openmpi:binomial") is None


def test_what_was_run_is_not_told_by_a_schedule():
    (contest,) = contests(known())
    names = [one.setting for one in contest.rivals]
    assert names.count("openmpi:basic_linear") == 1
    assert not contest.rivals[names.index("openmpi:basic_linear")].is_foretold
