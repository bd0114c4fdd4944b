"""Replays of published traces against what other simulators say of them.

SMPI: SimGrid 3.32, smpirun -replay, on a cluster of hosts with 125 MB/s and 5 us up and down, its
own factors, overheads and cross traffic off; each of its messages has an envelope of 16 bytes. A
test takes it 0.1 ms.
"""

from dataclasses import dataclass

import pytest
from plain_loggops import plain_seconds

from contend.programs.replay import Line, LogGOPS, replay
from contend.programs.traces.reader import read_trace

GOAL = ("binary_tree_32.goal", "schedgen_binomialtreebcast_16.goal",
        "schedgen_dissemination_16.goal", "schedgen_linear_alltoall_64x1MB.goal.gz")  # fmt: skip


@dataclass(frozen=True)
class Enveloped(Line):
    """A line whose messages carry 16 bytes more, as SMPI's do."""

    def columns(self, sizes):
        return super().columns(sizes + 16)


NET = Enveloped(1e-5, 125e6, eager=65535)


@pytest.mark.parametrize(
    ("name", "algorithm", "seconds"),
    [
        ("simgrid_actions_alltoall.txt", "direct", 1.8256e-05),
        ("simgrid_actions_waitall.txt", "direct", 5.0256e-05),
        ("simgrid_actions_with_isend.txt", "direct", 3.0002),
        ("smpirun_alltoall64.trace", "pairwise", 0.05116),
        ("smpirun_alltoall64.trace", "ring", 0.05116),
        ("smpirun_alltoall64.trace", "direct", 0.05054),
        ("smpirun_alltoall64.trace", "bruck", 0.153783),
    ],
)
def test_smpi_says_the_same_of_its_traces(name, algorithm, seconds, shared_data):
    trace = read_trace(shared_data(f"traces/smpi-ti/{name}"), speed=1e9)
    found = replay(trace, NET, algorithms={"alltoall": algorithm})
    assert found.seconds == pytest.approx(seconds, rel=5e-4)


@pytest.mark.parametrize("name", GOAL)
@pytest.mark.parametrize(
    "net",
    [LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9), LogGOPS(1e-6, 1e-6, 5e-6, 1e-9, 2e-9)],
    ids=["G", "O"],
)
def test_loggopsim_says_the_same_of_its_schedules(name, net, shared_data):
    trace = read_trace(shared_data(f"traces/goal/{name}"))
    assert replay(trace, net, "ports").seconds == pytest.approx(plain_seconds(trace, net))
