"""The search for a segment against a scan of all of them."""

import numpy as np
import pytest

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.schedules import COLLECTIVES, Algorithm, algorithms, choosable
from contend.schedules.groups import halves
from contend.schedules.pointtopoint import PLogP
from contend.tune.choose import best_segments

SEGMENTED = [
    algorithm
    for collective in COLLECTIVES
    for algorithm in choosable(collective, halves)
    if "segment" in algorithm.options
]


def network(seed: int) -> PLogP:
    """Start-up, a rate, and at some size a step or another rate."""
    rng = np.random.default_rng(seed)
    sizes = np.array([0.0, 64, 256, 1024])
    gap = 10 ** rng.uniform(-6, -4) + sizes * 10 ** rng.uniform(-8, -6)
    gap[2:] += rng.uniform(0, 1e-5)
    table = Quantity(value=tuple(gap.tolist()), unit="s")
    return PLogP(
        latency=Quantity(value=10 ** rng.uniform(-6, -3), unit="s"),
        size=Quantity(value=tuple(sizes.tolist()), unit="B"),
        gap=table,
        send_overhead=table,
        receive_overhead=table,
        method="kielmann",
    )


@pytest.mark.parametrize("algorithm", SEGMENTED, ids=lambda one: f"{one.collective}-{one.name}")
def test_the_segment_found_is_at_most_2_percent_slower_than_the_best(algorithm: Algorithm) -> None:
    for seed in range(6):
        net, n, m = network(seed), (2, 5, 16)[seed % 3], (700, 1501)[seed % 2]
        (segment,), (seconds,) = best_segments(algorithm, net, n, [m])
        scan = [float(algorithm.seconds(net, n, m, segment=s)) for s in range(1, m + 1)]
        assert seconds <= min(scan) * 1.02
        assert seconds == pytest.approx(scan[segment - 1])


@pytest.mark.parametrize("m", [0, 1, 2, 3])
def test_a_message_of_a_few_bytes_has_a_segment_too(m: int) -> None:
    chain = algorithms("bcast").get("segmented_chain")
    (segment,), _ = best_segments(chain, network(0), 4, [m])
    assert 1 <= segment <= max(m, 1)


def test_an_algorithm_without_segments_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="bcast chain sends no segments; choose"):
        best_segments(algorithms("bcast").get("chain"), network(0), 4, [8])
