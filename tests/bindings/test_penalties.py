"""The function for the model `measured`, which the core calls while others may run Python."""

import sys

from contend.simulate.flows.engine import solve
from contend.simulate.topologies import Links


def test_no_reference_to_the_function_is_counted_without_the_lock():
    """With routes the core copies what it is given: the copies must not count."""
    counts: list[int] = []

    def penalties(left):
        counts.append(sys.getrefcount(penalties))
        return [1.0] * len(left)

    flows = {"src": [0, 1], "dst": [2, 2], "bytes": [1.0, 1.0]}
    before = sys.getrefcount(penalties)
    solve(flows, "measured", bandwidth=1.0, penalties=penalties)
    routed = {**flows, "route": [[0], [0]]}
    topology = Links(3, [1.0])
    solve(routed, "measured", bandwidth=1.0, penalties=penalties, topology=topology)
    assert len(set(counts)) == 1
    assert sys.getrefcount(penalties) == before
