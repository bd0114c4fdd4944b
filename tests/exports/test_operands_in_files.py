"""Rules that reorder operands: not exported without the option, named by lint in any file."""

from __future__ import annotations

import json

import pytest

from contend.schedules.libraries import LIBRARIES
from contend.tune.exports import worst
from support.decisions import decided, rule
from support.formats import target_named

OPENMPI = LIBRARIES.get("openmpi")
TARGETS = ("openmpi-4.1.4", "openmpi-5.0.11", "openmpi-6")
REDUCING = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan")
CASES = [
    (target, operation)
    for target in (*TARGETS, "intel-2021.18")
    for operation in REDUCING
]  # fmt: skip


def made(target, *rules, all_commute=False, **further):
    reader = target_named(target)
    return reader, reader.write(decided(*rules, **further), all_commute=all_commute)


def offered(target, operation):
    reader = target_named(target)
    return reader.form.library.algorithms(operation, reader.version)


def findings(reader, text):
    return [one for one in reader.lint(text) if one.code == "operands"]


@pytest.mark.parametrize("target, operation", CASES)
def test_what_reorders_is_exported_with_the_option_alone(target, operation):
    for one in (each for each in offered(target, operation) if not each.wrong_where):
        decision = rule(operation, one.name)
        reader, export = made(target, decision)
        said = made(target, decision, all_commute=True)[1]
        taken = {each.algorithm for each in reader.read(export.text)} - {"default"}
        assert taken == (set() if one.reorders_operands else {one.name})
        assert {one.name} == {each.algorithm for each in reader.read(said.text)} - {"default"}
        assert any(one.name in note and "--all-commute" in note for note in export.notes) == (
            one.reorders_operands
        )
        assert "said to commute" in said.about and "said to commute" not in export.about


@pytest.mark.parametrize("target, operation", CASES)
def test_lint_names_what_reorders_by_its_line(target, operation):
    for one in (each for each in offered(target, operation) if not each.wrong_where):
        reader, said = made(target, rule(operation, one.name), all_commute=True)
        plain = said.text.replace("said to commute", "said nothing of")
        found = findings(reader, plain)
        assert {each.level for each in found} == ({"warning"} if one.reorders_operands else set())
        for each in found:
            assert f"{operation} {one.name} reorders operands" in each.message
            assert set(each.remedy.partition(";")[0].removeprefix("take one of ").split(", ")) == {
                other.name
                for other in offered(target, operation)
                if not other.reorders_operands and not other.wrong_where
            }
            line = plain.splitlines()[each.line - 1]
            assert one.name in line or str(one.number) in line.split() or f"{one.number}:" in line


def test_a_file_that_says_that_all_operations_commute_is_only_reminded():
    reader, export = made(TARGETS[1], rule("allreduce", "ring"), all_commute=True)
    assert {one.level for one in findings(reader, export.text)} == {"note"}
    assert worst(reader.lint(export.text)) != "error"


def test_a_note_of_what_was_left_out_is_no_promise():
    """The head names the option too, and rules that somebody adds below it are still warned of."""
    reader, export = made(TARGETS[0], rule("allreduce", "ring"))
    added = export.text.replace("0 0 0 0", "0 4 0 0")
    assert {one.level for one in findings(reader, added)} == {"warning"}


@pytest.mark.parametrize("text", ["1\n2\n1\n1\n1\n0 4 0 0\n", "1 2 1 2 1 0 5 0 1024"])
def test_a_file_of_somebody_is_read_as_it_is_written(text):
    (found,) = findings(target_named("openmpi-4"), text)
    assert found.line == text.rstrip().count("\n") + 1


def test_one_process_has_nothing_to_reorder():
    text = "1\n2\n2\n1\n1\n0 4 0 0\n2\n1\n0 3 0 0\n"
    assert not findings(target_named("openmpi-4"), text)


def test_a_reduction_is_inside_of_others():
    (found,) = findings(target_named("openmpi-5"), "1\n11\n1\n1\n1\n0 5 0 0 0\n")
    assert "MPI_Reduce_scatter_block" in found.message


