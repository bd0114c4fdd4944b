"""The all-to-all of one real machine, fitted at 32 processes and compared at all others."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.prediction.validate import compare, record, summarise
from contend.models.signature import FORMS
from contend.samples import Sample
from contend.samples.reader import READERS
from contend.schedules.pointtopoint import Hockney, hockney
from support.synthesis import LASSEN

KNOWN = hockney.given(1.3e-6, 8e-11)  # of the order of EDR InfiniBand


@pytest.fixture
def path(shared_data: Callable[[str], Path]) -> Path:
    return shared_data("lassen_alltoall/alltoall.csv")


@pytest.fixture
def samples(path: Path) -> list[Sample]:
    return list(READERS.get("csv_columns").read(path, LASSEN))


def comparison(path: Path, samples: list[Sample], known: Hockney | None = None) -> pd.DataFrame:
    network = fit_network(samples, path, FitOptions(n_fit=32, known_hockney=known))
    (operation,) = record(network, samples).operations
    assert operation.title == "alltoall/native, 4 per node"
    assert operation.validation.keys() == operation.forms.keys()
    return compare(network, operation, samples)


def test_the_signature_errs_as_the_data_set_says(path: Path, samples: list[Sample]) -> None:
    rows = comparison(path, samples).query("form == 'hockney_2007'")
    seen = rows.loc[~rows["is_unseen"], "error"].abs()
    assert len(seen) == 16
    assert seen.quantile([0.5, 0.9]).tolist() == pytest.approx([0.10, 0.15], abs=0.01)
    unseen = summarise(rows).set_index("regime").loc["all"]
    assert unseen["points"] == 64
    assert unseen["median"] == pytest.approx(0.395, abs=0.01)
    assert unseen["percentile_90"] == pytest.approx(1.19, abs=0.01)


def test_what_goes_wrong_is_that_time_does_not_grow_with_n_for_small_messages(
    path: Path, samples: list[Sample]
) -> None:
    """The library forwards small messages, so that the form fits neither side of n'."""
    rows = comparison(path, samples).query("form == 'hockney_2007' and regime == 'm < M'")
    bias = rows.groupby("n")["error"].median()
    assert bias.is_monotonic_increasing
    assert bias[8] < -0.5
    assert bias[128] > 0.5


@pytest.mark.parametrize("known", [None, KNOWN], ids=["fitted", "known"])
def test_all_baselines_that_need_no_plogp_are_beside_it(
    path: Path, samples: list[Sample], known: Hockney | None
) -> None:
    table = summarise(comparison(path, samples, known))
    expected = {
        form.name
        for form in FORMS.all()
        if not form.needs_plogp and (known or not form.needs_hockney)
    }
    assert set(table["form"]) == expected
    assert expected >= {"linear", "waves", "latency_per_size", "power_per_size"}
    everywhere = table[table["regime"] == "all"].set_index("form")
    assert np.isfinite(everywhere["worst"]).all()
    two_counts = everywhere.loc[["power_per_size", "affine_per_n", "growth"], "points"]
    assert (two_counts == 48).all()
    at_one = everywhere.drop(index=[*two_counts.index, "hockney_2007"])["points"]
    assert (at_one == 64).all()
    assert everywhere.loc["hockney_2007", "points"] >= 64  # and sizes at n' that it leaves out
    medians = everywhere["median"]
    assert medians["hockney_2007"] < medians[list(expected & {"linear", "clement", "waves"})].min()


def test_with_a_cost_of_a_message_small_sizes_do_not_set_that_of_a_byte(
    path: Path, samples: list[Sample]
) -> None:
    """The library forwards up to 1 KiB, below what direct messages of that alpha would take."""
    network = fit_network(samples, path, FitOptions(n_fit=32, known_hockney=KNOWN))
    signature = network.operations[0].forms["hockney_2007"]
    gamma = signature.parameters["gamma"]
    assert 1024 <= float(signature.parameters["smallest"]) <= 4096
    assert 5 < float(gamma) < 6.5
    assert gamma.high - gamma.low < 0.25 * float(gamma)
    assert signature.relative_residual < 0.1
