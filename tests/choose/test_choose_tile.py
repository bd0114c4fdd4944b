"""The choice over a grid: neighbours take the same, and one algorithm serves all sizes."""

from itertools import product

import numpy as np
import pytest

from contend.schedules.libraries import LIBRARIES
from contend.tune.choose.decide import decide
from contend.tune.choose.safe import Grid
from contend.tune.choose.tile import CHANGE, WHY, has_one_for_all_sizes, single, smoothed
from support import libraries


class Contest:
    """As much of a contest as smoothing looks at: the options of its rivals."""

    def __init__(self, *options):
        self.rivals = [type("Rival", (), {"options": one})() for one in options]


def made(gain, *options, noise=0.0):
    rivals, *shape = gain.shape
    counts, sizes = (tuple(range(2, 2 + size)) for size in shape)
    noises, held = np.full_like(gain, noise), np.full(shape, "", dtype=object)
    contest = Contest(*(options or [{}] * rivals))
    return Grid(contest, counts, sizes, gain, gain, gain, gain > 1, gain < 0, noises, held)


def grid(gains, *options, noise=0.0):
    return made(np.array(gains, dtype=float)[:, None, :], *options, noise=noise)


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


def of_rows(*rows):
    """For each number of processes gains (rivals, sizes) without doubt, safe above 1."""
    return made(np.stack([np.array(gains, dtype=float) for gains in rows], axis=1))


@pytest.mark.parametrize(
    "gains, taken",
    [
        ([[1.5, 1.0, 1.2]], 0),  # gains, and loses nowhere
        ([[2.0, 2.0, 0.9]], -1),  # loses at one size
        ([[1.01, 1.02, 1.06]], -1),  # gains less than 5 % in the mean
        ([[1.2, 1.1, 1.1], [1.05, 1.9, 1.9]], 1),  # the larger geometric mean
        ([[9.0, 9.0, 0.9], [1.1, 1.1, 1.1]], 1),  # of those that do not lose
        ([[np.nan, 2.0, 2.0], [1.1, 1.1, 1.1]], 1),  # nothing is known of one size
    ],
)
def test_the_largest_mean_gain_without_a_loss_is_taken_at_all_sizes(gains, taken):
    assert single(of_rows(gains)).tolist() == [[taken] * 3]
    assert single(of_rows([[0.5] * 3] * len(gains), gains)).tolist() == [[-1] * 3, [taken] * 3]


def test_only_gather_scatter_and_what_has_no_size_are_such_in_open_mpi():
    assert has_one_for_all_sizes(LIBRARIES.get("openmpi"), "gather")
    assert not has_one_for_all_sizes(LIBRARIES.get("openmpi"), "bcast")
    assert not has_one_for_all_sizes(LIBRARIES.get("mpich"), "bcast")
    assert not has_one_for_all_sizes(None, "gather")


def test_decisions_of_an_operation_that_hangs_name_one_algorithm_or_say_why_not():
    def crossing(n, m):
        return libraries.default(n, m) * (0.5 if m > 1000 else 2.0)

    found = decide(libraries.measured({"openmpi:binomial": crossing}, "gather"))
    assert {rule.algorithm for rule in found.rules} == {"default"}
    assert {rule.why for rule in found.rules} == {WHY}


def test_a_default_without_rivals_is_beyond_what_was_measured_only_at_other_counts_and_sizes():
    network = libraries.measured({}, "bcast")
    assert not decide(network).rules[0].extrapolates
    assert decide(network, n=[64]).rules[0].extrapolates
    assert decide(network, m=[2 * max(libraries.SIZES)]).rules[0].extrapolates


def test_where_samples_do_not_name_the_library_names_of_algorithms_do():
    def crossing(n, m):
        return libraries.default(n, m) * (0.5 if m > 1000 else 2.0)

    laws = {"openmpi:binomial": crossing}
    found = decide(libraries.measured(laws, "gather", library="of the site"))
    assert (found.library, found.library_version) == ("openmpi", "")
    assert {rule.algorithm for rule in found.rules} == {"default"}  # sizes of their own hang
