"""The example for ReFrame is listed and run by ReFrame itself, on samples that are there."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from contend.samples import SampleStore
from support.mpis import MPIS, launch_settings, probe_launch
from support.synthesis import sample

COLL_OFF = ("--mca", "coll", "^tuned")
RULES = "1\n3\n1\n1\n1\n0 2 0 0\n"  # pairwise all-to-alls
EXAMPLE = Path(__file__).parents[2] / "examples" / "reframe" / "contend_regression.py"
BESIDE = str(Path(sys.executable).parent)


@pytest.fixture
def openmpi(monkeypatch):
    """An Open MPI, whose options can keep rules out; ReFrame's jobs get its variables."""
    found = next((mpi for mpi in MPIS.values() if mpi.family == "Open MPI"), None)
    if found is None:
        pytest.skip("no Open MPI is installed")
    for name, value in launch_settings(found).items():
        monkeypatch.setenv(name, value)
    return found


@pytest.fixture
def reframe(tmp_path):
    """Run ReFrame in a folder of its own."""
    program = shutil.which("reframe", path=BESIDE) or shutil.which("reframe")
    if program is None:
        pytest.skip("there is no ReFrame; 'pip install reframe-hpc' brings it")

    def run(*words, example=EXAMPLE):
        return subprocess.run(
            [program, "-c", example, "--prefix", tmp_path / "reframe", "--dont-restage", *words],
            capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )  # fmt: skip

    return run


def campaign(path, seed, slow=1.0):
    rng = np.random.default_rng(seed)
    with SampleStore(path) as store:
        store.extend(
            sample(m, n, tuple(1e-6 * (n + m) * slow * np.exp(0.01 * rng.standard_normal(5))),
                   launch=launch, processes_per_node=4)
            for launch in range(3) for n in (4, 8) for m in (64, 4096, 65536)
        )  # fmt: skip
    return path


def test_reframe_lists_it(reframe):
    done = reframe("-l")
    assert done.returncode == 0, done.stdout
    assert "- ContendRegression" in done.stdout and "Found 1 check(s)" in done.stdout


@pytest.mark.parametrize(("slow", "code", "verdict"), [(1.0, 0, "PASSED"), (1.3, 1, "FAILED")])
def test_reframe_runs_it_and_takes_the_ratios(reframe, tmp_path, slow, code, verdict):
    old, new = campaign(tmp_path / "old", 1), campaign(tmp_path / "new", 2, slow)
    report = tmp_path / "report.json"
    done = reframe(
        "-r", "-S", f"known={old}", "-S", f"measured={new}", "--report-file", report,
        "-S", f"contend={sys.executable} -m contend",
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert verdict in done.stdout
    (run,) = json.loads(report.read_text())["runs"]
    (case,) = run["testcases"]
    if not code:
        found = {name.rpartition(":")[2]: value[0] for name, value in case["perfvalues"].items()}
        assert found["native_n8"] == pytest.approx(1.0, rel=0.03)
        assert found["largest"] >= found["native_n4"]
    else:
        assert "contend diff ended with 1" in done.stdout


@pytest.mark.mpi
@pytest.mark.parametrize(("options", "verdict"), [((), "PASSED"), (COLL_OFF, "FAILED")])
def test_reframe_gates_rules_by_what_ran(reframe, tmp_path, openmpi, options, verdict):
    rules = tmp_path / "rules.conf"
    rules.write_text(RULES)
    program = shlex.join(probe_launch(openmpi, "alltoall:64:3", options=options).words)
    report = tmp_path / "report.json"
    done = reframe(
        "-r", "-S", f"rules={rules}", "-S", f"program={program}", "--report-file", report,
        "-S", "pairs=1", "-S", f"contend={sys.executable} -m contend",
        example=EXAMPLE.with_name("tuning_rules.py"),
    )  # fmt: skip
    assert verdict in done.stdout, done.stdout + done.stderr
    assert (done.returncode == 0) == (verdict == "PASSED")
    if verdict == "PASSED":
        (case,) = json.loads(report.read_text())["runs"][0]["testcases"]
        assert next(iter(case["perfvalues"].values()))[0] > 0
