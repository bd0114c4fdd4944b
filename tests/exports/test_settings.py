"""Settings are read from every form that sites write them in, each with its line."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import settings as configured
from hypothesis import strategies as st

from contend.errors import FileFormatError
from contend.exports import FORMATS
from contend.exports.settings import is_script, settings_in

NAME = "I_MPI_ADJUST_BCAST"
VALUE = "1:0-1024;3:1025-2147483647"
FORMS = {
    "export": f'#!/bin/bash\nexport {NAME}="{VALUE}"\n',
    "export of two": f"#!/bin/bash\nexport X=1 {NAME}='{VALUE}'\n",
    "export behind another": f'#!/bin/sh\nexport A=1; export {NAME}="{VALUE}"\n',
    "set, then exported": f'#!/bin/sh\n{NAME}="{VALUE}"\nexport {NAME}\n',
    "declare": f'#!/bin/bash\ndeclare -x {NAME}="{VALUE}"\n',
    "escaped": "#!/bin/sh\nexport " + NAME + "=" + VALUE.replace(";", "\\;") + "\n",
    "before a command": f'#!/bin/sh\nA=1 {NAME}="{VALUE}" mpirun -n 4 ./app\n',
    "env": f'#!/bin/sh\nenv -u X {NAME}="{VALUE}" mpirun -n 4 ./app\n',
    "in a branch": f'#!/bin/sh\nif [ -n "$A" ]; then export {NAME}="{VALUE}"; fi\n',
    "in a function": f'#!/bin/sh\ntune() {{ export {NAME}="{VALUE}"; }}\n',
    "behind &&": f'#!/bin/sh\nmodule load impi && export {NAME}="{VALUE}"\n',
    "csh": f'#!/bin/csh\nsetenv {NAME} "{VALUE}"\n',
    "csh in a branch": f"#!/bin/csh\nif ($?A == 0) setenv {NAME} '{VALUE}'\n",
    "Tcl": f"#%Module\nsetenv {NAME} {{{VALUE}}}\n",
    "Tcl, pushed": f'#%Module\n pushenv  {NAME}  "{VALUE}"\n',
    "Tcl, of the interpreter": f'#%Module\nset env({NAME}) "{VALUE}"\n',
    "Lua": f'help([[x]])\nsetenv("{NAME}", "{VALUE}")\n',
    "Lua, pushed": f"-- a module\npushenv{{'{NAME}',[[{VALUE}]]}}\n",
    "Hydra": f"#!/bin/sh\nmpiexec -genv {NAME} '{VALUE}' -n 4 ./app\n",
    "Hydra, two dashes": f"#!/bin/sh\nmpiexec --genv {NAME} '{VALUE}' -n 4 ./app\n",
    "Hydra, of a part": f"#!/bin/sh\nmpiexec -n 4 -env {NAME} '{VALUE}' ./app : -n 1 ./b\n",
    "Hydra's file": f"\n-genv {NAME} '{VALUE}'\n",
    "Open MPI's -x": f"#!/bin/sh\nmpirun -np 4 -x {NAME}='{VALUE}' ./app\n",
    "srun": f"#!/bin/sh\nsrun --export=ALL,{NAME}='{VALUE}' ./app\n",
    "Slurm": f"#!/bin/bash\n#SBATCH --export=ALL,{NAME}='{VALUE}'\n",
    "PBS": f"#!/bin/bash\n#PBS -v A=1,{NAME}='{VALUE}'\n",
    "Grid Engine": f"#!/bin/bash\n#$ -v {NAME}='{VALUE}'\n",
    "LSF": f"#!/bin/bash\n#BSUB -env \"all, {NAME}='{VALUE}'\"\n".replace("'", ""),
    "fish": f"\nset -gx {NAME} '{VALUE}'\n",
    "container": f'FROM x\nENV {NAME}="{VALUE}" A=1\n',
    "YAML": f'env:\n  {NAME}: "{VALUE}"\n',
    "file of variables": f'A=1\n{NAME}="{VALUE}"\n',
    "systemd, in marks": f'[Service]\nEnvironment="{NAME}={VALUE}" "A=1"\n',
    "passed to a container": f"#!/bin/sh\nexport APPTAINERENV_{NAME}='{VALUE}'\n",
    "passed to an older one": f"#!/bin/sh\nSINGULARITYENV_{NAME}='{VALUE}' singularity run a.sif\n",
    "option of a container": f"#!/bin/sh\napptainer run --env A=1,{NAME}='{VALUE}',B=2 a.sif\n",
    "make": f"CC = mpicc\nexport {NAME} := {VALUE.replace(';', chr(92) + ';')}\n",
    "recipe of make": f"all:\n\t@{NAME}='{VALUE}' mpirun ./a\n",
    "PowerShell": f'mpiexec a\n$env:{NAME} = "{VALUE}"\n',
    "options held in a variable": f"#!/bin/sh\nOPTIONS=\"-n 4 -genv {NAME} '{VALUE}'\"\n",
    "options added to a variable": f"#!/bin/sh\nOPTIONS+=\" -genv {NAME} '{VALUE}'\"\n",
    "fish, options apart": f"#!/usr/bin/fish\nset --global --export {NAME} '{VALUE}'\n",
    "fish, short ones": f"#!/usr/bin/fish\nset -g -x {NAME} '{VALUE}'\n",
    "with escapes": f"#!/bin/bash\nexport {NAME}=$'{VALUE}'\n",
    "substitution": f"#!/bin/sh\nout=$({NAME}='{VALUE}' mpirun ./a)\n",
    "older substitution": f"#!/bin/sh\nout=`{NAME}='{VALUE}' mpirun ./a`\n",
    "run by another shell": f"#!/bin/sh\nbash -c \"export {NAME}='{VALUE}'; mpirun ./a\"\n",
    "eval": f"#!/bin/sh\neval \"export {NAME}='{VALUE}'\"\n",
    "table of EasyBuild": f"modextravars = {{\n    '{NAME}': '{VALUE}',\n}}\n",
    "PBS, in marks": f"#!/bin/bash\n#PBS -v \"A=1,{NAME}='{VALUE}'\"\n",
    "document": f"cat > job.sh <<'END'\nexport {NAME}='{VALUE}'\nEND\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_with_its_line(form: str) -> None:
    (one,) = [each for each in settings_in(FORMS[form]) if each.name == NAME and each.is_read]
    assert (one.value, one.line, one.problem) == (VALUE, 2, "")
    assert one.is_known
    assert one.is_exported


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_recognised_and_has_no_finding(form: str) -> None:
    format = FORMATS.get("intel")
    assert format.recognises(FORMS[form])
    assert format.lint(FORMS[form], format.first) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_range_that_ends_before_it_begins_is_found_in_each_form(form: str) -> None:
    format = FORMATS.get("intel")
    text = FORMS[form].replace("1:0-1024", "1:1024-0")
    text = text.replace("1025-2147483647", "1025-2147483647")
    (one,) = [each for each in format.lint(text, format.first) if each.level == "error"]
    assert (one.code, one.line) == ("range", 2)


@pytest.mark.parametrize(
    "line",
    [
        "module load intel", "cd run", "mpirun -n 64 ./app", "ulimit -s unlimited",
        "# export I_MPI_ADJUST_BCAST=99", "echo I_MPI_ADJUST_BCAST=99",
        'echo "set I_MPI_ADJUST_BCAST=99 for speed"', "unset I_MPI_ADJUST_BCAST",
        "echo $I_MPI_ADJUST_BCAST", "export X=$I_MPI_ADJUST_BCAST", "printf '%s' done; date",
        "if [ -z \"$I_MPI_ADJUST_BCAST\" ]; then echo none; fi", "export I_MPI_FABRICS=shm:ofi",
        "for i in 1 2 3; do ./a $i; done", "export PATH=/opt/x:$PATH", "srun --mpi=pmi2 ./app",
        "echo don't", "cat <<END\nexport I_MPI_ADJUST_BCAST=99\nEND", "python3 -c 'print(1)'",
        *(f"mpiexec {option} I_MPI_ADJUST_BCAST -n 4 ./app"
          for option in ("-genvlist", "--genvlist", "-envlist", "--envlist")),
        "grep I_MPI_ADJUST_BCAST= job.sh",
    ],
)  # fmt: skip
def test_a_line_without_a_tuning_variable_is_no_finding(line: str) -> None:
    text = f"#!/bin/bash\n{line}\n"
    assert is_script(text)
    for format in FORMATS.all():
        assert format.lint(text, format.first) == []
        assert not format.recognises(text)


@pytest.mark.parametrize(
    "text",
    [
        'setenv("I_MPI_ADJUST_BCAST", "3")\r\n', "#%Module\r\nsetenv I_MPI_ADJUST_BCAST 3\r\n",
    ],
)  # fmt: skip
def test_ends_of_lines_of_dos_are_no_part_of_a_value_but_for_a_shell(text: str) -> None:
    assert [(one.value, one.problem) for one in settings_in(text)] == [("3", "")]


def test_a_continued_line_has_each_variable_in_its_own() -> None:
    text = (
        "export UCX_TLS=rc \\\n  UCC_TL_UCP_TUNE=allreduce:@knomial#bcast:@dbt \\\nUCC_CLS=basic\n"
    )
    assert [(one.name, one.value, one.line) for one in settings_in(text)] == [
        ("UCX_TLS", "rc", 1), ("UCC_TL_UCP_TUNE", "allreduce:@knomial#bcast:@dbt", 2),
        ("UCC_CLS", "basic", 3),
    ]  # fmt: skip
    format = FORMATS.get("ucc")
    assert format.recognises(text)
    assert format.lint(text, format.first) == []
    assert not FORMATS.get("openmpi-5").recognises(text)


@pytest.mark.parametrize(
    ("text", "level", "code"),
    [
        ("export I_MPI_ADJUST_BCAST=1:0-4;3:5-6", "error", "shell"),
        ("export I_MPI_ADJUST_BCAST=1:0-4 3:5-6", "error", "shell"),
        ('export I_MPI_ADJUST_BCAST="1:0-4', "error", "shell"),
        ("setenv I_MPI_ADJUST_BCAST 1:0-4;3:5-6", "error", "shell"),
        ("setenv I_MPI_ADJUST_BCAST=3", "error", "shell"),
        ("export I_MPI_ADJUST_BCAST = 3", "error", "spaced"),
        ("setenv I_MPI_ADJUST_BCAST 1:0-4 3:5-6", "error", "shell"),
        ("srun --export=ALL,I_MPI_ADJUST_BCAST=1:0-4,9-12 ./app", "error", "shell"),
        ("export I_MPI_ADJUST_BCAST=$ALG", "note", "value"),
        ('export I_MPI_ADJUST_BCAST="${ALG:-3}"', "note", "value"),
        ("export I_MPI_ADJUST_BCAST=$(best bcast)", "note", "value"),
        ("export I_MPI_ADJUST_BCAST=`best bcast`", "note", "value"),
        ('whatis("x")\nsetenv("I_MPI_ADJUST_BCAST", best)', "note", "value"),
        ("I_MPI_ADJUST_BCAST=3\nmpirun ./app", "warning", "export"),
        ("export I_MPI_ADJUST_BCAST=1\nexport A=2\nexport I_MPI_ADJUST_BCAST=3", "warning",
         "repeated"),
        ("export I_MPI_ADJUST_BCAST=3\r", "warning", "carriage"),
        ('export I_MPI_ADJUST_BCAST="3"\r', "warning", "carriage"),
        ("mpirun -genv I_MPI_ADJUST_BCAST 3 \\\r\n -n 4 ./app\r", None, None),
        ('python3 -c \'import os; os.environ["I_MPI_ADJUST_BCAST"] = "3"\'', "note", "form"),
    ],
)  # fmt: skip
def test_what_a_shell_makes_of_a_form_is_found(
    text: str, level: str | None, code: str | None
) -> None:
    format = FORMATS.get("intel")
    text = text if text.startswith("whatis") else f"#!/bin/sh\n{text}\n"
    found = [(one.level, one.code) for one in format.lint(text, format.first)]
    assert found == ([(level, code)] if level else [])


@pytest.mark.parametrize(
    "text",
    [
        "if [ $A ]; then export {0}=1; else export {0}=3; fi",
        "case $A in\n a) export {0}=1 ;;\n b) export {0}=3 ;;\nesac",
        "export {0}=1\nmpirun ./app\nexport {0}=3\nmpirun ./app",
        "{0}=1 mpirun ./app\n{0}=3 mpirun ./app",
        "mpirun -genv {0} 1 ./app\nmpirun -genv {0} 3 ./app",
    ],
)
def test_a_variable_that_is_set_for_each_case_or_run_is_not_repeated(text: str) -> None:
    format = FORMATS.get("intel")
    assert format.lint(f"#!/bin/sh\n{text.format(NAME)}\n", format.first) == []


@configured(max_examples=200)
@given(st.text("export setnv I_MPI_ADJUST_BCAST=\"'$(){}[]`\\\n;|&#<>,:@0123456789-", max_size=120))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= one.line <= lines for one in settings_in(text))


def test_forms_that_are_cut_or_changed_never_end_in_an_exception() -> None:
    rng = random.Random(5)
    for text in FORMS.values():
        for _ in range(20):
            at = rng.randrange(len(text))
            put = rng.choice(["", '"', "'", "$(", "`", "\\", "<<X", "{", "[[", "--[[", "\0", "\n"])
            changed = text[:at] + put + text[at + rng.randrange(3) :]
            for format in FORMATS.all():
                format.lint(changed[: rng.randrange(len(changed) + 1)], format.first)
                format.recognises(changed)


@pytest.mark.parametrize(
    "text",
    [
        f"help() {{\n export {NAME}=3\n}}\n",
        f"#!/bin/bash\ntune() {{\n local a=3\n export {NAME}=3\n}}\n",
        f"load () {{ echo a; }}\nexport {NAME}=3\n",
    ],
)
def test_functions_of_a_shell_are_no_calls_of_lua(text: str) -> None:
    assert [(one.name, one.value) for one in settings_in(text) if one.name == NAME] == [(NAME, "3")]


@pytest.mark.parametrize("between", ["||", "&&", "&"])
def test_what_is_set_in_the_place_of_another_replaces_none(between: str) -> None:
    text = f"#!/bin/bash\n[[ $N -gt 4 ]] && export {NAME}=2 {between} export {NAME}=3\n"
    assert [one.replaces for one in settings_in(text)] == [None, None]


def test_what_takes_a_variable_away_is_no_form_that_is_not_read() -> None:
    assert not [one for one in settings_in(f"#!/bin/sh\nenv -u {NAME} mpirun ./a\n")]


def test_a_form_that_is_not_read_is_named_with_its_line() -> None:
    text = f"#!/bin/sh\npython3 a.py \\\n  --set=b:{NAME} \\\n  --set=c:I_MPI_ADJUST_REDUCE\n"
    assert [(one.line, one.is_read) for one in settings_in(text)] == [(3, False), (4, False)]
    format = FORMATS.get("intel")
    assert [(one.code, one.line) for one in format.lint(text, format.first)] == [("form", 3)]


def test_parameters_of_a_document_have_the_lines_of_the_script() -> None:
    text = "#!/bin/sh\ncat > x.conf <<'END'\n# of the site\ncoll_base_verbose = 1\nEND\n"
    found = [(one.name, one.value, one.line) for one in settings_in(text)]
    assert found == [("OMPI_MCA_coll_base_verbose", "1", 4)]


@pytest.mark.parametrize("word", ["-a", "-ea", "-o allexport"])
def test_a_shell_may_export_all_that_is_set(word: str) -> None:
    (one,) = settings_in(f"#!/bin/sh\nset {word}\n{NAME}=3\nmpirun ./app\n")
    assert one.is_exported


def test_what_is_set_three_times_replaces_the_last_before() -> None:
    text = "#!/bin/sh\n" + f"export {NAME}=3\n" * 3
    assert [one.replaces for one in settings_in(text)] == [None, 2, 3]


def test_a_call_of_lua_over_lines_has_the_first_and_substitutions_their_own_ends() -> None:
    (one,) = settings_in(f'help([[x]])\nsetenv("{NAME}",\n  "3")\n')
    assert (one.value, one.line) == ("3", 2)
    (one,) = settings_in(f"#!/bin/sh\nexport {NAME}=$(best $(hostname) 4)\n")
    assert (one.value, one.is_known, one.problem) == ("$(best $(hostname) 4)", False, "")


def test_words_within_words_end() -> None:
    for nested in ("$(" * 3000, "`" * 3000, "x$(" * 500 + NAME + " a" + ")" * 500):
        assert not [one for one in settings_in(f"{nested} --mca {NAME}\n") if one.value == NAME]


LOOKALIKES = {
    "a blank that does not break": f"export\u00a0{NAME}=1\n",
    "a blank within the value": f"export {NAME}=\u00a01\n",
    "a mark in the middle": f"export A=1\n\ufeffexport {NAME}=1\n",
    "a blank of no width": f"export {NAME}\u200b=1\n",
    "quotation marks of a word processor": f"export {NAME}=\u201c1\u201d\n",
    "single ones": f"#!/bin/csh\nsetenv {NAME} \u20181\u2019\n",
    "a dash for two": f"mpirun \u2013genv {NAME} 1 ./app\n",
    "dashes": f"mpirun \u2013\u2013genv {NAME} 1 ./app\n",
    "a module": f"#%Module\nsetenv\u00a0{NAME} 1\n",
    "Lua": f'help([[x]])\nsetenv(\u201c{NAME}\u201d, "1")\n',
}


@pytest.mark.parametrize("text", LOOKALIKES.values(), ids=LOOKALIKES)
def test_a_character_that_looks_like_another_is_an_error(tmp_path, text):
    form = FORMATS.get("intel")
    assert form.recognises(text)
    (wrong,) = [one for one in form.lint(text, form.first) if one.level == "error"]
    assert wrong.code == "character" and NAME in wrong.message
    assert wrong.line == text[: text.index(NAME)].count("\n") + 1
    path = tmp_path / "rules.sh"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=r"line \d+: the character U\+[0-9A-F]{4} looks"):
        form.settings(str(path), form.first)


def test_characters_of_other_lines_and_of_comments_are_nobodys_business():
    text = (
        f"#!/bin/sh\n# \u201cour\u201d choice\necho \u2013\nexport {NAME}=1 # \u2013 as measured\n"
    )
    assert [one.problem for one in settings_in(text)] == [""]


@pytest.mark.parametrize(
    "text",
    [
        f"export {NAME} =1\n",
        f"#!/bin/bash\n{NAME} =1 ./app\n",
        f"#!/bin/sh\nexport A=1 {NAME} =1 B=2\n",
        f"#!/bin/sh\n{NAME} = 1\n",
    ],
)
def test_a_blank_before_the_equals_sign_sets_nothing(text):
    form = FORMATS.get("intel")
    (wrong,) = [one for one in form.lint(text, form.first) if one.level == "error"]
    assert wrong.code == "spaced" and f"write {NAME}=" in wrong.remedy
