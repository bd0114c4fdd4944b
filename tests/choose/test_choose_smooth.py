from itertools import product

import numpy as np
import pytest

from contend.choose.safe import Grid
from contend.choose.tile import CHANGE, smoothed


class Contest:
    """As much of a contest as smoothing looks at: the options of its rivals."""

    def __init__(self, *options):
        self.rivals = [type("Rival", (), {"options": one})() for one in options]


def grid(gains, *options, noise=0.0):
    gain = np.array(gains, dtype=float)[:, None, :]
    sizes = tuple(range(gain.shape[2]))
    contest = Contest(*(options or [{}] * gain.shape[0]))
    noises, held = np.full_like(gain, noise), np.full(gain.shape[1:], "", dtype=object)
    return Grid(contest, (8,), sizes, gain, gain, gain, gain > 1, gain < 0, noises, held)


def test_neighbours_that_are_as_good_do_not_alternate():
    found = grid([[1.50, 1.52, 1.50, 1.52], [1.52, 1.50, 1.52, 1.50]])
    assert len(set(smoothed(found)[0])) == 1


def test_differences_within_noise_make_no_change_however_many_there_are():
    gains = [[1.50] * 4 + [1.56] * 20, [1.56] * 4 + [1.50] * 20]
    assert len(set(smoothed(grid(gains))[0])) == 2
    assert len(set(smoothed(grid(gains, noise=0.03))[0])) == 1


def test_what_is_clearly_better_is_taken_in_its_place():
    assert smoothed(grid([[1.5, 1.5, 1.1], [1.1, 1.1, 1.5]])).tolist() == [[0, 0, 1]]


def test_a_lone_small_gain_is_left_to_the_default():
    assert smoothed(grid([[0.9, 1.06, 0.9]])).tolist() == [[-1, -1, -1]]


def test_what_is_not_safe_is_never_taken():
    assert smoothed(grid([[2.0, 0.9, 2.0]])).tolist() == [[0, -1, 0]]


def test_of_two_alike_the_one_with_fewer_options_is_taken():
    assert smoothed(grid([[1.5, 1.5], [1.5, 1.5]], {"segment": 1}, {})).tolist() == [[1, 1]]


@pytest.mark.parametrize("seed", range(5))
def test_no_other_path_costs_less(seed):
    rng = np.random.default_rng(seed)
    gains = np.exp(0.15 * rng.standard_normal((2, 6)))
    logs = np.concatenate([np.zeros((1, 6)), np.where(gains > 1, np.log(gains), -np.inf)])

    def cost(path):
        given_away = sum(logs[:, k].max() - logs[state, k] for k, state in enumerate(path))
        return given_away + CHANGE * np.count_nonzero(np.diff(path))

    best = min(cost(path) for path in product(range(3), repeat=6))
    assert cost(smoothed(grid(gains))[0] + 1) == pytest.approx(best, abs=1e-4)
