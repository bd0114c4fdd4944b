"""contend measure --collective, with and without the library's own algorithms, and what follows."""

import re

import pytest

from contend.measure.design import EXPERIMENTS, Design
from contend.measure.selection.controls import InstalledLibrary
from contend.models.network import Network
from contend.samples import read_samples
from contend.schedules.libraries import library_of
from support.mpis import any_mpi

pytestmark = pytest.mark.mpi
every_mpi = any_mpi
QUICK = ("--launches", "1", "--repeat", "time=0.02", "--repeat", "min=5")
FORCED = ("library", "--collective", "gather,barrier", *QUICK)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "samples.jsonl"


def test_defaults_of_operations_are_measured_with_any_library(contend, mpi, path):
    words = ("measure", "--collective", "bcast, alltoall,barrier", "-n", "2", "-m", "64,4KiB")
    outcome = contend(*words, *QUICK, "-o", path)
    assert outcome.code == 0, outcome.err
    there = {(one.experiment, one.algorithm, one.m) for one in read_samples(path)}
    assert there == {
        ("bcast", "native", 64), ("bcast", "native", 4096), ("alltoall", "native", 64),
        ("alltoall", "native", 4096), ("barrier", "native", 0),
    }  # fmt: skip


def test_an_experiment_is_named_as_its_operation(contend, mpi, path):
    outcome = contend("measure", "-e", "reduce", "-n", "3", "-m", "6", *QUICK, "-o", path)
    assert outcome.code == 0, outcome.err
    assert [one.experiment for one in read_samples(path)] == ["reduce"]


def test_what_is_measured_unasked_are_messages_and_the_exchange():
    assert EXPERIMENTS == ("pingpong", "plogp", "alltoall_native", "alltoall_rotated")
    assert Design((2,)).experiments == EXPERIMENTS


def test_algorithms_are_measured_once_fitted_and_predicted(contend, mpi, path, tmp_path):
    words = ("measure", *FORCED, "-n", "2,3", "-m", "64,512,4KiB", "-o", path, "--json")
    first = contend(*words)
    assert first.code == 0, first.err
    assert first.json["new"] == first.json["all"] == len(read_samples(path))
    again = contend(*words).json
    assert (again["new"], again["left_out"]) == (0, first.json["left_out"])
    names = {one.setting for one in read_samples(path) if one.experiment == "gather"}
    assert len(names) > 1
    library = {name.partition(":")[0] for name in names - {"native"}}
    assert len(library) == 1
    network = tmp_path / "network.json"
    assert contend("fit", path, "--operation", "gather", "-o", network).code == 0
    fitted = {one.algorithm for one in Network.load(network).operations}
    assert fitted == names
    chosen = sorted(names - {"native"})[0]
    said = contend("predict", network, "gather", "--algorithm", chosen, "-n", "4", "-m", "512")
    assert said.code == 0, said.err
    assert chosen in said.err + said.out


def test_they_are_measured_beside_what_stands_beside_rules(contend, every_mpi, path, monkeypatch):
    library, _ = library_of(every_mpi.title)
    if not library.alongside:
        pytest.skip(f"nothing stands beside rules of {library.title}")
    for name in library.alongside:
        monkeypatch.delenv(name, raising=False)
    words = ("library", "--collective", "barrier", *QUICK)
    monkeypatch.setenv("MPICC", every_mpi.mpicc)
    outcome = contend("measure", *words, "-n", "2", "-o", path)
    assert outcome.code == 0, outcome.err
    beside = {f"{name}={value}" for name, value in library.alongside.items()}
    assert all(beside <= set(one.provenance.command) for one in read_samples(path))


def test_fan_outs_are_options_of_series_of_their_own(contend, mpi, path, tmp_path):
    words = ("library", "--collective", "bcast", "--fanouts", "2,3", *QUICK)
    outcome = contend("measure", *words, "-n", "4", "-m", "64,512,4KiB", "-o", path)
    assert outcome.code == 0, outcome.err
    assert "(with fan-outs)" in outcome.err
    varied = {one.setting: one.parameters for one in read_samples(path) if one.parameters}
    if not varied:
        pytest.skip(f"{mpi.title} has no broadcast with a fan-out to choose")
    assert {value for options in varied.values() for value in options.values()} <= {2, 3}
    assert {name for options in varied.values() for name in options} <= {"k", "fanout"}
    network = tmp_path / "network.json"
    assert contend("fit", path, "--operation", "bcast", "-o", network).code == 0
    assert {one.algorithm for one in Network.load(network).operations} >= varied.keys()


def test_of_an_operation_without_algorithms_the_default_is_measured(contend, mpi, path):
    library, version = library_of(mpi.title)
    missing = {"scatterv", "gatherv"} - {*library.operations(version)}
    if not missing:
        pytest.skip(f"{mpi.title} has algorithms of every operation that is measured")
    without = min(missing)
    words = ("measure", "library", "--collective", f"gather,{without}", *QUICK)
    outcome = contend(*words, "-n", "2", "-m", "64", "-o", path)
    assert outcome.code == 0, outcome.err
    assert f"{without}: the library has no algorithms of it; its default alone" in outcome.err
    there = {one.setting for one in read_samples(path) if one.experiment == without}
    assert there == {"native"}
    contend(
        "measure",
        "library",
        "--collective",
        without,
        "-n",
        "2",
        "-o",
        path.with_name("other.jsonl"),
    ).fails("measured by 'contend measure --collective'")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--collective", "bcst"), "no experiment times the collective operation 'bcst'"),
        (("library", "--collective", "bcst"), "'bcst'; did you mean 'bcast'? choose from allgat"),
        (("--collective", ","), "',' names no operation"),
        (("library", "--collective", "bcast", "--fanouts", "0"), "0 is no number of"),
        (("library", "--collective", "bcast", "--fanouts", "two"), "'two' is not a n"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_remedy(contend, mpi, path, words, message):
    contend("measure", *words, "-n", "2", *QUICK, "-o", path).fails(
        message.partition(";")[0], "what to do:"
    )


def test_a_library_whose_algorithms_nobody_knows_is_refused(contend, mpi, path, monkeypatch):
    monkeypatch.setattr(InstalledLibrary, "version", "Some MPI 1.0")
    outcome = contend("measure", *FORCED, "-n", "2", "-o", path)
    outcome.fails()
    assert re.search("no MPI library is known by 'Some MPI 1.0'", outcome.err)
    assert "'contend measure --collective' measures its default" in outcome.err


def test_the_time_ends_a_campaign_that_the_same_command_continues(contend, mpi, path, monkeypatch):
    words = ("measure", *FORCED, "-n", "2,3,4", "-m", "64", "-o", path)
    monkeypatch.setattr("contend.measure.limits.Limits.is_over", property(_after_two_looks()))
    outcome = contend(*words)
    assert outcome.code == 0, outcome.err
    assert "the time was over; the same command measures the rest" in outcome.err
    part = len(read_samples(path))
    monkeypatch.undo()
    assert contend(*words).code == 0
    assert len(read_samples(path)) > part


def _after_two_looks():
    """A clock by which time is over when it has been looked at some times."""
    looks = iter(range(100))
    return lambda limits: next(looks, 100) > 3
