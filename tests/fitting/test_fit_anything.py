"""Whatever was measured, few or many points, regular or not, is fitted and predicted."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.prediction.predict import predict
from support.synthesis import SOURCE, arbitrary


@pytest.mark.parametrize(
    "seed", [*range(15), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(15, 60))]
)
def test_any_samples_are_fitted_and_predicted(seed: int) -> None:
    samples = arbitrary(seed)
    network = fit_network(samples, SOURCE, FitOptions(samples[-1].experiment))
    for known in network.operations:
        sizes = [0, 0, 0] if known.operation == "barrier" else [1, 1000, 2**20]
        for form in known.forms:
            told = predict(network, known, [3, 17, 500], sizes, form)
            assert np.isfinite(told["seconds"]).all() and (told["seconds"] > 0).all()
            has_interval = told["low"].notna()
            assert (told["low"] <= told["seconds"])[has_interval].all()
            assert (told["seconds"] <= told["high"])[has_interval].all()


def test_a_barrier_has_no_size() -> None:
    samples = next(
        found for found in map(arbitrary, range(60)) if found[-1].experiment == "barrier"
    )
    network = fit_network(samples, SOURCE, FitOptions("barrier"))
    (barrier,) = network.operations
    with pytest.raises(InvalidInputError, match="moves no bytes"):
        predict(network, barrier, 8, [0, 1024])
