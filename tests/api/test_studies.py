"""The whole job from Python: what the command does, and what comes back."""

import pytest

import contend
from contend.measure.mpi import MPI
from contend.measure.runner import Listener
from support.emulation import Emulation, replace_launches

pytestmark = pytest.mark.usefixtures("quick_reports")
GIVEN = {
    "n": [4, 6, 8], "m": "4KiB,16KiB,64KiB,256KiB", "at": 4, "on": "lab:fast-ethernet",
    "launches": 1, "library_algorithms": False,
}  # fmt: skip


@pytest.fixture
def emulation(monkeypatch):
    """Launches that are never disturbed."""
    mpich = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
    monkeypatch.setattr("contend.api.studies.find_mpi", lambda *_: mpich)
    replace_launches(monkeypatch, found := Emulation(lambda *_: False))
    return found


def test_a_study_gives_its_network_and_goes_on_where_it_was(emulation, tmp_path):
    said = []
    found = contend.study(tmp_path, **GIVEN, listener=Listener(said.append))
    assert "measuring the emulated network fast-ethernet" in said[0]
    assert said[-1] == "fitting and validating"
    assert found.report == tmp_path / "report.html"
    assert found.report.is_file()
    assert found.decisions is None
    assert len(found.samples) == len(emulation.points)
    assert found.network.predict(n=12, m="64KiB").seconds.iloc[0] > 0
    assert contend.read_network(found.files.network).document == found.network.document
    before = len(emulation.points)
    contend.study(tmp_path, **GIVEN)
    assert len(emulation.points) == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [({"at": 5}, "n' = 5 is not measured"), ({"at": "4"}, "at = '4'"), ({"on": "lab:x"}, "lab")],
)
def test_what_is_wrong_is_told_before_anything_runs(emulation, tmp_path, change, problem):
    with pytest.raises(contend.ContendError, match=problem):
        contend.study(tmp_path, **(GIVEN | change))
    assert not emulation.points
