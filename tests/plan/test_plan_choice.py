"""What is chosen: windows that suit the link, the library's own where nothing is faster."""

import itertools

import numpy as np
import pytest

from contend.alltoall.clusters.file import parse_groups
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.plan import PORTFOLIO, parse_plan, plan_text
from contend.alltoall.plan.choice import choose, lines
from contend.alltoall.plan.link_queues import predict
from contend.alltoall.plan.links import links_between
from contend.alltoall.plan.make import MOST_RANKS, decide, known_levels, link_of, plan, usual_plan
from contend.alltoall.plan.placement import in_proportion, of_hosts, shares
from contend.alltoall.plan.portfolio import formula_window, members
from contend.base.errors import InvalidInputError
from contend.models.links.experiments import Ranks
from contend.models.links.fit import fit_links
from contend.models.links.record import GroupSize
from contend.schedules import algorithms
from support.links import Truth, measured

HALVES = (0,) * 8 + (1,) * 8
SHALLOW = Truth(buffer=24576.0)
DEEP = Truth(buffer=np.inf)
FILE = parse_groups(
    "[[levels]]\nname = 'cluster'\n"
    "groups = [{ name = 'a', hosts = ['a*'] }, { name = 'b', hosts = ['b*'] }]",
    "test",
)


@pytest.mark.parametrize(("m", "window"), [(1024, 18), (4096, 4), (16384, 1), (10**6, 1)])
def test_the_formula_fills_the_link_and_its_buffer(links, m, window):
    """2 x 5 ms x 12.5 MB/s + 24 KiB = 149576 bytes of eight senders."""
    assert formula_window(links(SHALLOW), m, 8) == window


def test_windows_and_chunks_are_within_reason(links):
    known = links(SHALLOW)
    windows = sorted(one.options["window"] for one in members("paced", HALVES, known, 1024))
    assert windows == [1, 2, 3, 4, 6, 8]  # a rank sends no more than eight over the link
    pipelined = members("lg_pipelined", HALVES, known, 8192)
    assert sorted({one.options["segment"] for one in pipelined}) == [1024, 4096]
    assert members("lg", (0, 0, 1, 1, 1), known, 8) == []


def test_what_packs_is_tried_without_a_window_and_with_those_that_hold_back(links):
    def windows(name, groups, m):
        return [one.window for one in members(name, groups, links(DEEP, max(groups) + 1), m)]

    eight = tuple(np.repeat(range(8), 2).tolist())  # seven messages of a rank
    assert windows("lg", HALVES, 64) == ["all"]  # one message of a rank
    assert windows("lg_balanced", eight, 64) == ["all", 1, 2, 4]
    many = members("lg_balanced", eight, links(Truth(), 8), 10**6)
    assert [one.window for one in many] == ["all", 1]  # no more than the link holds
    assert windows("lg_pipelined", HALVES, 2048) == ["all", 1]  # chunk after chunk
    assert windows("paced", HALVES, 64) == [None] * 6
    one = members("lg_balanced", eight, links(DEEP, 8), 64)[1]
    assert (one.planned, one.unanswered) == ({"window": 1}, 1)
    assert members("lg", HALVES, links(DEEP), 64)[0].unanswered is None


def test_a_packed_choice_says_its_window_as_the_library_would_take_another(links):
    groups = tuple(np.repeat(range(4), 4).tolist())
    said = lines("cluster", choose(["lg_balanced"], groups, links(DEEP, 4), [8, 64]))
    assert [(one.algorithm, one.window) for one in said] == [("lg_balanced", "all")]


def test_many_ranks_get_a_plan_for_all_sizes(links):
    """Chunks of which there would be too many are left out."""
    groups = (0,) * 32 + (1,) * 32
    (one,) = choose(PORTFOLIO, groups, links(), [2**20])
    chunks = {one.options["segment"] for one in members("lg_pipelined", groups, links(), 2**20)}
    assert min(chunks) == 16384
    assert one.bound < one.best.seconds <= one.native.seconds
    assert members("lg_pipelined", (0,) * 64 + (1,) * 192, links(), 2**20)


