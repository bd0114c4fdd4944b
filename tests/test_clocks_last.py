"""Tests that time something run when all others have ended, and one at a time."""

from itertools import pairwise
from pathlib import Path

import pytest

from clocks_last import is_timed

pytest_plugins = ["pytester"]
CONFTEST = """
import time
import pytest

from clocks_last import is_timed
from clocks_last import ClocksLast

def pytest_xdist_make_scheduler(config, log):
    return ClocksLast(config, log)

@pytest.fixture(autouse=True)
def logged(request):
    begin = time.monotonic()
    yield
    time.sleep(0.02)
    with open(request.config.rootpath / "log", "a") as log:
        log.write(f"{request.node.name} {begin} {time.monotonic()}\\n")
"""
QUIET = "def test_a{0}(): pass\ndef test_b{0}(): pass\ndef test_c{0}(): pass\n"
TIMED = "import pytest\n@pytest.mark.clock\ndef test_timed{0}(): pass\n"


@pytest.fixture
def spans(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Run files of tests on workers: for each test its begin and end."""
    pytester.makeconftest(CONFTEST)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    pytester.makeini("[pytest]\nmarkers = clock\n")

    def run(quiet: int, timed: int, *words: str) -> dict[str, tuple[float, float]]:
        for number in range(quiet):
            pytester.makepyfile(**{f"test_{number}": QUIET.format(number)})
        for number in range(timed):
            pytester.makepyfile(**{f"test_{number}_timed": TIMED.format(number)})
        result = pytester.runpytest_subprocess("--dist", "loadfile", "-p", "no:cacheprovider",
                                               "-p", "no:randomly", *words)  # fmt: skip
        assert result.ret == 0
        lines = (pytester.path / "log").read_text().splitlines()
        found = {line.split()[0]: tuple(map(float, line.split()[1:])) for line in lines}
        assert len(found) == len(lines) == 3 * quiet + timed
        result.assert_outcomes(passed=len(lines))
        return found  # type: ignore[return-value]

    return run


@pytest.mark.parametrize(
    ("quiet", "timed", "workers"),
    [(6, 4, 2), (0, 5, 2), (5, 0, 2), (2, 3, 1)],
)
def test_timed_tests_run_last_and_one_at_a_time(spans, quiet, timed, workers):  # type: ignore[no-untyped-def]
    found = spans(quiet, timed, "-n", str(workers))
    alone = sorted(span for name, span in found.items() if "timed" in name)
    others = [end for name, (_, end) in found.items() if "timed" not in name]
    for (_, end), (begin, _) in pairwise(alone):
        assert end <= begin
    if alone and others:
        assert max(others) <= alone[0][0]


def test_tests_of_a_file_that_is_spread_run_on_several_workers(  # type: ignore[no-untyped-def]
    spans, pytester: pytest.Pytester
):
    text = "import pytest\n" + "".join(
        f"@pytest.mark.spread\ndef test_{name}(): pass\n" for name in "xyzuvw"
    )
    pytester.makeini("[pytest]\nmarkers =\n    clock\n    spread\n")
    pytester.makepyfile(test_spread=text)
    (pytester.path / "log").touch()
    result = pytester.runpytest_subprocess(
        "--dist", "loadfile", "-p", "no:randomly", "-n", "2", "-v"
    )
    result.assert_outcomes(passed=6)
    workers = {line.split()[0] for line in result.outlines if "PASSED" in line}
    assert len(workers) == 2


def test_without_workers_all_run_too(spans):  # type: ignore[no-untyped-def]
    assert len(spans(3, 2, "-n", "0")) == 11


@pytest.mark.parametrize(
    ("marks", "wanted"),
    [("mpi", True), ("mpi, parallel", False), ("browser", True), ("slow", False)],
)
def test_mpi_programs_may_be_timed_unless_they_say_otherwise(
    tmp_path: Path, marks: str, wanted: bool
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("\n".join(f"pytest.mark.{mark}" for mark in marks.split(", ")))
    assert is_timed(file) is wanted


@pytest.mark.parametrize(("mark", "wanted"), [("slow", True), ("parallel", False)])
def test_tests_of_the_lab_are_timed_unless_they_say_otherwise(
    tmp_path: Path, mark: str, wanted: bool
) -> None:
    file = tmp_path / "lab" / "test_it.py"
    file.parent.mkdir()
    file.write_text(f"pytestmark = pytest.mark.{mark}")
    assert is_timed(file) is wanted
