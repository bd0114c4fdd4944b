"""The table of a comparison, from planted samples whose ratios are known."""

from __future__ import annotations

import pytest

from contend.measure.exchange.comparison import columns_of
from contend.measure.exchange.table import algorithms, means, rows
from contend.samples import LabConditions
from support.synthesis import sample

LATE = LabConditions.from_counters({"frames": 10, "late_ns": 10**9, "timeouts": 3})
# Median seconds of each algorithm at 64 and 1024 bytes.
SECONDS = {
    "native": (8.0, 2.0),
    "native:pairwise": (4.0, 3.0),
    "lg window=2": (1.5, 1.0),
    "auto": (2.0, 1.0),
}


def planted(launches=2, **fields):
    """Five repetitions in each launch, of which the last is eight times slower."""
    return [
        sample(m, 16, (one, one, one, one, 8 * one), algorithm=name, launch=launch, **fields)
        for name, seconds in SECONDS.items()
        for m, one in zip((64, 1024), seconds, strict=True)
        for launch in range(launches)
    ]


def test_ratios_are_of_medians_and_against_the_best_with_hindsight():
    small, large = rows(planted(), 16, lambda m: 1.0 if m == 64 else 0.5)
    assert (small.m, large.m) == (64, 1024)
    assert (small.best_native, large.best_native) == ("native:pairwise", "native")
    assert (small.best, large.best) == ("lg window=2", "lg window=2")
    names = ("default_over_auto", "native_over_auto", "auto_over_bound", "default_over_bound")
    assert small.ratios == dict(zip(names, (4.0, 2.0, 2.0, 8.0), strict=True))
    assert large.ratios == dict(zip(names, (2.0, 2.0, 2.0, 4.0), strict=True))


def test_means_over_sizes_are_geometric():
    found = means(rows(planted(), 16, lambda m: 1.0))
    assert found["default_over_auto"] == pytest.approx(8**0.5)
    assert found["auto_over_bound"] == pytest.approx(2**0.5)


def test_a_cell_pools_launches_and_keeps_both_modes():
    (row,) = rows([one for one in planted() if one.m == 64], 16, lambda m: None)
    cell = row.cells["auto"]
    assert (cell.repetitions, cell.median) == (10, 2.0)
    assert cell.high == pytest.approx(16.0)  # a fifth of the repetitions waited
    assert row.bound is None
    assert row.ratios["auto_over_bound"] is None


def test_what_was_measured_again_replaces_what_was_late():
    good = planted(launches=1)
    found = rows([one.model_copy(update={"lab": LATE}) for one in good], 16, lambda m: None)
    assert all(cell.is_flagged and cell.timeouts == 3 for cell in found[0].cells.values())
    late = [one.model_copy(update={"lab": LATE, "times_s": (99.0,)}) for one in good]
    assert rows([*late, *good], 16, lambda m: None) == rows(good, 16, lambda m: None)


def test_a_launch_that_its_time_ended_marks_its_cell():
    whole, cut = planted(), planted(stopped="max_seconds")
    mixed = [*(one for one in whole if one.launch == 0), *(one for one in cut if one.launch == 1)]
    for samples, is_cut in ((whole, False), (cut, True), (mixed, True)):
        found = rows(samples, 16, lambda m: None)
        assert {cell.is_cut for row in found for cell in row.cells.values()} == {is_cut}
        text = str(columns_of(found))
        assert text.count("†") == (8 if is_cut else 0)


def test_without_a_choice_there_is_no_ratio_to_it():
    found = rows([one for one in planted() if one.algorithm != "auto"], 16, lambda m: 1.0)
    assert means(found)["default_over_auto"] is None
    assert means(found)["default_over_bound"] == pytest.approx(4.0)
    assert rows(planted(), 8, lambda m: 1.0) == []


def test_the_library_comes_first_and_the_choice_last():
    found = algorithms(rows(planted(), 16, lambda m: None))
    assert found == ["native", "native:pairwise", "lg window=2", "auto"]
