"""Exchanges over two clusters whose backbone all messages share, by the engine."""

import numpy as np
import pytest

from contend.models.prediction.two_clusters import two_cluster_time
from contend.schedules import algorithms
from contend.schedules.groups import given
from contend.schedules.pointtopoint import hockney
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import Flows
from contend.simulate.topologies import Links

HOST, BACKBONE = 1e9, 1e7  # bytes per second of a host's link, and of the backbone each way
M = 1000


def ends(schedule, n1):
    """When each message has come: links out of hosts, into hosts, and the backbone there and back.

    A message starts when the receives that its send requires have ended.
    """
    n, sends = schedule.ranks, np.flatnonzero(schedule.is_send)
    flow = np.full(schedule.kind.size, -1)
    flow[sends] = flow[schedule.partner[sends]] = np.arange(sends.size)
    src, dst = schedule.rank[sends], schedule.peer[sends]
    route = [
        [int(a), n + int(b), *([2 * n + int(a >= n1)] if (a < n1) != (b < n1) else [])]
        for a, b in zip(src, dst, strict=True)
    ]
    requires = [[int(flow[one]) for one in schedule.required_by(int(send))] for send in sends]
    flows = Flows(
        hosts=n, src=src.astype(np.int32), dst=dst.astype(np.int32),
        bytes=schedule.bytes[sends].astype(float), start=np.zeros(sends.size),
        latency=np.zeros(sends.size), route=route, requires=requires,
    )  # fmt: skip
    return solve(flows, "maxmin", topology=Links(n, [HOST] * 2 * n + [BACKBONE] * 2)).end


def built(name, n1, n2, **options):
    placed = algorithms("alltoall").get(name).grouped(given((0,) * n1 + (1,) * n2))
    return placed.build(n1 + n2, M, **options)


@pytest.mark.parametrize(("n1", "n2"), [(4, 4), (3, 6), (3, 7)])
@pytest.mark.parametrize(
    "name", ["lg_balanced", "leaders", "node_aware", "paced", "lg_pipelined", "spaced"]
)
def test_no_exchange_is_faster_than_the_bytes_that_cross(name, n1, n2):
    bound = n1 * n2 * M / BACKBONE
    found = float(ends(built(name, n1, n2), n1).max())
    assert bound * (1 - 1e-9) <= found <= 1.1 * bound


def test_chunks_leave_the_backbone_idle_for_less_of_the_local_phase():
    bound = 64 * M / BACKBONE
    one, eight = (
        float(ends(built("lg_pipelined", 8, 8, segment=size), 8).max()) for size in (M, M // 8)
    )
    assert eight - bound < (one - bound) / 3


@pytest.mark.parametrize(("n1", "n2"), [(1, 1), (2, 2), (2, 4), (8, 8), (4, 16)])
def test_equation_6_has_the_bytes_of_a_round_once_and_a_shared_backbone_all(n1, n2):
    """So it is for a backbone that gives every message its rate; n1 n2 m cross a shared one."""
    schedule = built("lg", n1, n2)
    end, sends = ends(schedule, n1), np.flatnonzero(schedule.is_send)
    inside = (schedule.rank[sends] < n1) == (schedule.peer[sends] < n1)
    local = float(end[inside].max(initial=0))
    paper = two_cluster_time((local, local), n1, n2, M, hockney.given(0.0, 1 / BACKBONE))
    share = n1 * n2 / (paper.rounds * (n1 + n2))
    assert float(end.max()) == pytest.approx(local + share * paper.backbone, rel=0.02)
