"""What all formats have in common: eight operations, and decisions that leave all as it is."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from contend.choose.rules import Rule
from contend.exports import FORMATS, Format, Request
from contend.exports.csel.shipped import shipped
from contend.exports.filerule import rule_for
from contend.exports.format import format_named
from contend.libraries import Version
from contend.measure.mpi import MPI
from contend.measure.mpi import installed as mpis
from support.decisions import decided, rule
from support.mpis import library_with_trees

OPERATIONS = (
    "bcast",
    "allreduce",
    "reduce",
    "alltoall",
    "allgather",
    "gather",
    "scatter",
    "barrier",
)
NAMES = FORMATS.names()
LEFT = (rule("bcast", "default"), rule("alltoall", "default", n=4, n_to=9, m=8, m_to=99))


def trees() -> str | None:
    """The library of an MPICH that is installed."""
    for mpi in mpis():
        if mpi.family == "MPICH":
            return str(library_with_trees(mpi))
    return None


def format_of(name: str) -> tuple[Format, Version, str | None]:
    """A format, a version that reads it, and the library with its own rules, where it needs one."""
    own = trees() if name == "mpich" else None
    if name == "mpich" and own is None:
        pytest.skip("no MPICH is installed")
    form = FORMATS.get(name)
    newest = {"openmpi-han": (5, 0, 11), "openmpi-5": (5, 0, 11), "mpich": (5, 0, 2)}
    return form, newest.get(name, form.first), own


def departures(form: Format, version: Version) -> list[Rule]:
    """A rule of each operation for 4 to 8 processes, by size where sizes are told apart."""
    found = []
    for operation in OPERATIONS:
        right = form.library.always_right(operation, version)
        names = [
            one.name
            for one in form.library.algorithms(operation, version)
            if one.name in right and one.ranks == "any"
        ]
        one_size = operation in (*form.library.one_for_all_sizes, "gather", "scatter", "barrier")
        for name, m, m_to in zip(names[:2], (0, 1024), (1024, None), strict=False):
            ends = {} if one_size or len(names) < 2 else {"m": m, "m_to": m_to}
            found.append(rule(operation, name, n=4, n_to=9, **ends))
            if not ends:
                break
    return found


@pytest.mark.parametrize("name", NAMES)
def test_eight_operations_are_written_without_a_finding_and_read_back(name: str) -> None:
    form, version, own = format_of(name)
    rules = departures(form, version)
    made = decided(*rules, library=form.library_name)
    export = form.write(Request(made, version, own=own))
    assert [one for one in form.lint(export.text, version) if one.level != "note"] == []
    taken = form.read(export.text, version)
    shipped_rules = form.read(json.dumps(shipped(own).tree), version) if own else ()
    for one in rules:
        if name == "openmpi-han" and one.operation == "alltoall":
            continue  # which coll/han does not take
        for n in (4, 5, 8):
            for m in (0, 1023, 1024, 10**6):
                found = rule_for(taken, one.operation, n, m, "one-per-node")
                if one.holds(one.operation, n, m):
                    wanted = one.algorithm if form.names_algorithms else "tuned"
                    assert found is not None and found.algorithm == wanted, (one.operation, n, m)
        for n in (3, 9):
            found = rule_for(taken, one.operation, n, 100, "one-per-node")
            default = rule_for(shipped_rules, one.operation, n, 100, "one-per-node")
            assert (found.algorithm if found else "default") == (
                default.algorithm if default else "default"
            )


@pytest.mark.parametrize("rules", [(), LEFT], ids=["no rules", "defaults"])
@pytest.mark.parametrize("name", NAMES)
def test_decisions_for_the_default_leave_the_library_to_itself(name: str, rules) -> None:
    form, version, own = format_of(name)
    export = form.write(Request(decided(*rules, library=form.library_name), version, own=own))
    assert "left to itself" in export.about
    assert not export.beside and not export.settings
    assert [one for one in form.lint(export.text, version) if one.level != "note"] == []
    if own:
        assert json.loads(export.text) == shipped(own).tree
    else:
        assert all(one.is_default for one in form.read(export.text, version))
    assert not form.needs(export.text, version)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_there_is_not_changed_by_them(contend, tmp_path: Path, name: str) -> None:
    """Nor by the same a second time; what was decided on before is taken back."""
    form, version, own = format_of(name)
    path, left, one = (tmp_path / each for each in ("rules", "left.json", "one.json"))
    decided(*LEFT, library=form.library_name).save(left)
    words = ("--for", name, *(("--default", own) if own else ()), "-o", path)
    decided(*departures(form, version)[1:3], library=form.library_name).save(one)
    for decisions in (left, one):
        assert contend("tune", "export", decisions, *words).code == 0
        text = path.read_bytes()
        if decisions is left:
            again = contend("tune", "export", left, *words)
            assert again.code == 0 and path.read_bytes() == text
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    if not any(each.operation == "bcast" for each in departures(form, version)[1:3]):
        return
    decided(rule("alltoall", "default"), library=form.library_name).save(left)
    before[left] = left.read_bytes()
    outcome = contend("tune", "export", left, *words)
    assert outcome.code == 0 and "stays as it is" in outcome.err
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before
    decided(rule("bcast", "default"), library=form.library_name).save(left)
    assert contend("tune", "export", left, *words).code == 0
    assert path.read_bytes() != before[path]


@pytest.mark.mpi
@pytest.mark.full
def test_open_mpi_sends_what_it_sends_without_the_file(openmpi: MPI, sent: Callable[..., object]):
    """Whom each rank sends how many messages of how many bytes; see also test_results.py."""
    target = f"openmpi-{openmpi.title.split()[-1]}"
    form, said = format_named(target)
    text = form.write(Request(decided(*LEFT), form.version(said))).text
    rng = random.Random(3)
    for operation in ("bcast", "alltoall", "allgather", "gather"):
        m = rng.choice((8, 5000, 100_000))
        off = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "0"}
        assert sent(text, target, operation, m) == sent(text, target, operation, m, **off)
