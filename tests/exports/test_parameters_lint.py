"""What Open MPI and MPICH make of parameters that scripts set: ignored, refused or beaten."""

from __future__ import annotations

import re

import pytest

from contend.tune.exports import FORMATS
from contend.tune.exports.openmpi.parameters import WITHOUT_EFFECT, parameters
from contend.tune.exports.settings import settings_in
from support.formats import broken, target_named

ON = "export OMPI_MCA_coll_tuned_use_dynamic_rules=1"
HAN = "export OMPI_MCA_coll_han_priority=0"
BCAST = "export OMPI_MCA_coll_tuned_bcast_algorithm=6"


def findings(text: str, target: str = "openmpi-5.0.11"):
    reader = target_named(target)
    assert reader.form.recognises(text)
    return [(one.level, one.code, one.line) for one in reader.lint(text)]


GOOD = {
    name.removeprefix("right: "): one["text"]
    for name, one in broken()["openmpi-5.0.11"].items()
    if name.startswith("right: ")
}


@pytest.mark.parametrize("form", list(GOOD)[: list(GOOD).index("the default")])
def test_without_dynamic_rules_an_algorithm_has_no_effect(form: str) -> None:
    """Also where they are switched off, or switched on for another command."""
    text = GOOD[form]
    off = text
    for true in ("use_dynamic_rules=1", "use_dynamic_rules = 1", "use_dynamic_rules 1",
                 "use_dynamic_rules true", 'use_dynamic_rules", 1'):  # fmt: skip
        off = off.replace(true, true.replace("true", "1")[:-1] + "0")
    assert off != text
    assert ("error", "dynamic") in {one[:2] for one in findings(off)}
    renamed = text.replace("use_dynamic_rules", "init_tree_fanout")
    assert ("error", "dynamic") in {one[:2] for one in findings(renamed)}


def test_lines_of_a_file_of_parameters_are_variables_of_what_they_name() -> None:
    text = """coll_base_verbose = 1
UCX_TLS = rc
--prtemca plm_base_verbose 'a b'
-pmixmca ptl_base_verbose 2
-x OMP_NUM_THREADS 3
coll_base_verbose = 4
"""
    assert [(one.name, one.value, one.line, one.replaces) for one in settings_in(text)] == [
        ("OMPI_MCA_coll_base_verbose", "1", 1, None), ("UCX_TLS", "rc", 2, None),
        ("PRTE_MCA_plm_base_verbose", "a b", 3, None),
        ("PMIX_MCA_ptl_base_verbose", "2", 4, None), ("OMP_NUM_THREADS", "3", 5, None),
        ("OMPI_MCA_coll_base_verbose", "4", 6, 1),
    ]  # fmt: skip
    assert ("warning", "repeated", 6) in findings(text)


def test_only_one_command_has_two_values_of_a_parameter() -> None:
    off = ON.replace("=1", "=0")
    assert [one[:2] for one in findings(f"{ON}\n{off}\n")] == [("warning", "repeated")]


def test_rules_that_a_shell_switches_on_may_be_on() -> None:
    text = f"{ON[:-1]}$RULES\n{HAN}\n{BCAST}\n"
    assert findings(text) == [("note", "value", 1)]


def test_why_an_algorithm_has_no_effect_is_said() -> None:
    for rules, said in ((ON.replace("=1", "=no"), "which is set to no"), ("", "is not set here")):
        (one,) = target_named("openmpi-5.0.11").lint(f"{rules}\n{HAN}\n{BCAST}\n")
        assert said in one.message


def test_a_file_of_rules_beats_a_forced_algorithm_before_version_5() -> None:
    text = f"{ON}\n{HAN}\n{BCAST}\nexport OMPI_MCA_coll_tuned_dynamic_rules_filename=/x\n"
    for target, said in (("openmpi-4", "the file beats it"), ("openmpi-5.0.11", "it beats the")):
        (both,) = [one for one in target_named(target).lint(text) if one.code == "both"]
        assert said in both.message


def test_a_script_that_assigns_what_is_called_like_a_parameter_is_no_file_of_them() -> None:
    assert [one.name for one in settings_in(f"btl=1\n{BCAST}\n")] == ["btl", BCAST[7:-2]]


