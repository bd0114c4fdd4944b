"""Schedules over two clusters, each level with parameters of its own, against equation 6."""

import pytest
from networks import random_plogp

from contend.base.errors import InvalidInputError
from contend.models.prediction.two_clusters import two_cluster_time
from contend.schedules import algorithms
from contend.schedules.groups import given
from contend.schedules.pointtopoint import hockney
from contend.schedules.timing import evaluate
from contend.schedules.timing.evaluate import finish_times, seconds
from contend.schedules.timing.levels import Levels, crosses
from contend.schedules.timing.timeline import fast_ethernet
from support.networks import parameters

ALPHA, BETA = 5e-3, 1e-9  # a backbone of 5 ms and 8 Gbit/s
M = 4096


def backbone():
    """A message of m bytes keeps a rank's end of the backbone busy for alpha + beta m."""
    sizes = (0.0, 1e9)
    gap = [ALPHA + BETA * size for size in sizes]
    return parameters(0.0, sizes, gap, gap, "kielmann")


def clusters(n1, n2):
    return (0,) * n1 + (1,) * n2


@pytest.mark.parametrize(("n1", "n2"), [(30, 30), (20, 40), (40, 20), (1, 7), (4, 20)])
def test_lg_takes_equation_6_with_the_bytes_of_its_packed_messages(n1, n2):
    """The equation has m n bytes in a round; a packed message of LG has m times the smaller n."""
    groups, small, n = clusters(n1, n2), min(n1, n2), n1 + n2
    schedule = algorithms("alltoall").get("lg").grouped(given(groups)).build(n, M)
    times = finish_times(schedule, Levels(groups, fast_ethernet(), backbone()))
    inside = ~crosses(schedule, groups)
    local = [
        float(times[inside & (schedule.rank < n1)].max(initial=0)),
        float(times[inside & (schedule.rank >= n1)].max(initial=0)),
    ]
    line = hockney.given(ALPHA, BETA)
    packed = two_cluster_time((local[0], local[1]), n1, n2, M * small / n, line)
    assert times.max() == pytest.approx(packed.seconds)
    paper = two_cluster_time((local[0], local[1]), n1, n2, M, line)
    more = paper.rounds * BETA * M * max(n1, n2)
    assert paper.seconds == pytest.approx(float(times.max()) + more)


@pytest.mark.parametrize(("n1", "n2"), [(3, 7), (20, 30), (5, 6)])
def test_equation_6_is_no_less_than_balanced_lg_where_bytes_count(n1, n2):
    groups = clusters(n1, n2)
    schedule = (
        algorithms("alltoall").get("lg_balanced").grouped(given(groups)).build(n1 + n2, 10**7)
    )
    times = finish_times(schedule, Levels(groups, fast_ethernet(), backbone()))
    local = float(times[~crosses(schedule, groups)].max())
    found = two_cluster_time((local, local), n1, n2, 10**7, hockney.given(ALPHA, BETA))
    assert local < times.max() <= found.seconds


@pytest.mark.parametrize("name", ["lg_balanced", "leaders", "node_aware", "paced", "lg_pipelined"])
def test_levels_of_the_same_parameters_are_one_network(name):
    groups = (0, 1, 2, 0, 0, 1, 1, 2)
    schedule = algorithms("alltoall").get(name).grouped(given(groups)).build(8, 77)
    for seed in range(4):
        plogp = random_plogp(seed, is_growing=True)
        assert seconds(schedule, Levels(groups, plogp, plogp)) == evaluate.seconds(schedule, plogp)


def test_a_message_takes_the_parameters_of_its_level():
    inside, between = random_plogp(3), random_plogp(4)
    schedule = algorithms("alltoall").get("direct").build(2, 77)
    same, apart = (
        seconds(schedule, Levels(groups, inside, between)) for groups in ((0, 0), (0, 1))
    )
    assert same == pytest.approx(float(inside.seconds(77)))
    assert apart == pytest.approx(float(between.seconds(77)))
    assert crosses(schedule, (0, 1)).tolist() == [True] * 4


def test_groups_of_other_ranks_are_refused():
    schedule = algorithms("alltoall").get("direct").build(3, 8)
    with pytest.raises(InvalidInputError, match="groups of 2 ranks for a schedule of 3"):
        seconds(schedule, Levels((0, 1), fast_ethernet(), backbone()))


def test_levels_at_bounds_have_those_of_both_and_the_same_link():
    def bounded(plogp):
        ends = {"latency": (0.0, 1.0), "gap": ((0.0,) * 2, (1.0,) * 2)}
        return plogp.model_copy(
            update={
                name: getattr(plogp, name).model_copy(update={"low": low, "high": high})
                for name, (low, high) in ends.items()
            }
        )

    near, far = bounded(fast_ethernet()), bounded(backbone())
    bounds = Levels((0, 1), near, far, 5.0).at_bounds()
    assert bounds is not None
    assert [(one.groups, one.bandwidth) for one in bounds] == [((0, 1), 5.0)] * 2
    for name in ("inside", "between"):
        assert [float(getattr(one, name).latency) for one in bounds] == [0.0, 1.0]
    assert Levels((0, 1), near, backbone()).at_bounds() is None
    assert Levels((0, 1), fast_ethernet(), far).at_bounds() is None
