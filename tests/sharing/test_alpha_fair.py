"""alpha-fair shares against closed forms, and against max-min fairness in its limit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.errors import ContendError
from contend.sharing import Links, solve
from contend.sharing.several import first_penalties

edge = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda e: e[0] != e[1])
graphs = st.lists(edge, min_size=1, max_size=8).map(tuple)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 6.0])
@pytest.mark.parametrize("links", [1, 2, 5])
def test_a_long_flow_against_one_on_each_link(alpha: float, links: int) -> None:
    """Mo, Walrand 2000: the long one gets 1 / (1 + links^(1 / alpha))."""
    count = links + 1
    flows = {
        "src": [0] * count,
        "dst": [1] * count,
        "bytes": [1.0] * count,
        "route": [list(range(links)), *([link] for link in range(links))],
    }
    solution = solve(
        flows, "alpha-fair", bandwidth=1.0, topology=Links(2, [1.0] * links),
        parameters={"alpha": alpha}, is_recorded=True,
    )  # fmt: skip
    first = solution.steps().query("step == 0")["rate"]
    long = 1 / (1 + links ** (1 / alpha))
    assert first.to_numpy() == pytest.approx([long, *[1 - long] * links], rel=1e-9)


def test_a_flow_held_up_at_both_ends_gets_a_quarter_in_proportion() -> None:
    found = first_penalties(((0, 1), (0, 2), (3, 1), (4, 1)), "alpha-fair", {"alpha": 1.0})
    assert found == pytest.approx([4, 4 / 3, 8 / 3, 8 / 3], rel=1e-9)


def test_links_of_different_capacity_are_filled() -> None:
    flows = {"src": [0, 0], "dst": [1, 1], "bytes": [1.0, 1.0], "route": [[0], [0, 1]]}
    solution = solve(
        flows, "alpha-fair", bandwidth=10.0, topology=Links(2, [10.0, 2.0]), is_recorded=True
    )
    assert solution.steps().query("step == 0")["rate"].tolist() == pytest.approx([8.0, 2.0])


@settings(max_examples=60)
@given(graphs)
def test_a_large_alpha_is_max_min_fairness(edges) -> None:
    found = first_penalties(edges, "alpha-fair", {"alpha": 60.0})
    assert found == pytest.approx(first_penalties(edges, "maxmin", None), rel=0.05)


@settings(max_examples=60)
@given(graphs, st.sampled_from([0.5, 1.0, 2.0]))
def test_no_other_rates_have_a_greater_utility(edges, alpha: float) -> None:
    """Towards any rates y that the links carry the utility falls: sum (y - x) / x^alpha <= 0."""
    rates = 1 / first_penalties(edges, "alpha-fair", {"alpha": alpha})
    for other in ("maxmin", "equal_share"):
        towards = 1 / first_penalties(edges, other, None) - rates
        assert np.sum(towards / rates**alpha) <= 1e-8 * len(edges)


@pytest.mark.parametrize("alpha", [0.0, -1.0, float("nan")])
def test_an_alpha_that_is_no_fairness_is_refused(alpha: float) -> None:
    with pytest.raises((ContendError, ValueError), match="alpha must be finite and above 0"):
        first_penalties(((0, 1),), "alpha-fair", {"alpha": alpha})
