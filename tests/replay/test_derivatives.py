"""Derivatives of a replay against replays of which one parameter is a little larger."""

from dataclasses import replace

import numpy as np
import pytest
from programs import program, random_goal, random_trace

from contend.programs.replay import Line, LogGOPS, replay
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.faster import Faster
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.simulate.topologies.paths import Link, Paths

MORE = 1e-3
WITHIN = 0.01
LINE = Line(latency=0.3, bandwidth=1000.0, overhead=0.01)
ASKING = Line(latency=0.3, bandwidth=1000.0, overhead=0.05, eager=700, handshake=0.6)
LOGGOPS = LogGOPS(0.2, 0.05, 0.1, 1e-3, 1e-4, 600)
MODELS = ("alone", "ports", "maxmin")


def with_collectives(ranks=5):
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        me = builder.rank(rank)
        for step in range(3):
            me.compute(0.1 * ((rank * 7 + step * 3) % 5) + 0.013 * rank)
            me.add(OpKind.ALLREDUCE, "MPI_Allreduce", bytes=900)
            me.compute(0.05 * rank)
            me.add(OpKind.BCAST, "MPI_Bcast", peer=0, bytes=1500)
            me.add(OpKind.ALLTOALL, "MPI_Alltoall", bytes=170)
    return builder.trace()


def latency_by(times, factor):
    if isinstance(times, LogGOPS):
        return replace(times, L=times.L * factor)
    return replace(times, latency=times.latency * factor, handshake=times.handshake * factor)


def difference(trace, model, changed, **given):
    """Seconds for all of a parameter, by two replays; `changed` makes it as many times as large."""
    lower, higher = (replay(trace, changed(factor), model, baseline=model, **given).seconds
                     for factor in (1 - MORE, 1 + MORE))  # fmt: skip
    return (higher - lower) / (2 * MORE)


TRACES = [(f"random {seed}", random_trace(seed)) for seed in range(9)]
TRACES += [("collectives", with_collectives())]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("times", [LINE, ASKING, LOGGOPS], ids=["eager", "asking", "loggops"])
@pytest.mark.parametrize(("name", "trace"), TRACES, ids=[name for name, _ in TRACES])
def test_latency_bytes_and_computing_are_the_finite_differences(name, trace, times, model):
    found = replay(trace, times, model, baseline=model, has_derivatives=True)
    path = found.derivatives
    assert sum(path.seconds.values()) == pytest.approx(found.seconds, rel=1e-9)  # homogeneous
    latency = difference(trace, model, lambda factor: latency_by(times, factor))
    in_bytes = difference(trace, model, lambda factor: Faster(times, 1 / factor))
    if not isinstance(times, LogGOPS):  # whose overheads are within latencies
        assert path.seconds["latency"] == pytest.approx(latency, rel=WITHIN, abs=1e-6)
    assert path.seconds["bytes"] == pytest.approx(in_bytes, rel=WITHIN, abs=1e-6)
    assert path.messages * getattr(times, "L", LINE.latency) == pytest.approx(
        latency, rel=WITHIN, abs=1e-6
    )
    if isinstance(times, LogGOPS):  # whose receivers are busy with bytes too
        in_bytes = difference(trace, model, lambda factor: replace(times, G=times.G * factor))
    assert path.bytes / times.bandwidth == pytest.approx(in_bytes, rel=WITHIN, abs=1e-6)


@pytest.mark.parametrize("cpus", [1, 3])
@pytest.mark.parametrize("seed", range(5, 15))
def test_a_graph_of_operations_has_the_derivatives_of_loggops(seed, cpus):
    trace, times = random_goal(seed, cpus=cpus), LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9)
    found = replay(trace, times, "ports", baseline="ports", has_derivatives=True)
    path = found.derivatives
    assert sum(path.seconds.values()) == pytest.approx(found.seconds, rel=1e-9)
    latency = difference(trace, "ports", lambda factor: latency_by(times, factor))
    assert path.messages * times.L == pytest.approx(latency, rel=WITHIN, abs=1e-12)
    in_bytes = difference(trace, "ports", lambda factor: replace(times, G=times.G * factor))
    assert path.bytes * times.G == pytest.approx(in_bytes, rel=WITHIN, abs=1e-12)
    assert path.seconds["computing"] == pytest.approx(
        sum(
            sign * replay(trace, times, "ports", baseline="ports", compute=1 + sign * MORE).seconds
            for sign in (1, -1)
        ) / (2 * MORE), rel=WITHIN, abs=1e-12,
    )  # fmt: skip


