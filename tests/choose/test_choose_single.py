"""Where one algorithm has to serve all sizes, it gains over all of them and loses at none."""

import numpy as np
import pytest

from contend.choose.decide import decide
from contend.choose.safe import Grid
from contend.choose.tile import WHY, has_one_for_all_sizes, single
from contend.libraries import LIBRARIES
from support import libraries


class Contest:
    """As much of a contest as is looked at: how many rivals it has."""

    def __init__(self, rivals):
        self.rivals = [None] * rivals


def grid(*rows):
    """For each number of processes gains (rivals, sizes) without doubt, safe above 1."""
    gain = np.stack([np.array(gains, dtype=float) for gains in rows], axis=1)
    rivals, *shape = gain.shape
    counts, sizes = (tuple(range(2, 2 + size)) for size in shape)
    held = np.full(shape, "", dtype=object)
    noise = gain[:, 0, 0]
    return Grid(Contest(rivals), counts, sizes, gain, gain, gain, gain > 1, gain < 0, noise, held)


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
    assert single(grid(gains)).tolist() == [[taken] * 3]
    assert single(grid([[0.5] * 3] * len(gains), gains)).tolist() == [[-1] * 3, [taken] * 3]


def test_only_gather_scatter_and_what_has_no_size_are_such_in_open_mpi():
    assert has_one_for_all_sizes(LIBRARIES.get("openmpi"), "gather")
    assert not has_one_for_all_sizes(LIBRARIES.get("openmpi"), "bcast")
    assert not has_one_for_all_sizes(LIBRARIES.get("mpich"), "bcast")
    assert not has_one_for_all_sizes(None, "gather")


def test_decisions_of_an_operation_that_hangs_name_one_algorithm_or_say_why_not():
    def crossing(n, m):
        return libraries.default(n, m) * (0.5 if m > 1000 else 2.0)

    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:binomial": crossing}
    samples = libraries.launched(laws, rng, operation="gather")
    found = decide(libraries.network_of(samples, "gather"))
    assert {rule.algorithm for rule in found.rules} == {"default"}
    assert {rule.why for rule in found.rules} == {WHY}
