"""The level of nodes, which every machine has: ranks that share a host."""

from collections.abc import Hashable, Iterable, Sequence

from contend.clusters.groups import NODE, Level
from contend.errors import InvalidInputError
from contend.units import MOST_COUNTS


def nodes_of(hosts: Iterable[Hashable]) -> Level:
    """The level of nodes from the host of each rank.

    >>> nodes_of(["a", "b", "a"]).groups
    (0, 1, 0)
    """
    return Level.of(NODE, hosts)


def nodes_by_count(processes: Sequence[int]) -> Level:
    """The level of nodes from the number of processes on each, ranks in their order.

    >>> nodes_by_count([2, 1]).groups
    (0, 0, 1)
    """
    if not processes or min(processes) < 1:
        raise InvalidInputError(
            f"{min(processes, default='no')} processes on a node", "give at least 1 for each node"
        )
    if sum(processes) > MOST_COUNTS:
        raise InvalidInputError(
            f"{sum(processes)} processes, where {MOST_COUNTS} are the most", "give fewer"
        )
    return Level.of(
        NODE, (f"node{index}" for index, count in enumerate(processes) for _ in range(count))
    )
