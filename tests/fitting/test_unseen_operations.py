"""Collective operations at 64 nodes by what 8 told, on a machine that others measured."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from benchmarks.unseen_counts import Series, points
from benchmarks.unseen_operations import of_operations


@pytest.fixture
def kept_apart(shared_data: Callable[[str], Path]) -> list[Series]:
    """The series that no number was chosen by."""
    folder = shared_data("fugaku_collectives/collectives.csv.gz").parents[1]
    return [one for one in of_operations(folder) if not one.is_tuned_on]


def errors(all_series: list[Series], probes: int) -> pd.DataFrame:
    return pd.concat([points(series, probes) for series in all_series])


def test_operations_are_predicted_by_how_they_usually_grow(kept_apart: list[Series]) -> None:
    assert {one.title.split(",")[0] for one in kept_apart} >= {
        "allgather", "allreduce", "bcast", "gather", "reduce", "reduce_scatter", "scatter",
    }  # fmt: skip
    rows = errors(kept_apart, 0)
    assert np.abs(np.expm1(rows["error"])).median() < 0.35
    assert (rows["error"].abs() <= rows["half"]).mean() > 0.8


def test_three_probes_bring_most_of_them_nearer(kept_apart: list[Series]) -> None:
    rows = errors(kept_apart, 3)
    assert np.abs(np.expm1(rows["error"])).median() < 0.12
    assert (rows["error"].abs() <= rows["half"]).mean() > 0.85
