"""Rankings and decision maps against all options, and against each other."""

import itertools
import tracemalloc

import numpy as np
import pytest
from test_choose_segment import network

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.schedules import COLLECTIVES, Algorithm, algorithms
from contend.schedules.groups import halves
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import Known, Times, times
from contend.tune.choose import best_segments, decision_map, map_counts, map_sizes, rank
from contend.tune.choose.tuning import tune


def closed_form(
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
) -> tuple[Times, Known]:
    """The timing of maps."""
    call = algorithm.uniform_call(n, m, options)
    return times(algorithm, plogp, n, m, **options), algorithm.claim(call)


def bounded(seed: int, spread: float) -> PLogP:
    """A network whose parameters are known within a share."""

    def with_bounds(one: Quantity) -> Quantity:
        low, high = (one.array * (1 + sign * spread) for sign in (-1, 1))
        if isinstance(one.value, tuple):
            return one.model_copy(update={"low": tuple(low), "high": tuple(high)})
        return one.model_copy(update={"low": float(low[0]), "high": float(high[0])})

    known = network(seed)
    update = {name: with_bounds(getattr(known, name)) for name in ("latency", "gap")}
    return known.model_copy(update=update)


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_every_algorithm_is_ranked_or_refused_with_a_reason(collective: str) -> None:
    for n in (2, 6, 7):
        found = rank(collective, network(n), n, 900, grouping=halves)
        names = [one.algorithm for one in found.ranked]
        assert sorted([*names, *found.refused]) == algorithms(collective).names()
        seconds = [one.seconds for one in found.ranked]
        assert seconds == pytest.approx(sorted(seconds), rel=1e-8)
        assert all(f"got {n}" in reason for reason in found.refused.values())


def test_a_tuned_algorithm_is_as_fast_as_any_of_the_options_tried() -> None:
    tree, net, n, m = algorithms("bcast").get("degree_tree"), network(3), 12, 1200
    every = itertools.product(range(1, n), range(1, m + 1))
    least = min(float(tree.seconds(net, n, m, degree=d, segment=s)) for d, s in every)
    assert float(tune(tree, net, n, [m]).seconds[0]) <= least * 1.02


@pytest.mark.parametrize("n", [5, 12, 33, 100])
@pytest.mark.parametrize(("collective", "name"), [("bcast", "knomial"), ("alltoall", "kary_bruck")])
def test_a_radix_is_at_most_2_percent_slower_than_the_best(
    collective: str, name: str, n: int
) -> None:
    algorithm, sizes = algorithms(collective).get(name), [1, 100, 5000]
    for seed in range(6):
        net = network(seed)
        every = [algorithm.seconds(net, n, sizes, degree=k) for k in range(2, n + 1)]
        assert (tune(algorithm, net, n, sizes).seconds <= 1.02 * np.min(every, axis=0)).all()


def test_all_sizes_at_once_give_what_each_gives_by_itself() -> None:
    chain, sizes = algorithms("bcast").get("segmented_chain"), [0, 1, 9, 1000, 70000]
    segments, seconds = best_segments(chain, network(1), 9, sizes)
    alone = [best_segments(chain, network(1), 9, [m]) for m in sizes]
    assert segments.tolist() == [int(segment[0]) for segment, _ in alone]
    assert seconds == pytest.approx([float(time[0]) for _, time in alone])


def test_overlapping_intervals_are_no_significant_difference() -> None:
    sure, unsure = (rank("bcast", bounded(1, spread), 12, 900) for spread in (1e-6, 0.9))
    assert {one.is_told_from_best for one in unsure.ranked} == {False}
    assert sure.ranked[-1].is_told_from_best
    assert len(unsure.as_fast_as_best) == len(unsure.ranked) - 1
    assert {one.is_told_from_best for one in rank("bcast", network(1), 12, 900).ranked} == {None}


@pytest.mark.parametrize("collective", ["bcast", "alltoall", "alltoallv", "barrier"])
def test_the_map_holds_the_winners_of_the_rankings(collective: str) -> None:
    net, counts, sizes = network(2), [2, 5, 8], [0, 40, 5000]
    found = decision_map(collective, net, counts, sizes)
    for (i, n), (j, m) in itertools.product(enumerate(counts), enumerate(sizes)):
        best = rank(collective, net, n, m, closed_form).ranked[0]
        assert found.algorithm[i, j] == best.algorithm
        assert found.options[i, j] == best.options
        assert found.seconds[i, j] == pytest.approx(best.seconds)


@pytest.mark.parametrize("collective", ["bcast", "scatter", "alltoall", "reduce"])
@pytest.mark.parametrize("spread", [1e-6, 0.05, 0.9])
def test_the_map_says_what_comes_second_and_whether_that_is_sure(
    collective: str, spread: float
) -> None:
    net, counts, sizes = bounded(2, spread), [2, 5, 8, 24], [1, 40, 5000, 70000]
    found = decision_map(collective, net, counts, sizes)
    for (i, n), (j, m) in itertools.product(enumerate(counts), enumerate(sizes)):
        best, *others = rank(collective, net, n, m, closed_form).ranked
        later = [one for one in others if one.seconds > best.seconds * (1 + 1e-9)]
        if not later:
            assert (found.second[i, j], found.is_significant[i, j]) == ("", 0)
            assert np.isnan(found.ratio[i, j])
            continue
        assert found.ratio[i, j] == pytest.approx(later[0].ratio)
        assert found.second[i, j] in [o.algorithm for o in later if o.ratio < later[0].ratio + 1e-8]
        (second,) = [one for one in later if one.algorithm == found.second[i, j]]
        assert found.is_significant[i, j] == second.is_told_from_best
    assert np.array_equal(found.is_unsure, found.is_significant == 0)


def test_without_bounds_nothing_is_unsure_or_told() -> None:
    found = decision_map("bcast", network(2), [5], [1, 5000])
    assert np.isnan(found.is_significant).all()
    assert not found.is_unsure.any()


def test_a_map_covers_every_n_and_the_sizes_that_were_measured() -> None:
    net = network(1)
    sizes = map_sizes(net)
    assert map_counts().tolist() == list(range(2, 65))
    assert sizes[0] == 1
    assert net.size.array.max() / 2 < sizes[-1] <= net.size.array.max()
    assert {2, 4, 8, 16} <= set(sizes.tolist())


def test_an_alltoallv_of_many_processes_needs_no_matrix() -> None:
    n, net = 20_000, bounded(1, 0.1)
    tracemalloc.start()
    found = decision_map("alltoallv", net, [n], [1, 5000])
    best = rank("alltoallv", net, n, 5000).ranked[0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.algorithm[0, 1] == best.algorithm
    assert peak < n * n / 10  # bytes; a matrix of numbers takes 80 times as much


def test_of_equal_times_the_algorithm_with_fewer_options_wins() -> None:
    assert rank("bcast", network(0), 2, 1).ranked[0].options == {}
    assert np.all(decision_map("bcast", network(0), [2], [1]).options[0, 0] == {})


def test_one_process_is_no_collective_operation() -> None:
    for call in (lambda: rank("bcast", network(0), 1, 8), lambda: decision_map(
        "bcast", network(0), [1], [8]
    )):  # fmt: skip
        with pytest.raises(InvalidInputError, match="n = 1; a collective operation takes"):
            call()
