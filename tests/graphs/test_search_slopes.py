"""The slopes of a fit, solved all at once, are those that scipy takes one by one."""

import numpy as np
import pytest
from scipy import optimize

from contend.graphs import parameters
from contend.graphs.measured import measured_graphs
from contend.graphs.parameters import Observations, initial
from support.graphs import launched, random_graphs

TRUE = {
    "penalty3": {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6},
    "alpha-fair": {"alpha": 1.4},
}


@pytest.mark.parametrize("with_bandwidth", [True, False])
@pytest.mark.parametrize("model", TRUE)
@pytest.mark.parametrize("start", [1.0, 0.3, parameters.REACH])
def test_a_search_ends_where_that_of_scipy_does_to_the_last_digit(
    model: str, start: float, with_bandwidth: bool
) -> None:
    random = np.random.default_rng(2)
    samples = launched(random_graphs(12, random), model, TRUE[model], random, spread=0.02)
    graphs = measured_graphs(samples)
    seen = Observations(tuple(graphs), 12.5e6 if with_bandwidth else None)
    first = initial(seen, model)
    begin = np.full(len(TRUE[model]), start)
    found = parameters._least(seen, first, begin)
    plain = optimize.least_squares(
        parameters._errors_of(seen, first),
        np.clip(begin, 1 / parameters.REACH, parameters.REACH),
        bounds=(1 / parameters.REACH, parameters.REACH),
        loss="soft_l1",
        f_scale=parameters.LARGE_ERROR,
        diff_step=parameters._STEP,
    )
    np.testing.assert_array_equal(found.x, plain.x)
    assert found.cost == plain.cost
