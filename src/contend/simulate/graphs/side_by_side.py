"""End times of many graphs under one model, in one run of the engine.

Graphs that share no host do not meet on one switch, so all of them are flows of one network.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from contend.base.document import Floats
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import Flows
from contend.simulate.graphs.isomorphism import Edges


def side_by_side(graphs: Sequence[Edges], bytes_each: Sequence[float]) -> Flows:
    """Flows of all graphs, each on hosts of its own."""
    src, dst, hosts = [], [], 0
    for edges in graphs:
        ends = np.array(edges, dtype=np.int32)
        names, numbers = np.unique(ends, return_inverse=True)
        numbers = numbers.reshape(ends.shape) + hosts
        src.append(numbers[:, 0])
        dst.append(numbers[:, 1])
        hosts += names.size
    counts = [len(edges) for edges in graphs]
    zeros = np.zeros(sum(counts))
    return Flows(
        hosts, np.concatenate(src).astype(np.int32), np.concatenate(dst).astype(np.int32),
        np.repeat(np.asarray(bytes_each, dtype=np.float64), counts), zeros, np.empty(0),
    )  # fmt: skip


def first_penalties(edges: Edges, model: str, parameters: Mapping[str, float] | None) -> Floats:
    """Penalty of each edge while all are under way, (edges,)."""
    flows = side_by_side([edges], [1.0])
    stretches = solve(
        flows, model, bandwidth=1.0, parameters=parameters, is_recorded=True
    ).stretches
    first = stretches[stretches["begin"] == 0.0].sort_values("flow")
    penalties: Floats = first["penalty"].to_numpy()
    return penalties
