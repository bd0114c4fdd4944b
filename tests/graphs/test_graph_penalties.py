"""The penalties of planted graphs come back, with intervals, from smaller graphs or a model."""

import numpy as np
import pytest

from contend.simulate.flows.engine import solve
from contend.simulate.graphs.measurements import Bandwidth, bandwidth_alone, measured_graphs
from contend.simulate.graphs.penalties import Shape, invert, shapes_of
from contend.simulate.graphs.penalty_lookup import MeasuredPenalties
from contend.simulate.graphs.repeats import bounds_by
from contend.simulate.graphs.side_by_side import first_penalties, side_by_side
from support.graphs import BANDWIDTH, SIZE, SMALL, launched, planted, random_graphs

PLANTED = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}


def shapes(samples) -> tuple[list[Shape], Bandwidth]:
    alone = bandwidth_alone(samples)
    assert alone is not None
    return shapes_of(measured_graphs(samples), alone.value), alone


def test_without_noise_every_first_step_is_found() -> None:
    graphs = random_graphs(60, np.random.default_rng(3))
    found, failed = invert(shapes(planted(graphs, "penalty3", PLANTED))[0], "penalty3", PLANTED)
    assert not failed
    for shape in found:
        assert shape.penalties == pytest.approx(first_penalties(shape.edges, "penalty3", PLANTED))


def test_later_steps_come_from_measured_graphs_where_there_are_any() -> None:
    samples = planted(SMALL, "penalty3", PLANTED)
    found, _ = invert(shapes(samples)[0], "maxmin", {})
    (ladder,) = [shape for shape in found if "ladder" in shape.graphs]
    assert (ladder.later_steps, ladder.later_measured) == (2, 2)
    expected = first_penalties(SMALL["ladder"], "penalty3", PLANTED)
    assert sorted(ladder.penalties) == pytest.approx(sorted(expected))


def test_a_later_step_that_was_not_measured_is_that_of_the_model() -> None:
    names = ("single", "fan-in-2", "ladder")
    samples = planted({name: SMALL[name] for name in names}, "penalty3", PLANTED)
    by_true, by_other = (
        invert(shapes(samples)[0], *model)[0][-1]
        for model in (("penalty3", PLANTED), ("infiniband", {}))
    )
    assert (by_true.later_steps, by_true.later_measured) == (2, 1)
    assert by_true.penalties == pytest.approx(first_penalties(SMALL["ladder"], "penalty3", PLANTED))
    assert by_other.penalties != pytest.approx(by_true.penalties, rel=0.01)


def with_intervals(samples) -> list[Shape]:
    found, alone = shapes(samples)
    return invert(found, "penalty3", PLANTED, alone, bounds_by(samples))[0]


def test_more_launches_make_narrower_intervals_and_one_has_none() -> None:
    def width(launches: int) -> float:
        rng = np.random.default_rng(5)
        graphs = {"fan-in-3": SMALL["fan-in-3"]}
        (shape,) = with_intervals(launched(graphs, "maxmin", None, rng, launches))
        low, high = shape.bounds() or (np.zeros(1), np.full(1, np.inf))
        return float(np.max(high - low))

    assert width(12) < 0.5 * width(3)
    assert width(1) == np.inf


def test_repetitions_of_a_launch_do_not_make_intervals_narrow() -> None:
    def width(repetitions: int) -> float:
        graphs = {"fan-in-3": SMALL["fan-in-3"]}
        found = []
        for seed in range(20):
            rng = np.random.default_rng(seed)
            samples = launched(graphs, "maxmin", None, rng, repetitions=repetitions)
            low, high = with_intervals(samples)[0].bounds() or pytest.fail("no interval")
            found.append(np.max(high / low))
        return float(np.log(np.median(found)))

    assert width(200) > 0.7 * width(5)


def test_one_launch_of_many_repetitions_has_intervals_within_it() -> None:
    rng = np.random.default_rng(5)
    samples = planted({"f": SMALL["fan-in-3"]}, "maxmin", None, 0.02, 20, rng)
    (shape,) = with_intervals(samples)
    low, high = shape.bounds() or pytest.fail("no interval")
    assert (low < 3).all()
    assert (high > 3).all()


def test_noise_among_edges_of_one_role_is_no_step() -> None:
    rng = np.random.default_rng(2)
    samples = planted({"f": SMALL["fan-out-3"]}, "maxmin", noise=0.1, repetitions=50, rng=rng)
    (shape,) = with_intervals(samples)
    assert shape.later_steps == 0
    assert shape.penalties == pytest.approx([3.0] * 3, rel=0.05)


def test_graphs_of_the_same_shape_count_together_edge_by_edge() -> None:
    graphs = {"one": SMALL["zigzag"], "other": ((7, 4), (9, 4), (9, 2)), "far": ((0, 1),)}
    found, _ = invert(shapes(planted(graphs, "penalty3", PLANTED))[0], "penalty3", PLANTED)
    single, zigzag = found
    assert zigzag.graphs == ["one", "other"]
    assert len(zigzag.slowdowns) == 2
    assert zigzag.slowdowns[0] == pytest.approx(zigzag.slowdowns[1])
    assert len(single.edges) == 1


def test_parts_that_do_not_meet_are_measured_together() -> None:
    graphs = {"pair": ((0, 1), (2, 3), (2, 4))}
    found, _ = invert(shapes(planted(graphs, "maxmin"))[0], "maxmin", {})
    assert [len(shape.edges) for shape in found] == [1, 2]
    assert found[1].penalties == pytest.approx([2.0, 2.0])


def test_times_that_smaller_graphs_contradict_are_told() -> None:
    samples = planted({n: SMALL[n] for n in ("single", "fan-out-2")}, "maxmin")
    twisted = samples[1].model_copy(update={"times_s": ((0.01, 2.0),)})
    chain = twisted.model_copy(update={"graph": "chain", "edges": ((0, 1), (1, 2))})
    found, failed = invert(shapes([samples[0], chain])[0], "maxmin", {})
    assert [shape.graphs for shape, _ in failed] == [["chain"]]
    assert "after the first end" in failed[0][1]
    assert len(found) == 1


def test_the_engine_by_measured_penalties_gives_the_measured_ends() -> None:
    graphs = random_graphs(30, np.random.default_rng(8))
    samples = planted(graphs, "penalty3", PLANTED)
    found, _ = invert(shapes(samples)[0], "penalty3", PLANTED)
    table = MeasuredPenalties(
        [shape.edges for shape in found], [shape.penalties for shape in found], "maxmin", {}
    )
    for sample in samples:
        flows = side_by_side([sample.edges], [SIZE])
        during = table.during(flows)
        ends = solve(flows, "measured", bandwidth=BANDWIDTH, penalties=during).end
        if during.measured_steps == during.steps:
            assert ends == pytest.approx(sample.times[0], rel=1e-6)


def test_a_penalty_measured_below_one_counts_as_one() -> None:
    table = MeasuredPenalties([((0, 1),)], [np.array([0.97])], "maxmin", {})
    assert table.of(((3, 4),))[0].tolist() == [1.0]
