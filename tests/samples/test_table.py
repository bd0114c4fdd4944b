"""Tables of medians with their intervals, and how samples are selected."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.samples.table import COLUMNS, by_placement, median_interval, medians, select
from support.synthesis import sample

seconds = st.floats(1e-9, 1e3)
launches = st.lists(st.lists(seconds, min_size=1, max_size=7), min_size=1, max_size=5)


def table_of(*times):
    return medians(sample(times_s=each, launch=number) for number, each in enumerate(times))


@given(launches)
def test_a_point_is_the_median_over_launches_of_their_medians(times):
    (row,) = table_of(*times).to_dict("records")
    assert list(row) == list(COLUMNS)
    assert row["seconds"] == np.median([float(np.median(each)) for each in times])
    if len(times) > 1:
        assert row["bounds"] == "95 % over launches"
        assert row["low"] <= row["seconds"] <= row["high"]
    else:
        assert row["bounds"] == ("95 % within one launch" if len(times[0]) > 5 else None)
        assert [row["low"], row["high"]] == pytest.approx(median_interval(times[0]), nan_ok=True)
    assert (row["launches"], row["repetitions"]) == (len(times), sum(map(len, times)))


@pytest.mark.parametrize("count", range(1, 61))
def test_the_interval_of_a_median_is_the_narrowest_of_95_per_cent(count):
    def covered(below):
        """Chance that `below` times at either end lie on the wrong side of the true median."""
        return 1 - 2 * sum(comb(count, k) for k in range(below + 1)) / 2**count

    low, high = median_interval([float(i) for i in range(count)])
    if count < 6:
        assert np.isnan([low, high]).all()
        assert covered(0) < 0.95
        return
    below = int(low)
    assert high == count - 1 - below
    assert covered(below) >= 0.95
    assert covered(below + 1) < 0.95


def test_two_launches_have_no_interval_that_ends_at_them():
    (row,) = table_of([1.0] * 9, [1.1] * 9).to_dict("records")
    assert row["low"] < 0.7
    assert row["high"] > 1.6


def test_a_long_launch_does_not_outweigh_the_others():
    assert table_of([9.0] * 100, [1.0], [2.0])["seconds"].tolist() == [2.0]


def test_each_n_placement_and_size_has_a_row():
    places = [(m, n, placed) for m in (16, 8) for n in (8, 4) for placed in (4, 1)]
    every = [sample(m, n, processes_per_node=placed) for m, n, placed in places]
    table = medians([*every, sample(8, 4)])
    assert len(table) == 9
    assert table["n"].is_monotonic_increasing
    assert (table["processes_per_node"] == 0).sum() == 1  # where the file does not say


def test_a_median_of_zero_is_an_error():
    with pytest.raises(InvalidInputError, match="median of 0 s; measure it with a finer clock"):
        table_of([0.0, 0.0, 1e-6])


def test_selected_are_samples_of_the_experiment_and_the_algorithm():
    samples = [sample(algorithm="ring"), sample(), sample(experiment="bcast")]
    assert select(samples, "alltoall") == samples[:2]
    assert select(samples, "alltoall", "native") == [samples[1]]
    others = [sample(experiment="bcast"), sample(experiment="pingpong", algorithm="half")]
    for algorithm in (None, "bruck"):
        with pytest.raises(InvalidInputError, match="the file holds bcast/native, pingpong/half"):
            select(others, "alltoall", algorithm)
        with pytest.raises(InvalidInputError, match="the file holds nothing"):
            select([], "alltoall", algorithm)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (  # a placement that is not known stays by itself
            [(2, None), (4, None), (8, None), (2, 2), (4, 4), (8, 4), (16, 4)],
            {None: [2, 4, 8], 4: [2, 4, 8, 16]},
        ),
        (  # one node between two placements belongs to neither
            [(2, 2), (8, 4), (16, 8), (4, 4)], {None: [2], 4: [4, 8], 8: [16]}
        ),
    ],
)  # fmt: skip
def test_counts_of_one_node_belong_to_a_placement_where_it_is_the_only(places, expected):
    rows = medians(sample(n=n, processes_per_node=placed) for n, placed in places)
    assert {place: part["n"].tolist() for place, part in by_placement(rows)} == expected
