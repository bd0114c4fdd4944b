"""Intervals of replays: wide where ranks that come a little later change what meets."""

import numpy as np
import pytest
from programs import program

from contend.programs.replay import Line
from contend.programs.replay.interval import ERROR, QUANTILE, interval
from contend.programs.replay.setting import Setting
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind

BESIDE = np.exp(QUANTILE * ERROR)
NET = Line(50e-6, 12.5e6)


def bounds(trace, **options):
    setting = Setting(trace, NET, "tcp", **options)
    found = setting.replay(is_compared=False)
    low, high = interval(setting, found)
    assert low < found.seconds < high
    assert interval(setting, found) == (low, high)
    return low / found.seconds, high / found.seconds


def exchanges(n, size, calls):
    builder = TraceBuilder(n)
    for rank in range(n):
        for _ in range(calls):
            builder.rank(rank).compute(1e-3)
            builder.rank(rank).add(OpKind.ALLTOALL, "MPI_Alltoall", bytes=size)
    return builder.trace()


def test_a_message_takes_what_it_takes_and_the_error_of_replays():
    low, high = bounds(program("compute 1; send 1 1000", "recv 0 1000"))
    assert (low, high) == pytest.approx((1 / BESIDE, BESIDE), rel=1e-3)


def test_turns_that_come_apart_are_within():
    """Eight ranks that send to one after the other meet nobody, until one of them is late."""
    low, high = bounds(exchanges(8, 65536, 5), algorithms={"alltoall": "pairwise"})
    assert low == pytest.approx(1 / BESIDE, rel=1e-3)
    assert high > 1.3 * BESIDE


def test_none_is_given_where_replays_were_not_compared():
    trace = program("send 1 1000", "recv 0 1000")
    for model in ("maxmin", "alone", "ports"):
        setting = Setting(trace, NET, model)
        assert interval(setting, setting.replay()) is None