def test_a_shallow_buffer_is_not_overrun_and_a_window_is_why(links):
    known = links(Truth(buffer=48000.0))
    (one,) = choose(("native", "paced", "lg_balanced"), HALVES, known, [4096])
    assert one.native.predicted.is_lossy
    assert not one.best.predicted.is_lossy
    assert one.best.member.name == "paced"
    assert one.best.member.options["window"] < formula_window(known, 4096, 8)
    assert one.native.seconds > 2 * one.best.seconds
    assert one.best.seconds > one.bound


def test_packed_messages_win_where_messages_are_dear(links):
    known = links(Truth(latency=5e-3, buffer=np.inf))
    object.__setattr__(known, "between", known.between.model_copy(
        update={"gap": known.between.gap.model_copy(update={"value": (1e-3, 1e-3 + 1e9 / 6.25e6)})}
    ))  # fmt: skip
    (one,) = choose(PORTFOLIO, HALVES, known, [64])
    assert one.best.member.name in ("lg", "lg_balanced", "leaders")


def test_the_library_is_left_alone_where_nothing_is_faster(links):
    known = links(Truth(latency=50e-6, bandwidth=1e15, buffer=np.inf))
    (one,) = choose(("native", "throttled_pairwise"), HALVES, known, [4096])
    assert one.is_native
    assert one.native_as == "rotated"
    assert one.runner_up.member.name == "throttled_pairwise"


def test_a_size_stands_for_those_above_the_one_before_and_nothing_is_said_twice(links):
    chosen = choose(PORTFOLIO, HALVES, links(SHALLOW), [8, 64, 100, 2**14])
    assert [one.from_bytes for one in chosen] == [0, 9, 65, 101]
    said = lines("cluster", chosen)
    assert said[0].from_bytes == 0
    for before, after in itertools.pairwise(said):
        assert before.from_bytes < after.from_bytes
        assert (before.algorithm, before.window, before.chunk, before.leaders) != (
            after.algorithm, after.window, after.chunk, after.leaders
        )  # fmt: skip


def test_the_library_is_taken_with_the_same_caution_as_others(links):
    """Both fill seven tenths of a buffer, so that neither is worth leaving the other for."""
    known = links(Truth(buffer=np.inf))
    full = predict(algorithms("alltoall").get("rotated").build(16, 4096), HALVES, known).waiting
    near = links(Truth(buffer=full / 0.7))
    (one,) = choose(["throttled_pairwise"], HALVES, near, [4096])
    assert 0.6 < one.native.predicted.fill < 1.0
    assert one.native.cautious == one.native.seconds + Truth().timeout
    assert one.best.predicted.fill < 0.6  # and so it is left, for less than a time-out more
    assert one.best.seconds > 0.97 * one.native.seconds


@pytest.mark.parametrize("sizes", [[], [8, 8], [16, 8], [0, 8]])
def test_sizes_ascend(links, sizes):
    with pytest.raises(InvalidInputError, match="ascend"):
        choose(PORTFOLIO, HALVES, links(), sizes)


def test_a_network_becomes_a_plan_that_the_library_reads(network):
    known = network(SHALLOW)
    placed = in_proportion(known_levels(FILE, known), 16)
    made = plan(FILE, known, decide(known, placed, PORTFOLIO, [64, 4096]))
    assert parse_plan(plan_text(made)) == made
    (link,) = made.links
    assert link.latency == pytest.approx(5e-3, rel=0.01)
    assert link.bandwidth == pytest.approx(12.5e6 * (1448 + 100) / 1448, rel=0.05)
    assert 16384 < link.buffer < 36864
    assert {choice.level for choice in made.choices} == {"cluster"}
    assert "node_aware" not in {choice.algorithm for choice in made.choices}


def test_a_link_that_lost_nothing_has_the_largest_burst_for_a_buffer(network):
    (level,) = network(Truth(buffer=np.inf)).links
    assert link_of(level).buffer == level.clean_bytes
    assert link_of(level).timeout == 0.0


