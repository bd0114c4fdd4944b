"""One library for all programs of the MPI-5 ABI, where no compiler is needed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from contend.measure import build
from contend.measure.build import shipped_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.linked_library import ABI_LIBRARY
from contend.measure.mpi import installed
from support.mpis import MPIS
from support.processes import completed, in_process

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

HERE = Path(__file__).parent
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE")
RING = HERE.parent / "record" / "ring.c"
PATH = os.environ["PATH"]


def folder_of(mpi):
    """Where an MPI has its libraries."""
    return Path(mpi.mpicc).resolve().parents[1] / "lib"


WITH_ABI = [title for title, mpi in MPIS.items() if (folder_of(mpi) / ABI_LIBRARY).exists()]


@pytest.fixture(scope="module", params=sorted(WITH_ABI) or ["none"])
def runtime(request):
    """An MPI with the ABI, which programs of any wrapper of it run with."""
    if request.param == "none":
        pytest.skip("no MPI library here has the MPI-5 ABI")
    return MPIS[request.param]


@pytest.fixture(scope="module")
def wrapper():
    """A compiler wrapper of the ABI."""
    wrappers = installed((), "mpicc_abi")
    return wrappers[0].mpicc if wrappers else pytest.skip("there is no mpicc_abi")


@pytest.fixture(scope="module")
def shipped():
    """The library that was built with contend."""
    path = shipped_library()
    return path or pytest.skip("contend was built without the ABI's header, or the C is newer")


@pytest.fixture
def compiled_by(compiled, monkeypatch):
    """A function that compiles a source with a wrapper, whatever the programs find."""

    def make(compiler, source, *flags):
        with monkeypatch.context() as patched:
            patched.setenv("PATH", PATH)
            patched.delenv("LD_LIBRARY_PATH", raising=False)
            return compiled(compiler, *FLAGS, source, *flags, "-ldl")

    return make


@pytest.fixture
def program(wrapper, compiled_by):
    """A function that compiles a source of the ABI."""
    return lambda source, *flags: compiled_by(wrapper, source, *flags)


@pytest.fixture
def contend(shipped, runtime, monkeypatch, tmp_path, capfd):
    """contend in this process, with programs run by the MPI, on a machine without compilers."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("bash", "env", "ldd", "sh"):
        (tools / name).symlink_to(str(shutil.which(name)))
    monkeypatch.delenv("MPICC", raising=False)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("CONTEND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder_of(runtime)))
    for name, value in settings(runtime, 4, LaunchOptions()).items():
        monkeypatch.setenv(name, value)
    yield lambda *words: in_process(monkeypatch, capfd, *words)
    assert not (tmp_path / "cache" / "programs").exists()


@pytest.fixture
def script(tmp_path):
    """A script that runs its arguments."""
    path = tmp_path / "job"
    path.write_text('#!/bin/sh\nexec "$@"\n')
    path.chmod(0o755)
    return path


def launch(mpi, ranks, *words):
    return ["--", *mpi.launcher, "-n", ranks, *words]


@pytest.mark.parametrize("mode", ["equal", "varying", "halves"])
def test_a_program_of_the_abi_is_served_without_a_compiler(
    contend, runtime, program, shipped, mode
):
    words = launch(runtime, 4, program(HERE / "late.c"), 6, 500, mode)
    done = contend("alltoall", "run", "--json", "--algorithm", "paced", *words)
    assert done.code == 0, done.err
    calls, _, report = done.out.partition("\n")
    assert json.loads(calls)["same"] == 1
    assert json.loads(calls)["calls"]["paced"] == 6
    found = json.loads(report)
    assert (found["library"], found["mpi"]) == (str(shipped), "MPI-5 ABI")


def test_what_explains_names_the_library(contend, runtime, program):
    words = launch(runtime, 4, program(HERE / "late.c"), 2, 500)
    done = contend("alltoall", "run", "--explain", "--algorithm", "paced", *words)
    assert "contend's one library for the MPI-5 ABI" in done.err
    assert "blocks of 256 B to 512 B: paced" in done.err


def test_a_program_of_the_abi_is_recorded_without_a_compiler(contend, runtime, program, tmp_path):
    folder = tmp_path / "trace"
    done = contend("record", "-o", folder, *launch(runtime, 3, program(RING), 20, "finalize"))
    assert (done.code, "".join(done.out.split())) == (0, "right" * 3), done.err
    assert "by contend's one library for the MPI-5 ABI" in " ".join(done.err.split())
    done = contend("trace", "info", folder, "--json")
    found = json.loads(done.out)
    assert (found["ranks"], found["messages"], found["bytes"]) == (3, 60, 480)


def test_behind_a_script_the_wrapper_is_named_and_need_not_be_here(
    contend, runtime, program, script, tmp_path
):
    words = launch(runtime, 4, script, program(HERE / "late.c"), 6, 500)
    done = contend(
        "alltoall", "run", "--json", "--mpicc", "mpicc_abi", "--algorithm", "paced", *words
    )
    assert json.loads(done.out.partition("\n")[0])["calls"]["paced"] == 6, done.err
    words = launch(runtime, 2, script, program(RING), 20, "finalize")
    done = contend("record", "--mpicc", "mpicc_abi", "-o", tmp_path / "trace", *words)
    assert "recorded 2 ranks" in done.err


def test_a_program_that_loads_mpi_late_is_served_and_recorded(contend, runtime, program, tmp_path):
    module = program(HERE / "late.c", "-Dmain=run", "-shared", "-fPIC")
    late = program(HERE / "loads_late.c", "-Wl,--as-needed")
    words = launch(runtime, 4, late, module, 6, 500)
    done = contend(
        "alltoall", "run", "--json", "--mpicc", "mpicc_abi", "--algorithm", "paced", *words
    )
    assert json.loads(done.out.partition("\n")[0])["calls"]["paced"] == 6, done.err
    module = program(RING, "-Dmain=run", "-shared", "-fPIC")
    words = launch(runtime, 2, late, module, 20, "finalize")
    done = contend("record", "--mpicc", "mpicc_abi", "-o", tmp_path / "trace", *words)
    assert (done.code, "recorded 2 ranks" in done.err) == (0, True), done.err


def test_the_library_is_printed_for_the_wrapper_and_for_a_program(contend, program, shipped):
    late = program(HERE / "late.c")
    for words in (("--mpicc", "mpicc_abi"), ("--", late)):
        assert contend("alltoall", "run", "--library", *words).out == f"{shipped}\n"


def test_another_program_runs_without_where_nothing_compiles(contend, runtime, compiled_by):
    late = compiled_by(runtime.mpicc, HERE / "late.c")
    done = contend("alltoall", "run", *launch(runtime, 2, late, 2, 500))
    assert (done.code, json.loads(done.out)["calls"]["native"]) == (0, -1), done.err
    assert done.err.count("contend: without the exchange library") == 1


def preloaded(mpi, library, *words, ranks=2, **variables):
    """What a launch says whose ranks preload a library."""
    given = {"LD_LIBRARY_PATH": folder_of(mpi), "LD_PRELOAD": library, **variables}
    words = ["env", *(f"{name}={value}" for name, value in given.items()), *words]
    done = completed(
        [*mpi.launcher, "-n", ranks, *words], env=settings(mpi, ranks, LaunchOptions())
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done


def test_the_library_of_another_mpi_leaves_all_calls_alone(
    runtime, shipped, program, compiled_by, tmp_path
):
    classic = compiled_by(runtime.mpicc, HERE / "late.c")
    built, late = build.preloaded_library(runtime), program(HERE / "late.c")
    name = {"CONTEND_MPI": "libmpi.so.12", "CONTEND_EXCHANGE": 1}
    name["CONTEND_EXCHANGE_ALGORITHM"] = "paced"
    for library, one in ((shipped, classic), (built, late)):
        done = preloaded(runtime, library, one, 4, 500, **name)
        said = json.loads(done.stdout)
        assert (said["same"], said["calls"]["native"], said["calls"]["paced"]) == (1, 0, 0)
        assert done.stderr.count("the program uses another MPI library") == 1
    ring = compiled_by(runtime.mpicc, RING)
    words = (runtime, shipped, ring, 20, "finalize")
    done = preloaded(*words, CONTEND_RECORD=tmp_path)
    assert "".join(done.stdout.split()) == "right" * 2
    assert "libmpi.so" in (tmp_path / "other-mpi.txt").read_text()


def test_in_a_tree_that_has_changed_since_it_is_not_taken(shipped, tmp_path, monkeypatch):
    source = tmp_path / "mpi" / "interpose" / "new.c"
    source.parent.mkdir(parents=True)
    source.touch()
    monkeypatch.setattr(build, "source_folder", lambda: tmp_path / "mpi")
    assert shipped_library() == shipped  # an installed package
    (tmp_path / "pyproject.toml").touch()
    assert shipped_library() is None
    os.utime(source, ns=(0, 0))
    assert shipped_library() == shipped
