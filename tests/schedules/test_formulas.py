"""The formulas of Barchet-Estefanel, Mounie 2005, tables 1 to 3, and where they are right."""

from collections.abc import Callable
from math import ceil, floor, log2

import numpy as np
import pytest
from networks import random_plogp

from contend.schedules import algorithms
from contend.schedules.bcast.degree_tree import best_degree
from contend.schedules.timing.rendezvous import rendezvous

Formula = Callable[[int, float, float], float]  # of P, g(m), L
EXACT: dict[str, Formula] = {
    "flat": lambda p, g, latency: (p - 1) * g + latency,
    "chain": lambda p, g, latency: (p - 1) * (g + latency),
    "binomial": lambda p, g, latency: floor(log2(p)) * g + ceil(log2(p)) * latency,
}


def of(net, n, m, name, collective="bcast", **options):
    return float(algorithms(collective).get(name).seconds(net, n, m, **options))


@pytest.mark.parametrize("n", [2, 4, 8, 32])
@pytest.mark.parametrize("name", EXACT)
def test_table_1_is_right_for_powers_of_two(name, n):
    net = random_plogp(n)
    gap, latency = float(net.gap_at(100)), float(net.latency)
    assert of(net, n, 100, name) == pytest.approx(EXACT[name](n, gap, latency))


@pytest.mark.parametrize("n", [2, 4, 8, 32])
@pytest.mark.parametrize("name", EXACT)
def test_with_rendezvous_each_message_of_a_path_takes_two_more_latencies(name, n):
    net = random_plogp(n)
    small, gap, latency = float(net.gap_at(1)), float(net.gap_at(100)), float(net.latency)
    wanted = {
        "flat": (n - 1) * gap + 2 * small + 3 * latency,
        "chain": (n - 1) * (gap + 2 * small + 3 * latency),
        "binomial": floor(log2(n)) * gap + ceil(log2(n)) * (2 * small + 3 * latency),
    }
    assert of(rendezvous(net), n, 100, name) == pytest.approx(wanted[name])


@pytest.mark.parametrize("n", [2, 8, 32])
def test_segments_that_divide_the_message_take_the_time_of_table_1(n):
    net, k = random_plogp(n), 5
    gap, latency = float(net.gap_at(20)), float(net.latency)
    steps = int(log2(n))
    wanted = {
        "segmented_flat": (n - 1) * gap * k + latency,
        "segmented_chain": (n - 1) * (gap + latency) + gap * (k - 1),
        "segmented_binomial": steps * gap * k + steps * latency,
    }
    for name, seconds in wanted.items():
        assert of(net, n, 20 * k, name, segment=20) == pytest.approx(seconds)


@pytest.mark.parametrize("n", range(2, 41))
def test_the_bound_of_the_binary_tree_holds_for_every_number_of_ranks(n):
    net = random_plogp(n)
    bound = ceil(log2(n)) * (2 * float(net.gap_at(100)) + float(net.latency))
    assert of(net, n, 100, "binary") <= bound * (1 + 1e-12)


def test_the_binomial_formula_is_no_bound_for_other_numbers_of_ranks():
    below, above = [], []
    for seed in range(40):
        net = random_plogp(seed)
        for n in range(2, 41):
            paper = EXACT["binomial"](n, float(net.gap_at(9)), float(net.latency))
            ratio = paper / of(net, n, 9, "binomial")
            below += [n] * (ratio < 1 - 1e-9)
            above += [n] * (ratio > 1 + 1e-9)
    assert {n for n in (*below, *above) if n & (n - 1) == 0} == set()
    assert 3 in below
    assert 3 in above


@pytest.mark.parametrize("collective", ["scatter", "gather"])
@pytest.mark.parametrize("n", range(2, 41))
def test_table_2_is_right_for_powers_of_two_and_else_a_bound(collective, n):
    net = random_plogp(n)
    rounds = ceil(log2(n))
    tree = float(net.gap_at(2.0 ** np.arange(rounds) * 9).sum()) + rounds * float(net.latency)
    chain = float(net.gap_at(np.arange(1, n) * 9.0).sum()) + (n - 1) * float(net.latency)
    seconds = of(net, n, 9, "binomial", collective)
    assert seconds == pytest.approx(tree) if n & (n - 1) == 0 else seconds <= tree * (1 + 1e-12)
    assert of(net, n, 9, "chain", collective) == pytest.approx(chain)


def test_the_lower_bound_of_table_3_is_the_rotated_exchange():
    net = random_plogp(1)
    bound = 23 * float(net.gap_at(100)) + float(net.latency)
    assert of(net, 24, 100, "rotated", "alltoall") == pytest.approx(bound)
    others = [a for a in algorithms("alltoall").all() if a.restriction(24) is None]
    assert min(float(a.seconds(net, 24, 10**6)) for a in others) >= bound


@pytest.mark.parametrize("n", [2, 3, 17, 40])
def test_the_best_degree_is_no_slower_than_chain_binary_and_flat(n):
    for seed in range(5):
        net = random_plogp(seed)
        degree = best_degree(net, n, 100, segment=1000)
        best = of(net, n, 100, "degree_tree", degree=degree, segment=1000)
        assert sum(degree**level for level in range(n + 1)) >= n
        for name in ("chain", "binary", "flat"):
            assert best <= of(net, n, 100, name) * (1 + 1e-12)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("collective", ["alltoallv", "alltoall", "bcast"])
def test_equal_sizes_take_the_time_of_the_matrix_that_is_full_of_them(collective, n):
    net, sizes = random_plogp(n), [0, 7, 300]
    for algorithm in algorithms(collective).all():
        if algorithm.restriction(n) is None:
            whole = algorithm.seconds(net, n, algorithm.uniform(n, sizes))
            assert algorithm.uniform_seconds(net, n, sizes) == pytest.approx(whole)
