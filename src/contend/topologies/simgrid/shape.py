"""What a cluster with a topology of its own is: cables between its hosts and switches, and routes.

A cable has one link, or one in each direction; `is_down` says which of both a route takes.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod

from contend.errors import InvalidInputError
from contend.topologies.multipath import check_size

Passed = tuple[int, bool]  # number of a cable, and whether it is passed downwards


class Shape(ABC):
    """Base of the topologies of a cluster; hosts and cables are numbered from 0."""

    hosts: int
    host_cables: int  # so many cables come first and belong to a host each

    @abstractmethod
    def widths(self) -> Sequence[float]:
        """By how much each cable has the bandwidth of the cluster."""

    @abstractmethod
    def route(self, src: int, dst: int) -> list[Passed]:
        """What lies between two different hosts."""


def numbers_of(text: str, what: str, example: str) -> list[list[int]]:
    """Numbers above 0 of a parameter, lists with semicolons between.

    >>> numbers_of("2;4,4", "it", "...")
    [[2], [4, 4]]
    """
    lists = [[word.strip() for word in part.split(",")] for part in text.split(";")]
    if not all(word.isdecimal() and 0 < len(word) < 9 and int(word) for part in lists
               for word in part):  # fmt: skip
        raise InvalidInputError(f"{what} has the topo_parameters {text!r}", f"write {example}")
    return [[int(word) for word in part] for part in lists]


def check_cables(what: str, *counts: Sequence[int]) -> None:
    """Raise where a product of these, each a number of cables, is too large in sum."""
    check_size(what, 2 * sum(prod(factors) for factors in counts))
