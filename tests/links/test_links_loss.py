"""Losses are told from stalls, and from windows that open."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.models.links.loss import Burst, divided

LATENCY, RATE = 5e-3, 12.5e6


def bursts(excess, volumes=(512, 8192, 16384, 32768, 65536, 131072)):
    """Ten repetitions of each; `excess` says what each of a volume takes in addition."""
    return [
        Burst(volume, LATENCY + volume / RATE + np.asarray(excess(volume))) for volume in volumes
    ]


OPENING = {16384: 2, 32768: 2, 65536: 4, 131072: 4}
CASES = {  # what each repetition of a burst takes in addition, and the bursts beside the buffer
    "a stall of one repetition": (lambda volume: [0.5] + [0.0] * 9, (131072, None)),
    "a loss in a quarter": (
        lambda volume: [0.2 * (volume >= 65536)] * 3 + [0.0] * 7, (32768, 65536)
    ),
    "a window that opens by two latencies a step": (
        lambda volume: [OPENING.get(volume, 0) * LATENCY] * 10, (131072, None)
    ),
    "few bursts without a loss": (
        lambda volume: [0.0] + [0.2 * (volume > 512)] * 9, (512, 8192)
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_loss_is_told_from_what_only_takes_longer(case):
    excess, between = CASES[case]
    found = divided(bursts(excess))
    assert found.between == between
    if found.lossy:
        assert 1 / float(found.line().beta) == pytest.approx(RATE, rel=1e-3)
        assert found.cost(found.line()) == pytest.approx(0.2, rel=1e-3)


def test_without_bursts_nothing_is_known():
    with pytest.raises(InvalidInputError, match="no bursts"):
        divided([])
