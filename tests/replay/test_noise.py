"""Noise of hosts in replays: as the trace has it, and wide where it changes what meets."""

from dataclasses import replace

import numpy as np
import pytest
from programs import program

from contend.programs.replay import Line
from contend.programs.replay.noise import ERROR, QUANTILE, noisy_runs
from contend.programs.replay.setting import Setting
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind

BESIDE = np.exp(QUANTILE * ERROR)
NET = Line(50e-6, 12.5e6)


def bounds(trace, **options):
    setting = Setting(trace, NET, "tcp", **options)
    found = setting.replay(is_compared=False)
    low, high = noisy_runs(setting).interval
    assert low < found.seconds < high
    assert noisy_runs(setting).interval == (low, high)
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
        runs = noisy_runs(setting)
        assert runs.interval is None
        assert runs.typical is setting


def recorded(trace, spread):
    """The trace as if ranks had ended its calls that far apart, of the time of a call."""
    found = Setting(trace, NET, "tcp", algorithms={"alltoall": "pairwise"}).replay(
        is_compared=False, is_recorded=True
    )
    late = spread * (found.end - found.start) * (trace.rank == 3)
    return replace(trace, start=found.start, end=found.end + late)


def test_the_typical_run_is_as_noisy_as_the_trace():
    trace = exchanges(8, 65536, 5)
    options = {"algorithms": {"alltoall": "pairwise"}}
    seconds = {
        spread: noisy_runs(Setting(recorded(trace, spread), NET, "tcp", **options))
        .typical.replay(is_compared=False)
        .seconds
        for spread in (0.0, 0.5)
    }
    quiet = Setting(trace, NET, "tcp", **options).replay(is_compared=False).seconds
    assert seconds[0.0] == pytest.approx(quiet, rel=0.01)
    assert seconds[0.5] > 1.3 * quiet
