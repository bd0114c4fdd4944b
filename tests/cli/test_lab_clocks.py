"""Programs that nobody here wrote, in slow motion: they print the network's time, or are named."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from contend.measure.lab.session import why_impossible
from contend.samples import SampleStore
from support.synthesis import LAB_OF_THREE
from support.timing import Timing, require_right

pytestmark = [
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}")
]
ASLEEP = """
#include <time.h>
int main(void)
{
    const struct timespec length = {.tv_sec = 1};
    return nanosleep(&length, 0);
}
"""
FOUR = """
time_dilation = 4
[[clusters]]
name = "node"
hosts = 4
rate = "100Mbit/s"
buffer = "256KiB"
latency = "50us"
"""
SIZES = (32768, 65536)


@pytest.fixture
def slow(tmp_path):
    """File of a lab of three hosts in slow motion."""
    path = tmp_path / "three.toml"
    path.write_text("time_dilation = 4\n" + LAB_OF_THREE)
    return path


@pytest.fixture
def asleep(tmp_path):
    """A statically linked program that sleeps for a second."""
    source, program = tmp_path / "asleep.c", tmp_path / "asleep"
    source.write_text(ASLEEP)
    command = [os.environ.get("CC", "cc"), "-static", source, "-o", program]
    if shutil.which(command[0]) is None or subprocess.run(command, check=False).returncode:
        pytest.skip("nothing links statically here")
    return program


def test_what_the_clocks_mean_is_said_in_a_line(contend, slow, tmp_path):
    outcome = contend("lab", "run", slow, "--", "ssh", "node1", "true")
    assert "time of the network that it stands for: a second of theirs takes 4 s" in outcome.err
    assert "did not see" not in outcome.err
    real = tmp_path / "real.toml"
    real.write_text(LAB_OF_THREE)
    assert "clocks" not in contend("lab", "run", real, "--", "true").err


def test_a_static_program_is_named_before_and_after(contend, slow, asleep):
    outcome = contend("lab", "run", slow, "--", asleep)
    assert f"{asleep} is statically linked" in outcome.err
    assert f"{asleep} did not see the clocks" in outcome.err


def test_a_static_program_that_a_script_runs_is_named_after(contend, slow, asleep, tmp_path):
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\n{asleep}\n{asleep}\n")
    script.chmod(0o755)
    outcome = contend("lab", "run", slow, "--", script)
    assert "is statically linked" not in outcome.err
    assert f"{asleep} did not see the clocks" in outcome.err


@pytest.fixture(scope="session")
def imb(tmp_path_factory):
    """Intel's MPI benchmark, built from a copy of its sources."""
    beside = Path(__file__).parents[3] / "shared" / "programs"
    source = Path(os.environ.get("CONTEND_PROGRAMS", beside)) / "intel-mpi-benchmarks"
    if not source.is_dir():
        pytest.skip("no intel-mpi-benchmarks here; set CONTEND_PROGRAMS to the folder that has it")
    if not (shutil.which("mpicc") and shutil.which("mpicxx") and shutil.which("mpiexec")):
        pytest.skip("needs mpicc, mpicxx and mpiexec on PATH")
    folder = tmp_path_factory.mktemp("imb") / "imb"
    shutil.copytree(source, folder)
    without_cpp_names = "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"  # they do not pass its -Werror
    command = ["make", "-j2", "IMB-MPI1", "CC=mpicc", f"CXX=mpicxx {without_cpp_names}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=240)
    return folder / "IMB-MPI1"


@pytest.mark.mpi
def test_a_foreign_benchmark_agrees_with_ours_on_a_dilated_lab(contend, imb, tmp_path):
    """Intel's all-to-all within 10 % of the library's own as contend measures it."""
    lab = tmp_path / "four.toml"
    lab.write_text(FOUR)
    sizes = ",".join(map(str, SIZES))

    def attempt():
        said = tmp_path / "imb.txt"
        words = "Alltoall -npmin 4 -msglog 15:16 -iter 20 -iter_policy off"
        shell = f"mpiexec -n 4 {imb} {words} > {said}"
        ran = contend("lab", "run", lab, "--", "sh", "-c", shell)
        assert ran.code == 0, ran.err
        rows = re.findall(r"^ +(\d+) +\d+ +\S+ +\S+ +(\S+)$", said.read_text(), re.MULTILINE)
        theirs = {int(m): float(average) * 1e-6 for m, average in rows}
        path = tmp_path / "samples.jsonl"
        path.unlink(missing_ok=True)
        words = ("-e", "alltoall_native", "-n", "4", "-m", sizes, "--launches", "1")
        assert contend("measure", "--on", lab, "-o", path, *words, "--refine", "0").code == 0
        with SampleStore(path) as store:
            samples = store.existing()
        ours = {sample.m: sample.median for sample in samples}
        late = [sample.lab.limits_text for sample in samples if sample.lab.is_over_limits]
        late += [ran.err[ran.err.index("not valid") :]] if "not valid" in ran.err else []
        is_right = all(theirs[m] == pytest.approx(ours[m], rel=0.1) for m in SIZES)
        return Timing(is_right, f"theirs {theirs}, ours {ours}", "; ".join(late))

    require_right(attempt, attempts=3)
