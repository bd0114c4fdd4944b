"""What the programs of a launch have to have in common."""

from pathlib import Path

import pytest

from contend.base.errors import MissingToolError
from contend.measure import preload
from contend.measure.launcher import LaunchCommand
from contend.measure.linked_library import LinkedMPI


def launch(tmp_path: Path, family: str, *names: str) -> LaunchCommand:
    """Of programs, with ':' between them."""
    words = ["mpiexec"]
    for name in names:
        program = tmp_path / name
        program.write_text("")
        program.chmod(0o755)
        words += ["-n", "1", str(program), ":"]
    return LaunchCommand(tuple(words[:-1]), 0, family, 3)


@pytest.fixture(autouse=True)
def linked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is linked with the library of its name."""
    monkeypatch.setattr(
        preload, "linked_mpi",
        lambda path: None if Path(path).name == "script" else LinkedMPI(Path(path).name, None),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("family", "names", "what", "remedy"),
    [
        ("MPICH", ("libmpi.so.12", "libmpi_abi.so.1"), "preload one library", "the same MPI"),
        ("MPICH", ("script", "libmpi.so.40"), "its launcher is of MPICH", "mpiexec of Open MPI"),
        ("Open MPI", ("libmpich.so.12",), "its launcher is of Open MPI", "mpiexec of MPICH"),
        ("MPICH", ("libmpi_abi.so.1",), "libmpi_abi.so.1", "--mpicc mpicc_abi"),
    ],
)
def test_what_no_library_fits_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, names: tuple[str, ...],
    what: str, remedy: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(preload, "installed", lambda *_: [])
    monkeypatch.setattr(preload, "shipped_library", lambda: None)
    with pytest.raises(MissingToolError, match=what) as caught:
        preload.fitting_library(launch(tmp_path, family, *names))
    assert remedy in caught.value.remedy


def test_a_static_program_among_others_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preload, "is_static", lambda path: path.name == "static")
    with pytest.raises(MissingToolError, match="static is linked statically"):
        preload.fitting_library(launch(tmp_path, "MPICH", "libmpi.so.12", "static"))
