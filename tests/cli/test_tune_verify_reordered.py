"""A program whose operation does not commute, under a rule that reorders operands."""

from pathlib import Path

import pytest

from support.mpis import any_mpi, launch_settings

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
mpi = any_mpi
PROGRAM = Path(__file__).parents[1] / "verification/ordered.c"


def test_the_command_fails_and_says_which_calls_are_wrong(
    mpi, compiled, tmp_path, contend, monkeypatch
) -> None:
    """Where that is no reason for the exit code it is said all the same."""
    if mpi.family != "Open MPI":
        pytest.skip(f"{mpi.title} does not show which algorithm runs")
    for name, value in launch_settings(mpi).items():
        monkeypatch.setenv(name, value)
    program = [*mpi.launcher, "-n", "4", compiled(mpi.mpicc, "-std=c11", PROGRAM)]
    (tmp_path / "rules").write_text("1\n2\n1\n1\n1\n0 4 0 0\n")
    words = "tune", "verify", tmp_path / "rules", "--repeat", "pairs=0", "--mpicc", mpi.mpicc
    done = contend(*words, "--", *program)
    done.fails()
    said = " ".join((done.out + done.err).split())
    assert "calls of allreduce on 4 processes" in said
    assert "ring reorders its operands; the rule of line 6" in said
    done = contend(*words, "--json", "--fail-on", "slower", "--", *program)
    assert (done.code, done.json["reasons"]) == (0, [])
    assert {one["algorithm"] for one in done.json["reordered"]} == {"ring"}