def test_unequal_ways_keep_their_own_parameters(network):
    (level,) = network(sizes=(2, 4, 4)).links
    way = level.ways[0]
    slower = way.model_copy(
        update={
            "bandwidth": way.bandwidth.model_copy(update={"value": 1e6}),
            "latency": way.latency.model_copy(update={"value": 8e-3}),
        }
    )
    level = level.model_copy(update={"ways": (slower, *level.ways[1:])})
    found = links_between(level, ["a", "b", "c", None])
    assert found.bandwidth[0, 1] == 1e6
    assert found.bandwidth[1, 0] > 1e7
    assert found.bandwidth[3, 0] == 1e6  # what was not measured is like the slowest
    assert found.one_way[0, 1] - found.one_way[1, 0] == pytest.approx(3e-3, rel=0.02)


def test_ranks_are_shared_as_the_groups_were(network):
    (placed,) = in_proportion(network(sizes=(5, 12)).links, 34)
    assert placed.sizes == (10, 24)
    assert placed.names == ("a", "b")
    with pytest.raises(InvalidInputError, match="1 ranks in 2 groups"):
        shares([1, 1], 1)


def test_hosts_say_where_ranks_are(network):
    levels = network().links
    (placed,) = of_hosts(FILE, levels, ["a1", "b1", "b2"], 6)
    assert placed.groups == (0, 0, 1, 1, 1, 1)
    with pytest.raises(InvalidInputError, match="5 ranks on 3 hosts"):
        of_hosts(FILE, levels, ["a1", "b1", "b2"], 5)
    assert of_hosts(FILE, levels, ["a1", "a2"], 2) == []
    with pytest.raises(InvalidInputError, match="all ranks are in one group"):
        decide(network(), [])


def test_nodes_are_groups_of_the_ranks_that_were_measured(network):
    (level,) = network(sizes=(4, 4)).links
    nodes = level.model_copy(update={"name": NODE})
    (placed,) = in_proportion([nodes], 14)
    assert placed.sizes == (4, 4, 3, 3)
    assert placed.names == (None,) * 4


NESTED = ("n",) * 8 + ("s",) * 4, ("r",) * 2 + ("g",) * 6 + ("b",) * 3 + ("w",)


@pytest.fixture
def nested(tmp_path):
    """Links of two sites of two clusters each, as they are learnt."""
    source = tmp_path / "links.jsonl"
    source.write_text("")
    hosts = tuple(f"h{number}" for number in range(12))
    sites, clusters = NESTED
    levels = [
        Ranks("site", hosts, sites, ("",) * 12, clusters),
        Ranks("cluster", hosts, clusters, sites, hosts),
    ]
    samples = [one for ranks in levels for one in measured(ranks=ranks, launches=2, repetitions=4)]
    return fit_links(samples, source)


def test_a_level_below_another_is_decided_for_the_groups_of_the_largest(nested):
    outer = [[group.outer for group in level.groups] for level in nested]
    assert outer == [[None, None], ["n", "n", "s", "s"]]
    sites, clusters = in_proportion(nested, 24)
    assert (sites.names, sites.sizes) == (("n", "s"), (16, 8))
    assert (clusters.names, clusters.sizes) == (("r", "g"), (4, 12))


def test_groups_of_older_files_are_not_known_to_be_in_others(nested):
    sites, clusters = nested
    older = tuple(
        GroupSize.model_validate(one.model_dump(exclude={"outer"})) for one in clusters.groups
    )
    placed = in_proportion([sites, clusters.model_copy(update={"groups": older})], 24)
    assert placed[1].names == ("r", "g", "b", "w")


def test_more_ranks_than_schedules_serve_are_refused_or_left_to_the_library(network):
    half = MOST_RANKS // 2
    known = network()
    groups = tuple(one.model_copy(update={"ranks": half + 1}) for one in known.links[0].groups)
    many = known.model_copy(
        update={"links": (known.links[0].model_copy(update={"groups": groups}),)}
    )
    with pytest.raises(InvalidInputError, match=f"{MOST_RANKS} are the most"):
        decide(many, in_proportion(many.links, MOST_RANKS + 2))
    found = usual_plan(FILE, many)
    assert found.choices == ()
    assert [link.level for link in found.links] == ["cluster"]


def test_a_network_without_links_is_told(network):
    bare = network().model_copy(update={"links": ()})
    with pytest.raises(InvalidInputError, match="no links of the levels cluster, node"):
        known_levels(FILE, bare)
