"""alpha-fair shares against closed forms, and against max-min fairness in its limit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from contend.base.errors import ContendError
from contend.simulate.flows.engine import solve
from contend.simulate.graphs.side_by_side import first_penalties
from contend.simulate.topologies import Links

edge = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda e: e[0] != e[1])
graphs = st.lists(edge, min_size=1, max_size=8).map(tuple)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 6.0])
@pytest.mark.parametrize("links", [1, 2, 5])
def test_a_long_flow_against_one_on_each_link(alpha, links):
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


def test_a_flow_held_up_at_both_ends_gets_a_quarter_in_proportion():
    found = first_penalties(((0, 1), (0, 2), (3, 1), (4, 1)), "alpha-fair", {"alpha": 1.0})
    assert found == pytest.approx([4, 4 / 3, 8 / 3, 8 / 3], rel=1e-9)


def test_links_of_different_capacity_are_filled():
    flows = {"src": [0, 0], "dst": [1, 1], "bytes": [1.0, 1.0], "route": [[0], [0, 1]]}
    solution = solve(
        flows, "alpha-fair", bandwidth=10.0, topology=Links(2, [10.0, 2.0]), is_recorded=True
    )
    assert solution.steps().query("step == 0")["rate"].tolist() == pytest.approx([8.0, 2.0])


@settings(max_examples=60)
@given(graphs)
def test_a_large_alpha_is_max_min_fairness(edges):
    found = first_penalties(edges, "alpha-fair", {"alpha": 60.0})
    assert found == pytest.approx(first_penalties(edges, "maxmin", None), rel=0.05)


@settings(max_examples=60)
@given(graphs, st.sampled_from([0.5, 1.0, 2.0]))
def test_no_other_rates_have_a_greater_utility(edges, alpha):
    """Towards any rates y that the links carry the utility falls: sum (y - x) / x^alpha <= 0."""
    rates = 1 / first_penalties(edges, "alpha-fair", {"alpha": alpha})
    for other in ("maxmin", "equal_share"):
        towards = 1 / first_penalties(edges, other, None) - rates
        assert np.sum(towards / rates**alpha) <= 1e-8 * len(edges)


@pytest.mark.parametrize("alpha", [0.0, -1.0, 0.0499, 301.0, float("nan")])
def test_an_alpha_beyond_the_range_is_refused(alpha):
    with pytest.raises(ContendError, match=r"alpha must be from 0\.05 to 300"):
        first_penalties(((0, 1),), "alpha-fair", {"alpha": alpha})


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.73, 1.0, 20.0, 300.0])
@pytest.mark.parametrize("edges", [((0, 3), (1, 3), (2, 3)), ((3, 0), (3, 1), (3, 2))])
def test_a_hot_host_is_shared_equally(alpha, edges):
    found = first_penalties(edges, "alpha-fair", {"alpha": alpha})
    assert found == pytest.approx([3.0, 3.0, 3.0], rel=1e-12)


def stationarity(rates, uses, capacity, alpha):
    """Largest relative error of rate^-alpha as a sum of prices of full links, found by nnls."""
    is_full = uses @ rates >= capacity * (1 - 1e-8)
    # A price in units of the least rate^-alpha of a flow on the link, a row in units of its own.
    level = -alpha * np.log(rates)
    full = uses[is_full].T
    scale = np.min(np.where(full, level[:, None], np.inf), axis=0)
    prices = np.where(full, np.exp(scale - level[:, None]), 0.0)
    return float(np.abs(prices @ optimize.nnls(prices, np.ones(len(rates)))[0] - 1).max())


@st.composite
def networks(draw):
    """Routes, with repetition, over links of few capacities or of very different ones."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    links, flows = draw(st.integers(1, 10)), draw(st.integers(1, 25))
    capacity = 10 ** random.uniform(-2, 2, links)
    if draw(st.booleans()):
        capacity = random.integers(1, 3, links, endpoint=True).astype(float)
    lengths = random.integers(1, min(4, links), flows, endpoint=True)
    routes = [sorted(random.permutation(links)[:length].tolist()) for length in lengths]
    return [routes[route] for route in random.integers(flows, size=flows)], capacity


def rates_of(routes, capacity, model, **parameters):
    count = len(routes)
    flows = {
        "src": np.zeros(count, dtype=int),
        "dst": np.ones(count, dtype=int),
        "bytes": np.ones(count),
        "route": routes,
    }
    solution = solve(
        flows, model, bandwidth=1.0, topology=Links(2, capacity), parameters=parameters,
        is_recorded=True,
    )  # fmt: skip
    first = solution.stretches.groupby("flow")["begin"].idxmin()
    return solution.stretches["rate"].to_numpy()[first]


def uses_of(routes, links):
    uses = np.zeros((links, len(routes)), dtype=bool)
    for flow, route in enumerate(routes):
        uses[route, flow] = True
    return uses


