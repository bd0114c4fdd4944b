"""Evidence of time-outs, and what one costs: from times alone, and not where there are none."""

import numpy as np
import pytest

from contend.models.timeouts.cost import Repeated, cost_of_timeout
from contend.models.timeouts.separate import separate
from support.synthesis import sample
from support.timeouts import (
    COUNTS,
    HARMLESS,
    OVERSUBSCRIBED,
    SIZES,
    Lossy,
    exchange,
    harmless,
    smooth,
)

SEEDS = 200


@pytest.mark.parametrize("cost", [0.05, 0.2, 1.0])
def test_the_cost_is_that_of_the_network_whatever_it_is(cost: float) -> None:
    found = [
        separate(Lossy(cost=cost).samples(np.random.default_rng(seed)), "alltoall").cost
        for seed in range(10)
    ]
    told = [one.seconds for one in found if one is not None]
    assert len(told) >= 9
    assert told == pytest.approx([cost] * len(told), rel=0.05)


@pytest.mark.parametrize("counts", [(8, 12), (12,)])
def test_one_n_or_two_are_enough_where_sizes_reach_from_no_time_out_to_many(
    counts: tuple[int, ...],
) -> None:
    found = [
        separate(Lossy().samples(np.random.default_rng(seed), counts), "alltoall").cost
        for seed in range(10)
    ]
    assert sum(one is not None for one in found) >= 9


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_is_no_time_out_is_taken_for_one_in_a_campaign_of_twenty_at_most(kind: str) -> None:
    found = [
        separate(harmless(HARMLESS[kind], np.random.default_rng(seed)), "alltoall").cost
        for seed in range(SEEDS)
    ]
    assert sum(one is not None for one in found) <= 0.05 * SEEDS


def test_one_outlier_is_no_time_out() -> None:
    rng = np.random.default_rng(3)
    samples = harmless(smooth, rng)
    late = samples[17]
    samples[17] = late.model_copy(update={"times_s": (*late.times_s[:-1], late.median + 0.2)})
    assert separate(samples, "alltoall").cost is None


def test_processes_that_are_known_to_share_cores_tell_nothing() -> None:
    rng = np.random.default_rng(4)
    assert separate(Lossy().samples(rng, provenance=OVERSUBSCRIBED), "alltoall").cost is None


def test_means_tell_nothing() -> None:
    rng = np.random.default_rng(5)
    assert separate(Lossy().samples(rng, statistic="mean"), "alltoall").cost is None


@pytest.mark.parametrize("launches", [1, 3])
def test_single_repetitions_of_one_launch_tell_nothing_and_break_nothing(launches: int) -> None:
    rng = np.random.default_rng(6)
    samples = Lossy().samples(rng, launches=launches, repetitions=1)
    found = separate(samples, "alltoall")
    assert found.cost is None or launches > 1
    assert len(found.samples) <= len(samples)


def test_where_every_repetition_waits_no_cost_can_be_told() -> None:
    rng = np.random.default_rng(7)
    samples = [
        sample(m, n, smooth(exchange(n, m), rng) + 0.2, launch=launch)
        for n in COUNTS
        for m in SIZES
        for launch in range(2)
    ]
    found = separate(samples, "alltoall")
    assert found.cost is None
    assert found.samples == samples


def test_without_evidence_samples_stay_as_they_are() -> None:
    samples = harmless(smooth, np.random.default_rng(8))
    assert separate(samples, "alltoall").samples == samples


def test_two_modes_whose_ratio_is_the_same_are_no_time_outs() -> None:
    """Of twelve times as long: another route, say; each half of the repetitions of large ones."""
    points = [
        Repeated(n, m, exchange(n, m) * np.array([1, 1.01, 1.02, 12, 12.1, 12.2]))
        if m > 4096
        else Repeated(n, m, exchange(n, m) * np.array([1, 1.01, 1.02]))
        for n in COUNTS
        for m in SIZES
    ]
    assert cost_of_timeout(points) is None
