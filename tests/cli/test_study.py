"""The whole job for real: undisturbed, killed and resumed, and with a corrupted file."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress

import psutil
import pytest

from contend.models.network import Network
from contend.models.prediction.per_call import measured_calls
from contend.samples import read_samples
from contend.samples.setting import OF_LIBRARY
from contend.tune.choose.rules import Decisions
from support import reports
from support.processes import started

pytestmark = [pytest.mark.mpi, pytest.mark.usefixtures("mpi")]
SMALL = [
    *("--on", "here"),
    *("-n", "2,3,4", "--at", "3", "-m", "64,1KiB,4KiB,16KiB", "--launches", "2"),
    *("--repeat", "time=0.03", "--repeat", "min=5", "--refine", "2"),
]
ALONE = "--no-library-algorithms"
FOLDER = "FOLDER_OF_THE_STUDY"  # variable by which its processes are known from those of others


def study_in(folder, *more):
    """The study, under way."""
    command = [
        sys.executable, reports.__file__, "study", "-o", str(folder), *SMALL, *(more or [ALONE]),
    ]  # fmt: skip
    return started(
        command, env={**os.environ, FOLDER: str(folder)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def finish(study):
    out, err = study.communicate(timeout=250)
    assert study.returncode == 0, err
    return out


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    with study_in(folder) as study:
        return folder, finish(study)


def mpi_programs(folder):
    """Processes of contend's MPI programs for the study in a folder."""
    names, found = ("alltoall_", "pingpong", "plogp"), []
    for one in psutil.process_iter(["name"]):
        with suppress(psutil.Error):  # gone meanwhile, or of another user
            if one.info["name"].startswith(names) and one.environ().get(FOLDER) == str(folder):
                found.append(one)
    return found


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def series(path):
    return Counter((*s.series[:3], s.launch) for s in read_samples(path))


def test_a_study_leaves_samples_a_network_and_a_report(undisturbed):
    folder, out = undisturbed
    assert str(folder / "report.html") in out
    network = Network.load(folder / "network.json")
    titles = [operation.title for operation in network.operations]
    assert titles == ["alltoall/native", "alltoall/rotated"]
    for operation in network.operations:
        fit = operation.forms["hockney_2007"]
        assert fit.n_fitted == (3,)
        assert fit.m_fitted == (64, 1024, 4096, 16384)
        assert operation.validation["hockney_2007"].n_seen == (2, 3, 4)
    sample = read_samples(folder / "samples.jsonl")[0]
    assert sample.provenance.mpi_library
    assert sample.provenance.command
    assert sample.provenance.date


def test_a_study_compares_the_library_s_algorithms_and_measures_nothing_again(
    undisturbed, tmp_path
):
    folder = tmp_path / "study"
    shutil.copytree(undisturbed[0], folder)  # what is measured there is not measured again
    with study_in(folder, "--library-algorithms") as study:
        out = finish(study).splitlines()
    assert 3 <= len(out) <= 7
    network = Network.load(folder / "network.json")
    (native,) = (one for one in network.operations if one.title == "alltoall/native")
    if any(call.over_bound for call in measured_calls(network, native)):
        first = ("MPI_Alltoall of", "Contention costs little here: MPI_Alltoall of")
        assert out[0].startswith(first)
    else:  # a busy machine's messages are no line: then what contention costs is not known
        assert not any("what its messages need" in line for line in out)
    assert [line.split(":")[0] for line in out[-2:]] == ["next", "report"]
    decisions = Decisions.load(folder / "decisions.json")
    assert {rule.operation for rule in decisions.rules} == {"alltoall"}
    forced = {
        (s.n, s.m) for s in read_samples(folder / "samples.jsonl") if OF_LIBRARY in s.algorithm
    }
    assert forced == {(n, m) for n in (3, 4) for m in (64, 1024, 4096, 16384)}
    before = (folder / "samples.jsonl").read_bytes()
    with study_in(folder, "--library-algorithms") as study:
        finish(study)
    assert (folder / "samples.jsonl").read_bytes() == before


def has_killed_a_rank(folder):
    for one in mpi_programs(folder):
        if one.info["name"].startswith("alltoall_"):
            with suppress(psutil.NoSuchProcess):
                one.send_signal(signal.SIGKILL)
                return True
    return False


def test_a_killed_study_resumes_and_measures_again_what_a_dead_rank_took_along(
    undisturbed, tmp_path
):
    folder = tmp_path / "study"
    samples = folder / "samples.jsonl"
    with study_in(folder) as study:
        wait_for(lambda: lines(samples) >= 25)
        study.kill()
    kept = read_samples(samples)
    wait_for(lambda: not mpi_programs(folder))
    with study_in(folder) as study:
        wait_for(lambda: has_killed_a_rank(folder))
        finish(study)
    complete = read_samples(samples)
    assert complete[: len(kept)] == kept
    assert lines(samples) == lines(undisturbed[0] / "samples.jsonl")
    assert series(samples) == series(undisturbed[0] / "samples.jsonl")


def test_an_interrupted_study_says_how_to_continue(tmp_path):
    folder = tmp_path / "study"
    with ExitStack() as stack:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as under nohup
        try:
            study = stack.enter_context(study_in(folder))
        finally:
            signal.signal(signal.SIGINT, before)
        wait_for(lambda: lines(folder / "samples.jsonl") >= 5)
        study.send_signal(signal.SIGINT)
        _, err = study.communicate(timeout=60)
    assert study.returncode == 130
    assert "the same command continues" in " ".join(err.split())
    assert "Traceback" not in err
    wait_for(lambda: not mpi_programs(folder))


def test_a_file_of_another_mpi_library_is_not_continued(undisturbed, tmp_path):
    source = undisturbed[0] / "samples.jsonl"
    folder = tmp_path / "study"
    folder.mkdir()
    record = json.loads(source.read_text().splitlines()[0])
    record["provenance"]["mpi_library"] = "Some other MPI 1.0"
    record["m"] = 12345
    (folder / "samples.jsonl").write_text(json.dumps(record) + "\n")
    with study_in(folder) as study:
        _, err = study.communicate(timeout=60)
    assert study.returncode == 1
    assert "Some other MPI 1.0" in err
    assert lines(folder / "samples.jsonl") == 1
