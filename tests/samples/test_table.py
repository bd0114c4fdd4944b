from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.errors import InvalidInputError
from contend.samples.table import COLUMNS, by_placement, median_interval, medians, select
from support.synthesis import sample

seconds = st.floats(1e-9, 1e3)
launches = st.lists(st.lists(seconds, min_size=1, max_size=7), min_size=1, max_size=5)


@given(launches)
def test_a_point_is_the_median_over_launches_of_their_medians(times: list[list[float]]) -> None:
    table = medians(sample(times_s=each, launch=number) for number, each in enumerate(times))
    (row,) = table.to_dict("records")
    of_launches = [float(np.median(each)) for each in times]
    assert list(row) == list(COLUMNS)
    assert row["seconds"] == np.median(of_launches)
    if len(times) > 1:
        assert row["bounds"] == "95 % over launches"
        assert row["low"] <= row["seconds"] <= row["high"]
    else:
        assert row["bounds"] == ("95 % within one launch" if len(times[0]) > 5 else None)
        assert [row["low"], row["high"]] == pytest.approx(median_interval(times[0]), nan_ok=True)
    assert (row["launches"], row["repetitions"]) == (len(times), sum(map(len, times)))


@pytest.mark.parametrize("count", range(1, 61))
def test_the_interval_of_a_median_is_the_narrowest_of_95_per_cent(count: int) -> None:
    def covered(below: int) -> float:
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


def test_two_launches_have_no_interval_that_ends_at_them() -> None:
    (row,) = medians([sample(times_s=[1.0] * 9), sample(times_s=[1.1] * 9, launch=1)]).to_dict(
        "records"
    )
    assert row["low"] < 0.7
    assert row["high"] > 1.6


def test_a_long_launch_does_not_outweigh_the_others() -> None:
    (row,) = medians(
        [
            sample(times_s=[9.0] * 100),
            sample(times_s=[1.0], launch=1),
            sample(times_s=[2.0], launch=2),
        ]
    ).to_dict("records")
    assert row["seconds"] == 2.0


def test_each_n_placement_and_size_has_a_row() -> None:
    samples = [
        sample(m, n, processes_per_node=placed)
        for m in (16, 8)
        for n in (8, 4)
        for placed in (4, 1)
    ]
    table = medians([*samples, sample(8, 4)])
    assert len(table) == 9
    assert table["n"].is_monotonic_increasing
    assert (table["processes_per_node"] == 0).sum() == 1  # where the file does not say


def test_a_median_of_zero_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="median of 0 s; measure it with a finer clock"):
        medians([sample(times_s=[0.0, 0.0, 1e-6])])


def test_selected_are_samples_of_the_experiment_and_the_algorithm() -> None:
    samples = [sample(algorithm="ring"), sample(), sample(experiment="bcast")]
    assert select(samples, "alltoall") == samples[:2]
    assert select(samples, "alltoall", "native") == [samples[1]]


@pytest.mark.parametrize("algorithm", [None, "bruck"])
def test_nothing_to_select_is_an_error_that_lists_what_there_is(algorithm: str | None) -> None:
    samples = [sample(experiment="bcast"), sample(experiment="pingpong", algorithm="half")]
    with pytest.raises(InvalidInputError, match="the file holds bcast/native, pingpong/half"):
        select(samples, "alltoall", algorithm)
    with pytest.raises(InvalidInputError, match="the file holds nothing"):
        select([], "alltoall", algorithm)


def test_a_placement_that_is_not_known_stays_by_itself() -> None:
    places = [(2, None), (4, None), (8, None), (2, 2), (4, 4), (8, 4), (16, 4)]
    rows = medians(sample(n=n, processes_per_node=placed) for n, placed in places)
    found = {place: part["n"].tolist() for place, part in by_placement(rows)}
    assert found == {None: [2, 4, 8], 4: [2, 4, 8, 16]}


def test_one_node_between_two_placements_belongs_to_neither() -> None:
    rows = medians(sample(n=n, processes_per_node=p) for n, p in [(2, 2), (8, 4), (16, 8), (4, 4)])
    found = {place: part["n"].tolist() for place, part in by_placement(rows)}
    assert found == {None: [2], 4: [4, 8], 8: [16]}
