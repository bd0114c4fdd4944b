"""Which repetitions waited, and what is left of them."""

import numpy as np
import pytest

from contend.models.timeouts.classify import Labelled, classify, clean
from contend.models.timeouts.cost import Cost
from contend.samples import Sample
from support.synthesis import sample
from support.timeouts import COUNTS, SIZES, Lossy, exchange

COST = Cost(0.2, 0.19, 0.21)


def exact(n: int, m: int, *waits: int) -> Sample:
    """Repetitions that waited for so many time-outs each."""
    return sample(m, n, tuple(exchange(n, m) + 0.2 * number for number in waits))


def test_each_repetition_has_the_time_outs_that_it_waited_for() -> None:
    known = [exact(n, m, 0, 0, 0) for n in COUNTS for m in SIZES[:3]]
    mixed = exact(8, 16384, 0, 1, 3, 0, 2)
    told = {one.sample.point: one for one in classify([*known, mixed], COST)}
    assert told[mixed.point].waits.tolist() == [0, 1, 3, 0, 2]
    assert told[mixed.point].late == 3


@pytest.mark.parametrize("waits", [1, 2])
def test_where_all_waited_the_growth_of_others_tells_how_often(waits: int) -> None:
    samples = [exact(n, m, 0, 0) for n in COUNTS[:-1] for m in SIZES]
    late = exact(12, 65536, waits, waits, waits + 1)
    told = {one.sample.point: one for one in classify([*samples, late], COST)}
    assert told[late.point].waits.tolist() == [waits, waits, waits + 1]
    (left,) = (one for one in clean([told[late.point]], COST))
    assert left.times_s == pytest.approx([exchange(12, 65536)] * 2)


def test_what_is_left_is_the_clean_time_of_each_sample() -> None:
    samples = Lossy(noise=0.01).samples(np.random.default_rng(1))
    left = clean(classify(samples, COST), COST)
    assert len(left) > 0.9 * len(samples)
    ratios = [one.median / exchange(one.n, one.m) for one in left]
    assert np.median(ratios) == pytest.approx(1.0, abs=0.01)
    assert max(np.abs(np.log(ratios))) < 0.7


def test_nothing_is_left_of_what_is_shorter_than_costs_differ_by() -> None:
    late = exact(12, 2048, 1, 1)
    assert exchange(12, 2048) < COST.high - COST.low
    assert clean([Labelled(late, np.array([1, 1]))], COST) == []


def test_ranks_are_dropped_with_their_repetitions() -> None:
    one = exact(8, 16384, 0, 1).model_copy(update={"rank_times_s": ((0.1,), (0.3,))})
    (left,) = clean([Labelled(one, np.array([0, 1]))], COST)
    assert left.rank_times_s is None and len(left.times_s) == 1


def test_where_noise_is_as_large_as_the_cost_nothing_is_told() -> None:
    rng = np.random.default_rng(2)
    samples = [
        sample(m, n, exchange(n, m) * np.exp(0.3 * rng.standard_normal(10)))
        for n in (4, 8)
        for m in (65536, 2**20, 2**22)
    ]
    assert {one.sample.m for one in classify(samples, COST)} <= {65536}
