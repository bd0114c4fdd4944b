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

    def of(*times, calls=1000, bound=0):
        words = [program, str(calls), str(bound), *times]
        done = completed(words, timeout=20, check=True)
        outcome: dict[str, Any] = json.loads(done.stdout)
        return outcome

    return of


def test_the_fastest_wins_after_several_trials_and_what_is_dear_has_one(judged):
    outcome = judged("0.004", "0.0025", "0.003")
    assert (outcome["winner"], outcome["trials"][1] >= 2) == (1, True)
    outcome = judged("1", "0.5", "50", calls=100)
    assert (outcome["winner"], outcome["trials"][2]) == (1, 1)
    outcome = judged("40e-6", "1e-6", "1e-6")  # a short call is left alone after a look
    assert (outcome["winner"], outcome["brief"], outcome["trials"]) == (0, 1, [1, 0, 0])


@pytest.mark.parametrize(
    ("times", "winner"),
    [
        (("1", "0.96"), 0),  # less than five per cent is no gain
        (("1", "0.94"), 1),
        (("10,1", "1.2"), 0),  # a slow look at the library
        (("1,10,1", "1.2"), 0),
        (("1", "1.9,0.5", "1.5"), 1),  # connections are made in the first trial
        (("4", "2,8,2", "5"), 1),
        (("1", "0.4,1.3", "1.5"), 0),
    ],
)
def test_one_accident_decides_nothing(judged, times, winner):
    outcome = judged(*times)
    assert (outcome["winner"], outcome["decided"]) == (winner, 1)


def test_it_costs_at_no_call_more_than_two_percent_and_one_trial(judged):
    factors = (0.3, 0.9, 1.0, 1.5, 2.0, 6.0)
    for times in itertools.product(factors, factors, factors):
        for calls in (5, 10, 20, 200):
            outcome = judged("1", *map(str, times), calls=calls)
            assert outcome["most"] <= max(0.0, max(times) - 1) + 1e-9


def test_what_loses_is_not_tried_again_in_a_short_program(judged):
    assert judged("1", "3", "0.5", calls=20)["trials"][1:] == [1, 0]
    assert judged("1", "3", "0.5", calls=200)["winner"] == 2


def test_nothing_is_tried_where_the_link_leaves_no_room(judged):
    assert judged("1", "0.5", bound=0.95)["trials"] == [1, 0]
    assert judged("1", "0.5", bound=0.8)["winner"] == 1


def test_what_is_likely_to_gain_much_is_tried_at_once(judged):
    assert judged("1", "0.6", bound="0.5:0.6", calls=4)["trials"] == [3, 1]
    assert judged("1", "0.6", bound="0.5:0.8", calls=4)["trials"][1] == 0  # not enough to be sure


def test_nobody_else_is_tried_where_a_leader_leaves_nothing_to_gain(judged):
    """The link takes most of its time, or it gains what only sparing the buffer can."""
    for bound in ("0.5", "0.1:0.2"):
        outcome = judged("1", "0.6", "0.55", bound=bound)
        assert (outcome["winner"], outcome["trials"][2]) == (1, 0)
    for bound in ("0.4", "0.1:0.9"):
        assert judged("1", "0.8", "0.55", bound=bound)["winner"] == 2
