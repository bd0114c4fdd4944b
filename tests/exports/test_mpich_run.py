"""An MPICH that is installed takes what is exported, and each call reaches the rule that is for it.

Proof: where the end of a rule's path is replaced by a level that no call gets through, the library
aborts exactly the calls of that rule.
"""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contend.exports import Request, format_named
from contend.exports.csel.shipped import MissingToolError, installed
from contend.libraries import version_of
from contend.measure.mpi import MPI
from mpis import any_mpi
from selection import Call, decisions, reached, rule

pytestmark = [pytest.mark.mpi, pytest.mark.parallel]
FORMAT = format_named("mpich")[0]
RANKS = 4
NO_WAY = {"comm_type=inter": {"algorithm=MPIR_Barrier_inter_bcast": {}}}  # on one communicator
mpi = any_mpi

RULES = decisions(
    rule("bcast", 3, 5, 0, 1024, "default"),
    rule("bcast", 3, 5, 1024, 4096, "scatter_ring_allgather"),
    rule("alltoall", 4, None, 64, 1000, "brucks"),
    rule("allgather", 4, 6, 100, 1000, "ring"),
    rule("allreduce", 2, 5, 0, 512, "recursive_doubling"),
    rule("allreduce", 2, 5, 512, None, "reduce_scatter_allgather"),
)
# Operation, m within a rule, and m that are outside of it. Small all-reduces MPICH makes itself.
REACHED = [
    ("bcast", (1024, 4095), (1023, 4096)),
    ("alltoall", (64, 999), (63, 1000)),
    ("allgather", (100, 999), (99, 1000)),
    ("allreduce", (512, 9000), (3, 511)),
]

Run = Callable[[dict[str, Any], str, int], int]


@pytest.fixture
def library(mpi: MPI) -> Path:
    if mpi.family != "MPICH":
        pytest.skip(f"{mpi.title} is not MPICH")
    try:
        return installed(mpi.mpicc)
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture
def run(mpi: MPI, compiled: Callable[..., Path], tmp_path: Path) -> Run:
    """The exit code of a call under a file of rules."""
    program = compiled(mpi.mpicc, "-std=c11", "-O1", Path(__file__).with_name("calls.c"))

    def once(tree: dict[str, Any], operation: str, m: int) -> int:
        path = tmp_path / "rules.json"
        path.write_text(json.dumps(tree, indent=1) + "\n")
        done = subprocess.run(
            [*mpi.launcher, "-n", str(RANKS), str(program), operation, str(m)],
            env=os.environ
            | FORMAT.settings(str(path), version_of(mpi.version))
            | {f"MPIR_CVAR_{operation.upper()}_DEVICE_COLLECTIVE": "0"},
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode

    return once


def exported(mpi: MPI, library: Path) -> dict[str, Any]:
    export = FORMAT.write(Request(RULES, version_of(mpi.version), own=str(library)))
    assert export.settings == {
        f"MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE": "0" for name, _, _ in REACHED
    }
    return json.loads(export.text)  # type: ignore[no-any-return]


def test_the_library_takes_the_file(mpi: MPI, library: Path, run: Run) -> None:
    tree = exported(mpi, library)
    for operation, within, outside in REACHED:
        assert not any(run(tree, operation, m) for m in (*within, *outside))
    assert run(tree, "alltoall-in-place", 100) == 0


@pytest.mark.parametrize(("operation", "within", "outside"), REACHED)
def test_a_rule_is_reached_by_its_calls_and_no_others(
    operation: str, within: tuple[int, ...], outside: tuple[int, ...],
    mpi: MPI, library: Path, run: Run,
) -> None:  # fmt: skip
    tree = exported(mpi, library)
    leaf = reached(tree, Call(operation, RANKS, within[0], ppn=RANKS))
    leaf.clear()
    leaf.update(NO_WAY)
    assert [bool(run(tree, operation, m)) for m in within] == [True] * len(within)
    assert [bool(run(tree, operation, m)) for m in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("above", "bound", "is_reached"),
    [("", RANKS, False), ("avg_msg_size<=99", RANKS, True), ("avg_msg_size<=99", RANKS - 1, False)],
)
def test_below_a_size_less_than_is_at_most(
    above: str, bound: int, is_reached: bool, mpi: MPI, library: Path, run: Run
) -> None:
    # What `csel.narrow` takes for granted: where this fails, the library was mended.
    leaf = {"algorithm=MPIR_Bcast_intra_binomial": {}}
    level: dict[str, Any] = {f"comm_size<{bound}": NO_WAY, "comm_size=any": leaf}
    if above:
        level = {above: level, "avg_msg_size=any": leaf}
    tree = exported(mpi, library)
    tree["collective=bcast"]["comm_type=intra"] = level
    assert bool(run(tree, "bcast", 8)) is is_reached
