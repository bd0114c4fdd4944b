"""contend tune export and lint: files that a library obeys, and what is wrong with others."""

import json
import os

import pytest

from contend.tune.exports import format_named
from support.decisions import decided, rule


@pytest.fixture
def decisions(tmp_path):
    path = tmp_path / "decisions.json"
    decided(
        rule("bcast", "pipeline", m=65536, options={"segment": 16384}, gain=1.5, points=4),
        rule("alltoall", "pairwise", n=16),
        library_version="5.0.11",
    ).save(path)
    return path


@pytest.mark.parametrize("target", ["openmpi-4", "openmpi-5", "openmpi-6"])
def test_what_is_exported_has_no_error(contend, decisions, tmp_path, target):
    rules = tmp_path / "rules"
    told = contend("tune", "export", decisions, "--library", target, "-o", rules)
    assert told.code == 0
    assert f"dynamic_rules_filename={rules}" in told.out
    assert f"contend tune verify {rules} -- mpiexec -n 16 ./my_app" in told.err
    outcome = contend("tune", "lint", rules, "--library", target)
    assert outcome.code == 0
    assert "error" not in outcome.out


def test_the_version_that_was_measured_is_written_for(contend, decisions):
    """5.0.11 knows the version line; the oldest 5.0 does not."""
    text = contend("tune", "export", decisions, "--library", "openmpi-5").out
    assert text.startswith("rule-file-")
    text = contend("tune", "export", decisions, "--library", "openmpi-5.0.3").out
    assert text.startswith("#")


def test_a_file_says_what_it_is_and_what_is_expected_of_it(contend, decisions):
    text = contend("tune", "export", decisions, "--library", "openmpi-4").out
    for part in ("Network: test", "2026-11-24", "1.5 times as fast", "export OMPI_MCA_coll_tuned"):
        assert part in text


def test_what_a_file_without_comments_is_stands_beside_it(contend, decisions, tmp_path):
    rules = tmp_path / "rules.json"
    contend("tune", "export", decisions, "--library", "openmpi-6", "-o", rules)
    assert json.loads(rules.read_text())["module"] == "tuned"
    assert "Network: test" in (tmp_path / "rules.json.about.txt").read_text()


def test_rules_of_other_collectives_stay_in_the_file(contend, decisions, tmp_path):
    rules = tmp_path / "rules"
    rules.write_text("2\n2\n1\n2\n1\n0 3 0 0\n7\n1\n2\n1\n0 1 0 0\n")
    outcome = contend("tune", "export", decisions, "--library", "openmpi-4", "-o", rules)
    assert "kept from the file that was there: allreduce" in outcome.err
    text = rules.read_text()
    assert "2  # allreduce, kept as it was" in text
    assert "0 1 0 0" not in text
    assert contend("tune", "lint", rules, "--library", "openmpi-4").code == 0


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        ("1\n7\n1\n2\n1\n9 6 0 0\n", "openmpi-4", "cannot be merged into"),
        ("dear diary\n", "openmpi-5", "exists and is no"),
        ("", "openmpl-5", "openmpi-5"),
    ],
    ids=["broken", "another kind", "unknown library"],
)
def test_a_file_that_is_not_to_be_written_is_left_as_it_is(
    contend, decisions, tmp_path, text, target, said
):
    rules = tmp_path / "rules"
    rules.write_text(text)
    contend("tune", "export", decisions, "--library", target, "-o", rules).fails(said)
    assert rules.read_text() == text


SETS_TWO = (
    "#!/bin/bash\n#SBATCH -N 4\nmodule load mpi\nexport I_MPI_ADJUST_ALLTOALL=4\ncd run\n"
    "export UCX_TLS=rc \\\nUCC_TL_UCP_TUNE=allreduce:@knomial\nmpirun -n 64 ./app\n"
)


