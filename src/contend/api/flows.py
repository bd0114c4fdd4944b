"""Flows over a topology that is named by a word."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from contend.api.arguments import (
    NAMES,
    NONE,
    NUMBER,
    PARAMETERS,
    PATH,
    TEXT,
    TOPOLOGY,
    WHOLE,
    takes,
)
from contend.base.units import parse_rate
from contend.simulate.flows.engine import Solution
from contend.simulate.flows.engine import solve as solve_flows
from contend.simulate.flows.engine import solve_many as solve_many_flows
from contend.simulate.topologies import Topology, topology_of

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from numpy.typing import ArrayLike

    from contend.simulate.flows.engine import Table
    from contend.simulate.flows.flows import Flows


@takes(
    model=TEXT, topology=PATH | TOPOLOGY, bandwidth=NUMBER | TEXT | NONE,
    parameters=PARAMETERS | NONE, hosts=WHOLE | NAMES | NONE, tolerance=NUMBER,
)  # fmt: skip
def solve(
    flows: "Flows | pd.DataFrame | Mapping[str, ArrayLike] | nx.DiGraph",
    model: str = "maxmin",
    topology: str | Topology = "switch",
    bandwidth: float | str | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    hosts: int | Sequence[str] | None = None,
    is_recorded: bool = False,
    tolerance: float = 0.0,
) -> Solution:
    """End time of each of many messages that share a network, under a sharing model.

    Parameters
    ----------
    flows
        Columns src, dst, bytes and perhaps start and latency (seconds), route and requires; or a
        directed graph of networkx, whose edges have these as attributes.
    model
        maxmin, equal_share, alpha-fair, penalty3, infiniband or infiniband-residual; measured takes
        the penalties of a network file ('contend solve').
    topology
        switch, fat-tree:4x8x2:2, k-ary:32@random:7 (a routing and its seed) and others
        (docs/sharing.md), a file (JSON, SimGrid XML), or one that was made.
    bandwidth
        Of a host's links, bytes per second or a text such as "12.5GB/s". Where neither it nor the
        topology says one, it is 1: times are then those that a host's link takes per byte.
    is_recorded
        Whether the rates over time are wanted too: `steps()` of what is returned.
    tolerance
        0 is exact; 0.001 makes many messages on a large network fast, with ends that are off by
        about a thousandth (docs/sharing.md); up to 0.1.

    >>> flows = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}
    >>> solve(flows).end.tolist(), solve(flows, bandwidth="100B/s").end.tolist()
    ([200.0, 300.0], [2.0, 3.0])
    """
    rate, network = _network(bandwidth, topology)
    return solve_flows(
        flows,
        model,
        bandwidth=rate,
        parameters=parameters,
        topology=network,
        hosts=hosts,
        is_recorded=is_recorded,
        tolerance=tolerance,
    )


@takes(
    model=TEXT, topology=PATH | TOPOLOGY, bandwidth=NUMBER | TEXT | NONE,
    hosts=WHOLE | NAMES | NONE, threads=WHOLE | NONE,
)  # fmt: skip
def solve_many(
    flows: "Table | Sequence[Table]",
    model: str = "maxmin",
    topology: str | Topology = "switch",
    bandwidth: float | str | None = None,
    *,
    parameters: Mapping[str, float] | Sequence[Mapping[str, float]] | None = None,
    hosts: int | Sequence[str] | None = None,
    threads: int | None = None,
    is_recorded: bool = False,
) -> list[Solution]:
    """Solutions of many problems, each as `solve` finds it, on all processors.

    Parameters
    ----------
    flows, parameters
        A list of either has an entry per problem; what is no list holds for all.
    threads
        At most; without it as many as this process may use processors.

    >>> flows = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}
    >>> [solution.end.tolist() for solution in solve_many([flows, {**flows, "bytes": [50, 50]}])]
    [[200.0, 300.0], [100.0, 100.0]]
    """
    rate, network = _network(bandwidth, topology)
    return solve_many_flows(
        flows,
        model,
        bandwidth=rate,
        parameters=parameters,
        topology=network,
        hosts=hosts,
        threads=threads,
        is_recorded=is_recorded,
    )


def _network(
    bandwidth: float | str | None, topology: str | Topology
) -> tuple[float | None, Topology | None]:
    """Bytes per second, if they are known, and the topology that is meant."""
    rate = parse_rate(bandwidth) / 8 if isinstance(bandwidth, str) else bandwidth
    network: Topology | None
    if isinstance(topology, Topology):
        network = topology
    else:
        network = topology_of(str(topology), 1.0 if rate is None else rate)
    if rate is None and network is None:
        rate = 1.0
    return rate, network
