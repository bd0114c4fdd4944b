"""Chains of messages that are told by hand."""

import pytest

from contend.libraries.chains import doubling_reduce_scatter
from contend.signature.algorithm_growth import usual_growth


@pytest.mark.parametrize(
    ("n", "chain"),
    [(2, (1, 1)), (3, (3, 6)), (4, (2, 5)), (6, (4, 17)), (8, (3, 17)), (12, (5, 45))],
)
def test_counted_by_hand(n: int, chain: tuple[int, int]) -> None:
    assert doubling_reduce_scatter(n) == chain


@pytest.mark.parametrize("power", range(1, 8))
def test_of_a_power_of_two_each_turn_leaves_out_twice_as_many(power: int) -> None:
    n = 2**power
    assert doubling_reduce_scatter(n) == (power, n * power - (n - 1))


@pytest.mark.parametrize("n", [*range(3, 40), 63, 65, 100])
def test_no_number_of_ranks_takes_less_than_the_power_below_it(n: int) -> None:
    below = 2 ** ((n - 1).bit_length() - 1)
    assert all(
        one >= other
        for one, other in zip(
            doubling_reduce_scatter(n), doubling_reduce_scatter(below), strict=True
        )
    )


@pytest.mark.parametrize("operation", ["reduce_scatter", "reduce_scatter_block"])
def test_growth_follows_the_chain(operation: str) -> None:
    usual = usual_growth(operation, "mpich:recursive_doubling")
    assert usual.startups[:2] == (0.0, 1.0)
    assert usual.startups[-1] > 0.1  # more where n is no power of two
    assert usual.bytes[:2] == (1.0, 1.0)
