"""The rules of trying, on thousands of histories whose times are made up."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from contend.measure.build import source_folder
from support.processes import completed

HERE = Path(__file__).parent
CALLS = 3000
USUAL = {
    "seed": 1, "count": 1000, "calls": CALLS, "contenders": 6, "noise": 0.1, "outliers": 0.001,
    "drift": 0.2, "rhythm": 0, "ask": 8, "plant": 1, "from": 0, "until": 0, "fastest": 0,
    "clocked": 1,
}  # fmt: skip


@dataclass(frozen=True)
class History:
    """What came of one: see histories.c."""

    left: int
    back: int
    over: float  # trials by which the budget was exceeded at most
    ratio: float  # of all times to those of the default
    changes: int
    serving: int
    factor: float  # time of who serves at the end over that of the default


@pytest.fixture(scope="module")
def histories(compiled):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    folder = source_folder() / "interpose" / "try"
    flags = ("-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{folder}")
    program = compiled(compiler, *flags, HERE / "histories.c", folder / "challenge.c", "-lm")

    def of(**given):
        words = [program, *map(str, {**USUAL, **given}.values())]
        done = completed(words, timeout=120, check=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        return [
            History(int(a), int(b), float(c), float(d), int(e), int(f), float(g))
            for a, b, c, d, e, f, g in lines
        ]

    return of


def share(claims) -> float:
    known = list(claims)
    return sum(known) / len(known)


@pytest.mark.parametrize(
    "world",
    [
        {},
        {"plant": 4, "until": 1000, "outliers": 0.01},
        {"noise": 0.8, "outliers": 0.02},
        {"ask": 200},  # telling each other takes two calls
        {"rhythm": 7, "contenders": 10},
        {"fastest": 30, "contenders": 3},
        {"clocked": 0, "drift": 0.8, "plant": 3, "from": 1500, "until": 9999},
    ],
)
def test_trials_never_exceed_the_budget_by_more_than_one(histories, world):
    assert max(one.over for one in histories(**world)) < 1.05


@pytest.mark.parametrize("clocked", [0, 1])
def test_a_slow_default_is_left_within_two_hundred_calls(histories, clocked):
    seen = histories(plant=4, until=CALLS, clocked=clocked)
    assert all(one.left >= 0 for one in seen)
    assert share(one.left < 200 for one in seen) > 0.96
    assert sorted(one.left for one in seen)[len(seen) // 2] < 100
    assert share(one.ratio < 0.6 for one in seen) > 0.98


def test_a_default_that_is_slow_no_more_comes_back(histories):
    seen = histories(plant=3, until=1000, contenders=2, fastest=1.3, calls=5000)
    assert share(one.left >= 0 and one.back >= 0 and one.serving == 0 for one in seen) > 0.97
    assert sorted(one.back for one in seen)[len(seen) // 2] < 1500


def test_a_default_that_is_as_good_comes_back(histories):
    seen = histories(plant=3, until=1000, contenders=2, fastest=1.0, calls=5000)
    assert share(one.back >= 0 for one in seen) > 0.93


def test_a_default_that_becomes_slow_later_is_noticed(histories):
    seen = histories(**{"plant": 4, "from": 2000, "until": 9999, "fastest": 1.1, "contenders": 3,
                        "calls": 6000})  # fmt: skip
    assert share(one.serving != 0 for one in seen) > 0.95


@pytest.mark.parametrize(
    "world",
    [
        {"fastest": 1.0},
        {"fastest": 1.1, "noise": 0.5},
        {"fastest": 1.2, "rhythm": 7},  # each call of a step takes another time
        {"fastest": 1.2, "rhythm": 5},  # the same, and a pair is at the same calls of each
        {"fastest": 1.5, "outliers": 0.05, "drift": 0.9},
    ],
)
def test_what_is_not_faster_hardly_ever_serves(histories, world):
    seen = histories(contenders=2, **world)
    assert share(one.changes == 0 for one in seen) > 0.97
    assert max(one.ratio for one in seen) < 1.35
    assert share(one.ratio < 1.011 for one in seen) > 0.97


def test_of_several_that_are_faster_a_good_one_serves(histories):
    seen = histories(contenders=5, fastest=0.5, calls=20000, noise=0.2, count=200)
    assert share(one.factor < 0.7 for one in seen) > 0.95
