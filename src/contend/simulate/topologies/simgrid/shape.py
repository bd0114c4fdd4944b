"""What a cluster with a topology of its own is: cables between its hosts and switches, and routes.

A cable has one link, or one in each direction; `is_down` says which of both a route takes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.multipath import check_size

Passed = tuple[int, bool]  # number of a cable, and whether it is passed downwards


@dataclass(frozen=True, eq=False)
class Shape:
    """The topology of a cluster; hosts and cables are numbered from 0."""

    hosts: int
    host_cables: int  # so many cables come first and belong to a host each
    widths: Sequence[float]  # by how much each cable has the bandwidth of the cluster
    route: Callable[[int, int], list[Passed]]  # between two different hosts


def numbers_of(text: str, cluster: str, example: str) -> list[list[int]]:
    """Return the numbers above 0 of a parameter, lists with semicolons between.

    >>> numbers_of("2;4,4", "it", "...")
    [[2], [4, 4]]
    """
    lists = [[word.strip() for word in part.split(",")] for part in text.split(";")]
    if not all(word.isdecimal() and 0 < len(word) < 9 and int(word) for part in lists
               for word in part):  # fmt: skip
        raise wrong(text, cluster, example)
    return [[int(word) for word in part] for part in lists]


def wrong(text: str, cluster: str, example: str) -> InvalidInputError:
    """Return the error for parameters that are none of the shape."""
    return InvalidInputError(f"{cluster} has the topo_parameters {text!r}", f"write {example}")


def check_cables(cluster: str, *counts: Sequence[int]) -> None:
    """Raise where a product of these, each a number of cables, is too large in sum."""
    check_size(cluster, 2 * sum(prod(factors) for factors in counts))
