"""Several processes on a host of a lab share its memory, and nobody else's."""

import pytest

from contend.measure.build import build
from contend.measure.command import LaunchOptions
from contend.measure.lab.session import start
from contend.measure.lab.specification import parse_lab
from contend.measure.mpi import installed
from contend.measure.points import points_of
from contend.measure.runner import Runner
from support.processes import completed

pytestmark = pytest.mark.mpi
LAB = """
[[clusters]]
name = "node"
hosts = 2
rate = "50Mbit/s"
buffer = "256KiB"
latency = "50us"
"""
MPIS = {mpi.title: mpi for mpi in installed() if mpi.family in ("MPICH", "Open MPI")}
M = 32 * 1024
REPETITIONS = 3
OPTIONS = LaunchOptions(
    min_repetitions=REPETITIONS, max_repetitions=REPETITIONS, warmup=0, max_seconds=20.0,
    processes_per_node=2,
)  # fmt: skip


def loopback_bytes(lab, host):
    """Bytes that a host has sent to itself."""
    command = [*lab.command(host), "cat", "/proc/net/dev"]
    text = completed(command, timeout=60, check=True).stdout
    (line,) = [line for line in text.splitlines() if line.strip().startswith("lo:")]
    return int(line.split(":")[1].split()[0])


@pytest.mark.parametrize("title", sorted(MPIS) or ["none"])
def test_ranks_of_a_host_share_its_memory_and_those_of_another_do_not(allowed, title):
    if title not in MPIS:
        pytest.skip("no MPI library is installed")
    mpi, told = MPIS[title], []
    program = build(mpi)["alltoall_rotated"]
    with start(parse_lab(LAB, "two", "two.toml")) as lab:
        before = loopback_bytes(lab, "node1")
        runner = Runner(mpi, OPTIONS, lab=lab)
        points = points_of(runner, program, 4, (M,), lambda data, _: told.append(data), "four")
        ((point, _),) = points
        by_loopback = loopback_bytes(lab, "node1") - before
    (launch,) = told
    assert launch["hosts"] == ["node1", "node2"]
    assert launch["host_of"] == [0, 0, 1, 1]
    assert point["processes_per_node"] == 2
    crossing = 2 * 2 * 2 * M * REPETITIONS  # two ranks of each host to two of the other
    assert crossing <= point["lab"].bytes < 1.3 * crossing
    # Messages between ranks of a host: two in each repetition and in the check, if they went so.
    assert by_loopback < 2 * M
