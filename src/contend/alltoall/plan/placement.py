"""Where so many ranks are: the groups of each level that a plan decides about.

Idea: hosts that are named tell it, each with as many ranks; without names the groups are as large,
in proportion, as those that were measured. A level is decided for what the levels above it leave
together: for the largest of their groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.groups import NODE, nodes_of
from contend.alltoall.clusters.matching import Addresses, addresses_of, assign
from contend.base.errors import InvalidInputError
from contend.models.links.record import LevelLinks
from contend.schedules.groups import Groups


@dataclass(frozen=True)
class Placed:
    """Ranks of one level: the group of each, and the names of the groups that were measured."""

    level: str
    groups: Groups
    names: tuple[str | None, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Ranks of each group."""
        return tuple(np.bincount(self.groups).tolist())


def of_hosts(
    declared: GroupsFile,
    levels: Sequence[LevelLinks],
    hosts: Sequence[str],
    n: int,
    addresses: Addresses = addresses_of,
) -> list[Placed]:
    """The levels for `n` ranks on these hosts, in blocks of as many ranks."""
    if not hosts or n % len(hosts):
        raise InvalidInputError(
            f"{n} ranks on {len(hosts)} hosts",
            "give each host the same number of ranks, or leave hosts out",
        )
    ranks = [host for host in hosts for _ in range(n // len(hosts))]
    groups = assign(declared, ranks, addresses).below(nodes_of(ranks))
    levels_placed, kept = [], list(range(n))
    for level in groups.levels:
        if level.name not in {each.name for each in levels}:
            continue
        homes = [level.groups[rank] for rank in kept]
        numbers = list(dict.fromkeys(homes))
        if len(numbers) > 1:
            placed = tuple(numbers.index(home) for home in homes)
            levels_placed.append(
                Placed(level.name, placed, tuple(level.names[number] for number in numbers))
            )
            largest = int(np.argmax(np.bincount(placed)))
            kept = [rank for rank, home in zip(kept, placed, strict=True) if home == largest]
    return levels_placed


def in_proportion(levels: Sequence[LevelLinks], n: int) -> list[Placed]:
    """The levels for `n` ranks, with groups in proportion to those that were measured.

    Of the level of nodes there are as many as nodes with the ranks of a measured one need.
    """
    placed, remaining = [], n
    home: str | None = None  # the largest group of the level above; None: not known
    for level in levels:
        groups = [group for group in level.groups if group.outer == home] or level.groups
        if level.name == NODE:
            each = max(group.ranks for group in groups)
            nodes = -(-remaining // each)
            sizes = [len(part) for part in np.array_split(np.arange(remaining), nodes)]
            names: tuple[str | None, ...] = (None,) * nodes
        else:
            sizes = shares([group.ranks for group in groups], remaining)
            names = tuple(group.name for group in groups)
        home = names[int(np.argmax(sizes))]
        if len(sizes) > 1:
            ranks = tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())
            placed.append(Placed(level.name, ranks, names))
            remaining = max(sizes)
    return placed


def shares(weights: Sequence[int], n: int) -> list[int]:
    """Whole numbers in proportion to weights that add up to `n`, each at least 1.

    >>> shares([5, 12], 34), shares([4, 4, 4], 13)
    ([10, 24], [5, 4, 4])
    """
    if n < len(weights):
        raise InvalidInputError(
            f"{n} ranks in {len(weights)} groups", f"give at least {len(weights)}, or --hosts"
        )
    exact = np.asarray(weights, dtype=np.float64) * n / sum(weights)
    sizes = np.maximum(np.floor(exact), 1).astype(int)
    while (more := n - int(sizes.sum())) != 0:
        behind = (exact - sizes) * np.sign(more)
        behind[(sizes <= 1) & (more < 0)] = -np.inf
        sizes[int(np.argmax(behind))] += np.sign(more)
    return [int(size) for size in sizes]