@settings(max_examples=300, deadline=None)
@given(networks(), st.one_of(st.sampled_from([0.05, 1.0, 20.0]), st.floats(0.05, 20.0)))
def test_every_solution_meets_the_conditions_of_the_optimum(network, alpha):
    """Karush, Kuhn, Tucker. Beyond alpha 20 prices underflow here; the core's own test goes on."""
    routes, capacity = network
    rates = rates_of(routes, capacity, "alpha-fair", alpha=alpha)
    uses = uses_of(routes, len(capacity))
    assert (uses @ rates <= capacity * (1 + 1e-9)).all()
    assert stationarity(rates, uses, capacity, alpha) < 1e-6


@settings(max_examples=200, deadline=None)
@given(networks(), st.floats(20.0, 300.0))
def test_the_least_rate_comes_near_that_of_max_min_fairness(network, alpha):
    """The least sum of rate^(1 - alpha) is no more than that of the fair rates."""
    routes, capacity = network
    rates = rates_of(routes, capacity, "alpha-fair", alpha=alpha)
    fair = rates_of(routes, capacity, "maxmin")
    assert (uses_of(routes, len(capacity)) @ rates <= capacity * (1 + 1e-9)).all()
    assert rates.min() >= fair.min() * len(rates) ** (-1 / (alpha - 1)) * (1 - 1e-9)


@pytest.mark.parametrize("alpha", [0.05, 0.73, 2.0, 300.0])
def test_a_large_exchange_meets_the_conditions_of_the_optimum(alpha):
    """Many flows between 24 hosts, some of them often, by two trunks of little capacity."""
    random = np.random.default_rng(5)
    src = random.integers(24, size=200)
    dst = (src + random.integers(1, 24, size=200)) % 24
    routes = [
        [s, 24 + d] + ([48 + s // 12] if s // 12 != d // 12 else [])
        for s, d in zip(src.tolist(), dst.tolist(), strict=True)
    ]
    capacity = np.concatenate([np.ones(48), [6.0, 2.5]])
    rates = rates_of(routes, capacity, "alpha-fair", alpha=alpha)
    uses = uses_of(routes, 50)
    assert (uses @ rates <= capacity * (1 + 1e-9)).all()
    if alpha < 20:
        assert stationarity(rates, uses, capacity, alpha) < 1e-6


def fairest(uses, capacity, alpha):
    """Rates of the greatest utility by scipy, from equal ones that all links can carry."""
    begin = np.full(uses.shape[1], 0.5 * (capacity / np.maximum(uses.sum(axis=1), 1)).min())

    def loss(logarithms):
        if alpha == 1.0:
            return -float(logarithms.sum())
        return -float(np.exp((1 - alpha) * logarithms).sum() / (1 - alpha))

    found = optimize.minimize(
        loss,
        np.log(begin),
        jac=lambda logarithms: -np.exp((1 - alpha) * logarithms),
        constraints={
            "type": "ineq",
            "fun": lambda logarithms: 1 - uses @ np.exp(logarithms) / capacity,
            "jac": lambda logarithms: -uses * np.exp(logarithms) / capacity[:, None],
        },
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return np.exp(found.x)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    links=st.integers(1, 5),
    alpha=st.sampled_from([0.5, 1.0, 1.001, 2.0]),
)
def test_scipy_finds_the_same_rates(seed, links, alpha):
    random = np.random.default_rng(seed)
    capacity = random.uniform(0.5, 2.0, links)
    lengths = random.integers(1, links, size=random.integers(1, 9), endpoint=True)
    routes = [sorted(random.permutation(links)[:length].tolist()) for length in lengths]
    uses = np.array([[float(link in route) for route in routes] for link in range(links)])
    found = rates_of(routes, capacity, "alpha-fair", alpha=alpha)
    assert found == pytest.approx(fairest(uses, capacity, alpha), rel=2e-4)


@pytest.mark.parametrize("alpha", [0.7, 1.0, 1.0001, 2.0, 5.0, 40.0])
@pytest.mark.parametrize("hot", [False, True])
def test_every_step_of_a_run_is_an_optimum(alpha, hot):
    """Each step begins with the prices of the one before; flows start and end all the time."""
    random = np.random.default_rng(int(10 * alpha) + hot)
    hosts, count = 6, 40
    src = random.integers(hosts, size=count)
    dst = (src + random.integers(1, hosts, size=count)) % hosts
    dst[hot & (src > 0)] = 0
    flows = {
        "src": src,
        "dst": dst,
        "bytes": np.where(random.random(count) < 0.3, 1.0, random.exponential(size=count)),
        "start": np.where(random.random(count) < 0.5, 0.0, random.uniform(0, 5, count)),
    }
    solution = solve(
        flows, "alpha-fair", bandwidth=1.0, parameters={"alpha": alpha}, is_recorded=True
    )
    for _, step in solution.steps().groupby("step"):
        of, rates = step["flow"].to_numpy(), step["rate"].to_numpy()
        uses = np.zeros((2 * hosts, len(of)))
        uses[src[of], np.arange(len(of))] = 1.0
        uses[hosts + dst[of], np.arange(len(of))] = 1.0
        assert (uses @ rates <= 1 + 1e-9).all()
        assert stationarity(rates, uses, np.ones(2 * hosts), alpha) < 1e-6
