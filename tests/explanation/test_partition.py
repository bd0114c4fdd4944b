"""Partitions are the best there are, and lines are least squares."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from machines import Machine, Times, direct, switched
from scipy.optimize import least_squares

from contend.models.explanation.exchange import Exchange
from contend.models.explanation.lines import fit_lines
from contend.models.explanation.model import LAUNCH, Points
from contend.models.explanation.partition import best_partitions, improvement

SIZES = tuple(4**power for power in range(2, 10))


def best_squares(exchange: Exchange, changes: int) -> float:
    """By trying every place of every change."""
    size = exchange.sizes.size
    found = [np.inf]
    for cuts in combinations(range(1, size), changes):
        edges = (0, *cuts, size)
        ranges = list(pairwise(edges))
        if any(end - start < 3 for start, end in ranges[1:-1]):
            continue
        place = np.arange(size)
        chosen = np.array([(place >= start) & (place < end) for start, end in ranges])
        lines = fit_lines(exchange.sizes, exchange.logarithms, chosen)
        found.append(float(lines.squares.sum()))
    return min(found)


@pytest.mark.parametrize("changes", [0, 1, 2])
@pytest.mark.parametrize("times", [direct, switched])
def test_a_partition_is_the_best_of_all_with_as_many_changes(times: Times, changes: int) -> None:
    exchange = Machine(times, (8, 64), SIZES, noise=0.1).measured(3)
    found = best_partitions(exchange)[changes, 0]
    assert found.squares == pytest.approx(best_squares(exchange, changes), rel=1e-9)
    assert len(found.starts) == changes + 1


def test_lines_are_those_of_least_squares_of_logarithms() -> None:
    exchange = Machine(direct, (8,), SIZES, noise=0.2).measured(5)
    lines = fit_lines(exchange.sizes, exchange.logarithms, np.ones((1, len(SIZES)), dtype=bool))

    def errors(cost: np.ndarray) -> np.ndarray:
        line = np.exp(cost[0]) + np.exp(cost[1]) * exchange.sizes
        return np.asarray(np.log(line) - exchange.logarithms[0])

    known = least_squares(errors, np.log([7 * 4e-6, 7 * 1e-9]), xtol=1e-14, ftol=1e-14)
    assert lines.squares[0, 0] == pytest.approx(2 * known.cost, rel=1e-6)


def test_a_size_that_was_not_measured_at_an_n_does_not_count() -> None:
    exchange = Machine(direct, (8, 64), SIZES, noise=0.05).measured(1)
    logarithms = exchange.logarithms.copy()
    logarithms[1, -1] = np.nan
    chosen = np.ones((1, len(SIZES)), dtype=bool)
    with_gap = fit_lines(exchange.sizes, logarithms, chosen)
    without = fit_lines(exchange.sizes[:-1], exchange.logarithms[:, :-1], chosen[:, :-1])
    assert with_gap.squares[0, 1] == pytest.approx(without.squares[0, 1], rel=1e-6)


def test_noise_passes_for_an_improvement_as_often_as_is_claimed() -> None:
    chances = []
    for seed in range(150):
        found = best_partitions(Machine(direct, (8, 64), SIZES[:6], noise=0.1).measured(seed))
        less, one = found[0, 0], found[1, 0]
        chances.append(improvement(less, one, 0.0))
    # the best of five places: no more than five times the chance of one
    assert np.mean(np.array(chances) < np.log(0.01)) <= 5 * 0.01 * 1.5


def test_whitened_errors_of_points_and_of_launches_are_independent_of_variance_one() -> None:
    place = np.array([0, 0, 0, 1, 1, 2])
    points = Points(
        np.array([2.0, 4.0, 8.0]), place, np.ones(6), np.zeros(6), 0.03, np.array([1.0, 0.5, 1.0])
    )
    noise = np.diag((0.03 / points.trust[place]) ** 2)
    covariance = noise + LAUNCH**2 * (place[:, None] == place)
    root = points.whitened(np.eye(6))
    assert root @ covariance @ root.T == pytest.approx(np.eye(6), abs=1e-12)
