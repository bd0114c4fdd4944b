"""A byte order mark before rules: what each library makes of it is said, and nothing is loaded."""

import json

import pytest

from contend.schedules.libraries import version_text
from contend.tune.exports.marks import MARK
from contend.tune.exports.nccl.rows import RCCL, rows
from support.decisions import decided
from support.formats import NAMES, departures, format_of

LINE = "broadcast,0,1024,ring,ll,2,-1,-1\n"
NUMBERS = "1\n3\n1\n2\n1\n0 2 0 0\n"
PARAMETERS = "coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = 1\n"
INTEL = 'export I_MPI_ADJUST_BCAST="1"\n'
MPICH_VARIABLE = "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"
MADE = {
    "nccl": ("nccl", LINE, "error", "is taken for a rule of allreduce"),
    "nccl, a comment": ("nccl", "# of ours\n" + LINE, "note", "is left out without a word"),
    "nccl, a comment of fields": ("nccl", "#,1,2,3,4,5,6,7,8\n" + LINE, "error", "allreduce"),
    "rccl": ("rccl", LINE, "error", "is left out without a word"),
    "numbers": ("openmpi-4", NUMBERS, "note", "it is skipped"),
    "comment": ("openmpi-5", "# of ours\n" + NUMBERS, "note", "it is skipped"),
    "version line": ("openmpi-5.0.7", "rule-file-version-2\n" + NUMBERS, "error", "not the very"),
    "version line later": ("openmpi-5", "#\nrule-file-version-2\n" + NUMBERS, "note", "skipped"),
    "parameters": ("openmpi-5", PARAMETERS, "warning", "and takes the parameters"),
    "JSON": ("openmpi-6", '{"collectives": {}}', "note", "it is skipped"),
    "han": ("openmpi-han", "1\nbcast\n1\n1\n1\n1\n1\n0 tuned\n", "note", "it is skipped"),
    "MPICH": ("mpich", '{"collective=bcast": {}}', "error", "MPICH crashes"),
    "MPICH's variables": ("mpich", MPICH_VARIABLE, "error", "the line sets nothing"),
    "Intel": ("intel", INTEL, "error", "the line sets nothing"),
    "Intel, a comment": ("intel", "# of ours\n" + INTEL, "warning", "is no command"),
    "job script": ("intel", "#!/bin/sh\n" + INTEL, "error", "sbatch refuses the script"),
    "module": ("intel", '#%Module\nsetenv I_MPI_ADJUST_BCAST "1"\n', "error", "for a module"),
    "Lua": ("intel", 'help([[x]])\nsetenv("I_MPI_ADJUST_BCAST", "1")\n', "note", "Lua skips it"),
    "UCC": ("ucc-conf", "[team_size=4-8]\nUCC_TL_UCP_TUNE=alltoall:@0\n", "note", "it is skipped"),
    "UCC's variable": ("ucc", "export UCC_TL_UCP_TUNE=alltoall:@0\n", "error", "sets nothing"),
}  # fmt: skip


@pytest.mark.parametrize(("target", "text", "level", "words"), MADE.values(), ids=MADE)
def test_what_the_reader_makes_of_a_mark_is_said(
    contend, tmp_path, target, text, level, words
) -> None:
    path = tmp_path / "rules"
    lint = ("tune", "lint", path, "--library", target, "--json")
    path.write_text(text)
    without = contend(*lint).json[str(path)]
    path.write_text(MARK + text)
    marked, *others = contend(*lint).json[str(path)]
    assert (marked["level"], marked["code"], marked["line"]) == (level, "mark", 1)
    assert words in marked["message"]
    assert others == without


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_a_mark_is_known_and_not_added_to(contend, tmp_path, name: str) -> None:
    form, version, own = format_of(name)
    made = decided(*departures(form, version), library=form.library_name)
    rules, decisions = tmp_path / "rules", tmp_path / "decisions.json"
    decisions.write_text(json.dumps(made.to_json()))
    target = f"{name}-{version_text(version)}"
    export = ("tune", "export", decisions, "--library", target, "-o", rules)
    export += ("--default", own) if own else ()
    assert contend(*export).code == 0
    text = rules.read_text()
    assert not text.startswith(MARK)
    rules.write_text(MARK + text)
    said = contend("tune", "lint", rules).out
    assert form.called(text) in said and "a byte order mark stands before it" in said
    contend(*export).fails("begins with a byte order mark")
    assert rules.read_text() == MARK + text


def test_a_file_with_a_mark_is_not_verified(contend, tmp_path) -> None:
    rules = tmp_path / "rules"
    rules.write_text(MARK + NUMBERS)
    contend("tune", "verify", rules, "--", "mpiexec", "-n", "2", "./app").fails(
        "begins with a byte order mark"
    )


def test_the_first_line_behind_a_mark_is_read_as_the_tuners_read_it() -> None:
    assert [one.operation for one in rows(MARK + LINE + LINE)] == ["allreduce", "bcast"]
    assert [one.operation for one in rows(MARK + LINE + LINE, RCCL)] == ["bcast"]
