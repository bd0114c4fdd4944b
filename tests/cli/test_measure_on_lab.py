"""Measuring on a lab, from the command line: what samples carry, and what is refused."""

import os
import signal
import subprocess
import sys
import time
from importlib.resources import files

import psutil
import pytest

from contend.measure.lab.session import why_impossible
from contend.measure.lab.utilisation import read_utilisation
from contend.models.network import Network
from contend.samples import SampleStore, quality
from support.reports import without_files_and_maps
from support.synthesis import LAB_OF_THREE

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]
QUICK = ("--launches", "1", "--repeat", "time=0.2", "--refine", "0", "-m", "64,4KiB")
FAST = files("contend.measure.lab").joinpath("profiles", "fast-ethernet.toml").read_text()
BUSY = 100_000  # bytes: more than the ranks need to find each other


@pytest.fixture
def three(tmp_path):
    """File of a lab of three hosts, 1 ms apart, in slow motion."""
    path = tmp_path / "three.toml"
    path.write_text("time_dilation = 2\n" + LAB_OF_THREE)
    return path


def samples_of(path):
    with SampleStore(path) as store:
        return store.existing()


def test_samples_of_a_lab_carry_what_the_network_did(contend, three, tmp_path):
    path = tmp_path / "samples.jsonl"
    words = ("measure", "--on", three, "-o", path, "-n", "3", *QUICK)
    wanted = ("-e", "pingpong", "-e", "alltoall_rotated")
    assert contend(*words, *wanted).code == 0
    samples = quality.standing(samples_of(path))  # what was disturbed is measured again
    assert len(samples) == 4
    for sample in samples:
        assert sample.provenance.lab == "three"
        assert sample.provenance.time_dilation == 2
        assert sample.provenance.hosts[0] == "node1"
        assert sample.processes_per_node == 1
        assert sample.lab.frames > 0
        assert sample.median > 1e-3  # the latency of the network that the lab stands for
    assert (tmp_path / "samples.utilisation.jsonl").read_text().count("contend.utilisation") == 1
    again = contend(*words, *wanted)
    assert (again.code, len(quality.standing(samples_of(path)))) == (0, 4)
    contend("measure", "-o", path, "-n", "3", *QUICK, "-e", "alltoall_native").fails(
        "was measured on three"
    )


def test_a_study_measures_an_emulated_network_unless_told_otherwise(contend, tmp_path, monkeypatch):
    monkeypatch.delenv("MPIEXEC", raising=False)
    without_files_and_maps(monkeypatch)
    words = ("study", "-o", tmp_path, "-n", "3,4", "--at", "3", "-m", "4KiB,8KiB,16KiB,32KiB")
    quick = (
        "--launches", "1", "--repeat", "time=0.1", "--refine", "0", "--max-minutes", "0.3",
        "--no-library-algorithms",
    )  # fmt: skip
    outcome = contend(*words, *quick)
    assert outcome.code == 0, outcome.err
    assert "measuring the emulated network lossless" in outcome.err
    network = Network.load(tmp_path / "network.json")
    assert network.origin.labs == ("lossless",)
    for operation in network.operations:
        assert operation.forms["hockney_2007"].n_fitted in ((3,), (4,))  # 4 where 3 was disturbed
    files = tmp_path / "network.json", tmp_path / network.origin.samples
    assert contend("report", *files, "-o", tmp_path / "again").code == 0
    for page in (tmp_path / "report.html", tmp_path / "again" / "report.html"):
        text = page.read_text()
        assert "The emulated network lossless" in text
        assert "Losses and lateness" in text
        assert "How busy each link was" in text


def test_a_network_past_the_capacity_of_this_machine_is_flagged_and_not_fitted(contend, tmp_path):
    """Twelve hosts at 1 Gbit/s are two million frames a second: too much for one program."""
    rushed = tmp_path / "rushed.toml"
    rushed.write_text(FAST.replace("100Mbit/s", "1Gbit/s").replace("time_dilation = 4", ""))
    path = tmp_path / "samples.jsonl"
    words = ("-e", "alltoall_rotated", "-n", "12", "-m", "32KiB,48KiB,64KiB,96KiB")
    few = ("--launches", "1", "--repeat", "time=0.3")
    outcome = contend("measure", "--on", rushed, "-o", path, *words, *few)
    assert outcome.code == 0, outcome.err
    assert all(sample.is_flagged for sample in samples_of(path))
    contend("fit", path, "-o", tmp_path / "network.json").fails(
        "the emulated network could not keep up in any of the 4 samples", "time dilation"
    )
    knowingly = contend("fit", path, "-o", tmp_path / "network.json", "--include-flagged")
    assert knowingly.code == 0
    assert "lab_late" in knowingly.err


def test_more_processes_than_hosts_are_refused(contend, three, tmp_path):
    contend("measure", "--on", three, "-o", tmp_path / "s.jsonl", "-n", "4", *QUICK).fails(
        "4 processes on the lab three of 3 hosts"
    )


def test_an_unknown_lab_is_told_apart_from_a_file(contend, tmp_path):
    contend("measure", "--on", "lab:none", "-o", tmp_path / "s.jsonl", *QUICK).fails(
        "no lab is named 'none'", "fast-ethernet"
    )


def test_a_killed_rank_ends_the_campaign_with_a_message_and_leaves_nothing(three, tmp_path):
    command = [sys.executable, "-m", "contend", "measure", "--on", three, "-n", "3", "-m", "64"]
    command += ["-o", tmp_path / "s.jsonl", "-e", "alltoall_rotated", "--repeat", "time=60"]
    command += ["--repeat", "timeout=20", "--repeat", "min=1000000", "--repeat", "max=1000000"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as contend:
        owner = psutil.Process(contend.pid)
        deadline = time.monotonic() + 60
        while _carried(tmp_path / "s.utilisation.jsonl") < BUSY:
            assert contend.poll() is None, contend.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        ranks = _named(owner, "alltoall_rotated")
        everyone = owner.children(recursive=True)
        os.kill(ranks[0].pid, signal.SIGKILL)
        _, error = contend.communicate(timeout=60)
    assert contend.returncode == 1
    assert "alltoall_rotated with n=3" in error
    _, alive = psutil.wait_procs(everyone, 20)
    assert alive == []


def _carried(path):
    """Bytes that all links have carried; exchanges are under way when there are many."""
    runs = read_utilisation(path)
    return runs[-1].bytes.sum() if runs else 0


def _named(owner, name):
    found = []
    for one in owner.children(recursive=True):
        try:
            if one.name()[:15] == name[:15]:
                found.append(one)
        except psutil.NoSuchProcess:
            continue
    return found


def test_a_command_in_a_lab_keeps_its_exit_code_and_the_network_is_summed_up(contend, three):
    outcome = contend("lab", "run", three, "--", "sh", "-c", "exit 3")
    assert outcome.code == 3
    assert "0 frames" in outcome.err
