"""Which MPI is found, and how its programs are built and kept."""

import shutil
import sys

import pytest

from contend.base.errors import InvalidInputError, MissingToolError
from contend.measure import build as building
from contend.measure.build import build, choose, program_names
from contend.measure.mpi import find_mpi, identify, installed


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Folders `first`, `second` (both on PATH) and `python` with a working wrapper and launcher."""
    monkeypatch.delenv("MPICC", raising=False)
    monkeypatch.delenv("MPIEXEC", raising=False)
    for name in ("first", "second", "python"):
        folder = tmp_path / name
        folder.mkdir()
        for tool in ("mpicc", "mpiexec", "mpicc.other", "mpiexec.other"):
            (folder / tool).write_text(f"#!/bin/sh\necho 'mpiexec (OpenRTE) 4.1.{len(name)}'\n")
            (folder / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:{tmp_path / 'second'}:/bin:/usr/bin")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "python"))
    return tmp_path


def test_the_wrapper_is_the_named_one_then_mpicc_then_path_then_beside_python(folders, monkeypatch):
    assert find_mpi().mpicc == str(folders / "first" / "mpicc")
    monkeypatch.setenv("MPICC", str(folders / "second" / "mpicc"))
    assert find_mpi().mpicc == str(folders / "second" / "mpicc")
    named = str(folders / "python" / "mpicc")
    assert find_mpi(named).mpicc == named


def test_without_one_on_path_the_one_beside_python_is_taken(folders, monkeypatch):
    monkeypatch.setenv("PATH", str(folders))
    assert find_mpi().mpicc == str(folders / "python" / "mpicc")


def test_the_launcher_beside_the_wrapper_shares_its_suffix(folders):
    found = find_mpi(str(folders / "second" / "mpicc.other"))
    assert found.launcher == (str(folders / "second" / "mpiexec.other"),)


def test_a_launcher_with_options_is_split_like_a_shell_does(folders):
    found = find_mpi(launcher="mpiexec --host 'a b'")
    assert found.launcher == ("mpiexec", "--host", "a b")


@pytest.mark.parametrize(
    ("said", "family", "version"),
    [
        ("mpiexec (OpenRTE) 4.1.4", "Open MPI", "4.1.4"),
        ("mpirun (Open MPI) 5.0.11", "Open MPI", "5.0.11"),
        ("HYDRA build details:\n    Version:      5.0.2", "MPICH", "5.0.2"),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.18 Build 1", "Intel MPI", "2021.18"),
        ("slurm 23.02.1", "Slurm", "23.02.1"),
        ("something else", "unknown", ""),
    ],
)
def test_families_are_told_by_what_the_launcher_says(tmp_path, said, family, version):
    launcher = tmp_path / "mpiexec"
    launcher.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n")
    launcher.chmod(0o755)
    assert identify(str(launcher)) == (family, version)


def test_a_launcher_that_is_not_there_is_unknown():
    assert identify("/nonexistent/mpiexec") == ("unknown", "")


@pytest.mark.mpi
def test_programs_are_built_once_and_an_experiment_is_added_by_one_file(mpi, tmp_path, monkeypatch):
    source, cache = tmp_path / "mpi", tmp_path / "cache"
    names = {*program_names(), "alltoall_dummy"}
    shutil.copytree(building.source_folder(), source)
    added = (source / "bench" / "alltoall_rotated.c").read_text()
    (source / "bench" / "alltoall_dummy.c").write_text(added.replace('"rotated"', '"dummy"'))
    monkeypatch.setenv("CONTEND_CACHE", str(cache))
    monkeypatch.setattr(building, "source_folder", lambda: source)
    first = build(mpi)
    written = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert build(mpi) == first
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == written
    assert set(first) == names
    assert first["alltoall_rotated"].algorithms == ("rotated",)
    assert first["alltoall_dummy"].algorithms == ("dummy",)
    assert (first["pingpong"].processes_min, first["pingpong"].processes_max) == (2, 2)


def test_an_unknown_experiment_lists_the_known():
    with pytest.raises(InvalidInputError, match="no experiment is named 'gossip'"):
        choose({}, "gossip")


def test_missing_make_is_named(tmp_path, monkeypatch, folders):
    monkeypatch.setenv("CONTEND_CACHE", str(tmp_path / "cache"))
    found = find_mpi()
    monkeypatch.setenv("PATH", str(folders / "first"))
    with pytest.raises(MissingToolError, match="make is not installed"):
        build(found)


def test_other_folders_are_looked_into_on_demand(folders, monkeypatch):
    monkeypatch.setenv("PATH", str(folders / "first"))
    other = str(folders / "second" / "mpicc")
    assert other not in {mpi.mpicc for mpi in installed()}
    assert other in {mpi.mpicc for mpi in installed([folders / "second"])}
