"""Losses are told from stalls, and from windows that open."""

import numpy as np
import pytest

from contend.errors import InvalidInputError
from contend.links.loss import Burst, divided

LATENCY, RATE = 5e-3, 12.5e6


def bursts(excess, volumes=(512, 8192, 16384, 32768, 65536, 131072)):
    """Ten repetitions of each; `excess` says what each of a volume takes in addition."""
    return [
        Burst(volume, LATENCY + volume / RATE + np.asarray(excess(volume))) for volume in volumes
    ]


def test_a_stall_of_one_repetition_is_no_loss():
    found = divided(bursts(lambda volume: [0.5] + [0.0] * 9))
    assert found.between == (131072, None)


def test_a_quarter_of_the_repetitions_tells_a_loss_and_what_it_costs():
    found = divided(bursts(lambda volume: [0.2 * (volume >= 65536)] * 3 + [0.0] * 7))
    assert found.between == (32768, 65536)
    assert found.cost(found.line()) == pytest.approx(0.2, rel=1e-3)
    assert 1 / float(found.line().beta) == pytest.approx(RATE, rel=1e-3)


def test_a_window_that_opens_by_two_latencies_a_step_is_no_loss():
    opening = {16384: 2, 32768: 2, 65536: 4, 131072: 4}
    found = divided(bursts(lambda volume: [opening.get(volume, 0) * LATENCY] * 10))
    assert found.lossy == ()


def test_few_bursts_without_a_loss_take_the_fastest_of_the_others():
    found = divided(bursts(lambda volume: [0.0] + [0.2 * (volume > 512)] * 9))
    assert found.between == (512, 8192)
    assert 1 / float(found.line().beta) == pytest.approx(RATE, rel=1e-3)


def test_without_bursts_nothing_is_known():
    with pytest.raises(InvalidInputError, match="no bursts"):
        divided([])