def test_the_parameters_are_those_of_the_library_at_hand() -> None:
    import shutil
    import subprocess

    if (tool := shutil.which("ompi_info")) is None:
        pytest.skip("no ompi_info is on PATH")
    command = [tool, "--param", "coll", "tuned", "--level", "9", "--parsable"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    if "param:coll_tuned_priority" not in shown:
        pytest.skip("ompi_info shows no coll/tuned")
    assert [name for name in parameters((4, 1)) if f":param:{name}:value" not in shown] == []
    options = set(re.findall(r":param:(coll_tuned_\w+_algorithm_\w+):value", shown))
    acting = {name for name in options if not name.endswith(WITHOUT_EFFECT)}
    assert acting <= set(parameters((4, 1)))


@pytest.mark.parametrize("empty", ["$()", "``"])
def test_an_empty_substitution_is_no_statement(empty: str) -> None:
    assert findings(f"#!/bin/sh\nA={empty}\n{ON}\n") == []


def test_what_reads_rules_refuses_a_script() -> None:
    from contend.base.errors import FileFormatError

    with pytest.raises(FileFormatError, match="parameters of Open MPI"):
        FORMATS.get("openmpi-5").read(GOOD["variables"], (5,))


def test_han_is_said_to_be_where_it_is() -> None:
    """Within one host nothing; of unequal nodes allreduce and barrier are kept."""
    format = FORMATS.get("openmpi-6")
    rule = (
        '{{"collectives": {{"{}": [{{"comm_rank_distribution": "{}", "rules": [{{"alg": 1}}]}}]}}}}'
    )

    def of_han(operation: str, placement: str) -> list[str]:
        text = rule.format(operation, placement)
        return [one.message for one in format.lint(text, (6,)) if one.code == "han"]

    assert of_han("bcast", "single-node") == []
    (single,) = of_han("bcast", "one-per-node")
    assert "takes the first call of a communicator" in single
    (bcast,), (allreduce,) = of_han("bcast", "any"), of_han("allreduce", "any")
    assert "none within one host" in bcast
    assert "with unequal nodes only the first" in bcast
    assert "with unequal nodes all" in allreduce
    assert "act among the ranks of a node" in allreduce


@pytest.mark.parametrize("comment", ["better than before", "changed by hand", "a chance"])
def test_words_that_hold_han_do_not_hide_it(comment: str) -> None:
    text = f"# {comment}\n1\n7\n1\n2\n1\n0 6 0 0\n"
    assert ("warning", "han", 5) in findings(text)


def test_rules_of_han_itself_are_told_from_those_of_tuned() -> None:
    text = """1 # collectives
allreduce
  1 # levels
  global_communicator
    1 # configurations
    1 # size
      2 # rules
      0 han @intra
      1000 tuned
"""
    for target in ("openmpi-4", "openmpi-5.0.11", "openmpi-6"):
        (one,) = target_named(target).lint(text)
        assert (one.level, one.code) == ("error", "han-file")
        assert "coll_han_dynamic_rules_filename" in one.remedy
    by_number = text.replace("allreduce", "2").replace("global_communicator", "2")
    assert [one.code for one in FORMATS.get("openmpi-5").lint(by_number, (5,))] == ["han-file"]


RIGHT = {
    "array": """args=( --mca coll_tuned_use_dynamic_rules 1
       --mca coll_tuned_alltoall_algorithm {} )
mpirun "${{args[@]}}" ./a""",
    "two arrays": """a=(--mca coll_tuned_use_dynamic_rules 1)
b=(--mca coll_tuned_alltoall_algorithm {})
mpirun "${{a[@]}}" "${{b[@]}}" ./a""",
    "variable": 'A="--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_alltoall_algorithm {}"',
    "two variables": """A="--mca coll_tuned_use_dynamic_rules 1"
B="--mca coll_tuned_alltoall_algorithm {}"
mpirun $A $B ./a""",
}


@pytest.mark.parametrize("form", RIGHT)
@pytest.mark.parametrize("number, codes", [(2, []), (9, ["algorithm"])])
def test_options_that_a_script_keeps_for_its_launcher_are_read(form, number, codes) -> None:
    found = findings("#!/bin/bash\n" + RIGHT[form].format(number) + "\n", "openmpi-4.1.4")
    assert [code for level, code, _ in found if level != "note"] == codes
