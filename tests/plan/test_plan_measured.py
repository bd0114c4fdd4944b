"""Predictions held against what was measured on the emulated two clusters of eight hosts.

Source: medians of 15 repetitions in `lab:two-clusters` with MPICH, in the time of the network
that the lab stands for, every byte checked; the links are as `contend measure links` finds them.
"""

import numpy as np
import pytest

from contend.alltoall.plan.link_queues import predict
from contend.alltoall.plan.links import Links
from contend.schedules import algorithms
from support.links import line

HALVES = (0,) * 8 + (1,) * 8
DEEP, SHALLOW = 128 * 1024, 24 * 1024
# Buffer, bytes of a block, milliseconds of the direct exchange and of the pairwise one.
MEASURED = [
    (DEEP, 64, 26.2 / 4, 191 / 4),
    (DEEP, 1024, 47.8 / 4, 214 / 4),
    (DEEP, 4096, 1064 / 4, 260 / 4),
    (DEEP, 16384, 1279 / 4, 478 / 4),
    (SHALLOW, 1024, 920 / 4, 214 / 4),
    (SHALLOW, 4096, 992 / 4, 260 / 4),
    (SHALLOW, 16384, 1281 / 4, None),  # pairwise loses in some repetitions
]


def known(buffer):
    table = np.ones((2, 2))
    return Links(
        inside=line(100e-6, 5.87e6, 30e-6),
        between=line(5.15e-3, 5.87e6, 30e-6),
        later=0 * table,
        bandwidth=11.76e6 * table,
        buffer=float(buffer) * table,
        timeout=0.214 * table,
    )


def seconds(name, buffer, m):
    return predict(algorithms("alltoall").get(name).build(16, m), HALVES, known(buffer)).seconds


@pytest.mark.parametrize(("buffer", "m", "direct", "pairwise"), MEASURED)
def test_native_exchanges_take_what_was_measured(buffer, m, direct, pairwise):
    assert seconds("rotated", buffer, m) * 1e3 == pytest.approx(direct, rel=0.12)
    if pairwise is not None:
        assert seconds("pairwise", buffer, m) * 1e3 == pytest.approx(pairwise, rel=0.2)