@pytest.mark.parametrize(
    ("text", "words", "code", "said"),
    [
        ("1\n15\n1\n2\n2\n0 2 0 0\n4096 1 0 0\n", (), 1,
         ["line 7: scatter takes algorithms 2, 1 by size"]),
        ("1\n6\n1\n2\n2\n0 3 0 0\n8 4 0 0\n", ("--library", "openmpi-4"), 0, ["warning"]),
        (SETS_TWO, (), 0, ["Intel MPI's variables", "UCC's variable"]),
        ("#!/bin/bash\nmodule load mpi\nmpirun -n 64 ./app\n", (), 0, ["nothing found"]),
        ("#!/bin/bash\nexport OMPI_MCA_coll_tuned_alltoall_algorithm=3\n", (), 1,
         ["Open MPI's parameters, read as by 5",
          "coll_tuned_use_dynamic_rules, which is not set here"]),
        ("#!/bin/bash\r\nexport I_MPI_ADJUST_ALLTOALL=4\r\n", (), 0, ["carriage return"]),
    ],
    ids=["error", "warning", "two libraries", "tunes nothing", "not dynamic", "ends of DOS"],
)  # fmt: skip
def test_what_is_wrong_is_told_by_line_and_by_the_exit_code(
    contend, tmp_path, text, words, code, said
):
    rules = tmp_path / "job.sh"
    rules.write_bytes(text.encode())
    outcome = contend("tune", "lint", rules, *words)
    assert outcome.code == code
    assert all(each in outcome.out for each in said)
    if text == SETS_TWO:
        assert outcome.out.count("nothing found") == 2 and "Open MPI" not in outcome.out
    found = contend("tune", "lint", rules, *words, "--json").json[str(rules)]
    assert ("error" in {one["level"] for one in found}) == bool(code)
    assert (
        ("error", "hang", 7) in {(one["level"], one["code"], one["line"]) for one in found}
    ) == ("scatter" in said[0])


def test_what_is_no_file_of_rules_is_an_error(contend, decisions, tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("dear diary\n")
    for path, said in (
        (other, "--library"),
        (decisions, "is a file of decisions, and a file of rules is due"),
    ):
        contend("tune", "lint", path).fails(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n3\n1\n2\n1\n0 2 0 0\n", "rules (classic rules file of Open MPI 4.1)"),
        ("broadcast,0,1024,ring,ll,2,-1,-1\n", "rules (CSV of NCCL's tuner plugin)"),
        ('{"collective=bcast": {}}', "rules (MPICH's selection file)"),
        ("export I_MPI_ADJUST_BCAST=1\n", "rules (Intel MPI's variables)"),
        ("dear diary\n", "is not JSON"),
        ('{"schema": "contend.network"}', "a network file"),
    ],
)
def test_rules_in_the_place_of_decisions_are_named(contend, tmp_path, text, said):
    path = tmp_path / "file"
    path.write_text(text)
    contend("tune", "export", path, "--library", "openmpi-5").fails(said)


@pytest.mark.parametrize(
    ("target", "title"), [("openmpi-4.1.4", "Open MPI 4.1"), ("openmpi-5.0.11", "Open MPI 5.0")]
)
def test_a_file_that_says_its_version_is_of_that_format(
    contend, decisions, tmp_path, target, title
):
    rules = tmp_path / "rules"
    contend("tune", "export", decisions, "--library", target, "-o", rules)
    _, _, version = target.partition("-")
    assert f"{title}, read as by {version}" in contend("tune", "lint", rules).out


def test_a_version_of_another_library_is_not_taken(contend, decisions, tmp_path):
    rules = tmp_path / "rules"
    contend("tune", "export", decisions, "--library", "openmpi-5.0.11", "-o", rules)
    assert "read as by 5.0.11" in contend("tune", "lint", rules).out
    assert "read as by 4.0" in contend("tune", "lint", rules, "--library", "mpich").out


