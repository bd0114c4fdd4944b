"""Settings are read from every form that sites write them in, each with its line."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as configured
from hypothesis import strategies as st

from contend.base.errors import FileFormatError
from contend.tune.exports import FORMATS
from contend.tune.exports.settings import is_script, settings_in

NAME = "I_MPI_ADJUST_BCAST"
VALUE = "1:0-1024;3:1025-2147483647"
TEXTS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text())
FORMS, LOOKALIKES = TEXTS["forms"], TEXTS["lookalikes"]


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
