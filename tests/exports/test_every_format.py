"""What all formats have in common: eight operations, and decisions that leave all as it is."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Container

import pytest

from contend.measure.mpi import MPI
from contend.tune.choose.rules import Rule
from contend.tune.exports import FORMATS, Request
from contend.tune.exports.csel.facts import SIZE
from contend.tune.exports.csel.library_trees import shipped
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.formats.intel import UNITS as INTEL
from contend.tune.exports.formats.ucc import UNITS as UCC
from contend.tune.exports.shell import VariablesFormat
from support.decisions import decided, rule
from support.formats import LEFT, NAMES, departures, format_of, target_named


@pytest.mark.parametrize("name", NAMES)
def test_eight_operations_are_written_without_a_finding_and_read_back(name: str) -> None:
    form, version, own = format_of(name)
    rules = departures(form, version)
    made = decided(*rules, library=form.library_name)
    export = form.write(Request(made, version, library_rules=own))
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
        for n in (3, 9) if name != "intel" else ():  # whose variable takes all calls
            found = rule_for(taken, one.operation, n, 100, "one-per-node")
            default = rule_for(shipped_rules, one.operation, n, 100, "one-per-node")
            assert (found.algorithm if found else "default") == (
                default.algorithm if default else "default"
            )


@pytest.mark.parametrize("name", ["intel", "openmpi-4", "openmpi-5", "openmpi-6", "ucc"])
def test_what_was_decided_for_a_placement_comes_before_what_holds_for_any(name: str) -> None:
    form, version, _ = format_of(name)
    right = form.library.always_right("bcast", version)
    offered = [one for one in form.library.algorithms("bcast", version) if one.name in right]
    names = [one.name for one in offered if one.ranks == "any" and one.name != "smp"]
    rules = (
        rule("bcast", names[0], n=4, n_to=9),
        rule("bcast", names[-1], n=8, n_to=17, processes_per_node=4),
    )
    made = decided(*rules, library=form.library_name)
    taken = form.read(form.write(Request(made, version)).text, version)
    for n in (7, 8, 12):
        found, wanted = rule_for(taken, "bcast", n, 100), made.rule("bcast", n, 100, 4)
        assert found is not None and wanted is not None and found.algorithm == wanted.algorithm, n


@pytest.mark.parametrize("rules", [(), LEFT], ids=["no rules", "defaults"])
@pytest.mark.parametrize("name", NAMES)
def test_decisions_for_the_default_leave_the_library_to_itself(name: str, rules) -> None:
    form, version, own = format_of(name)
    export = form.write(
        Request(decided(*rules, library=form.library_name), version, library_rules=own)
    )
    assert "left to itself" in export.about
    assert not export.beside and not export.settings
    assert [one for one in form.lint(export.text, version) if one.level != "note"] == []
    if own:
        assert json.loads(export.text) == shipped(own).tree
    else:
        assert all(one.is_default for one in form.read(export.text, version))
    assert set(form.needs(export.text, version)) <= {"OMPI_MCA_coll_tuned_use_dynamic_rules"}


@pytest.mark.parametrize("name", ["openmpi-4", "openmpi-5", "openmpi-6"])
def test_no_component_is_taken_out_where_nothing_departs(tmp_path, name: str) -> None:
    form, version, _ = format_of(name)
    for rules, is_out in ((LEFT, False), ((rule("alltoall", "pairwise"),), True)):
        (tmp_path / "rules").write_text(form.write(Request(decided(*rules), version)).text)
        told = form.settings(str(tmp_path / "rules"), version)
        assert ("OMPI_MCA_coll_hcoll_enable" in told) == is_out


@pytest.mark.mpi
@pytest.mark.full
def test_open_mpi_sends_what_it_sends_without_the_file(openmpi: MPI, sent: Callable[..., object]):
    """Whom each rank sends how many messages of how many bytes; see also test_results.py."""
    target = f"openmpi-{openmpi.title.split()[-1]}"
    text = target_named(target).write(decided(*LEFT)).text
    rng = random.Random(3)
    for operation in ("bcast", "alltoall", "allgather", "gather"):
        m = rng.choice((8, 5000, 100_000))
        off = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "0"}
        assert sent(text, target, operation, m) == sent(text, target, operation, m, **off)


@pytest.mark.parametrize("rules", [(), LEFT], ids=["no rules", "defaults"])
@pytest.mark.parametrize("name", ["intel", "ucc", "nccl", "rccl"])
def test_a_file_that_departs_nowhere_sets_no_variable(tmp_path, name: str, rules) -> None:
    """Nor does a shell that sources it; a file that departs does."""
    form, version, _ = format_of(name)
    path = tmp_path / "rules"

    def change(*decisions: Rule) -> set[str]:
        made = decided(*decisions, library=form.library_name)
        path.write_text(form.write(Request(made, version)).text)
        told = form.settings(str(path), version) | form.needs(path.read_text(), version)
        words = f". {path}; env -0" if isinstance(form, VariablesFormat) else "env -0"
        done = subprocess.run(["sh", "-c", words], capture_output=True, env=told, check=True)
        bare = subprocess.run(["sh", "-c", "env -0"], capture_output=True, env={}, check=True)
        return set(done.stdout.decode().split("\0")) - set(bare.stdout.decode().split("\0"))

    assert change(*rules) == set()
    assert change(*departures(form, version)) != set()


@pytest.mark.parametrize(("name", "sized"), [("mpich", SIZE), ("intel", INTEL), ("ucc", UCC)])
def test_an_operation_has_sizes_or_one_algorithm_for_all(name: str, sized: Container[str]) -> None:
    library = FORMATS.get(name).library
    operations = {one.operation for one in library.table}
    assert {one for one in operations if one not in sized} == library.one_for_all_sizes
