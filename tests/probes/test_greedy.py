"""Greedy choices, held against the best of all subsets."""

import math
from itertools import chain, combinations

import numpy as np
import pytest

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Bill, Cost
from contend.measure.probes.greedy import Limits, choose, is_narrow, narrowed
from contend.measure.probes.interval_forecast import Foreseen
from contend.measure.probes.places import Places, candidates
from contend.models.signature.layout import Layout, Points
from contend.models.signature.prior import Usual
from contend.models.signature.process import Process

SEEDS = range(6)
BOUND = 1 - 1 / math.e  # of a greedy choice by gain: Nemhauser, Wolsey, Fisher 1978
ALIKE = Bill(np.arange(8.0), np.ones(8), 0.0)  # what tells most is chosen


def problem(seed: int, candidates: int = 8) -> tuple[Foreseen, Bill]:
    """Some points measured, some to choose among and some targets, all at random."""
    rng = np.random.default_rng(seed)

    def places(count: int) -> Places:
        return Places(
            rng.choice([4, 6, 8, 12, 16, 24, 32, 64, 100], count, replace=False).astype(float),
            2.0 ** rng.uniform(6, 18, count),
        )

    known, next_, targets = places(6), places(candidates), places(5)
    points = Points(known.n, known.m, (known.n - 1) * (1e-5 + 2e-9 * known.m))
    foreseen = Foreseen.of(Process(Layout(points), Usual()), 1.645, next_, targets)
    return foreseen, Bill(next_.n, rng.uniform(0.1, 3.0, candidates), 1.0)


def together(foreseen: Foreseen, chosen: tuple[int, ...]) -> Floats:
    for place in chosen:
        foreseen = foreseen.after(place)
    return foreseen.widths()


def seconds(bill: Bill, chosen: tuple[int, ...]) -> float:
    """By the sum of the points and of the n, in any order."""
    places = list(chosen)
    return float(bill.points[places].sum()) + bill.launches * np.unique(bill.n[places]).size


def subsets(count: int, most: int) -> list[tuple[int, ...]]:
    return [*chain.from_iterable(combinations(range(count), k) for k in range(most + 1))]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_point_is_the_best_of_all(seed: int) -> None:
    foreseen, _ = problem(seed)
    (found,) = choose(foreseen, ALIKE, Limits(points=1, least=0))
    means = [together(foreseen, (place,)).mean() for place in range(8)]
    assert found.widths.mean() == pytest.approx(min(means))
    assert found.candidate == int(np.argmin(means))


@pytest.mark.parametrize("what", ["mean", "largest"])
@pytest.mark.parametrize("seed", SEEDS)
def test_points_one_after_the_other_are_nearly_the_best_set_of_as_many(
    seed: int, what: str
) -> None:
    """No bound is proven of the largest width, nor of any width; these problems keep to it."""
    foreseen, _ = problem(seed)
    found = choose(foreseen, ALIKE, Limits(points=3, least=0), what)
    start = narrowed(foreseen.widths(), what)
    best = max(start - narrowed(together(foreseen, one), what) for one in combinations(range(8), 3))
    assert start - narrowed(found[-1].widths, what) >= BOUND * best
    assert best > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_variance_that_is_taken_off_is_nearly_that_of_the_best_set(seed: int) -> None:
    foreseen, _ = problem(seed)
    found = tuple(one.candidate for one in choose(foreseen, ALIKE, Limits(points=4, least=0)))
    off = {
        one: (foreseen.widths() ** 2 - together(foreseen, one) ** 2).sum()
        for one in (*combinations(range(8), 4), found)
    }
    assert off[found] >= BOUND * max(off.values())


@pytest.mark.parametrize("budget", [2.0, 4.0, 7.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_budget_is_kept_and_spent_nearly_as_well_as_by_the_best_set(
    seed: int, budget: float
) -> None:
    foreseen, bill = problem(seed)
    found = choose(foreseen, bill, Limits(seconds=budget, least=0))
    chosen = tuple(one.candidate for one in found)
    assert sum(one.seconds for one in found) == pytest.approx(seconds(bill, chosen))
    assert seconds(bill, chosen) <= budget
    best = min(
        together(foreseen, one).mean() for one in subsets(8, 8) if seconds(bill, one) <= budget
    )
    start = foreseen.widths().mean()
    assert start - together(foreseen, chosen).mean() >= BOUND / 2 * (start - best)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_width_asked_for_is_come_to_for_little_more_than_the_least_cost(seed: int) -> None:
    foreseen, bill = problem(seed)
    ends = (foreseen.widths(), together(foreseen, tuple(range(8))))
    until = math.exp(np.mean([narrowed(one, "mean") for one in ends]))  # half of the way
    found = choose(foreseen, bill, Limits(until=until, least=0))
    assert is_narrow(found[-1].widths, until, "mean")
    assert not any(is_narrow(one.widths, until, "mean") for one in found[:-1])
    least = min(
        seconds(bill, one)
        for one in subsets(8, 8)
        if is_narrow(together(foreseen, one), until, "mean")
    )
    assert sum(one.seconds for one in found) <= 1.5 * least


def test_a_point_that_costs_nothing_and_tells_nothing_is_left_to_the_end() -> None:
    """Its gain per second is the highest of all."""
    points = Points(np.array([8.0] * 4), 4.0 ** np.arange(4, 8), np.array([1, 2, 4, 8]) * 1e-4)
    places, target = Places.of([(9, 1024), (64, 16384)]), Places.of([(64, 16384)])
    foreseen = Foreseen.of(Process(Layout(points), Usual()), 1.645, places, target)
    bill = Bill(places.n, np.array([1e-6, 60.0]), 0.0)
    for limits in (Limits(points=1, least=0), Limits(points=1, least=0, seconds=100.0)):
        assert [one.candidate for one in choose(foreseen, bill, limits)] == [1]


def test_sizes_at_one_n_share_launches() -> None:
    cost = Cost(repetitions=3, warmup=1, launches=2, launch_seconds=10.0, point_seconds=0.5)
    assert cost.of_points(np.array([1.0, 4.0])) == pytest.approx([2 * 5.5, 2 * 20.5])
    places = Places.of([(4, 64), (4, 128), (8, 64)])
    assert cost.total(places, np.array([1.0, 1.0, 1.0])) == pytest.approx(3 * 11 + 2 * 20)
    bill = Bill(places.n, np.ones(3), 20.0)
    assert bill.of_next().tolist() == [21, 21, 21]
    assert bill.after(0).of_next().tolist() == [1, 1, 21]


@pytest.mark.parametrize(
    ("given", "said"),
    [((0, None, None), "budget of 0"), ((None, 0, None), "0 points"), ((None, None, 1), "of 1")],
)
def test_limits_that_allow_nothing_are_refused(given: tuple, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        Limits.of(*given)
    assert Limits.of(None, None, None) is None


def test_sizes_of_an_n_are_taken_in_the_order_of_the_candidates() -> None:
    points = Points(np.array([8.0] * 4), 4.0 ** np.arange(4, 8), np.array([1, 2, 4, 8]) * 1e-4)
    sizes = [4**k for k in range(3, 12)]
    places = candidates([64], sizes, [])
    foreseen = Foreseen.of(Process(Layout(points), Usual()), 1.645, places, places)
    bill = Bill(places.n, np.ones(len(places)), 0.0)
    chosen = choose(foreseen, bill, Limits(points=3, least=0))
    assert [places.pairs()[one.candidate][1] for one in chosen] == [sizes[4], sizes[1], sizes[7]]
