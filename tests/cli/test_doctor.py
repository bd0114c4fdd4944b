"""The doctor tells what there is; here at least as much as the tests themselves need."""

from pathlib import Path

import pytest

from contend.measure import machine

FINDINGS = {
    *("C compiler", "make", "MPI on PATH", "MPI library", "MPI programs", "launch"),
    "files of rules",
    *("cores", "clock", "batch system", "emulated networks", "TCP congestion", "Python"),
}


@pytest.mark.mpi
def test_the_doctor_finds_what_the_tests_use(contend, mpi):
    outcome = contend("doctor", "--json")
    findings = {finding["what"]: finding for finding in outcome.json}
    assert outcome.code == 0
    assert set(findings) == FINDINGS
    assert findings["launch"]["is_good"]
    assert mpi.title in findings["MPI library"]["found"]
    assert findings["cores"]["found"].startswith(str(machine.cores()))


@pytest.mark.mpi
def test_what_wins_over_files_of_rules_is_named(contend, mpi, monkeypatch):
    names = {
        "Open MPI": ("OMPI_MCA_coll_tuned_alltoall_algorithm", "2"),
        "MPICH": ("MPIR_PARAM_ALLTOALL_INTRA_ALGORITHM", "brucks"),
        "Intel MPI": ("I_MPI_CBWR", "1"),
    }
    if mpi.family not in names:
        pytest.skip(f"{mpi.title} has no files of rules")
    name, value = names[mpi.family]
    monkeypatch.setenv(name, value)
    found = [one for one in contend("doctor", "--json").json if one["what"] == "files of rules"]
    (only,) = found
    assert not only["is_good"]
    assert f"{name}={value} in the environment" in only["found"]
    assert only["remedy"].startswith(f"unset {name}")


def test_what_is_missing_comes_with_a_remedy(contend, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    outcome = contend("doctor", "--json")
    outcome.fails()
    missing = [finding for finding in outcome.json if not finding["is_good"]]
    assert {"C compiler", "make", "MPI library"} <= {finding["what"] for finding in missing}
    assert all(finding["remedy"] for finding in missing)
    assert not any("contend doctor" in finding["remedy"] for finding in outcome.json)


def test_a_folder_of_path_that_may_not_be_read_is_passed_over(contend, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{'x' * 5000}:{tmp_path}")
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    looked = []

    def refuse(self):
        looked.append(self)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    outcome = contend("doctor", "--json")
    outcome.fails()
    assert looked
    found = {finding["what"]: finding["found"] for finding in outcome.json}
    assert found["MPI on PATH"] == "none"