def test_old_decisions_hold_what_is_not_exported(tmp_path):
    """Made before contend knew: nothing is said of commuting, and the others are kept."""
    old = decided(rule("reduce", "binomial", n_to=8), rule("reduce", "rabenseifner", n=8))
    data = {k: v for k, v in old.to_json().items() if k not in ("all_commute", "left_out")}
    (tmp_path / "old.json").write_text(json.dumps(data))
    reader = target_named("openmpi-5.0.11")
    export = reader.write(type(old).load(tmp_path / "old.json"))
    taken = {one.algorithm for one in reader.read(export.text)}
    assert taken == {"default", "rabenseifner"}
    assert any("binomial" in note for note in export.notes)


def test_what_decisions_say_of_commuting_is_enough():
    text = made(TARGETS[1], rule("allreduce", "ring"))[1].text
    decisions = decided(rule("allreduce", "ring"), all_commute=True)
    export = target_named(TARGETS[1]).write(decisions)
    assert export.text != text and "said to commute" in export.text


def test_what_was_not_chosen_from_stands_in_the_head():
    left_out = [{"operation": "allreduce", "algorithms": ["ring"]}]
    export = made(TARGETS[1], rule("allreduce", "rabenseifner"), left_out=left_out)[1]
    assert "# Note: not chosen for allreduce: ring, which gives wrong results" in export.text


@pytest.mark.parametrize("target", ["openmpi-4.1.4", "openmpi-5.0.11", "mpich-5.0.2"])
def test_what_confuses_datatypes_is_neither_exported_nor_passed_by_lint(target, tmp_path):
    """Of Open MPI before 5.0 the all-to-all by Bruck; of MPICH two all-gathers."""
    from selection import own_tree

    (tmp_path / "own.json").write_text(json.dumps(own_tree()))
    names = {"openmpi": ("alltoall", "modified_bruck"), "mpich": ("allgather", "recexch_halving")}
    reader = target_named(target)
    library = reader.form.library_name
    operation, name = names[library]
    made_of = decided(rule(operation, name), library=library)
    own = str(tmp_path / "own.json")
    export = reader.write(made_of, library_rules=own, all_commute=True)
    is_wrong = target != "openmpi-5.0.11"
    taken = {one.algorithm for one in reader.read(export.text) if one.line != 0}
    assert (name in taken) != is_wrong
    assert any(name in note and "layout" in note for note in export.notes) == is_wrong
    if library == "openmpi":
        text = "1\n3\n1\n1\n1\n0 3 0 0\n"
    else:
        end = (
            '{"algorithm=MPIR_Allgather_intra_recexch_halving":{"k=2":{},"single_phase_recv=0":{}}}'
        )
        text = f'{{"collective=allgather":{{"comm_type=intra":{end}}}}}'
    found = [one for one in reader.lint(text) if one.code == "wrong-calls"]
    assert [one.level for one in found] == ["warning"] * is_wrong


PROMISE = "all operations are said to commute"


@pytest.mark.parametrize(
    "line, level",
    [
        (f"# {PROMISE}", "note"),
        (f"##  {PROMISE.capitalize()}.", "note"),
        (f"export A=1  # {PROMISE}", "note"),
        (f"echo '{PROMISE}'", "warning"),
        (f"echo '# {PROMISE}'", "warning"),
        (f"# not {PROMISE}", "warning"),
        (f"#SBATCH --comment='{PROMISE}'", "warning"),
        (f"mpirun ./a {PROMISE}", "warning"),
        (f"export A='{PROMISE}'", "warning"),
    ],
)
def test_only_a_comment_promises(line, level):
    set_by = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_reduce_algorithm=4"
    text = f"#!/bin/bash\n{line}\nexport {set_by} I_MPI_ADJUST_REDUCE_SCATTER_BLOCK=2\n"
    for target in ("openmpi-4.1.4", "intel-2021.18"):
        found = findings(target_named(target), text)
        assert [(one.level, one.line) for one in found] == [(level, 3)]


def test_a_comment_of_lua_promises_too():
    text = 'setenv("I_MPI_ADJUST_REDUCE_SCATTER_BLOCK", "2")\n'
    for head, level in ((f"-- {PROMISE}\n", "note"), (f'whatis("-- {PROMISE}")\n', "warning")):
        (one,) = findings(target_named("intel"), head + text)
        assert one.level == level
