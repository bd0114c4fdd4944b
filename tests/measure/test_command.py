"""The command of a launch."""

from dataclasses import replace
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.measure import machine
from contend.measure.build import Program
from contend.measure.command import MOST_PER_CORE, LaunchOptions, command_line
from contend.measure.mpi import MPI

HERE = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
THERE = MPI("mpicc", ("mpiexec", "-f", "hosts"), "MPICH", "5.0")
PROGRAM = Program("alltoall", Path("alltoall"), "alltoall", ("native",), 2, None)


@pytest.fixture(autouse=True)
def _no_batch_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "in_batch_job", lambda: False)
    monkeypatch.setattr(machine, "cores", lambda: 2)


def test_this_host_is_not_filled_with_processes() -> None:
    most = 2 * MOST_PER_CORE
    assert str(most) in command_line(HERE, PROGRAM, most, [64], LaunchOptions())
    with pytest.raises(InvalidInputError, match="2147483647 processes on this host of 2 cores"):
        command_line(HERE, PROGRAM, 2147483647, [64], LaunchOptions())


def test_other_hosts_take_as_many_as_the_user_wants() -> None:
    assert "4096" in command_line(THERE, PROGRAM, 4096, [64], LaunchOptions())
    per_node = LaunchOptions(processes_per_node=64)
    assert "4096" in command_line(HERE, PROGRAM, 4096, [64], per_node)


def test_words_before_a_program_are_for_its_ranks_alone() -> None:
    forced = replace(PROGRAM, before=("env", "A=1"))
    command = command_line(HERE, forced, 4, [64], LaunchOptions())
    assert command[:6] == ["mpiexec", "-n", "4", "env", "A=1", "alltoall"]
