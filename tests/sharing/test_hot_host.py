"""One host that many send to, or that sends to many: the same ends, without a look at each."""

import time

import numpy as np
import pytest

from contend.sharing import solve
from sharing import filling

MODELS = ["maxmin", "equal_share", "alpha-fair"]


def hot(count: int, is_in: bool, seed: int = 1) -> dict[str, np.ndarray]:
    """Flows of other hosts into host 0, or out of it, which differ in size and start."""
    random = np.random.default_rng(seed)
    others, hub = np.arange(1, count + 1), np.zeros(count, dtype=int)
    return {
        "src": others if is_in else hub,
        "dst": hub if is_in else others,
        "bytes": random.uniform(0.5, 1.5, count),
        "start": random.uniform(0, count / 2, count),
    }


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("is_in", [True, False])
def test_a_hot_host_gives_all_an_equal_share(model: str, is_in: bool) -> None:
    flows = hot(60, is_in)
    expected = filling.ends(
        flows["start"], flows["bytes"], lambda active: np.full(len(active), 1 / len(active))
    )
    assert solve(flows, model, bandwidth=1.0).end == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_a_hot_host_among_others_fills_as_plain_filling_does(seed: int) -> None:
    """Sources become busy elsewhere and free again, so that flows join and leave the many."""
    random = np.random.default_rng(seed)
    many, few = 25, 25
    src = np.concatenate([np.arange(1, many + 1), random.integers(1, 6, few)])
    dst = np.concatenate([np.zeros(many, int), random.integers(6, 10, few)])
    size = random.integers(1, 4, many + few).astype(float)
    start = random.integers(0, 20, many + few).astype(float)
    hosts = many + 1
    routes = [[s, hosts + d] for s, d in zip(src, dst, strict=True)]
    expected = filling.ends(
        start, size, lambda on: filling.rates([routes[f] for f in on], np.ones(2 * hosts))
    )
    flows = {"src": src, "dst": dst, "bytes": size, "start": start}
    assert solve(flows, bandwidth=1.0, hosts=hosts).end == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("is_in", [True, False])
def test_eight_times_the_flows_take_far_less_than_64_times_the_time(
    model: str, is_in: bool
) -> None:
    def seconds(count: int) -> float:
        flows = hot(count, is_in)
        taken = []
        for _ in range(3):
            begin = time.process_time()
            solve(flows, model, bandwidth=1.0)
            taken.append(time.process_time() - begin)
        return min(taken)

    assert seconds(8000) < 30 * seconds(1000)
