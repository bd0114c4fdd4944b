"""Tests that run alone run when all others have ended, and one at a time."""

from itertools import pairwise
from pathlib import Path

import tiers

pytest_plugins = ["pytester"]
CONFTEST = """
import time

import pytest

import tiers

tiers.ALONE = ["*alone*"]

def pytest_xdist_make_scheduler(config, log):
    return tiers.AloneLast(config, log)

@pytest.fixture(autouse=True)
def logged(request):
    begin = time.monotonic()
    yield
    time.sleep(0.02)
    with open(request.config.rootpath / "log", "a") as log:
        log.write(f"{request.node.name} {begin} {time.monotonic()}\\n")
"""


def test_those_alone_run_last_and_one_at_a_time(pytester, monkeypatch):
    pytester.makeconftest(CONFTEST)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    for kind, files in {"usual": 3, "alone": 3}.items():
        for number in range(files):
            text = "".join(f"def test_{kind}_{number}_{name}(): pass\n" for name in "abcd")
            pytester.makepyfile(**{f"test_{kind}_{number}": text})
    result = pytester.runpytest_subprocess(
        "--dist", "loadfile", "-n", "2", "-p", "no:cacheprovider"
    )
    result.assert_outcomes(passed=24)
    rows = [line.split() for line in (pytester.path / "log").read_text().splitlines()]
    spans = {name: (float(begin), float(end)) for name, begin, end in rows}
    alone = sorted(span for name, span in spans.items() if "alone" in name)
    assert max(end for name, (_, end) in spans.items() if "alone" not in name) <= alone[0][0]
    assert all(end <= begin for (_, end), (begin, _) in pairwise(alone))


def test_every_pattern_names_files():
    here = Path(__file__).parent
    names = [path.relative_to(here).as_posix() for path in here.rglob("test_*.py")]
    for pattern in (*tiers.ALONE, *tiers.FULL, *tiers.FIRST, *tiers.SPREAD):
        assert any(tiers.is_of(name, [pattern]) for name in names), pattern
