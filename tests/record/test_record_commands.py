"""contend record and contend trace."""

import json
from pathlib import Path

import pytest

from contend.measure import preload
from contend.measure.command import LaunchOptions, settings
from support.processes import in_process

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

HERE = Path(__file__).parent


@pytest.fixture
def contend(monkeypatch, capfd):
    return lambda *words: in_process(monkeypatch, capfd, *words)


@pytest.fixture
def launch(mpi, compiled, monkeypatch):
    """The command line of a ring of ranks."""

    def of(ranks, *words):
        for name, value in settings(mpi, ranks, LaunchOptions()).items():
            monkeypatch.setenv(name, value)
        program = compiled(mpi.mpicc, "-std=c11", "-D_GNU_SOURCE", HERE / "ring.c")
        return [*mpi.launcher, "-n", str(ranks), str(program), *map(str, words)]

    return of


def test_a_program_is_recorded_told_and_converted(contend, launch, tmp_path):
    folder = tmp_path / "trace"
    code, out, err = contend("record", "-o", folder, "--", *launch(3, 20, "finalize"))
    assert (code, "".join(out.split())) == (0, "right" * 3), err
    assert "recorded 3 ranks" in err
    code, out, _ = contend("trace", "info", folder, "--json")
    found = json.loads(out)
    assert (code, found["ranks"], found["messages"], found["bytes"]) == (0, 3, 60, 480)
    assert {row["call"]: row["calls"] for row in found["calls"]}["MPI_Send"] == 60
    assert "3 ranks, 60 messages" in contend("trace", "info", folder)[1]
    for target in ("ti", "perfetto"):
        place = tmp_path / target
        assert contend("trace", "convert", folder, "--to", target, "-o", place)[0] == 0
        assert place.stat().st_size > 0
    code, _, err = contend("trace", "convert", folder, "--to", "ti", "-o", folder / "rank-0.trace")
    assert (code, "belongs to the trace" in err) == (1, True)
    assert contend("trace", "info", folder)[0] == 0


def test_the_exit_code_is_the_programs(contend, launch, tmp_path):
    code, _, err = contend("record", "-o", tmp_path / "trace", "--", *launch(1, 5, "exit"))
    assert code == 3, err


def test_a_folder_with_files_is_refused(contend, tmp_path):
    (tmp_path / "mine").write_text("mine")
    code, _, err = contend("record", "-o", tmp_path, "--", "true")
    assert code == 1
    assert "error:" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_launcher_that_is_not_here_is_named(contend, tmp_path):
    words = ("/nowhere/mpiexec", "-n", "2", "/bin/true")
    code, _, err = contend("record", "-o", tmp_path / "trace", "--", *words)
    assert code == 1
    assert "there is no /nowhere/mpiexec here" in " ".join(err.split())


@pytest.fixture
def abi_launch(mpi, compiled, monkeypatch):
    """Launcher, a ring of the MPI-5 ABI, and the wrapper that compiled it."""
    wrapper = Path(mpi.mpicc).with_name("mpicc_abi")
    if not wrapper.exists():
        pytest.skip(f"{mpi.title} has no mpicc_abi")
    for name, value in settings(mpi, 2, LaunchOptions()).items():
        monkeypatch.setenv(name, value)
    program = compiled(str(wrapper), "-std=c11", "-D_GNU_SOURCE", HERE / "ring.c")
    return [*mpi.launcher, "-n", "2"], program, wrapper


def test_a_program_of_the_abi_is_recorded_by_its_wrapper(
    contend, abi_launch, tmp_path, monkeypatch
):
    monkeypatch.setattr(preload, "shipped_library", lambda: None)
    launcher, program, _ = abi_launch
    words = (*launcher, program, 20, "finalize")
    code, out, err = contend("record", "-o", tmp_path / "trace", "--", *words)
    assert (code, "".join(out.split())) == (0, "right" * 2), err
    assert "recorded 2 ranks" in err
    assert "by a library that was built with" in " ".join(err.split())


def test_behind_a_script_the_remedy_for_another_mpi_works(contend, abi_launch, tmp_path):
    launcher, program, wrapper = abi_launch
    script = tmp_path / "run"
    script.write_text('#!/bin/sh\nexec "$@"\n')
    script.chmod(0o755)
    words = ("--", *launcher, script, program, 20, "finalize")
    code, out, err = contend("record", "-o", tmp_path / "without", *words)
    said = " ".join(err.split())
    assert (code, "".join(out.split())) == (0, "right" * 2), err
    assert "libmpi_abi.so.1, and was to be recorded as one of" in said
    assert "--mpicc mpicc_abi" in said
    code, out, err = contend("record", "--mpicc", wrapper, "-o", tmp_path / "trace", *words)
    assert (code, "recorded 2 ranks" in err) == (0, True), err


@pytest.mark.filterwarnings("always:.* ends early")
def test_which_ranks_lack_finalize_is_said(contend, launch, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTEND_RECORD_BUFFER", "2048")
    folder = tmp_path / "trace"
    code, _, err = contend("record", "-o", folder, "--", *launch(2, 200, "kill"))
    early = "ends early: ranks 0-1: MPI_Finalize is missing"
    assert code != 0
    assert early in " ".join(err.split())
    for words in (
        ("trace", "info", folder),
        ("trace", "show", folder, "-o", tmp_path / "timeline.svg"),
        ("replay", folder, "--latency", "1us", "--bandwidth", "1Gbit/s"),
    ):
        code, _, err = contend(*words)
        assert (code, early in " ".join(err.split())) == (0, True), err
    assert "last point that all ranks reached" in " ".join(err.split())
    assert "which ends early" in (tmp_path / "timeline.svg").read_text()
    network = ("--network", "line:1us:1Gbit/s", "--executor", "here", "--json")
    code, out, err = contend("replay", "--vary", folder, *network, "--compute-factor", "1,2")
    assert (code, "0-1: MPI_Finalize is missing" in json.loads(out)["shortfall"]) == (0, True), err
