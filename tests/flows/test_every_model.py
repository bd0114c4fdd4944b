"""What holds for every sharing model, on random graphs of one switch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import get, names

HOSTS = 5
MODELS = names()


def degrees(flows):
    """Penalties of a kind that was measured: the larger degree at the ends of each flow."""

    def of(left):
        src, dst = flows["src"][left], flows["dst"][left]
        return [
            float(max((src == s).sum(), (dst == d).sum())) for s, d in zip(src, dst, strict=True)
        ]

    return of


def run(flows, model, bandwidth=1.0):
    penalties = degrees(flows) if model == "measured" else None
    return solve(
        flows, model, bandwidth=bandwidth, hosts=HOSTS, penalties=penalties, is_recorded=True
    )


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    src = random.integers(HOSTS, size=count)
    is_synchronous = draw(st.booleans())
    return {
        "src": src,
        "dst": (src + random.integers(1, HOSTS, size=count)) % HOSTS,
        "bytes": np.ones(count) if is_synchronous else random.exponential(size=count),
        "start": np.zeros(count) if is_synchronous else random.exponential(size=count),
    }


@pytest.fixture(params=MODELS)
def model(request):
    return str(request.param)


def for_every_model(test):
    return pytest.mark.parametrize("model", MODELS)(
        settings(max_examples=60, deadline=None)(given(flows=graphs())(test))
    )


@for_every_model
def test_every_byte_is_moved_once(model, flows):
    solution = run(flows, model)
    stretches = solution.stretches
    moved = (stretches["until"] - stretches["begin"]) * stretches["rate"]
    by_flow = moved.groupby(stretches["flow"]).sum().to_numpy()
    assert by_flow == pytest.approx(flows["bytes"], rel=1e-9)
    last = stretches.groupby("flow")["until"].max().to_numpy()
    assert last == pytest.approx(solution.end, rel=1e-12)


@for_every_model
def test_no_flow_is_faster_than_alone(model, flows):
    assert (run(flows, model).stretches["penalty"] >= 1 - 1e-12).all()


@for_every_model
def test_a_model_that_keeps_capacity_never_exceeds_it(model, flows):
    if not get(model).keeps_capacity:
        return
    steps = run(flows, model).steps()
    for end in ("src", "dst"):
        loads = steps.groupby(["step", flows[end][steps["flow"]]])["rate"].sum()
        assert (loads <= 1 + 1e-9).all()


@for_every_model
def test_the_order_of_the_flows_does_not_matter(model, flows):
    order = np.random.default_rng(1).permutation(len(flows["src"]))
    permuted = {name: values[order] for name, values in flows.items()}
    assert run(permuted, model).end == pytest.approx(run(flows, model).end[order], rel=1e-9)


@for_every_model
def test_sizes_and_bandwidth_scale(model, flows):
    end = run(flows, model).end
    larger = {**flows, "bytes": 3e6 * flows["bytes"]}
    assert run(larger, model, bandwidth=3e6).end == pytest.approx(end, rel=1e-9)
    slower = {**flows, "start": 7 * flows["start"]}
    assert run(slower, model, bandwidth=1 / 7).end == pytest.approx(7 * end, rel=1e-9)


@for_every_model
def test_a_later_start_and_latency_shift_the_end(model, flows):
    end = run(flows, model).end
    count = len(end)
    shifted = {**flows, "start": flows["start"] + 100, "latency": np.full(count, 11.0)}
    assert run(shifted, model).end == pytest.approx(end + 111, rel=1e-9)


@for_every_model
def test_empty_flows_end_at_once_and_disturb_no_other(model, flows):
    count = len(flows["src"])
    doubled = {name: np.concatenate([values, values]) for name, values in flows.items()}
    doubled["bytes"][count:] = 0
    found = run(doubled, model).end
    assert found[:count] == pytest.approx(run(flows, model).end, rel=1e-12)
    assert (found[count:] == flows["start"]).all()


def test_the_same_input_gives_the_same_bits(model):
    random = np.random.default_rng(2)
    src = random.integers(HOSTS, size=200)
    flows = {
        "src": src,
        "dst": (src + random.integers(1, HOSTS, size=200)) % HOSTS,
        "bytes": random.exponential(size=200),
        "start": random.exponential(20.0, size=200),
    }
    assert (run(flows, model).end == run(flows, model).end).all()


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_parallel_flows_share_what_one_would_have(model, copies):
    if model == "penalty3":
        pytest.skip("its parameters give parallel flows less than all")
    flows = {
        "src": np.zeros(copies, dtype=int),
        "dst": np.ones(copies, dtype=int),
        "bytes": np.full(copies, 2.0),
    }
    assert run(flows, model).end == pytest.approx([2.0 * copies] * copies)


def test_no_flows_are_a_solution_too(model):
    empty = {"src": np.empty(0, int), "dst": np.empty(0, int), "bytes": np.empty(0)}
    solution = run(empty, model)
    assert len(solution.end) == solution.events == len(solution.steps()) == 0
