"""Validating a network on the samples of its fit makes no prediction worse, on real machines."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction import validate
from contend.models.prediction.predict import predicted
from contend.samples import Provenance, Sample
from contend.samples.origin import Unsaved

SOURCE = Unsaved("measured machines", b"")
FITTED_NODES = (2, 8)


@pytest.fixture
def rows(shared_data: Callable[[str], Path]) -> pd.DataFrame:
    every = pd.read_csv(shared_data("epcc_imb/collectives.csv.gz"))
    return every[(every["operation"] == "alltoall") & (every["m"] > 0) & (every["nodes"] > 1)]


def samples(rows: pd.DataFrame) -> Iterator[Sample]:
    for row in rows.itertuples():
        yield Sample(
            experiment="alltoall",
            algorithm="native",
            n=row.n,
            processes_per_node=row.ppn,
            m=row.m,
            launch=row.launch,
            statistic="mean",
            times_s=(row.time_s,),
            provenance=Provenance(source="imb"),
        )


def errors(network: Network, held_out: pd.DataFrame) -> np.ndarray:
    points = held_out.groupby(["n", "m"], as_index=False)["time_s"].median()
    n, m = points["n"].to_numpy(), points["m"].to_numpy()
    seconds = predicted(network, network.operations[0], n, m)["seconds"]
    return np.abs(seconds / points["time_s"].to_numpy() - 1)


def test_after_validating_what_was_fitted_predictions_are_no_worse(rows: pd.DataFrame) -> None:
    found = []
    for _, series in rows.groupby("series"):
        is_fitted = series["nodes"].isin(FITTED_NODES)
        training = list(samples(series[is_fitted]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            network = validate.record(fit_network(training, SOURCE, FitOptions()), training)
        found.append(errors(network, series[~is_fitted]))
    pooled = np.concatenate(found)
    assert (len(found), len(pooled)) == (6, 361)
    assert np.median(pooled) <= 0.175
    assert np.quantile(pooled, 0.9) <= 0.47
