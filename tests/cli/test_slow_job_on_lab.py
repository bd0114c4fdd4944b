"""The page for who has a slow job, followed from its first command to its last on a small lab."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from contend.measure.build import probe_program
from contend.measure.lab.session import why_impossible
from contend.measure.mpi import find_mpi
from contend.samples import read_samples
from contend.schedules.libraries import library_of, version_text
from contend.tune.choose.rules import Decisions

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.timeout(500),
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]
PAGE = Path(__file__).parents[2] / "docs" / "slow-job.md"
LAB = "fast-ethernet,hosts=4"
OSU = "# OSU MPI All-to-All Personalized Exchange Latency Test\n# Size       Avg Latency(us)\n"
PING = "# OSU MPI Latency Test\n# Size          Latency (us)\n"


def commands():
    """Of the page, in order; that which does several steps in one, behind those before it."""
    blocks = re.findall(r"^```\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    shown = [line for line in lines if line.startswith("contend ")]
    apply = [line for line in shown if " tune apply " in line]
    steps = [line for line in shown if line not in apply]
    measured = next(at for at, line in enumerate(steps) if " choose " in line)
    assert shown[0] == apply[0], "the page begins with it"
    return [*steps[:measured], *apply, *steps[measured:]]


def on_the_lab(line, mpi):
    """The same command for a broadcast of 64 KiB among four emulated hosts."""
    library, version = library_of(mpi.title)
    program = shlex.join([*mpi.launcher, "-n", "4", str(probe_program(mpi)), "bcast:65536:4"])
    small = f"-n 4 -m 64KiB --launches 3 --repeat time=300ms --on lab:{LAB}"
    for shown, here in {
        "bcast,allreduce,alltoall": "bcast",
        '-n 4,8,16 --mpiexec "srun -p debug"': small,
        "--library openmpi-5": f"--library {library.name}-{version_text(version)}",
        "mpiexec -n 16 ./my_app": program,
        "tune verify": "tune verify --fail-on ignored,unknown",  # speed is no matter of a test
        "tune apply": "tune apply --pairs 2",
    }.items():
        line = line.replace(shown, here)
    is_run = "tune verify" in line or "tune apply" in line
    inside = f"contend lab {LAB} -- " if is_run else ""
    return re.sub(r"\bcontend (?=[a-z])", f"{sys.executable} -m contend ", inside + line)


def test_the_page_leads_from_a_slow_job_to_rules_in_effect(tmp_path):
    mpi = find_mpi()
    if library_of(mpi.title)[0].name not in ("openmpi", "mpich"):
        pytest.skip(f"{mpi.title} does not show what ran")
    (tmp_path / "osu_alltoall.txt").write_text(OSU + "1024  900.0\n4096  1500.0\n65536  9000.0\n")
    (tmp_path / "osu_latency.txt").write_text(PING + "1  5.0\n1024  6.0\n65536  20.0\n")
    said = []
    for line in commands():
        words = shlex.split(on_the_lab(line, mpi))
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        said.append((line, done.stdout + done.stderr))
        if "choose" in words and "--verified" not in words:
            require_departure(tmp_path)
        if done.returncode and (busy := why_busy(tmp_path)):
            pytest.skip(f"{busy}; {line} said: {said[-1][1][-300:]}")
        if "apply" in words:  # which is done anew, step by step
            require_end(done, tmp_path)
            continue
        assert done.returncode == 0, f"{line}\n{said[-1][1]}"
    first, again = (text for line, text in said if "verify" in line)
    assert "in effect" in first
    assert "in effect" in again or "leaves everything to the library" in again
    assert "not in effect" not in first + again


def require_end(done, folder):
    """A gain with its interval, or nothing written: which of them is no matter of a test."""
    path = folder / "rules.conf"
    if done.returncode:
        assert "slower" in done.stderr, done.stderr
        assert not path.exists()
        return
    end = " ".join(done.stdout.split())
    assert re.search(r"gain in collective calls .* 95 %\)|leave it: nothing beats", end), end
    path.unlink()


def why_busy(folder):
    """Why an emulated network is not to be trusted here; empty where it is."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > 1.5 * cores:
        return f"{load:.0f} processes want {cores} cores"
    path = folder / "samples.jsonl"
    samples = read_samples(path) if path.exists() else []
    late = sum(one.lab.is_over_limits for one in samples)
    return f"{late} of {len(samples)} samples were late" if late else ""


def require_departure(folder):
    """A broadcast by a ring beats the binomial tree on a switch, unless the lab was disturbed."""
    rules = Decisions.load(folder / "decisions.json").rules
    if all(rule.is_default for rule in rules) and (busy := why_busy(folder)):
        pytest.skip(busy)
    assert any(not rule.is_default for rule in rules)
