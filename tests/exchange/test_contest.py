"""The rules of the check: who gets a trial, who wins, and what that may cost."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from contend.measure.build import source_folder
from support.processes import completed

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def judged(compiled):
    """What comes out of a check in which each candidate takes these times, the library's first."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    folder = source_folder() / "interpose" / "exchange"
    flags = ("-std=c11", "-O1", "-D_GNU_SOURCE", f"-I{folder}")
    program = compiled(compiler, *flags, HERE / "judged.c", folder / "choose" / "contest.c", "-lm")

    def of(*times, finish=0):
        words = [program, str(finish), *times]
        done = completed(words, timeout=20, check=True)
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    return of


def test_the_fastest_wins_after_several_trials_and_what_is_dear_has_one(judged):
    said = judged("0.004", "0.0025", "0.003")
    assert (said["winner"], said["trials"][1] >= 2) == (1, True)
    said = judged("1", "50", "0.5")  # beyond the budget
    assert (said["winner"], said["trials"][1]) == (2, 1)
    said = judged("40e-6", "1e-6", "1e-6")  # a short call is left alone after a look
    assert (said["winner"], said["brief"], said["trials"]) == (0, 1, [1, 0, 0])


@pytest.mark.parametrize(
    ("times", "winner"),
    [
        (("1", "0.96"), 0),  # less than five per cent is no gain
        (("1", "0.94"), 1),
        (("10,1", "1.2"), 0),  # a slow look at the library
        (("1,10,1", "1.2"), 0),
        (("1", "2,0.5", "1.5"), 1),  # connections are made in the first trial
        (("4", "2,8,2", "5"), 1),
        (("1", "0.4,1.3", "1.5"), 0),
    ],
)
def test_one_accident_decides_nothing(judged, times, winner):
    assert judged(*times)["winner"] == winner


def test_it_costs_two_percent_of_two_hundred_calls_of_the_library(judged):
    factors = (0.3, 0.9, 1.0, 1.5, 2.0)
    for first, second in itertools.product(factors, factors):
        said = judged("1", str(first), str(second), finish=0.2)
        assert said["cost"] <= 0.02 * 200 * said["native"]


def test_telling_each_other_counts_too(judged):
    cheap, dear = judged("1", "0.9", "1.1"), judged("1", "0.9", "1.1", finish=0.9)
    assert sum(dear["trials"]) < sum(cheap["trials"])
    assert dear["cost"] <= 0.02 * 200
