"""The all-to-all by the engine: closed forms of models that a network knows."""

from pathlib import Path

import numpy as np
import pytest

from contend.errors import InvalidInputError
from contend.graphs.alltoall import alltoall_seconds
from contend.graphs.fit import fit_sharing
from contend.graphs.record import FittedSharing
from planted_graphs import BANDWIDTH, SMALL, planted

TRUE = {"beta_e": 1.5, "beta_s": 0.8, "gamma": 1.1}


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> FittedSharing:
    source: Path = tmp_path_factory.mktemp("graphs") / "graphs.jsonl"
    source.write_text("planted")
    return fit_sharing(planted(SMALL, "penalty3", TRUE), source, np.random.default_rng(1))


@pytest.mark.parametrize("order", ["rotated", "ring"])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_without_penalties_both_orders_take_the_time_of_the_bytes(
    fitted: FittedSharing, order, n: int
) -> None:
    found = alltoall_seconds(fitted, n, 10**6, order, "maxmin")
    assert found == pytest.approx((n - 1) * 10**6 / BANDWIDTH)


def test_only_messages_that_meet_are_penalised(fitted: FittedSharing) -> None:
    of = {order: alltoall_seconds(fitted, 6, 10**6, order) for order in ("rotated", "ring")}
    bytes_alone = 5 * 10**6 / BANDWIDTH
    assert of["ring"] == pytest.approx(bytes_alone, rel=1e-3)
    assert of["rotated"] == pytest.approx(1.5 * bytes_alone, rel=0.01)


def test_a_start_up_counts_once_at_once_and_once_a_round(fitted: FittedSharing) -> None:
    for order, count in (("rotated", 1), ("ring", 3)):
        without = alltoall_seconds(fitted, 4, 10**6, order)
        assert alltoall_seconds(fitted, 4, 10**6, order, start_up=2.0) == pytest.approx(
            without + 2.0 * count
        )


@pytest.mark.parametrize(("n", "m"), [(1, 8), (4, 0)])
def test_nothing_to_exchange_is_refused(fitted: FittedSharing, n: int, m: int) -> None:
    with pytest.raises(InvalidInputError, match="at least 2 processes and 1 byte"):
        alltoall_seconds(fitted, n, m)
