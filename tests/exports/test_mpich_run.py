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
from selection import Call, decisions, reached, rule

from contend.measure.mpi import MPI
from contend.schedules.libraries import version_of
from contend.tune.exports import Request, format_named
from contend.tune.exports.csel.compose import BEHIND
from contend.tune.exports.csel.library_trees import installed
from support.mpis import any_mpi, library_with_trees

pytestmark = pytest.mark.mpi
FORMAT = format_named("mpich")[0]
RANKS = 4
# For two groups, which a call on one communicator never gets through.
NO_WAY: dict[str, Any] = {"comm_type=inter": {"algorithm=MPIR_Barrier_inter_bcast": {}}}
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

Tree = dict[str, Any]
Run = Callable[..., int]


@pytest.fixture
def library(mpi: MPI) -> Path:
    return library_with_trees(mpi)


@pytest.fixture
def run(mpi: MPI, compiled: Callable[..., Path], tmp_path: Path) -> Run:
    """The exit code of a call under a file of rules."""
    program = compiled(mpi.mpicc, "-std=c11", "-O1", Path(__file__).with_name("calls.c"))

    def once(tree: Tree, operation: str, m: int, beside: str = "") -> int:
        path = tmp_path / "rules.json"
        path.write_text(json.dumps(tree, indent=1) + "\n")
        if beside:
            path.with_name(path.name + BEHIND).write_text(beside)
        done = subprocess.run(
            [*mpi.launcher, "-n", str(RANKS), str(program), operation, str(m)],
            env=os.environ | FORMAT.settings(str(path), version_of(mpi.version)),
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode

    return once


def exported(mpi: MPI, library: Path) -> tuple[Tree, str]:
    export = FORMAT.write(Request(RULES, version_of(mpi.version), library_rules=str(library)))
    assert export.settings == {}
    return json.loads(export.text), export.beside[BEHIND]


def test_the_library_beside_the_interpreter_is_found(
    mpi: MPI, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PATH", "LD_LIBRARY_PATH", "MPICC"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("sys.executable", str(Path(mpi.mpicc).with_name("python")))
    assert installed() == library


def test_the_library_takes_the_files(mpi: MPI, library: Path, run: Run) -> None:
    tree, beside = exported(mpi, library)
    for operation, within, outside in REACHED:
        assert not any(run(tree, operation, m, beside) for m in (*within, *outside))
    assert run(tree, "alltoall-in-place", 100, beside) == 0


@pytest.mark.parametrize(("operation", "within", "outside"), REACHED)
def test_a_rule_is_reached_by_its_calls_and_no_others(
    operation: str, within: tuple[int, ...], outside: tuple[int, ...],
    mpi: MPI, library: Path, run: Run,
) -> None:  # fmt: skip
    tree, beside = exported(mpi, library)
    leaf = reached(tree, Call(operation, RANKS, within[0], ppn=RANKS))
    leaf.clear()
    leaf.update(NO_WAY)
    assert [bool(run(tree, operation, m, beside)) for m in within] == [True] * len(within)
    assert [bool(run(tree, operation, m, beside)) for m in outside] == [False] * len(outside)


def test_only_what_no_rule_is_for_is_put_together_of_parts(
    mpi: MPI, library: Path, run: Run
) -> None:
    tree, beside = exported(mpi, library)
    whole = tree["collective=bcast"]["comm_type=intra"]
    # The ranks of a node among themselves, then nodes among themselves, of which there is one.
    tree["collective=bcast"]["comm_type=intra"] = {"comm_size<=1": NO_WAY, "comm_size=any": whole}
    assert run(tree, "bcast", 1024, beside) == 0  # a rule, for whole communicators
    assert run(tree, "bcast", 1023, beside) != 0  # default
    assert run(tree, "bcast", 4096, beside) != 0


@pytest.mark.parametrize(
    ("above", "bound", "is_reached"),
    [("", RANKS, False), ("avg_msg_size<=99", RANKS, True), ("avg_msg_size<=99", RANKS - 1, False)],
)
def test_below_a_size_less_than_is_at_most(
    above: str, bound: int, is_reached: bool, mpi: MPI, library: Path, run: Run
) -> None:
    # What `csel.narrow` takes for granted: where this fails, the library was mended.
    leaf: Tree = {"algorithm=MPIR_Alltoall_intra_pairwise": {}}
    level: Tree = {f"comm_size<{bound}": NO_WAY, "comm_size=any": leaf}
    if above:
        level = {above: level, "avg_msg_size=any": leaf}
    tree, _ = exported(mpi, library)
    tree["collective=alltoall"]["comm_type=intra"] = level
    assert bool(run(tree, "alltoall", 8)) is is_reached
