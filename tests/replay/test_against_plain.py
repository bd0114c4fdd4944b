"""Random programs against a slow replay that looks at everything at every instant."""

import numpy as np
import pytest
from plain_loggops import plain_seconds
from plain_replay import plain_ends
from programs import random_goal, random_trace

from contend.programs.replay import Line, LogGOPS, replay

TIMES = [
    Line(latency=0.3, bandwidth=1000.0, overhead=0.01),
    Line(latency=0.3, bandwidth=1000.0, overhead=0.05, eager=700, handshake=0.4),
    LogGOPS(0.2, 0.05, 0.1, 1e-3, 1e-4, 600),
]


@pytest.mark.parametrize("model", ["maxmin", "alone"])
@pytest.mark.parametrize("times", TIMES, ids=["eager", "rendezvous", "loggops"])
def test_every_operation_ends_when_it_does_in_a_plain_replay(times, model):
    for seed in range(12):
        trace = random_trace(seed)
        found = replay(trace, times, model, baseline=model, is_recorded=True)
        wanted = plain_ends(trace, times, is_alone=model == "alone")
        assert np.isfinite(wanted).all()
        assert found.end == pytest.approx(wanted, rel=1e-9), seed


@pytest.mark.parametrize("times", TIMES, ids=["eager", "rendezvous", "loggops"])
def test_messages_without_bytes_keep_nothing_behind_them(times):
    for seed in range(12):
        trace = random_trace(seed, ranks=2, empty=0.4)
        found = replay(trace, times, is_recorded=True)
        assert found.end == pytest.approx(plain_ends(trace, times, is_alone=False), rel=1e-9), seed


@pytest.mark.parametrize("cpus", [1, 3])
@pytest.mark.parametrize("seed", range(5, 17))  # in which no two things happen at once
def test_a_graph_of_operations_takes_what_loggopsim_defines(seed, cpus):
    trace = random_goal(seed, cpus=cpus)
    for net in (LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9), LogGOPS(1e-6, 0.5e-6, 4e-6, 1e-9, 3e-9)):
        assert replay(trace, net, "ports").seconds == pytest.approx(plain_seconds(trace, net))