REORDERING = {
    "openmpi-4.1.4": "1\n11\n1\n1\n1\n0 4 0 0\n",
    "openmpi-5.0.11": "# all operations are said to commute\n1\n2\n1\n1\n1\n0 4 0 0 0\n",
    "openmpi-6": json.dumps(
        {"collectives": {"reduce": [{"rules": [{"msg_size_min": 0, "alg": "binomial"}]}]}}
    ),
    "intel-2021.18": "export I_MPI_ADJUST_REDUCE_SCATTER_BLOCK=2\n",
}


@pytest.mark.parametrize("target", REORDERING)
def test_a_note_names_kept_rules_that_reorder_operands(contend, tmp_path, target):
    decisions, rules = tmp_path / "decisions.json", tmp_path / "rules"
    library = target.partition("-")[0]
    chosen = "preset_3" if library == "intel" else "binomial"
    decided(rule("bcast", chosen), library=library).save(decisions)
    for option in ((), ("--all-commute",)):
        rules.write_text(REORDERING[target])
        outcome = contend("tune", "export", decisions, "--library", target, "-o", rules, *option)
        assert outcome.code == 0
        linted = contend("tune", "lint", rules, "--library", target, "--json").out
        found = [one for one in json.loads(linted)[str(rules)] if one["code"] == "operands"]
        warned = [one["line"] for one in found if one["level"] == "warning"]
        assert len(found) == 1
        named = [f"(line {line} of the file)" in outcome.err for line in warned]
        assert named == [not option] * len(warned)
        assert ("wrong numbers (line" in outcome.err) == (not option)
        assert bool(warned) == (not option or target == "openmpi-6")


@pytest.mark.parametrize(
    "line",
    ["module load mpi", "#SBATCH -N 4", "mpirun ./a", "export I_MPI_ADJUST_GATHER=$A",
     "I_MPI_ADJUST_GATHER=3 mpirun ./a", "setenv I_MPI_ADJUST_GATHER 3"],
)  # fmt: skip
@pytest.mark.parametrize("target", ["intel", "ucc"])
def test_a_script_that_does_more_than_set_variables_is_left_as_it_is(
    contend, tmp_path, target, line
):
    decisions, script = tmp_path / "decisions.json", tmp_path / "job.sh"
    chosen = {"intel": "preset_3", "ucc": "knomial"}[target]
    decided(rule("bcast", chosen), library=target).save(decisions)
    text = f"# ours\nexport I_MPI_ADJUST_BCAST=1 UCC_TL_UCP_TUNE=bcast:@dbt\n{line}\n"
    script.write_text(text)
    outcome = contend("tune", "export", decisions, "--library", target, "-o", script)
    assert outcome.code != 0
    assert "line 3" in outcome.err
    assert script.read_text() == text


def test_other_variables_stay_in_a_file_of_ucc(contend, tmp_path):
    decisions, script = tmp_path / "decisions.json", tmp_path / "ucc.sh"
    decided(rule("bcast", "knomial"), library="ucc").save(decisions)
    script.write_text("export UCX_TLS=rc\nexport UCC_TL_UCP_TUNE=bcast:@dbt\n")
    assert contend("tune", "export", decisions, "--library", "ucc", "-o", script).code == 0
    assert 'export UCX_TLS="rc"' in script.read_text()
    assert "dbt" not in script.read_text()


@pytest.fixture
def departing(tmp_path):
    path = tmp_path / "departing.json"
    decided(rule("bcast", "pipeline", n=4), library_version="5.0.11").save(path)
    return path


def test_a_lost_file_beside_is_written_again(contend, departing, tmp_path):
    rules, beside = tmp_path / "rules", tmp_path / "rules.han"
    first = contend("tune", "export", departing, "-o", rules)
    text = beside.read_text()
    beside.unlink()
    again = contend("tune", "export", departing, "-o", rules)
    assert (again.out, beside.read_text()) == (first.out, text)


