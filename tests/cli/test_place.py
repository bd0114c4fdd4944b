"""Where a campaign runs when --on leaves it open, and what is said about it."""

import subprocess
import sys

import pytest

from contend.base.errors import InvalidInputError
from contend.measure import place as places
from contend.measure.campaigns import options as measure_options
from contend.measure.campaigns.links import with_defaults
from contend.measure.campaigns.options import MeasureOptions
from contend.measure.lab import read_lab
from contend.measure.lab.session import why_impossible
from contend.measure.mpi import MPI
from contend.measure.place import AUTO, Place, place
from contend.measure.place import HERE as ON_HERE
from contend.measure.runner import Listener
from support import reports
from support.synthesis import PROVENANCE, sample

MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2")
LAB = Place(read_lab("fast-ethernet"))
HERE = sample()


def on_lab(name):
    return sample(provenance=PROVENANCE.model_copy(update={"lab": name, "time_dilation": 1.0}))


@pytest.fixture(autouse=True)
def _a_plain_machine(monkeypatch):
    """One that allows a lab, outside of any job."""
    monkeypatch.setattr(places, "why_impossible", lambda: None)
    monkeypatch.setattr("contend.measure.machine._BATCH_JOB", ("TEST_JOB_ID",))
    monkeypatch.delenv("MPIEXEC", raising=False)


def auto(is_launched=False, existing=(), mpi=MPICH):
    return place(AUTO, mpi, is_launched, existing)


def test_a_plain_machine_measures_an_emulated_network():
    assert auto() == Place(read_lab("lossless"))


def test_what_is_asked_for_is_done(monkeypatch):
    monkeypatch.setattr(places, "why_impossible", lambda: "forbidden")
    assert place(ON_HERE, MPICH, False, [on_lab("fast-ethernet")]) == Place()
    assert place("lab:two-clusters", MPICH, True, [HERE]).lab == read_lab("two-clusters")


@pytest.mark.parametrize("variable", ["MPIEXEC", "TEST_JOB_ID"])
def test_a_launcher_or_a_job_means_a_real_machine(monkeypatch, variable):
    monkeypatch.setenv(variable, "x")
    assert auto() == Place()


def test_processes_that_the_user_places_are_no_lab_s(monkeypatch):
    assert auto(is_launched=True) == Place()
    monkeypatch.setattr(measure_options, "find_mpi", lambda *_: MPICH)
    assert MeasureOptions(on=AUTO).place([]) == Place(read_lab("lossless"))
    for given in ({"processes_per_node": 2}, {"mpiexec": "mpiexec -f hosts"}):
        assert MeasureOptions(on=AUTO, **given).place([]) == Place()


def test_a_campaign_goes_on_where_it_began():
    assert auto(existing=[HERE]) == Place()
    assert auto(existing=[on_lab("shallow-ethernet")]).lab == read_lab("shallow-ethernet")
    with pytest.raises(InvalidInputError, match="name its file with --on"):
        auto(existing=[on_lab("my-own")])


def test_without_namespaces_the_host_is_measured_and_the_report_says_so(monkeypatch):
    monkeypatch.setattr(places, "why_impossible", lambda: "not permitted")
    said = []
    found = place(AUTO, MPICH, False, (), Listener(said.append))
    assert found.lab is None
    assert "allows none (not permitted)" in found.note
    told = " ".join(said)
    assert "processes of this host instead" in told
    assert "max_user_namespaces" in told
    with pytest.raises(InvalidInputError, match="no lab is named"):
        place("lab:nowhere", MPICH, False, [])


def test_an_mpi_library_that_no_lab_knows_is_measured_here():
    assert "the MPI library is Cray MPI 9" in auto(mpi=MPI("cc", ("x",), "Cray MPI", "9")).note


def test_a_lab_repeats_less():
    lab, here = (one.launch_options(0.05, None, None) for one in (LAB, Place()))
    assert (LAB.launches, lab.min_repetitions, lab.warmup, LAB.hosts) == (2, 5, 1, 12)
    assert (Place().launches, here.min_repetitions, here.warmup, Place().hosts) == (3, 20, 3, None)
    asked = LAB.launch_options(0.01, 7, 0, max_seconds=9.0)
    assert (asked.precision, asked.min_repetitions, asked.warmup) == (0.01, 7, 0)
    assert asked.max_seconds == 9.0


def test_links_are_repeated_less_and_longer_unless_it_is_said_how_often():
    links, calls = (
        options.launch_options(Place())
        for options in (with_defaults(MeasureOptions()), MeasureOptions())
    )
    assert (links.max_repetitions, links.max_seconds) == (10, 2.0)
    assert (calls.max_repetitions, calls.max_seconds) == (500, 0.5)
    assert links.timeout == calls.timeout == 60.0
    given = with_defaults(MeasureOptions(min_repetitions=30, timeout=5.0)).launch_options(Place())
    assert (given.max_repetitions, given.timeout) == (30, 5.0)


@pytest.mark.full
@pytest.mark.mpi
@pytest.mark.usefixtures("mpi")
def test_a_study_where_namespaces_are_forbidden_says_so_in_its_report(tmp_path):
    if (reason := why_impossible()) is not None:
        pytest.skip(f"no namespace in which to forbid namespaces: {reason}")
    small = (
        "-n 2,3 --at 3 -m 64,1KiB,4KiB,16KiB --launches 1 --repeat time=0.02 --refine 0 "
        "--repeat min=5 --no-library-algorithms"
    )
    script = (
        "echo 0 > /proc/sys/user/max_user_namespaces && "
        f"exec {sys.executable} {reports.__file__} study -o {tmp_path}/study {small}"
    )
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    assert "processes of this host instead" in " ".join(done.stderr.split())
    report = (tmp_path / "study" / "report.html").read_text()
    assert "No emulated network was measured but processes of this host" in report
    assert "All processes ran on one host" in report
