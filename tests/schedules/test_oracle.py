"""What holds for every algorithm, and an algorithm that is added as one file."""

import itertools
import sys
from string import Formatter

import numpy as np
import pytest
from catalogue import M, every_algorithm, served, size, variants
from networks import random_plogp

import contend.schedules.bcast
from contend.base.errors import InvalidInputError
from contend.schedules import algorithms, in_groups
from contend.schedules.delivery import check_delivery
from contend.schedules.groups import halves
from contend.schedules.timing.evaluate import seconds

COUNTS = range(1, 41)
TIMED_COUNTS = (*range(1, 18), 23, 31, 32, 33, 40)
BETWEEN = (20, 24, 25, 27, 30, 36, 39)  # squares, a cube, multiples of odd numbers


def roots(algorithm, n, all_of_them=True):
    if not algorithm.defines.has_root:
        return [0]
    few = sorted({0, n // 2, n - 1})
    return list(range(n)) if n <= 12 and all_of_them else few


@every_algorithm
def test_every_block_is_delivered_once_for_every_n_and_root(algorithm):
    for index, options in enumerate(variants(algorithm)):
        for n in served(algorithm, TIMED_COUNTS):
            for root in roots(algorithm, n, all_of_them=index == 0):
                schedule = algorithm.build(n, size(algorithm, n), root, **options)
                check_delivery(schedule, algorithm.defines, root, algorithm.repeats)


@pytest.mark.full
@every_algorithm
def test_so_it_is_for_n_between(algorithm):
    options = next(variants(algorithm))
    for n in served(algorithm, BETWEEN):
        for root in roots(algorithm, n):
            schedule = algorithm.build(n, size(algorithm, n), root, **options)
            check_delivery(schedule, algorithm.defines, root, algorithm.repeats)


@every_algorithm
def test_a_number_of_ranks_that_is_refused_gets_an_algorithm_that_takes_it(algorithm):
    for n in COUNTS:
        if error := algorithm.restriction(n):
            with pytest.raises(InvalidInputError, match=f"got {n}"):
                algorithm.build(n, size(algorithm, n))
            alternative = error.remedy.split("'")[1]
            other = in_groups(algorithms(algorithm.collective).get(alternative), halves)
            assert other.restriction(n) is None
    assert algorithm.restriction(2) is None
    assert algorithm.restriction(32) is None


@every_algorithm
def test_the_closed_form_is_to_the_evaluated_schedule_what_it_claims(algorithm):
    for n, options in itertools.product(served(algorithm, TIMED_COUNTS), variants(algorithm)):
        for m in (0, 1, M, 77) if n < 9 else (M,):
            amount = size(algorithm, n, m, seed=m)
            schedule = algorithm.build(n, amount, with_blocks=False, **options)
            plogp = random_plogp(seed=n + m, is_growing=(n + m) % 2 == 1)
            true, closed = seconds(schedule, plogp), algorithm.seconds(plogp, n, amount, **options)
            claim = algorithm.claim(algorithm.call(n, amount, options))
            where = f"n {n}, m {m}, {options}: {float(closed)} claimed {claim}, is {true}"
            if claim == "exact":
                assert float(closed) == pytest.approx(true, rel=1e-9), where
            elif claim == "upper bound":
                assert float(closed) >= true * (1 - 1e-9), where
            else:
                assert float(closed) <= true * (1 + 1e-9), where


@every_algorithm
def test_a_bound_is_tight_somewhere(algorithm):
    """An infinite time would be an upper bound too."""
    ratios = []
    for n in served(algorithm, (2, 4, 8, 16)):
        amount = np.full((n, n), 80) if algorithm.collective == "alltoallv" else 80
        for options in variants(algorithm):
            schedule = algorithm.build(n, amount, with_blocks=False, **options)
            closed = float(algorithm.seconds(random_plogp(n), n, amount, **options))
            ratios.append(closed / seconds(schedule, random_plogp(n)))
    assert min(abs(np.log(ratios))) < 1e-9
    assert max(abs(np.log(ratios))) < np.log(3)


@every_algorithm
def test_times_are_those_of_each_size_by_itself(algorithm):
    n, plogp = 8, random_plogp(1)
    sizes = np.arange(1, 7).reshape(2, 3) * 17
    if algorithm.collective == "alltoallv":
        sizes = np.random.default_rng(0).integers(0, 99, (2, 3, n, n))
    times = algorithm.seconds(plogp, n, sizes)
    assert times.shape == (2, 3)
    for index in np.ndindex(2, 3):
        assert float(algorithm.seconds(plogp, n, sizes[index])) == pytest.approx(times[index])


@every_algorithm
def test_an_algorithm_says_what_it_is_and_where_it_is_from(algorithm):
    folder, module = type(algorithm).__module__.split(".")[-2:]
    assert (algorithm.collective, algorithm.name) == (folder, module)
    assert algorithm.title
    assert algorithm.source
    header = sys.modules[type(algorithm).__module__].__doc__ or ""
    for part in ("Source:", "Idea:", "Cost:", "Restrictions:"):
        assert part in header


@every_algorithm
def test_the_aggregated_view_moves_the_same_bytes(algorithm):
    n = 16
    full = algorithm.build(n, size(algorithm, n))
    view = algorithm.build(n, size(algorithm, n), with_blocks=False)
    assert view.blocks is None
    assert (view.bytes == full.bytes).all()
    assert (view.requires == full.requires).all()


OPENMPI = {"bcast": 9, "scatter": 3, "gather": 3, "alltoall": 5, "alltoallv": 2, "allgather": 7,
           "allreduce": 6, "reduce": 7, "barrier": 6, "reduce_scatter": 0}  # fmt: skip


@every_algorithm
def test_the_twins_in_libraries_can_be_named(algorithm):
    assert algorithm.openmpi is None or 1 <= algorithm.openmpi <= OPENMPI[algorithm.collective]
    named = {field for _, field, _, _ in Formatter().parse(algorithm.mpich or "") if field}
    assert named <= set(algorithm.options)


def lines_run(algorithm, n):
    """Lines of Python that building a schedule runs."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    amount = size(algorithm, n)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        algorithm.build(n, amount)
    finally:
        sys.settrace(before)
    return count


@every_algorithm
def test_a_schedule_is_built_without_a_loop_over_messages(algorithm):
    lines_run(algorithm, 8)
    assert lines_run(algorithm, 256) < 2 * lines_run(algorithm, 8)


@every_algorithm
def test_one_rank_does_nothing(algorithm):
    assert algorithm.build(1, size(algorithm, 1)).kind.size == 0
    assert float(algorithm.seconds(random_plogp(0), 1, size(algorithm, 1))) == 0


DUMMY = '''
"""Dummy.

Source: nowhere.
Idea: the root sends to everyone, the last rank first.
Cost: (P-1) g(m) + L.
Restrictions: none.
"""

from contend.schedules.algorithm import Algorithm
from contend.schedules.ragged_rows import ints
from contend.schedules.trees import heap


class Backwards(Algorithm):
    name = "dummy"
    collective = "bcast"
    title = "dummy"
    source = "nowhere"

    def messages(self, call):
        return heap(call.n, call.n).messages(ints([call.m])).mirrored().mirrored()

    def cost(self, net, call):
        return (call.n - 1) * net.gap_at(call.m) + net.latency_at(call.m)
'''


@pytest.fixture
def dummy(tmp_path, monkeypatch):
    """An algorithm that was added as one file."""
    package, registry = contend.schedules.bcast, algorithms("bcast")
    (tmp_path / "dummy.py").write_text(DUMMY)
    registry.names()  # what is cached now comes back afterwards
    monkeypatch.delitem(vars(registry), "_entries")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setitem(sys.modules, f"{package.__name__}.dummy", None)  # undone afterwards
    monkeypatch.delitem(sys.modules, f"{package.__name__}.dummy")
    monkeypatch.setattr(package, "dummy", None, raising=False)
    return registry.get("dummy")


@pytest.mark.parametrize(
    "oracle",
    [
        test_every_block_is_delivered_once_for_every_n_and_root,
        test_a_number_of_ranks_that_is_refused_gets_an_algorithm_that_takes_it,
        test_the_closed_form_is_to_the_evaluated_schedule_what_it_claims,
        test_a_bound_is_tight_somewhere,
        test_times_are_those_of_each_size_by_itself,
        test_an_algorithm_says_what_it_is_and_where_it_is_from,
        test_the_aggregated_view_moves_the_same_bytes,
        test_one_rank_does_nothing,
    ],
)
def test_an_algorithm_added_as_one_file_passes_what_holds_for_all(dummy, oracle):
    assert "dummy" in algorithms("bcast").names()
    oracle(dummy)
