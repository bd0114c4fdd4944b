"""A library's default is foretold as the algorithm that it runs, where measured times say so."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from contend.fitting.fit import FitOptions, fit_network
from contend.network import Network
from contend.prediction.predict import predicted
from contend.samples.origin import Unsaved
from planted_choice import Law, launched

MPICH = "MPICH Version:      5.0.2"
SWITCH = 524288  # bytes of all blocks, from which on MPICH reduces and scatters pairwise
LARGE = 65536  # becomes pairwise at n = 8
HALVING, PAIRWISE = "mpich:recursive_halving", "mpich:pairwise"


def halving(n: float, m: float) -> float:
    return 30e-6 * np.log2(n) + 4e-9 * n * m


def pairwise(n: float, m: float) -> float:
    return 40e-6 * (n - 1) + 1e-9 * n * m


def as_mpich(n: float, m: float) -> float:
    return halving(n, m) if n * m < SWITCH else pairwise(n, m)


def known(
    default: Law = as_mpich,
    library: str = MPICH,
    left_out: Sequence[str] = (),
    change: Callable[[Network], Network] = lambda network: network,
) -> Network:
    laws: Mapping[str, Law] = {"native": default, HALVING: halving, PAIRWISE: pairwise}
    laws = {name: law for name, law in laws.items() if name not in left_out}
    samples = launched(
        laws, np.random.default_rng(1), (4, 6, 8), operation="reduce_scatter", library=library
    )
    options = FitOptions("reduce_scatter", n_fit=8)
    return change(fit_network(samples, Unsaved("planted", b""), options))


def told(network: Network, algorithm: str = "native", n: object = 16, m: object = LARGE):
    return predicted(network, network.find("reduce_scatter", algorithm), n, m, "growth")


def is_as_before(network: Network) -> bool:
    """Whether nothing says that the default runs another algorithm."""
    return all(" as " not in regime for regime in told(network)["regime"])


def test_a_default_that_becomes_another_algorithm_is_foretold_as_that() -> None:
    network, truth = known(), as_mpich(16, LARGE)
    found, other = told(network), told(network, PAIRWISE)
    assert found["regime"].tolist() == [f"all sizes, as {PAIRWISE}"]
    assert found["low"][0] <= truth <= found["high"][0]
    assert abs(found["seconds"][0] / truth - 1) < 0.10
    assert found["high"][0] / found["low"][0] < 1.1 * other["high"][0] / other["low"][0]


def test_without_the_rules_it_is_known_less_well() -> None:
    before, now = told(known(library="no MPI")), told(known())
    width = [rows["high"][0] / rows["low"][0] for rows in (before, now)]
    assert width[0] > 1.5 * width[1]


def test_rows_stand_in_the_order_asked_for_each_by_its_algorithm() -> None:
    n, m = np.array([16, 4, 16, 8]), np.array([LARGE, LARGE, 64, LARGE])
    found = told(known(), n=n, m=m)
    assert (found["n"].tolist(), found["m"].tolist()) == (n.tolist(), m.tolist())
    assert [regime.partition(" as ")[2] for regime in found["regime"]] == [
        PAIRWISE, HALVING, HALVING, PAIRWISE,
    ]  # fmt: skip
    for place in range(n.size):
        alone = told(known(), n=n[place], m=m[place])
        assert alone["seconds"][0] == found["seconds"][place]


def test_points_of_the_default_itself_count_first() -> None:
    network = known(lambda n, m: 1.04 * as_mpich(n, m))
    assert told(network, n=8)["seconds"] > 1.01 * told(network, PAIRWISE, n=8)["seconds"]


@pytest.mark.parametrize(
    "network",
    [
        known(library="Open MPI v5.0.11, package: test"),
        known(left_out=(HALVING, PAIRWISE)),
        known(lambda n, m: 1.2 * as_mpich(n, m)),
        known(pairwise),  # a file of rules, or a variable, in effect
        known(change=lambda one: one.model_copy(update={"operations": tuple(
            each.model_copy(update={"processes_per_node": 2}) for each in one.operations
        )})),
    ],
    ids=["no rules", "nothing forced", "slower", "told otherwise", "several a node"],
)  # fmt: skip
def test_where_nothing_bears_it_out_its_own_times_count(network: Network) -> None:
    assert is_as_before(network)


def test_an_algorithm_that_was_not_measured_leaves_its_pairs_to_the_default() -> None:
    found = told(known(left_out=(PAIRWISE,)), n=16, m=np.array([64, LARGE]))
    assert [" as " in regime for regime in found["regime"]] == [True, False]


def test_what_was_fitted_alone_judges_a_validation() -> None:
    network = known()
    default = network.find("reduce_scatter", "native")
    rows = predicted(network, default, 16, LARGE, "growth", is_anchored=False)
    assert rows["regime"].tolist() == [f"all sizes, as {PAIRWISE}"]
