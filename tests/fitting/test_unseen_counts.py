"""Errors and intervals of `growth` at n that no fit has seen, on machines that others measured."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from benchmarks.unseen_counts import Series, of_fugaku, of_lassen, points


@pytest.fixture
def folder(shared_data: Callable[[str], Path]) -> Path:
    shared_data("fugaku_collectives/collectives.csv.gz")
    return shared_data("lassen_alltoall/alltoall.csv").parents[1]


def found(all_series: list[Series], probes: int = 0) -> tuple[float, float, float]:
    """Median and 90th percentile of the errors, and the share of points in the interval."""
    rows = pd.concat([points(series, probes) for series in all_series])
    errors = np.abs(np.expm1(rows["error"]))
    inside = (rows["error"].abs() <= rows["half"]).mean()
    return float(errors.median()), float(errors.quantile(0.9)), float(inside)


@pytest.mark.parametrize("variant", ["3step_host", "cuda_aware"])
def test_an_exchange_at_two_counts_predicts_all_others(folder: Path, variant: str) -> None:
    chosen = [one for one in of_lassen(folder) if one.title.endswith(variant)]
    two, one = ([s for s in chosen if len(s.counts) == count] for count in (2, 1))
    median, worst, inside = found(two)
    assert median <= 0.11 and worst <= 0.36
    assert inside >= 0.82
    assert found(one)[0] <= 0.25


def test_probes_bring_a_guess_from_one_count_nearer(folder: Path) -> None:
    one = [s for s in of_lassen(folder) if s.counts == (32,) and s.title.endswith("cuda_aware")]
    assert found(one, probes=3)[0] < 0.8 * found(one)[0]


def test_a_known_algorithm_is_predicted_from_eight_nodes_at_sixty_four(folder: Path) -> None:
    fixed = [one for one in of_fugaku(folder) if one.title.endswith("fixed algorithms")]
    assert len(fixed) >= 6
    assert found(fixed)[0] <= 0.15
    assert found(fixed, probes=3)[0] <= 0.10


def test_the_choice_of_a_library_is_predicted_less_well_and_the_interval_knows(
    folder: Path,
) -> None:
    own = [one for one in of_fugaku(folder) if one.title.endswith("choices")]
    median, _, inside = found(own)
    assert median <= 0.30
    assert inside >= 0.85
