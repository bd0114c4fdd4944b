"""The doctor tells what there is; here at least as much as the tests themselves need."""

import pytest

from contend.errors import MissingToolError
from contend.measure import machine
from contend.measure.mpi import find_mpi

FINDINGS = {
    *("C compiler", "make", "MPI on PATH", "MPI library", "MPI programs", "launch"),
    *("cores", "clock", "batch system", "emulated networks", "TCP congestion", "Python"),
}


@pytest.mark.mpi
def test_the_doctor_finds_what_the_tests_use(contend):
    try:
        mpi = find_mpi()
    except MissingToolError as error:
        pytest.skip(str(error))
    outcome = contend("doctor", "--json")
    findings = {finding["what"]: finding for finding in outcome.json}
    assert outcome.code == 0
    assert set(findings) == FINDINGS
    assert findings["launch"]["is_good"]
    assert mpi.title in findings["MPI library"]["found"]
    assert findings["cores"]["found"].startswith(str(machine.cores()))


def test_what_is_missing_comes_with_a_remedy(contend, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    outcome = contend("doctor", "--json")
    assert outcome.code == 1
    missing = [finding for finding in outcome.json if not finding["is_good"]]
    assert {"C compiler", "make", "MPI library"} <= {finding["what"] for finding in missing}
    assert all(finding["remedy"] for finding in missing)
    assert not any("contend doctor" in finding["remedy"] for finding in outcome.json)