class Scaled:
    """Times of which messages of some sizes have more of all."""

    def __init__(self, times, sizes, factor):
        self.times, self.sizes, self.factor = times, sizes, factor
        self.eager, self.handshake = times.eager, times.handshake
        self.takes_overheads, self.bandwidth = times.takes_overheads, times.bandwidth

    def columns(self, sizes):
        factor = np.where(np.isin(sizes, self.sizes), self.factor, 1.0)
        return {name: column * factor for name, column in self.times.columns(sizes).items()}


@pytest.mark.parametrize("model", MODELS)
def test_each_class_of_calls_has_its_part(model):
    trace = with_collectives()
    path = replay(trace, LINE, model, baseline=model, has_derivatives=True).derivatives
    assert path.of_calls(["MPI_Alltoall"]) > 0
    wanted = difference(trace, model, lambda factor: Scaled(LINE, [170], factor))
    assert path.of_calls(["MPI_Alltoall"]) == pytest.approx(wanted, rel=WITHIN)
    assert path.calls["computing"].sum() == pytest.approx(path.seconds["computing"])


# Hosts 0 to 2 send to 3 over a trunk that is narrower than they are; their times differ.
def over_trunk(trunk=700.0, port=1000.0, ranks=4):
    links = [Link(f"{host}{way}", port, is_of_host=True) for host in range(ranks) for way in "+-"]
    links.append(Link("trunk", trunk, latency=0.2))
    topology = Paths([str(host) for host in range(ranks)], links,
                     lambda src, dst: [2 * src, 2 * ranks, 2 * dst + 1])  # fmt: skip
    return Carriage(ranks, np.arange(ranks, dtype=np.int64), 1000.0, topology)


FUNNEL = program(
    "send 3 5000; compute 1; send 3 900", "compute 2; send 3 4000", "compute 3; send 3 7000",
    "recv 0 5000; recv 1 4000; compute 1; recv 2 7000; recv 0 900",
)  # fmt: skip


def test_the_derivative_by_a_shared_link_counts_shares():
    found = replay(FUNNEL, LINE, carriage=over_trunk(), has_derivatives=True)
    path = found.derivatives
    by_link = path.links.set_index("link")
    higher, lower = (
        replay(FUNNEL, LINE, carriage=over_trunk(700.0 / (1 + sign * MORE))).seconds
        for sign in (1, -1)
    )
    assert by_link.loc["trunk", "seconds"] == pytest.approx((higher - lower) / (2 * MORE), rel=0.01)
    assert by_link.loc["trunk", "seconds"] == pytest.approx(path.seconds["bytes"])
    assert by_link.loc["trunk", "latencies"] == pytest.approx(path.messages)
    assert by_link.loc["trunk", "seconds"] > 0


def test_a_port_into_which_several_send_is_its_bottleneck():
    found = replay(FUNNEL, LINE, has_derivatives=True)
    by_link = found.derivatives.links.set_index("link")["seconds"]
    assert by_link["host 3 receives"] > 0.6 * by_link.sum()
    assert by_link.sum() == pytest.approx(found.derivatives.seconds["bytes"])


def test_a_message_that_shares_can_save_time_by_coming_later():
    """Of two flows on one link the first ends at 2 w - d where the other starts d later."""
    trace = program("send 2 1000", "compute 1; send 2 5000; compute 9", "recv 0 1000; compute 50")
    times = Line(latency=0.0, bandwidth=500.0)
    path = replay(trace, times, has_derivatives=True).derivatives
    assert replay(trace, times).seconds == pytest.approx(50 + 2 * 2.0 - 1.0)
    assert path.seconds["computing"] == pytest.approx(50 - 1.0)
    assert path.seconds["bytes"] == pytest.approx(4.0)


def test_what_goes_by_tcp_has_no_derivatives():
    trace = program("send 1 100", "recv 0 100")
    assert replay(trace, LINE, "tcp", has_derivatives=True).derivatives is None
    assert replay(trace, LINE).derivatives is None


def test_following_the_path_changes_no_time():
    trace = random_trace(3)
    plain = replay(trace, LINE, is_recorded=True)
    followed = replay(trace, LINE, is_recorded=True, has_derivatives=True)
    assert plain.end.tolist() == followed.end.tolist()


def test_a_path_that_is_too_long_is_given_up():
    builder = TraceBuilder(130)
    rng = np.random.default_rng(1)
    for rank in range(130):
        builder.rank(rank).compute(float(rng.exponential(1e-3)))
        builder.rank(rank).add(OpKind.ALLTOALL, "MPI_Alltoall", bytes=20_000)
    trace, times = builder.trace(), Line(1e-5, 1e9, 1e-7)
    found = replay(trace, times, baseline="maxmin", has_derivatives=True)
    assert found.derivatives is None
    assert found.seconds == replay(trace, times, baseline="maxmin").seconds
