"""Which rules of a file are the library's own; the library at hand stands for that of a program."""

import json
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.mpi import MPI
from contend.schedules.libraries import library_of
from contend.tune.choose.rules import Decisions, Rule
from contend.tune.exports import FORMATS, Request
from contend.tune.exports.csel.library_trees import shipped
from contend.tune.exports.filerule import rule_for
from contend.tune.verification.library_rules import decided, written_out
from support.mpis import library_with_trees

pytestmark = pytest.mark.mpi

CLASSIC = "1\n3\n2\n1\n1\n0 2 0 0\n2\n2\n0 3 0 0\n4096 0 0 0\n"  # all-to-alls, for 1 and from 2 on


@pytest.fixture
def own(mpi: MPI) -> Path:
    return library_with_trees(mpi)


def test_the_librarys_own_tree_decides_nothing(mpi: MPI, own: Path) -> None:
    version = library_of(mpi.title)[1]
    text = json.dumps(shipped(own).tree)
    rules = decided(text, FORMATS.get("mpich"), version, preloaded_library(mpi))
    assert rules
    assert all(rule.is_default for rule in rules)


def test_an_operation_with_another_tree_is_decided(mpi: MPI, own: Path) -> None:
    version = library_of(mpi.title)[1]
    tree = dict(shipped(own).tree)
    tree["collective=alltoall"] = {"algorithm=MPIR_Alltoall_intra_pairwise": {}}
    rules = decided(json.dumps(tree), FORMATS.get("mpich"), version, preloaded_library(mpi))
    assert {rule.operation for rule in rules if not rule.is_default} == {"alltoall"}


def test_a_default_that_a_file_writes_out_is_told_from_a_departure(mpi: MPI, own: Path) -> None:
    version = library_of(mpi.title)[1]
    shared = {"operation": "alltoall", "n": 2, "n_to": 5, "why": "test"}
    decisions = Decisions(
        network="test", date="2026-01-01", contend="1", library="mpich", library_version="",
        rules=(
            Rule(**shared, m=64, m_to=2048, algorithm="default"),
            Rule(**shared, m=2048, m_to=65536, algorithm="scattered"),
        ),
    )  # fmt: skip
    form, library = FORMATS.get("mpich"), preloaded_library(mpi)
    text = form.write(Request(decisions, version, library_rules=str(own))).text
    rules = decided(text, form, version, library)
    small, large = (rule_for(rules, "alltoall", 4, m) for m in (64, 4096))
    same = written_out(rules, form, version, library)
    assert small in same
    assert large is not None and large.algorithm == "scattered"
    assert large not in same


def test_rules_for_one_process_decide_nothing(mpi: MPI) -> None:
    rules = decided(CLASSIC, FORMATS.get("openmpi-4"), (4, 1), preloaded_library(mpi))
    assert [(rule.n, rule.algorithm) for rule in rules] == [
        (1, "default"),
        (2, "modified_bruck"),
        (2, "default"),
    ]
