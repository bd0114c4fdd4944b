"""Each mistake gets one message that names the thing, the rule and the remedy, and exit code 1."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.cli import options, pairs
from support import networks


def check(outcome, *words):
    assert outcome.code == 1, outcome
    assert outcome.err.startswith("error: ")
    assert "what to do:" in outcome.err
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err, outcome.err


def test_no_mpi_points_to_the_doctor(contend, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MPICC", raising=False)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    check(contend("measure", "-o", tmp_path / "s.jsonl"), "mpicc", "contend doctor", "pip install")
    assert contend("doctor").code == 1


def test_a_compiler_that_fails_is_shown_whole(contend, tmp_path, monkeypatch, fake_mpicc):
    fake_mpicc("echo 'fatal error: mpi.h: No such file or directory' >&2; exit 1")
    monkeypatch.setenv("MPICC", str(tmp_path / "mpicc"))
    outcome = contend("measure", "-o", tmp_path / "s.jsonl")
    check(outcome, "could not compile", "mpi.h: No such file", "contend doctor")


def test_a_compiler_that_fails_is_not_sent_back_to_the_doctor(
    contend, fake_mpicc, tmp_path, monkeypatch
):
    fake_mpicc("exit 1")
    monkeypatch.setenv("MPICC", str(tmp_path / "mpicc"))
    outcome = contend("doctor", "--json")
    (bad,) = (finding for finding in outcome.json if finding["what"] == "MPI programs")
    assert not bad["is_good"]
    assert bad["remedy"] == "mend the compiler wrapper or name another by MPICC=/path/to/mpicc"


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["measure", "alltoall"], "contend measure --collective alltoall;"),
        (["measure", "MPI_Alltoall", "-n", "4"], "contend measure --collective alltoall;"),
        (["measure", "--lab", "two-clusters"], "--on lab:NAME;"),
        (["measure", "hosts", "--lab=two-clusters"], "contend lab NAME -- contend measure"),
    ],
)
def test_what_is_no_word_of_a_measurement_is_answered_with_the_right_one(contend, words, remedy):
    outcome = contend(*words)
    text = " ".join(re.sub("[│╭╮╰╯─]", " ", outcome.err).split())
    assert outcome.code
    assert remedy in text
    assert "Possible options" not in text


def test_a_named_wrapper_that_is_absent_is_named(contend, tmp_path, monkeypatch):
    monkeypatch.setenv("MPICC", "/nowhere/mpicc")
    outcome = contend("measure", "-o", tmp_path / "s.jsonl")
    check(outcome, "/nowhere/mpicc", "contend doctor")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["measure", "-o", "new", "-n", ","], "holds no number of processes"),
        (["measure", "-o", "new", "-m", ","], "holds no message size"),
        (["study", "-o", "new", "-n", ","], "holds no number of processes"),
        (["study", "-o", "new", "-m", ","], "holds no message size"),
        (["choose", "FILE", "bcast", "--plot", "-o", "new.svg", "-n", ","], "holds no number"),
        (["choose", "FILE", "bcast", "--plot", "-o", "new.svg", "-m", ","], "holds no message"),
        (["choose", "FILE", "bcast", "-n", ",", "-m", "64"], "no n or no m"),
        (["choose", "FILE", "bcast", "--table", "-m", ","], "no n or no m"),
        (["predict", "FILE", "-n", "4", "-m", ","], "no n or no m"),
        (["alltoall", "plan", "FILE", "-o", "new", "-m", ","], "holds no message size"),
        (["measure", "hosts", "-o", "new", "-m", ","], "no message size"),
        (
            ["measure", "collectives", "bcast", "chain", "-n", "4", "-m", ","],
            "holds no message size",
        ),
    ],
)
def test_a_list_of_nothing_is_refused(contend, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = networks.write(tmp_path / "network.json", networks.plogp())
    check(contend(*(path if word == "FILE" else word for word in words)), said)
    assert list(tmp_path.iterdir()) == [path]


def test_sizes_that_were_not_measured_leave_no_file(contend, samples_file, tmp_path):
    samples = samples_file(experiments=("alltoall",))
    outcome = contend("fit", samples, "-m", "7,9", "-o", tmp_path / "n.json")
    check(outcome, "none of the sizes to fit", "choose among")
    assert not (tmp_path / "n.json").exists()


def test_fewer_than_two_processes_are_no_exchange(contend, tmp_path, samples_file):
    check(contend("measure", "-n", "1,4", "-o", tmp_path / "s.jsonl"), "n = 1", "at least 2")
    forced = ("--collective", "bcast", "-o", tmp_path / "s.jsonl")
    check(contend("measure", "library", "-n", "1,4", *forced), "n = 1", "at least 2")
    network = tmp_path / "n.json"
    contend("fit", samples_file(), "-o", network)
    check(contend("predict", network, "-n", 1, "-m", 64), "n = 1", "at least 2")


def test_an_n_that_was_not_measured_is_refused_with_those_that_were(contend, samples_file):
    check(contend("fit", samples_file(), "--at", 5), "n=5", "4, 8, 16")


def test_a_samples_file_of_another_experiment_says_what_it_holds(contend, samples_file):
    words = ("fit", samples_file(experiments=("bcast",)), "--operation", "alltoall")
    check(contend(*words), "alltoall", "bcast/native")


@pytest.mark.parametrize("bad", ["-1.0", "NaN", "Infinity", '"x"'])
def test_bad_times_are_named_with_their_line(contend, samples_file, bad):
    path = samples_file()
    lines = path.read_text().splitlines()
    record = json.loads(lines[2])
    record["times_s"] = ["BAD"]
    lines[2] = json.dumps(record).replace('"BAD"', bad)
    path.write_text("\n".join(lines) + "\n")
    check(contend("fit", path), "line 3", "times_s")


def test_a_torn_last_line_is_reported_and_the_rest_used(contend, samples_file, tmp_path):
    path = samples_file()
    path.write_bytes(path.read_bytes() + b'{"schema":"contend.sam')
    outcome = contend("fit", path, "-o", tmp_path / "n.json")
    assert outcome.code == 0
    assert "incomplete" in outcome.err


def test_a_corrupted_line_is_an_error_with_its_number(contend, samples_file):
    path = samples_file()
    lines = path.read_text().splitlines()
    lines[4] = lines[4][:100]
    path.write_text("\n".join(lines) + "\n")
    check(contend("fit", path), "line 5", "not JSON")


def test_a_network_of_an_unknown_version_or_without_a_unit_is_refused(
    contend, samples_file, tmp_path
):
    network = tmp_path / "n.json"
    contend("fit", samples_file(), "-o", network)
    data = json.loads(network.read_text())
    network.write_text(json.dumps(data | {"version": 99}))
    check(contend("predict", network, "-n", 8, "-m", 64), "version 99")
    del data["operations"][0]["forms"]["hockney_2007"]["parameters"]["gamma"]["unit"]
    network.write_text(json.dumps(data))
    check(contend("predict", network, "-n", 8, "-m", 64), "gamma.unit is missing")


def test_memory_that_does_not_suffice_is_reported(contend, tmp_path, monkeypatch):
    def exhausted(*words, **options):
        raise MemoryError

    monkeypatch.setattr("contend.base.document.read_text", exhausted)
    outcome = contend("predict", tmp_path / "n.json", "-n", 8, "-m", 64)
    check(outcome, "the memory does not suffice", "name less at a time")


def test_a_full_disk_is_reported(contend, samples_file):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    check(contend("fit", samples_file(), "-o", "/dev/full/network.json"), "/dev/full")


def test_output_that_finds_no_room_is_reported():
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "contend", "list", "algorithms"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: the output cannot be written: No space left")
    assert done.stderr.count("\n") == 2


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["predict", "absent.json", "-n", 8, "-m", 64], "absent.json"),
        (["fit", "absent.jsonl"], "absent.jsonl"),
        (["import", "absent.txt"], "absent.txt"),
        (["fit", "absent.jsonl", "--assume", "alpha=1us"], "one of alpha and beta"),
        (["measure", "-n", "two"], "'two'"),
        (["measure", "-m", "64parsecs"], "64parsecs"),
        (["measure", "--repeat", "precision=5"], "precision '5'"),
    ],
)
def test_what_was_given_is_named(contend, tmp_path, monkeypatch, words, named):
    monkeypatch.chdir(tmp_path)
    check(contend(*words), named)


def test_an_unknown_experiment_or_form_lists_the_known(contend, samples_file, tmp_path):
    contend("fit", samples_file(), "-o", tmp_path / "n.json")
    words = ["predict", tmp_path / "n.json", "-n", 8, "-m", 64, "--form", "oracle"]
    check(contend(*words), "oracle", "hockney_2007")


def test_a_file_of_another_kind_is_named_with_where_it_belongs(contend, samples_file, tmp_path):
    samples, network, graphs = samples_file(), tmp_path / "n.json", tmp_path / "g.jsonl"
    contend("fit", samples, "-o", network)
    graphs.write_text('{"schema":"contend.graphs","version":1}\n')
    as_network = f"{network} is a network file, and a samples file is due"
    check(contend("fit", network), as_network, "contend fit SAMPLES -o NETWORK")
    check(contend("validate", network, network), as_network)
    check(contend("report", samples, network), f"{samples} is a samples file, and a network file")
    check(contend("predict", samples, "-n", 8, "-m", 8), "is a samples file", "predict NETWORK")
    as_samples = f"{graphs} is a file of measured graphs, and a samples"
    check(contend("validate", network, graphs), as_samples, "fit GRAPHS")
    before = network.read_text()
    check(contend("measure", "-n", 4, "-o", network), as_network)
    assert network.read_text() == before


def test_usage_errors_have_exit_code_2(contend):
    assert contend("measure", "--no-such-option").code == 2


def test_shares_are_read_with_and_without_percent():
    assert pairs.parse_share("2.5%") == pairs.parse_share("0.025")
    for bad in ("0", "100%", "many", "-5%"):
        with pytest.raises(InvalidInputError):
            pairs.parse_share(bad)


def test_times_have_units_and_bounds() -> None:
    read = options.duration(0.5)
    assert [read(given) for given in ("500ms", "2min", "0.5", 60.0)] == [0.5, 120.0, 0.5, 60.0]
    for bad, said in (("499ms", "give 500 ms or more"), ("-1", "or more"), ("x", "is not a time")):
        with pytest.raises(InvalidInputError) as caught:
            read(bad)
        assert said in str(caught.value)


@pytest.fixture
def fake_mpicc(tmp_path, monkeypatch):
    """An mpicc that does what a line of shell says, with a launcher beside it."""
    monkeypatch.setenv("CONTEND_CACHE", str(tmp_path / "cache"))

    def write(line):
        for name, body in (("mpicc", line), ("mpiexec", "echo 'HYDRA build details: Version: 1'")):
            (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
            (tmp_path / name).chmod(0o755)

    return write


@pytest.mark.parametrize(
    "words",
    [("choose", "FILE"), ("tune", "export", "FILE", "--library", "mpich"), ("explain", "FILE"),
     ("import", "FILE", "-o", "new.jsonl")],
)  # fmt: skip
def test_an_empty_file_is_called_empty(contend, tmp_path, words):
    (tmp_path / "empty").touch()
    found = [tmp_path / "empty" if word == "FILE" else word for word in words]
    check(contend(*found), f"{tmp_path / 'empty'} is empty")