def test_a_file_named_by_a_link_is_loaded_with_what_is_beside_the_link(
    contend, departing, tmp_path
):
    (tmp_path / "of_today").touch()
    (tmp_path / "rules").symlink_to("of_today")
    told = contend("tune", "export", departing, "-o", tmp_path / "rules").out
    assert f"OMPI_MCA_coll_tuned_dynamic_rules_filename={tmp_path / 'rules'}\n" in told
    assert f"OMPI_MCA_coll_han_dynamic_rules_filename={tmp_path / 'rules.han'}\n" in told


def test_nothing_is_written_beside_what_is_no_regular_file(contend, departing, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    outcome = contend("tune", "export", departing, "-o", pipe)
    assert os.read(reader, 1 << 16).startswith(b"rule-file-version-2\n")
    os.close(reader)
    assert outcome.code == 0 and f".han cannot stand beside {pipe}" in outcome.err
    assert "coll_han" not in outcome.out and not (tmp_path / "pipe.han").exists()


NOWHERE = ("--", "mpiexec", "-n", "2", "nothing-of-this-name")


@pytest.mark.parametrize("given", ["--junit", "-o"])
@pytest.mark.parametrize("place", ["missing/result", "."])
def test_a_place_that_cannot_be_written_is_an_error_before_anything_runs(
    contend, departing, tmp_path, given, place
):
    rules = tmp_path / "rules"
    contend("tune", "export", departing, "-o", rules)
    for words in (("verify", rules), ("apply", rules))[: 2 if given == "-o" else 1]:
        contend("tune", *words, given, tmp_path / place, *NOWHERE).fails(
            f"cannot write {tmp_path / place}"
        )


def test_what_is_no_file_of_rules_is_an_error_in_the_file_for_a_ci_server(contend, tmp_path):
    path = tmp_path / "result.xml"
    words = ("tune", "verify", tmp_path / "missing", "--junit", path, *NOWHERE)
    contend(*words).fails("there is no file")
    assert '<error message="there is no file' in path.read_text()


@pytest.mark.parametrize(
    ("target", "old"),
    [
        ("intel-2021.18", "# our site's\nexport I_MPI_ADJUST_BARRIER=1\n"),
        ("nccl", "# kept\nbroadcast,0,1024,ring,ll,2,-1,-1\n\n# our site's\n\n"),
        ("openmpi-4.1.4", "# our site's\n1\n9\n1\n1\n1\n0 1 0 0\n"),
    ],
)
def test_comments_that_a_merge_loses_are_named(contend, tmp_path, target, old):
    path, decisions = tmp_path / "rules", tmp_path / "decisions.json"
    made = decided(rule("allreduce", "default"), library=target.partition("-")[0])
    decisions.write_text(json.dumps(made.to_json()))
    words = ("tune", "export", decisions, "--library", target, "-o", path)
    path.write_text(old)
    assert "comments of the file" not in contend(*words).err  # which stays as it is
    form = format_named(target)[0]
    name = form.library.algorithms("allreduce", form.first)[0].name
    made = decided(rule("allreduce", name, n=4), library=form.library_name)
    decisions.write_text(json.dumps(made.to_json()))
    line = old[: old.index("# our site's")].count("\n") + 1
    outcome = contend(*words)
    assert f"comments of the file that exists are not kept: line {line}" in outcome.err
    assert "comments of the file" not in contend(*words).err  # those of contend are made anew


def test_a_schedule_that_the_library_lacks_is_left_to_it(contend, tmp_path):
    """As a study decides for what it measured by a program of its own."""
    path = tmp_path / "decisions.json"
    decided(rule("alltoall", "rotated", n_to=8), rule("alltoall", "pairwise", n=8)).save(path)
    outcome = contend("tune", "export", path, "--library", "openmpi-5", "--json")
    assert outcome.code == 0 and "Open MPI does not have it: from 2 processes" in outcome.err
    assert "pairwise" not in outcome.err
    decided(rule("alltoall", "nonsense")).save(path)
    refused = contend("tune", "export", path, "--library", "openmpi-5").err
    assert "has no alltoall algorithm" in refused
