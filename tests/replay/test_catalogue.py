"""Collective operations of the catalogue as traces: as long as their schedules take."""

import numpy as np
import pytest

from contend.programs.replay import Line, Plogp, replay
from contend.programs.replay.choice import COLLECTIVE, chooser
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import SUMMED, OpKind
from contend.schedules import algorithms
from contend.schedules.timing import evaluate
from contend.simulate.flows.schedule_ends import seconds as shared_seconds
from support.networks import parameters

NET = parameters(7e-5, (0, 1000, 100_000), (1e-5, 1e-4, 9e-3), (2e-6, 3e-6, 9e-5), "kielmann")
KINDS = {
    OpKind.BARRIER, OpKind.BCAST, OpKind.REDUCE, OpKind.ALLREDUCE, OpKind.GATHER, OpKind.SCATTER,
    OpKind.ALLGATHER, OpKind.ALLTOALL, OpKind.REDUCE_SCATTER,
}  # fmt: skip
CASES = [
    (kind, one.name)
    for kind in sorted(KINDS)
    for one in algorithms(COLLECTIVE[kind]).all()
    if not one.needs_groups
]

# A replay starts the sends of a rank in the order of its table, the engine each once what it
# requires has ended: in these some could overtake others.
COULD_OVERTAKE = {"scatter_doubling_allgather", "rabenseifner"}


def one_call(kind, n, m):
    builder = TraceBuilder(n)
    for rank in range(n):
        size = m * n if kind in SUMMED else m
        builder.rank(rank).add(kind, kind.name.lower(), peer=0, bytes=size)
    return builder.trace()


@pytest.mark.parametrize(("kind", "name"), CASES)
@pytest.mark.parametrize("n", [2, 8, 16])
def test_a_collective_takes_as_long_as_its_schedule(kind, name, n):
    collective = COLLECTIVE[kind]
    algorithm = algorithms(collective).get(name)
    if algorithm.restriction(n):
        pytest.skip(f"{name} does not serve {n}")
    m = 0 if kind == OpKind.BARRIER else 3000
    schedule = algorithm.build(n, m)
    trace, chosen = one_call(kind, n, m), {collective: name}
    in_turn = replay(trace, Plogp(NET), "ports", algorithms=chosen, baseline="ports")
    wanted = evaluate.seconds(schedule, NET)
    assert in_turn.seconds == pytest.approx(wanted)
    shared = replay(trace, Plogp(NET), "maxmin", algorithms=chosen, baseline="maxmin")
    engine = shared_seconds(schedule, NET, burst=0.0)
    assert shared.seconds == pytest.approx(engine, rel=0.08 if name in COULD_OVERTAKE else 1e-9)
    assert shared.messages == int(schedule.is_send.sum())


@pytest.mark.parametrize("kind", sorted(COLLECTIVE))
@pytest.mark.parametrize("m", [1, 3000, 100_000, 1 << 20])
def test_the_rule_has_an_algorithm_for_any_number_of_ranks(kind, m):
    for n in (2, 3, 7, 8, 12, 64):
        assert chooser({}).choice(kind, n, m).algorithm.restriction(n) is None


# Folding ranks share a link with others that send at once, unless these have to ask first.
HELD_BACK = {("recursive_halving", 7)}


@pytest.mark.parametrize(("kind", "name"), CASES)
@pytest.mark.parametrize("n", [2, 7, 8])
def test_a_collective_whose_messages_ask_first_ends(kind, name, n):
    collective = COLLECTIVE[kind]
    if algorithms(collective).get(name).restriction(n):
        pytest.skip(f"{name} does not serve {n}")
    trace, chosen = one_call(kind, n, 3000), {collective: name}
    eager, asking = (
        replay(trace, Line(1e-3, 1e6, eager=limit, handshake=2e-3), algorithms=chosen).seconds
        for limit in (np.inf, -1.0)
    )
    if (name, n) in HELD_BACK:
        assert 0 < asking < eager
    else:
        assert asking >= eager + 2e-3 * (1 - 1e-9)


def test_ranks_that_combine_exchange_at_once_by_rendezvous():
    trace = one_call(OpKind.ALLREDUCE, 4, 1000)
    net = Line(latency=1e-3, bandwidth=1e6, eager=8.0, handshake=2e-3)
    chosen = {"allreduce": "recursive_doubling"}
    found = replay(trace, net, "alone", algorithms=chosen, baseline="alone")
    # two steps, each a request, an answer, the bytes and the latency
    assert found.seconds == pytest.approx(2 * (1e-3 + 1e-3 + 1e-3 + 1e-3))
